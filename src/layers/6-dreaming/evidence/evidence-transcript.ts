/** Finds quotes in a transcript, and who said them: the file is streamed, and what Reverie put there itself is nobody's word. */

import type { Entry } from '../../../conversation/entry.ts';
import { linesForward, openBytes } from '../../../disk/transcript/lines.ts';
import { entryOf, parseRecord } from '../../../disk/transcript/record.ts';
import type { Limits } from '../../../limits.ts';
import type { SpanMessage } from '../../../memory/gate/index.ts';
import { normalise } from '../../../memory/gate/normalise.ts';
import { spanOf } from '../../../memory/gate/writer/judge-write.ts';
import type { FoundEvidence } from '../proposal.ts';
import { passageOf } from './passage.ts';

export interface QuoteSearch {
  readonly quotes: readonly string[];
  readonly limits: Pick<Limits, 'dreaming' | 'transcripts'>;
}

/** By quote; those that stand nowhere are left out. */
export async function findInTranscript(
  file: string,
  { quotes, limits }: QuoteSearch,
): Promise<ReadonlyMap<string, FoundEvidence>> {
  const best = new Map<string, SpanMessage>();
  const wanted = [...new Set(quotes)].map((quote) => ({ quote, normalised: normalise(quote) }));
  for await (const said of messagesOf(file, limits)) {
    const text = normalise(said.text);
    for (const { quote, normalised } of wanted) {
      if (normalised === '' || !text.includes(normalised)) continue;
      const before = best.get(quote);
      if (before === undefined || RANK[said.from] > RANK[before.from]) best.set(quote, said);
    }
  }
  return new Map([...best].map(([quote, said]) => [quote, foundAs(quote, said, limits)]));
}

/**
 * Whose word it is when several said it: the user's, if they did; else the world's, since an assistant that repeats a page
 * adds nothing to it; else the assistant's.
 */
const RANK: Readonly<Record<SpanMessage['from'], number>> = {
  user: 3,
  agent: 2,
  pasted: 2,
  piped: 2,
  web: 2,
  file: 2,
  tool: 2,
  assistant: 1,
  injected: 0,
};

function foundAs(quote: string, said: SpanMessage, limits: QuoteSearch['limits']): FoundEvidence {
  if (said.from === 'injected') {
    return {
      kind: 'missing',
      reason: `${JSON.stringify(quote)} is text that Reverie itself put there: nobody said it`,
    };
  }
  return { kind: 'found', passage: { ...said, text: passageOf(said.text, quote, limits.dreaming) ?? quote } };
}

async function* messagesOf(file: string, limits: QuoteSearch['limits']): AsyncGenerator<SpanMessage> {
  const source = await openBytes(file).catch(() => null);
  if (source === null) return;
  try {
    const { chunkBytes, recordBytes } = limits.transcripts;
    const span = { chunkBytes, recordBytes, to: limits.dreaming.transcriptBytes };
    /** The answer before: it names the tools whose results follow. */
    let answer: Entry | null = null;
    for await (const line of linesForward(source, span)) {
      const parsed = line.text === null ? null : parseRecord(line.text);
      if (parsed?.kind !== 'record' || parsed.record.type !== 'message') continue;
      const entry = entryOf(parsed.record);
      const own = spanOf([entry]).length;
      const both = answer === null ? spanOf([entry]) : spanOf([answer, entry]);
      yield* own === 0 ? [] : both.slice(-own);
      if (entry.message.role === 'assistant') answer = entry;
    }
  } finally {
    await source.close();
  }
}
