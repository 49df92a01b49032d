/** The directive of an extraction: which messages it is about, and what is known already. */

import { fillPrompt } from '../../lib/prompt-file.ts';

export interface DirectiveFacts {
  readonly messages: number;
  readonly manifest: { readonly text: string; readonly more: number };
}

export function extractionDirective({ messages, manifest }: DirectiveFacts): string {
  return fillPrompt('extraction', { messages: messagesText(messages), memories: memoriesText(manifest) });
}

function messagesText(count: number): string {
  return count === 1 ? 'the last message' : `the last ${count} messages`;
}

function memoriesText({ text, more }: DirectiveFacts['manifest']): string {
  if (text === '') return 'There are no memories yet.';
  const rest = more === 0 ? [] : [`(${more} older ones are not listed; Grep finds them.)`];
  return [text, ...rest].join('\n');
}
