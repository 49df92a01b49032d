/** What the list of sessions shows of one transcript, read from its beginning and its end alone. */

import type { Entry } from '../../conversation/entry.ts';
import type { Limits } from '../../limits.ts';
import { type ByteSource, linesBackwards, linesForward, openBytes } from '../transcript/lines.ts';
import {
  MEMBER_START,
  type MetaRecord,
  parseRecord,
  type SessionRecord,
  type TeamMember,
} from '../transcript/record.ts';

export interface SessionEnds {
  /** Empty when neither end tells. */
  readonly title: string;
  readonly lastPrompt: string;
  readonly started: string | null;
  readonly lastAt: string | null;
  readonly messages: number | null;
  readonly forkedFrom: string | null;
  /** Null for a session that belongs to no team of processes. */
  readonly member: TeamMember | null;
  /** Where it was begun; null where the first record is damaged. */
  readonly cwd: string | null;
}

/** Null when it is gone or cannot be read: a list is no place to fail. */
export async function readSessionEnds(file: string, limits: Limits['transcripts']): Promise<SessionEnds | null> {
  try {
    const source = await openBytes(file);
    if (source === null) return null;
    try {
      return await readEnds(source, limits);
    } finally {
      await source.close();
    }
  } catch {
    return null;
  }
}

/** One line, short enough for a list: a prompt's first words that are no blanks. */
export function titleOf(prompt: string, characters: number): string {
  const line = prompt
    .trim()
    .split(/\r?\n|\r/, 1)[0]!
    .replace(/\s+/g, ' ')
    .trim();
  const letters = [...line];
  return letters.length > characters
    ? `${letters
        .slice(0, characters - 1)
        .join('')
        .trimEnd()}…`
    : line;
}

/** What the user typed of a message, without what Reverie put there. */
export function promptOf(entry: Entry): string {
  if (entry.message.role !== 'user') return '';
  const injected = new Set(entry.injected?.map(({ block }) => block));
  return entry.message.content
    .flatMap((block, at) => (block.type === 'text' && !injected.has(at) ? [block.text] : []))
    .join('\n');
}

async function readEnds(source: ByteSource, limits: Limits['transcripts']): Promise<SessionEnds> {
  const tail = await readTail(source, limits);
  const first = await readFacts(source, limits.listedBytes);
  const { meta } = tail;
  const head = meta === null ? await readHead(source, limits) : null;
  const member = first?.member ?? null;
  const shorten = (text: string | null | undefined) => {
    return member !== null && text === MEMBER_START ? '' : titleOf(text ?? '', limits.titleCharacters);
  };
  const title = shorten(meta?.title) || shorten(head?.prompt);
  return {
    title: member === null ? title : memberTitle(member, title),
    member,
    lastPrompt: shorten(meta?.lastPrompt) || shorten(tail.prompt ?? head?.lastPrompt),
    started: first?.at ?? null,
    lastAt: tail.lastAt,
    messages: meta?.messages ?? (head?.isWhole ? head.messages : null),
    forkedFrom: first?.forkedFrom ?? null,
    cwd: first?.cwd ?? null,
  };
}

function memberTitle({ name, team }: TeamMember, title: string): string {
  const who = `${name} of the team ${team}`;
  return title === '' ? who : `${who}: ${title}`;
}

interface Tail {
  readonly meta: MetaRecord | null;
  readonly prompt: string | null;
  readonly lastAt: string | null;
}

async function readTail(source: ByteSource, limits: Limits['transcripts']): Promise<Tail> {
  let prompt: string | null = null;
  let lastAt: string | null = null;
  const span = { chunkBytes: limits.listedBytes, recordBytes: limits.listedBytes };
  for await (const line of linesBackwards(source, span)) {
    const parsed = line.text === null ? null : parseRecord(line.text);
    if (parsed?.kind === 'record') {
      lastAt ??= parsed.record.at;
      if (parsed.record.type === 'meta') return { meta: parsed.record, prompt, lastAt };
      if (parsed.record.type === 'message') prompt ??= promptOf(parsed.record) || null;
    }
    if (source.size - line.start > limits.listedBytes) break;
  }
  return { meta: null, prompt, lastAt };
}

/** The first record's facts stand before the rendered prefix, which may be long and is of no use here. */
async function readFacts(source: ByteSource, bytes: number): Promise<SessionRecord | null> {
  const line = (await source.read(0, Math.min(bytes, source.size))).toString('utf8').split('\n', 1)[0]!;
  const end = line.indexOf(',"rendered":');
  const parsed = parseRecord(end === -1 ? line : `${line.slice(0, end)}}`);
  return parsed.kind === 'record' && parsed.record.type === 'session' ? parsed.record : null;
}

/** For a session that ended before its prompt was noted for the list: its first prompt, if that is near the beginning. */
async function readHead(source: ByteSource, limits: Limits['transcripts']) {
  let prompt: string | null = null;
  let lastPrompt: string | null = null;
  let messages = 0;
  let isWhole = source.size <= limits.chunkBytes;
  const span = { chunkBytes: limits.listedBytes, recordBytes: limits.listedBytes, to: limits.chunkBytes };
  for await (const line of linesForward(source, span)) {
    // The first record holds the whole prefix and may be longer than a line that is looked at.
    if (line.start > 0 && line.text === null) isWhole = false;
    const parsed = line.text === null ? null : parseRecord(line.text);
    if (parsed?.kind !== 'record' || parsed.record.type !== 'message') continue;
    messages += 1;
    lastPrompt = promptOf(parsed.record) || lastPrompt;
    prompt ??= lastPrompt;
    if (prompt !== null && line.start > limits.listedBytes) isWhole = false;
    if (!isWhole && prompt !== null) break;
  }
  return { prompt, lastPrompt: isWhole ? lastPrompt : null, messages, isWhole };
}
