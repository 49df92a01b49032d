/** What the chat shows of its session beside the conversation: model, fullness, cost, what runs in the background. */

import type { Usage } from '../../conversation/message.ts';
import type { Window } from '../../conversation/window.ts';
import type { SteerableAgent } from '../../session/steering.ts';
import type { AgentWindow } from '../../session/window/window.ts';
import { dreamFooter } from '../paint-view/dream-view.ts';
import type { SessionFacts } from './state.ts';

export function openedFacts(agent: SteerableAgent, { usedTokens, window }: AgentWindow): SessionFacts {
  return {
    model: agent.model,
    mode: agent.permissionMode,
    ...fullness(usedTokens, window),
    cacheHitShare: null,
    costUsd: agent.totals().money,
    background: running(agent),
    dream: dreamFooter(agent.dream.progress()),
  };
}

export function usageFacts(agent: SteerableAgent, usage: Usage, window: Window | null): Partial<SessionFacts> {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = usage;
  const prompt = inputTokens + cacheReadTokens + cacheWriteTokens;
  // A cut answer has no count; the last known one stays.
  const counted =
    prompt === 0
      ? {}
      : { ...(window && fullness(prompt + outputTokens, window)), cacheHitShare: cacheReadTokens / prompt };
  return { ...counted, costUsd: agent.totals().money, background: running(agent) };
}

function running(agent: SteerableAgent): number {
  const agents = agent.agents().filter(({ state, isBackground }) => state === 'running' && isBackground);
  return agent.background().filter((command) => command.state() === 'running').length + agents.length;
}

function fullness(
  usedTokens: number,
  { effective, warnAt, compactAt }: Window,
): Pick<SessionFacts, 'windowLeftShare' | 'windowRoom'> {
  const windowRoom = usedTokens >= compactAt ? 'none' : usedTokens >= warnAt ? 'little' : 'enough';
  return { windowLeftShare: effective === 0 ? 0 : Math.max(0, 1 - usedTokens / effective), windowRoom };
}
