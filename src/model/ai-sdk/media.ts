/** Images and documents as parts of an AI SDK prompt, or a line in their place where the model cannot take them. */

import type { LanguageModelV3FilePart, LanguageModelV3TextPart } from '@ai-sdk/provider';
import type { DocumentBlock, ImageBlock, ResultBlock } from '../../conversation/message.ts';
import type { ModelCapabilities } from '../model.ts';

export type UserPart = LanguageModelV3TextPart | LanguageModelV3FilePart;

export interface MediaFacts {
  readonly capabilities: Pick<ModelCapabilities, 'images' | 'documents'>;
}

export function mediaParts(block: ResultBlock, facts: MediaFacts): UserPart[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: block.text }];
    case 'image':
      return [facts.capabilities.images ? imagePart(block) : note('An image that this model cannot see.')];
    case 'document':
      return [documentPart(block, facts)];
  }
}

function imagePart({ source }: ImageBlock): LanguageModelV3FilePart {
  return source.type === 'url'
    ? { type: 'file', mediaType: 'image/*', data: new URL(source.url) }
    : { type: 'file', mediaType: source.media_type, data: source.data };
}

function documentPart({ source, title }: DocumentBlock, facts: MediaFacts): UserPart {
  if (source.type === 'text') return { type: 'text', text: title ? `${title}\n\n${source.data}` : source.data };
  if (!facts.capabilities.documents) return note(`A document that this model cannot read${title ? `: ${title}` : ''}.`);
  return { type: 'file', mediaType: source.media_type, data: source.data, ...(title && { filename: title }) };
}

function note(text: string): LanguageModelV3TextPart {
  return { type: 'text', text: `[${text}]` };
}
