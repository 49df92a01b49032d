/** An accepted write as the file it becomes: the gate's text and standing in it, whatever else it holds left alone. */

import { editMemoryFile } from '../../files/memory-file.ts';
import type { Quote } from '../../files/quote.ts';
import type { HeaderValue } from '../../files/value.ts';
import type { Accepted, GateFacts, GuardedWrite, Judged, MemoryContent } from './judge-write.ts';

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

function changesOf({ after, before, facts, answer }: StandingFacts): Changes | null {
  const body = answer === undefined || answer.memory.body === after.body ? {} : { body: answer.memory.body };
  // A file that a person keeps without front matter gets none by way of an edit.
  if (after.type === null) return 'body' in body ? body : null;
  const now = facts.now().toISOString();
  if (answer === undefined) {
    const kept = keptKeys(after, before!);
    return { set: { ...kept.set, modified: now }, remove: kept.remove };
  }
  const { name, description, type, source } = answer.memory;
  const quote = quotesOf(answer, before);
  const set = { name, description, type, source, quote, modified: now };
  if (before !== null) {
    const kept = keptKeys(after, before);
    return { set: { ...kept.set, ...set }, remove: kept.remove, ...body };
  }
  // What it takes the place of is marked there.
  return { set: { ...set, origin: facts.origin, created: now }, remove: ['supersedes'], ...body };
}

/** Keys that Reverie and the user write: no writer changes them by way of an edit. */
export function keptKeys(after: MemoryContent, before: MemoryContent): Required<Pick<Changes, 'set' | 'remove'>> {
  const set: Record<string, HeaderValue> = {};
  const remove: string[] = [];
  const keep = (key: string, value: HeaderValue | null, isChanged: boolean) => {
    if (!isChanged) return;
    if (value === null) remove.push(key);
    else set[key] = value;
  };
  const isOther = (key: 'quote' | 'origin') => JSON.stringify(after[key]) !== JSON.stringify(before[key]);
  keep('quote', before.quote.length === 0 ? null : before.quote, isOther('quote'));
  keep('origin', before.origin, isOther('origin'));
  keep('created', before.created, after.created !== before.created);
  keep('pinned', before.pinned ? true : null, after.pinned !== before.pinned);
  keep('superseded_by', before.supersededBy, after.supersededBy !== before.supersededBy);
  keep('refuted', before.refuted, before.source === 'said' && after.refuted !== before.refuted);
  return { set, remove };
}

type Changes = Parameters<typeof editMemoryFile>[1];

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
