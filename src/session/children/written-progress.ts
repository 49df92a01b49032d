/** What an agent is doing, in a model's words: a fork on the agent's own warm prefix, without tools, within the share that progress has. */

import { runFork } from '../../agent/fork.ts';
import type { LoopParts, RequestWatch } from '../../agent/loop.ts';
import { fillPrompt } from '../../base/prompt-file.ts';
import { toolUsesOf } from '../../conversation/message.ts';
import { promptTokens } from '../../model/metered-usage.ts';
import type { ModelResponse } from '../../model/model.ts';
import type { Closers } from '../../toolbox/start.ts';
import type { ParentAgent } from './parent.ts';

/** Room for a handful of words. */
const OUTPUT_TOKENS = 60;
const MOST_WORDS = 8;
const MOST_CHARACTERS = 80;

export function writtenProgress(facts: {
  readonly place: ParentAgent['place'];
  readonly now: () => Date;
  readonly parts: () => Omit<LoopParts, 'onEvent'>;
  readonly forkSeams: ParentAgent['forkSeams'];
  readonly signal: AbortSignal;
  /** It ends with the agent. */
  readonly opened: Closers;
  readonly onWritten: (line: string) => void;
}): RequestWatch {
  const { place, now } = facts;
  const ended = new AbortController();
  facts.opened.push(async () => ended.abort());
  const signal = AbortSignal.any([facts.signal, ended.signal]);
  let lastMs = now().getTime();
  /** One at a time, and none after a failure: the last tool call tells it then. */
  let isPaused = false;

  async function write(response: ModelResponse): Promise<void> {
    const parts = facts.parts();
    const cachedTokens = promptTokens(response.usage);
    const meter = {
      ...parts.meter,
      call: (call: Parameters<typeof parts.meter.call>[0]) => parts.meter.call({ ...call, cachedTokens }),
    };
    const limits = { ...parts.limits, outputTokens: OUTPUT_TOKENS, longOutputTokens: OUTPUT_TOKENS, continuations: 0 };
    const { outcome, answer } = await runFork({
      parent: { ...parts, meter, limits, onEvent: () => {} },
      ...{ purpose: 'progress', directive: fillPrompt('agent-progress'), tools: parts.tools, signal },
      decide: async () => ({ verdict: 'deny', reason: 'Answer without a tool.' }),
      ...{ seams: facts.forkSeams, maxRounds: 1 },
    });
    isPaused = outcome.kind === 'failed';
    const line = lineOf(answer);
    if (outcome.kind === 'answered' && line !== null && !signal.aborted) facts.onWritten(line);
  }

  return {
    sent: () => {},
    answered(response) {
      const isEnding = toolUsesOf(response.content).length === 0;
      if (isEnding || isPaused || now().getTime() - lastMs < place.limits.agents.progressMs) return;
      if (!place.switches.isOn('agents.writtenProgress')) return;
      isPaused = true;
      lastMs = now().getTime();
      // A microtask later the answer is the conversation's last message.
      queueMicrotask(() => void write(response).catch(() => {}));
    },
  };
}

/** Null for anything but a line of a few words. */
function lineOf(answer: string): string | null {
  const line = answer.trim().replace(/^["“]|["”.]+$/g, '');
  const isShort = line.length <= MOST_CHARACTERS && line.split(/\s+/).length <= MOST_WORDS;
  return line === '' || line.includes('\n') || !isShort ? null : line;
}
