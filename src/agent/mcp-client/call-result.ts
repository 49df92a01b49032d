/** What a server answered to a call, as blocks that a model can be sent: bounded, and whatever it cannot see said in words. */

import type { ResultBlock } from '../../conversation/message.ts';
import { type Limits, TOOL_LIMITS } from '../../limits.ts';
import type { ToolResult } from '../tool.ts';
import { counted } from '../tools/answer.ts';
import { mediaOf } from '../tools/media.ts';
import { shownLine, visible } from './shown-text.ts';
import { recordOf } from './tool-definition.ts';

export type ResultLimits = Pick<Limits, 'mcpServers' | 'tools'>;

type Part = Readonly<Record<string, unknown>>;

const LABEL_CHARACTERS = 500;

/** Read leniently: a server that gets one part slightly wrong has still done its work. */
export function readResult(raw: unknown, limits: ResultLimits): ToolResult {
  const result = recordOf(raw);
  const isError = result.isError === true;
  const parts = Array.isArray(result.content) ? result.content.map(recordOf) : [];
  const blocks = parts.map((part) => blockOf(part, limits));
  const structured = structuredText(result.structuredContent, blocks);
  if (structured !== null) blocks.push(text(structured));
  const bounded = bound(isError ? blocks.map(inWords) : blocks, limits.mcpServers);
  const content = bounded.length > 0 ? bounded : [text('The tool answered without content.')];
  return isError ? { content, isError } : { content };
}

function blockOf(part: Part, limits: ResultLimits): ResultBlock {
  switch (part.type) {
    case 'text':
      return text(visible(stringIn(part, 'text')));
    case 'image':
    case 'audio':
      return mediaBlock(part.data, { label: labelOf(part, 'mimeType') || String(part.type), limits });
    case 'resource':
      return resourceBlock(recordOf(part.resource), limits);
    case 'resource_link': {
      const words = ['title', 'name', 'description'].map((key) => labelOf(part, key)).filter((each) => each !== '');
      return text(`[A resource: ${[labelOf(part, 'uri'), ...words].join(', ')}]`);
    }
  }
  return text(`[A part of a kind that is not known here: ${labelOf(part, 'type') || 'none'}]`);
}

function resourceBlock(resource: Part, limits: ResultLimits): ResultBlock {
  const label = ['uri', 'mimeType']
    .map((key) => labelOf(resource, key))
    .filter((each) => each !== '')
    .join(', ');
  if (typeof resource.text === 'string') return text(`[${label}]\n${visible(resource.text)}`);
  return mediaBlock(resource.blob, { label, limits });
}

/** By its first bytes, whatever the server says it is: a wrong type would be refused with the whole request. */
function mediaBlock(data: unknown, { label, limits }: { label: string; limits: ResultLimits }): ResultBlock {
  if (typeof data !== 'string') return text(`[${label}: without data]`);
  const bytes = Buffer.from(data, 'base64');
  const size = counted(bytes.length, 'byte');
  const media = mediaOf(bytes);
  if (media.kind === 'image') {
    if (bytes.length > limits.tools.imageBytes) return text(`[${label}: a picture of ${size}, too large to be shown]`);
    return { type: 'image', source: { type: 'base64', media_type: media.type, data: bytes.toString('base64') } };
  }
  if (media.kind === 'pdf') {
    if (bytes.length > TOOL_LIMITS.documentBytes) return text(`[${label}: a PDF of ${size}, too large to be shown]`);
    const source = { type: 'base64', media_type: 'application/pdf', data: bytes.toString('base64') } as const;
    return { type: 'document', source };
  }
  return text(`[${label}: ${size} that cannot be shown]`);
}

/** Servers send the same as text for older clients; once is enough. */
function structuredText(structured: unknown, blocks: readonly ResultBlock[]): string | null {
  if (structured === undefined || structured === null) return null;
  const json = JSON.stringify(structured);
  const isThere = blocks.some((block) => block.type === 'text' && compact(block.text) === json);
  return isThere ? null : visible(json);
}

function compact(json: string): string | null {
  if (!/^\s*[[{]/.test(json)) return null;
  try {
    return JSON.stringify(JSON.parse(json));
  } catch {
    return null;
  }
}

/** Empty texts and too many pictures are refused by providers; too much text would only wait in memory to be put aside. */
function bound(blocks: readonly ResultBlock[], limits: Limits['mcpServers']): readonly ResultBlock[] {
  let room = limits.resultCharacters;
  let media = limits.resultMedia;
  let lost = 0;
  const kept = blocks.flatMap((block): ResultBlock[] => {
    if (block.type !== 'text') return media-- > 0 ? [block] : [text('[One more picture or document, left out]')];
    if (block.text.trim() === '') return [];
    const shown = block.text.slice(0, Math.max(0, room));
    room -= block.text.length;
    lost += block.text.length - shown.length;
    return shown === '' ? [] : [text(shown)];
  });
  return lost === 0 ? kept : [...kept, text(`[Cut: ${counted(lost, 'more character')} left out]`)];
}

/** With an error only text may be sent. */
function inWords(block: ResultBlock): ResultBlock {
  return block.type === 'text' ? block : text('[A picture or document, not shown with an error]');
}

function text(words: string): ResultBlock {
  return { type: 'text', text: words };
}

function stringIn(part: Part, key: string): string {
  const value = part[key];
  return typeof value === 'string' ? value : '';
}

function labelOf(part: Part, key: string): string {
  return shownLine(stringIn(part, key), LABEL_CHARACTERS);
}
