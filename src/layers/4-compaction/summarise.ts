/** Asks a model for a summary. When even that request is too long, it retries a few times without the oldest rounds. */

import type { ContentBlock, Message, Usage } from '../../conversation/message.ts';
import type { Limits } from '../../limits.ts';
import { ModelFailure } from '../../model/failure.ts';
import type { ModelEvent, ModelResponse } from '../../model/model.ts';
import { oneLine } from './one-line.ts';
import { parseSummary, type UnusableAnswer } from './parse-summary.ts';
import type { CompactionFailure, CompactionPorts } from './ports.ts';
import { withInstruction } from './prompt.ts';
import { withNoteOfLeftOut, withoutOldest } from './rounds.ts';
import type { ListedRule } from './rules.ts';

export type Summarised =
  | {
      readonly kind: 'summary';
      readonly text: string;
      readonly rules: readonly ListedRule[];
      readonly usage: Usage;
      readonly shortenings: number;
    }
  | { readonly kind: 'failed'; readonly failure: CompactionFailure; readonly reason: string };

export async function summarise(facts: {
  readonly messages: readonly Message[];
  readonly instruction: string;
  readonly ask: CompactionPorts['summarise'];
  readonly isCacheCold: boolean;
  readonly signal: AbortSignal;
  readonly limits: Limits['compaction'];
}): Promise<Summarised> {
  const { instruction, ask, signal, limits } = facts;
  let messages = facts.isCacheCold ? facts.messages.map(withoutMedia) : facts.messages;
  for (let shortenings = 0; ; shortenings++) {
    const shown = shortenings === 0 ? messages : withNoteOfLeftOut(messages);
    const answer = await collect(() => ask({ messages: withInstruction(shown, instruction), signal }));
    if (answer.kind === 'answered') return read(answer.response, shortenings);
    const { failure } = answer;
    if (failure.kind !== 'too-long') return { kind: 'failed', failure: failure.kind, reason: failure.reason };
    // The prefix changes now, so leaving images out too loses nothing.
    const shorter = withoutOldest(messages.map(withoutMedia), { gapTokens: failure.tokensOver });
    if (shortenings >= limits.shorterTries || shorter === null) {
      return {
        kind: 'failed',
        failure: 'too-long',
        reason: 'the conversation is too long even to be summarised, also without its oldest messages',
      };
    }
    messages = shorter;
  }
}

interface CallFailure {
  readonly kind: CompactionFailure;
  readonly reason: string;
  readonly tokensOver: number | null;
}

type Collected =
  | { readonly kind: 'answered'; readonly response: ModelResponse }
  | { readonly kind: 'failed'; readonly failure: CallFailure };

/** Turns anything a call throws into a value: compaction never throws into the conversation. */
async function collect(call: () => AsyncIterable<ModelEvent>): Promise<Collected> {
  try {
    for await (const event of call()) {
      if (event.kind === 'response') return { kind: 'answered', response: event.response };
    }
    return failed({ kind: 'no-answer', reason: REASONS['no-answer'] });
  } catch (error) {
    if (!(error instanceof ModelFailure)) return failed({ kind: 'model-error', reason: oneLine(String(error)) });
    return failed({ kind: error.failure, reason: oneLine(error.message), tokensOver: error.tokensOver });
  }
}

function failed(facts: { kind: CompactionFailure; reason: string; tokensOver?: number | null }): Collected {
  const { kind, reason, tokensOver = null } = facts;
  return { kind: 'failed', failure: { kind, reason, tokensOver } };
}

const REASONS: Readonly<Record<UnusableAnswer, string>> = {
  'no-answer': 'the model answered nothing',
  'called-a-tool': 'the model called a tool in place of summarising',
  'cut-off': 'the summary was cut off at the output limit',
  'no-summary-tags': 'the answer had no <summary>',
  empty: 'the summary was empty',
  'no-words': 'the summary held no words',
};

function read(response: ModelResponse, shortenings: number): Summarised {
  const parsed = parseSummary(response);
  if (parsed.kind === 'summary') return { ...parsed, usage: response.usage, shortenings };
  return { kind: 'failed', failure: parsed.failure, reason: REASONS[parsed.failure] };
}

function withoutMedia(message: Message): Message {
  const isMedia = ({ type }: ContentBlock) => type === 'image' || type === 'document';
  const hasMedia = message.content.some(
    (block) => isMedia(block) || (block.type === 'tool_result' && block.content.some(isMedia)),
  );
  if (!hasMedia) return message;
  const left = (block: ContentBlock) => ({ type: 'text' as const, text: `[${block.type} left out]` });
  return {
    ...message,
    content: message.content.map((block) => {
      if (isMedia(block)) return left(block);
      if (block.type !== 'tool_result') return block;
      return { ...block, content: block.content.map((part) => (isMedia(part) ? left(part) : part)) };
    }),
  };
}
