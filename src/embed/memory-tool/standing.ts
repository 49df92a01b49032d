/** Whose word a text of the memory tool is: nobody hears the conversation here, so that it is never more than the model's conclusion. Pure. */

import type { MemorySource } from '../../base/taxonomy.ts';
import { isInLogs } from '../../memory/daily-log/place.ts';
import { factsOf } from '../../memory/files/header.ts';
import { editMemoryFile, parseMemoryFile } from '../../memory/files/memory-file.ts';
import { isCarried } from '../../memory/gate/carried.ts';

/** Before a text without front matter; the model, which counts lines, is not shown it. */
const MARK = '---\nsource: inferred\n---\n\n';

/** The text as the model wrote it. */
export function shownText(text: string): string {
  return text.startsWith(MARK) ? text.slice(MARK.length) : text;
}

export interface ToolText {
  /** What the file holds; null when it is new. */
  readonly before: string | null;
  /** What the model wants it to hold. */
  readonly after: string;
  /** The source of a file that names none. */
  readonly unmarked: MemorySource;
}

/** The text with its standing. What it claims to be, and whom it claims to quote, does not count. */
export function withStanding(file: string, { before, after, unmarked }: ToolText): string {
  if (isInLogs(file.toLowerCase())) return after;
  const then = before === null ? null : contentOf(file, before, unmarked);
  const now = contentOf(file, after, unmarked);
  const isSame = then !== null && then.type === now.type && isCarried(now, { before: then, day: null });
  const source = isSame ? then.source : weaker(then?.source, now.source);
  if (!now.hasFrontMatter) return source === unmarked ? after : MARK + after;
  const set = { ...(now.source === source ? {} : { source }), quote: then?.quote ?? [] };
  const edited = editMemoryFile(Buffer.from(after), { set });
  if ('refused' in edited) throw new Error(edited.refused);
  return Buffer.from(edited.bytes).toString('utf8');
}

function weaker(...claimed: readonly (MemorySource | undefined)[]): MemorySource {
  return claimed.includes('seen') ? 'seen' : 'inferred';
}

function contentOf(file: string, text: string, unmarked: MemorySource) {
  const { body, ...parsed } = parseMemoryFile(Buffer.from(text));
  return { ...factsOf(file, parsed, unmarked), body, hasFrontMatter: parsed.hasFrontMatter };
}
