/** The messages since the cursor: what the user said in them, how much it is, and whether the agent saved something itself. */

import type { Entry } from '../../conversation/entry.ts';
import { type ToolUseBlock, toolUsesOf } from '../../conversation/message.ts';
import { typedText } from '../../conversation/typed-text.ts';
import { hasCue } from './explicit.ts';

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
  /** What has a cue and was said after the agent's last write: kept at least, when no model looks. */
  readonly wishes: readonly SaidText[];
}

/**
 * After the last searched message that is still there: going back before it does not start earlier. If none is left they
 * were compacted away, and everything there came after the boundary, or was kept across it.
 */
export function spanSince(
  looked: ReadonlySet<string>,
  facts: { readonly entries: readonly Entry[]; readonly isMemoryWrite: (call: ToolUseBlock) => boolean },
): Span {
  const { entries } = facts;
  const at = entries.findLastIndex(({ uuid }) => looked.has(uuid));
  const since = entries.slice(at + 1);
  const said = since.flatMap(saidIn);
  const writtenAt = lastWriteAt(since, facts.isMemoryWrite);
  return {
    entries: since,
    lastUuid: since.at(-1)?.uuid ?? null,
    said,
    turns: since.filter(isFinalAnswer).length,
    isAnswered: since.slice(-1).some(isFinalAnswer),
    hasCue: said.some(carriesCue),
    wishes: since
      .slice(writtenAt + 1)
      .flatMap(saidIn)
      .filter(carriesCue),
  };
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

/** Position of the result of the agent's last write that was not refused; -1 when it made none. */
function lastWriteAt(entries: readonly Entry[], isMemoryWrite: (call: ToolUseBlock) => boolean): number {
  const calls = entries.flatMap(({ message }) => toolUsesOf(message.content)).filter(isMemoryWrite);
  if (calls.length === 0) return -1;
  const ids = new Set(calls.map(({ id }) => id));
  return entries.findLastIndex(({ message }) =>
    message.content.some(
      (block) => block.type === 'tool_result' && block.is_error !== true && ids.has(block.tool_use_id),
    ),
  );
}
