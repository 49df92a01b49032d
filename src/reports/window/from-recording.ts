/** The requests of a session that no ledger knows, reckoned from its transcript: usage as recorded, parts estimated. */

import { addParts, addTo, scaledParts } from '../../conversation/composition.ts';
import { NO_USAGE } from '../../conversation/message.ts';
import { totalTokens } from '../../conversation/tokens.ts';
import type { Recording } from '../replay/recording.ts';
import type { RecordedRequest, SessionRequests } from './requests.ts';

/** A window that shrinks by this much was compacted. */
const COMPACTED_SHARE = 0.5;

interface Tally {
  sums: Map<string, number>;
  readonly toolNames: Map<string, string>;
}

/** A message that stands in it several times is one request: its last usage counts. */
export function requestsOfRecording({ messages, model }: Recording): SessionRequests {
  const tally: Tally = { sums: new Map(), toolNames: new Map() };
  const byId = new Map<string, number>();
  const requests: RecordedRequest[] = [];
  let prefixTokens: number | null = null;
  let before = 0;
  for (const { role, content, injected, usage, responseId, atMs } of messages) {
    const entry = {
      message: { role, content },
      injected: injected.map((block) => ({ block, source: 'notification' as const })),
    };
    const known = responseId === null ? undefined : byId.get(responseId);
    if (role === 'assistant' && known !== undefined) {
      if (usage !== null) requests[known] = { ...requests[known]!, usage };
      continue;
    }
    const promptTokens = totalTokens(usage ?? NO_USAGE) - (usage?.outputTokens ?? 0);
    if (usage !== null && prefixTokens === null) {
      const estimated = [...tally.sums.values()].reduce((sum, tokens) => sum + tokens, 0);
      prefixTokens = Math.max(0, promptTokens - estimated);
    }
    if (usage !== null && before > 0 && promptTokens < before * COMPACTED_SHARE) tally.sums = new Map();
    if (usage !== null) before = promptTokens;
    addParts(entry, tally);
    if (role !== 'assistant') continue;
    const sums = new Map<string, number>();
    if (prefixTokens !== null && prefixTokens > 0) addTo(sums, 'system prompt', prefixTokens);
    for (const [name, tokens] of tally.sums) addTo(sums, name, tokens);
    const estimated = [...sums.values()].reduce((sum, tokens) => sum + tokens, 0);
    const used = usage ?? { ...NO_USAGE, inputTokens: estimated };
    if (responseId !== null) byId.set(responseId, requests.length);
    requests.push({
      at: atMs === null ? null : new Date(atMs).toISOString(),
      model: model ?? '',
      usage: used,
      money: null,
      milliseconds: null,
      parts: scaledParts(sums, totalTokens(used)),
      savedTokens: 0,
      broke: null,
    });
  }
  return { requests, marks: [], isRecorded: false };
}
