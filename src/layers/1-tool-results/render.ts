/** The text that replaces a result that is too long, and the result with that text in it. */

import type { ResultBlock, ToolResultBlock } from '../../conversation/message.ts';

/** The text of a result, as it is measured and stored. */
export function textIn(result: ToolResultBlock): string {
  const texts = result.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return texts.length === 1 ? texts[0]! : texts.join('\n');
}

/** One text replaces all of them, at the first one's place; images and documents stay where they are. */
export function withText(result: ToolResultBlock, text: string): ToolResultBlock {
  const content: ResultBlock[] = [];
  let isPlaced = false;
  for (const block of result.content) {
    if (block.type !== 'text') content.push(block);
    else if (!isPlaced) {
      content.push({ type: 'text', text });
      isPlaced = true;
    }
  }
  return { ...result, content };
}

export function previewText(facts: {
  readonly text: string;
  readonly path: string;
  readonly previewBytes: number;
}): string {
  const preview = firstBytes(facts.text, facts.previewBytes);
  const size = `${sizeOf(Buffer.byteLength(facts.text))}, ${counted(facts.text.length)} characters`;
  return [
    '<persisted-output>',
    `The output is too long to show (${size}). All of it is in ${facts.path}`,
    'Read parts of it with Read (offset and limit), or search it with Grep.',
    '',
    `Its first ${sizeOf(Buffer.byteLength(preview))}:`,
    preview,
    '[…]',
    '</persisted-output>',
  ].join('\n');
}

/** At most `characters` including the note between them, unless the note alone is longer. */
export function endsText(facts: { readonly text: string; readonly characters: number; readonly note: string }): string {
  const { text, note } = facts;
  const between = (left: number) => `\n\n[… ${counted(left)} characters left out; ${note} …]\n\n`;
  const room = Math.max(0, facts.characters - between(text.length).length);
  const half = Math.floor(room / 2);
  const head = cutEnd(text.slice(0, wholeCharacters(text, half)));
  const tail = cutStart(text.slice(wholeCharacters(text, text.length - half)));
  return `${head}${between(text.length - head.length - tail.length)}${tail}`;
}

/** At most this many bytes, never splitting a character; cut at the last line break if that loses little. */
function firstBytes(text: string, bytes: number): string {
  const encoded = Buffer.from(text.slice(0, bytes + 1));
  let end = Math.min(bytes, encoded.length);
  // A continuation byte begins with 10: cut before its character.
  while (end > 0 && end < encoded.length && (encoded[end]! & 0xc0) === 0x80) end--;
  return cutEnd(encoded.toString('utf8', 0, end));
}

/** It is better to cut a giant line after a short one than to leave it out. */
function cutEnd(text: string): string {
  const at = text.lastIndexOf('\n');
  return at * 2 >= text.length ? text.slice(0, at) : text;
}

function cutStart(text: string): string {
  const at = text.indexOf('\n');
  return at !== -1 && at * 2 < text.length ? text.slice(at + 1) : text;
}

/** The same position, or one before it if it would split a surrogate pair. */
function wholeCharacters(text: string, at: number): number {
  const code = at > 0 && at < text.length ? text.charCodeAt(at - 1) : 0;
  return code >= 0xd800 && code <= 0xdbff ? at - 1 : at;
}

function counted(count: number): string {
  return count.toLocaleString('en-US');
}

function sizeOf(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
