/** What was said before a compaction, as the gate hears it: from the transcript, and what compaction carried word for word. Never the summary: a model wrote it. */

import type { Entry } from '../conversation/entry.ts';
import { isSummary } from '../conversation/own-words.ts';
import { readSummarised } from '../disk/transcript/summarised.ts';
import type { Limits } from '../limits.ts';
import { type SpanMessage, spanOf } from '../memory/gate/writer/span.ts';
import type { SessionLog } from './session-log.ts';

export interface EarlierFacts {
  readonly log: Pick<SessionLog, 'file' | 'flush'>;
  /** What compaction carried word for word. */
  readonly carried: () => readonly { readonly uuid: string; readonly text: string }[];
  readonly limits: Pick<Limits, 'gate' | 'transcripts'>;
}

export interface Earlier {
  /** Oldest first. */
  readonly span: readonly SpanMessage[];
  /** The newest message of the user's among them. */
  readonly lastSaid: string | null;
}

/** By the conversation as it is now: where no summary stands in it, nothing went. */
export type ReadEarlier = (entries: readonly Entry[]) => Promise<Earlier>;

const NOTHING: Earlier = { span: [], lastSaid: null };

export function openEarlier(facts: EarlierFacts): ReadEarlier {
  /** Read once a compaction, at the first write behind it. */
  let read: { readonly key: string; readonly earlier: Promise<Earlier> } | null = null;
  return async (entries) => {
    const key = entries.flatMap((entry) => (isSummary(entry) ? [entry.uuid] : [])).join();
    if (key === '') return NOTHING;
    if (read?.key !== key) read = { key, earlier: earlierOf(entries, facts) };
    return read.earlier;
  };
}

async function earlierOf(entries: readonly Entry[], facts: EarlierFacts): Promise<Earlier> {
  const { gate } = facts.limits;
  const present = new Set(entries.map(({ uuid }) => uuid));
  const found = (await summarised(entries, facts)).filter(({ uuid }) => !present.has(uuid));
  const known = new Set([...present, ...found.map(({ uuid }) => uuid)]);
  const carried = facts.carried().filter(({ uuid }) => !known.has(uuid));
  const said = [
    ...carried.map(({ text }): SpanMessage => ({ from: 'user', text: withoutNote(text) })),
    ...spanOf(found, { otherBytes: gate.spanBytes }),
  ];
  const lastSaid = found.findLast((entry) => spanOf([entry]).some(({ from }) => from === 'user'))?.uuid;
  return { span: newestSaid(said, gate.earlierSaidBytes), lastSaid: lastSaid ?? carried.at(-1)?.uuid ?? null };
}

/** Oldest first. A transcript that cannot be read costs evidence, not the conversation. */
async function summarised(entries: readonly Entry[], { log, limits }: EarlierFacts): Promise<readonly Entry[]> {
  const lastUuid = entries.at(-1)?.uuid;
  if (log.file === null || lastUuid === undefined) return [];
  try {
    await log.flush();
    const { earlierBytes: expandedBytes } = limits.gate;
    const { parts } = await readSummarised(log.file, { lastUuid, limits: { ...limits.transcripts, expandedBytes } });
    const all = parts.toReversed().flatMap((part) => part.entries);
    return [...new Map(all.map((entry) => [entry.uuid, entry])).values()];
  } catch {
    return [];
  }
}

/** Where a long request was cut, the cut says so in words of ours. */
function withoutNote(text: string): string {
  return text.replace(/^\[… left out here: .*\]$/m, '');
}

function newestSaid(span: readonly SpanMessage[], bytes: number): readonly SpanMessage[] {
  let left = bytes;
  const kept = span.toReversed().filter(({ from, text }) => {
    if (from !== 'user') return true;
    left -= Buffer.byteLength(text);
    return left >= 0;
  });
  return kept.reverse();
}
