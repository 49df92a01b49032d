/** An accepted write as the file it becomes: the gate's text and standing in it, whatever else it holds left alone. */

import { editMemoryFile } from '../memory/memory-file.ts';
import type { Quote } from '../memory/quote.ts';
import type { Accepted, GateFacts, GuardedWrite, Judged, MemoryContent } from './write-gate.ts';

export interface StandingFacts {
  readonly after: MemoryContent;
  readonly before: MemoryContent | null;
  readonly facts: Pick<GateFacts, 'origin' | 'now'>;
  /** Without one the text stays as it was written, and its standing as it was. */
  readonly answer?: Accepted;
}

export function standingText(write: GuardedWrite, standing: StandingFacts): Judged {
  const { answer } = standing;
  const bytes = Buffer.from(write.text);
  const changes = changesOf(standing);
  const edited = changes === null ? { bytes } : editMemoryFile(bytes, changes);
  if ('refused' in edited)
    return { kind: 'refused', rule: 'form', reason: `Its front matter cannot be read: ${edited.refused}` };
  const text = Buffer.from(edited.bytes).toString('utf8');
  return { kind: 'pass', text, notes: [...adviceOn(answer), ...mendedLines(write.text, text)] };
}

/** Its writer is told that it does not count as the user's word, and what would make it so. */
function adviceOn(answer: Accepted | undefined): readonly string[] {
  if (answer === undefined) return [];
  return answer.verdict === 'accept-as-seen' || answer.memory.source === 'inferred' ? [answer.advice] : [];
}

function changesOf({ after, before, facts, answer }: StandingFacts): Parameters<typeof editMemoryFile>[1] | null {
  const body = answer === undefined || answer.memory.body === after.body ? {} : { body: answer.memory.body };
  // A file that a person keeps without front matter gets none by way of an edit.
  if (after.type === null) return 'body' in body ? body : null;
  const now = facts.now().toISOString();
  if (answer === undefined) return { set: { modified: now } };
  const { name, description, type, source } = answer.memory;
  const quote = quotesOf(answer, before);
  const set = { name, description, type, source, quote, modified: now };
  if (before !== null) return { set, ...body };
  // What it takes the place of is marked there.
  return { set: { ...set, origin: facts.origin, created: now }, remove: ['supersedes'], ...body };
}

/** What a memory rests on stays with it through an edit, whatever the writer left of it. */
function quotesOf({ memory }: Accepted, before: MemoryContent | null): readonly Quote[] {
  const all = [...(before?.quote ?? []), ...memory.quote];
  return [...new Map(all.map((quote) => [quote.text, quote])).values()];
}

/** So that its writer knows the file as it is, and can edit it without reading it again. */
function mendedLines(written: string, text: string): readonly string[] {
  const known = new Set(written.split(/\r?\n/));
  const mended = text.split(/\r?\n/).filter((line) => !known.has(line));
  return mended.length === 0 ? [] : ['It was kept with these lines in place of yours or beside them:', ...mended];
}
