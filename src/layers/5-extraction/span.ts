/** The messages since the cursor: what the user said in them, how much it is, and whether the agent saved something itself. */

import type { Entry } from '../../conversation/entry.ts';
import { type ToolUseBlock, toolUsesOf } from '../../conversation/message.ts';
import { typedText } from '../../conversation/typed-text.ts';
import { asksOutright, hasCue } from './explicit.ts';

export interface SaidText {
  readonly text: string;
  /** ISO time. */
  readonly at: string;
  readonly uuid: string;
}

export interface Span {
  readonly entries: readonly Entry[];
  /** Where the cursor goes once these were searched. */
  readonly lastUuid: string | null;
  /** What the user typed, without what was injected or came along. */
  readonly said: readonly SaidText[];
  /** Final answers. */
  readonly turns: number;
  /** It ends with a final answer: nobody interrupted it, and nothing failed. */
  readonly isAnswered: boolean;
  readonly hasCue: boolean;
  /** What has a cue and was said after the agent's last write, or was asked for outright: kept at least, when no model looks. */
  readonly wishes: readonly SaidText[];
}

export type SpanOf = (looked: ReadonlySet<string>, entries: readonly Entry[]) => Span;

/**
 * Behind the last message that was looked through and is still there: whoever goes back before it begins no earlier. Where none
 * is left they were compacted away, and all there is came after the boundary, or was kept over it. It is asked for after every
 * turn, and may grow for as long as the session: messages that it had the last time are compared, and not read again.
 */
export function createSpans(isMemoryWrite: (call: ToolUseBlock) => boolean): SpanOf {
  let last: LastSpan | null = null;
  return (looked, entries) => {
    const isSame = last !== null && last.looked === looked.size && isStillThere(last, entries);
    const known = isSame ? last!.start + last!.gathered.entries.length : 0;
    const at = lastLooked(looked, entries, known);
    const from = at === -1 && isSame ? last!.gathered : NOTHING_GATHERED;
    const start = at === -1 && isSame ? last!.start : at + 1;
    const gathered = gather(from, entries.slice(start + from.entries.length), isMemoryWrite);
    last = { start, before: entries[start - 1], looked: looked.size, gathered };
    const { writes: _, ...span } = gathered;
    const { entries: since } = span;
    return { ...span, lastUuid: since.at(-1)?.uuid ?? null, isAnswered: since.slice(-1).some(isFinalAnswer) };
  };
}

/** The last one at or behind a place; -1 where none is. */
function lastLooked(looked: ReadonlySet<string>, entries: readonly Entry[], from: number): number {
  for (let at = entries.length - 1; at >= from; at -= 1) if (looked.has(entries[at]!.uuid)) return at;
  return -1;
}

interface LastSpan {
  readonly start: number;
  /** The message in front of it: where nothing is gathered yet, only this shows that a compaction replaced them all. */
  readonly before: Entry | undefined;
  readonly looked: number;
  readonly gathered: Gathered;
}

function isStillThere({ start, before, gathered }: LastSpan, entries: readonly Entry[]): boolean {
  return entries[start - 1] === before && gathered.entries.every((entry, at) => entries[start + at] === entry);
}

type Gathered = Pick<Span, 'entries' | 'said' | 'turns' | 'hasCue' | 'wishes'> & {
  /** Calls of the agent that write a memory. */
  readonly writes: ReadonlySet<string>;
};

const NOTHING_GATHERED: Gathered = { entries: [], said: [], turns: 0, hasCue: false, wishes: [], writes: new Set() };

function gather(
  earlier: Gathered,
  entries: readonly Entry[],
  isMemoryWrite: (call: ToolUseBlock) => boolean,
): Gathered {
  if (entries.length === 0) return earlier;
  const said = [...earlier.said];
  const writes = new Set(earlier.writes);
  let { turns, hasCue } = earlier;
  let wishes = [...earlier.wishes];
  for (const entry of entries) {
    for (const call of toolUsesOf(entry.message.content)) if (isMemoryWrite(call)) writes.add(call.id);
    const words = saidIn(entry);
    const wished = words.filter(carriesCue);
    said.push(...words);
    hasCue ||= wished.length > 0;
    wishes.push(...wished);
    // What was asked for outright stays until a memory quotes it: the agent may have written something else.
    if (isWritten(entry, writes)) wishes = wishes.filter(({ text }) => asksOutright(text));
    if (isFinalAnswer(entry)) turns += 1;
  }
  return { entries: [...earlier.entries, ...entries], said, turns, hasCue, wishes, writes };
}

/** A cache, not state: an entry never changes, and the same ones are looked at after every turn. */
const known = new WeakMap<Entry, readonly SaidText[]>();
const cues = new WeakMap<SaidText, boolean>();

function saidIn(entry: Entry): readonly SaidText[] {
  const found = known.get(entry);
  if (found !== undefined) return found;
  const text = typedText(entry);
  const said = text === '' ? [] : [{ text, at: entry.at, uuid: entry.uuid }];
  known.set(entry, said);
  return said;
}

function carriesCue(said: SaidText): boolean {
  const found = cues.get(said) ?? hasCue(said.text) !== null;
  cues.set(said, found);
  return found;
}

function isFinalAnswer({ message }: Entry): boolean {
  return message.role === 'assistant' && toolUsesOf(message.content).length === 0;
}

/** Holds the result of a write of the agent's that was not refused. */
function isWritten({ message }: Entry, writes: ReadonlySet<string>): boolean {
  return message.content.some(
    (block) => block.type === 'tool_result' && block.is_error !== true && writes.has(block.tool_use_id),
  );
}
