/** The messages that compactions took out of a conversation, found again in its transcript: one way back from the end, and only so far. */

import type { Entry } from '../../conversation/entry.ts';
import { LIMITS, type Limits } from '../../limits.ts';
import { type Chain, createChain } from './chain.ts';
import { type Line, linesBackwards, openBytes } from './lines.ts';
import { type BoundaryRecord, entryOf, parseRecord } from './record.ts';

export interface Summarised {
  readonly boundary: BoundaryRecord;
  /** Oldest first, never empty. */
  readonly entries: readonly Entry[];
}

export interface SummarisedParts {
  /** The newest compaction first. */
  readonly parts: readonly Summarised[];
  /** False when there may be more, further back than was looked. */
  readonly isAll: boolean;
}

type SummarisedLimits = Pick<Limits['transcripts'], 'chunkBytes' | 'recordBytes' | 'expandedBytes' | 'expandedRanges'>;

/** `lastUuid`: the message that the conversation ends with now; a branch that was left has compactions of its own. */
export async function readSummarised(
  file: string,
  options: { readonly lastUuid: string; readonly limits?: SummarisedLimits },
): Promise<SummarisedParts> {
  const limits = options.limits ?? LIMITS.transcripts;
  const source = await openBytes(file);
  if (source === null) return { parts: [], isAll: true };
  const walks = goBack(options.lastUuid, limits.expandedRanges);
  let isAll = true;
  try {
    for await (const line of linesBackwards(source, limits)) {
      isAll = source.size - line.start <= limits.expandedBytes;
      if (!isAll) break;
      walks.take(line);
      if (walks.isDone()) break;
    }
  } finally {
    await source.close();
  }
  return { parts: walks.parts(), isAll: isAll && !walks.isCut() };
}

/** Where a chain ends at a compaction, the chain that was compacted begins: with the message before it. */
function goBack(lastUuid: string, mostRanges: number) {
  const current = createChain(lastUuid);
  const earlier: { readonly boundary: BoundaryRecord; readonly chain: Chain }[] = [];
  let newest = current;
  let isCut = false;

  function chains(): readonly Chain[] {
    return [current, ...earlier.map(({ chain }) => chain)];
  }

  function startEarlier(): void {
    const boundary = newest.cut();
    if (boundary === null || boundary.parentUuid === null) return;
    isCut = earlier.length >= mostRanges;
    if (isCut) return;
    newest = createChain(boundary.parentUuid);
    earlier.push({ boundary, chain: newest });
  }

  return {
    take({ text }: Line): void {
      const parsed = text === null ? ({ kind: 'damaged' } as const) : parseRecord(text);
      const open = chains().filter((chain) => !chain.isComplete());
      if (parsed.kind === 'damaged') for (const chain of open) chain.damaged(text);
      if (parsed.kind !== 'record') return;
      const { record } = parsed;
      if (record.type === 'message') for (const chain of open) chain.message(entryOf(record));
      if (record.type === 'boundary') for (const chain of open) chain.boundary(record);
      startEarlier();
    },
    isDone: () => chains().every((chain) => chain.isComplete()),
    isCut: () => isCut,
    parts: (): readonly Summarised[] =>
      earlier.flatMap(({ boundary, chain }) => {
        const entries = replacedOf(boundary, chain.finish().entries);
        return entries.length === 0 ? [] : [{ boundary, entries }];
      }),
  };
}

/** Of the conversation before a compaction, what went; its beginning may be further back than was looked. */
function replacedOf({ replaced }: BoundaryRecord, entries: readonly Entry[]): readonly Entry[] {
  if (replaced === undefined) return entries;
  const from = entries.findIndex(({ uuid }) => uuid === replaced.from);
  const to = entries.findIndex(({ uuid }) => uuid === replaced.to);
  return entries.slice(Math.max(0, from), to + 1);
}
