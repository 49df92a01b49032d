/** What a session does at the loop's seams: one line a part, in the order of a round. */

import { standsFor } from '../agent/mcp-client/deferred-tools.ts';
import type { LoopSeams } from '../agent/seams.ts';
import type { FinishedCall } from '../agent/tool-runs.ts';
import type { Memory } from '../memory/memory.ts';
import type { AgentHooks } from '../toolbox/hooks.ts';
import type { AgentChildren } from './children/open-children.ts';
import type { AgentAttachments } from './context/attachments.ts';
import type { IndexNews } from './context/index-news.ts';
import type { AgentPlan } from './plan/join.ts';
import type { Remembering } from './remembering.ts';
import type { AgentLayers } from './window/layers.ts';

export interface SeamParts {
  readonly memory: Memory;
  readonly hooks: AgentHooks;
  readonly layers: AgentLayers;
  readonly indexNews: Pick<IndexNews, 'take'>;
  readonly remembering: Pick<Remembering, 'attachments' | 'toolsEnded' | 'answered'>;
  /** Results of agents. */
  readonly children: Pick<AgentChildren, 'offered'>;
  readonly plan: Pick<AgentPlan, 'attachments' | 'takeAnswer'>;
  /** Others after a rewind. */
  readonly attachments: () => AgentAttachments;
  /** What the agent asked to have taken out of the conversation. */
  readonly carryOutSnips: () => void;
  /** One line for the user. */
  readonly tell: (line: string) => void;
}

export function agentSeams(parts: SeamParts): LoopSeams {
  const { memory, hooks, layers, remembering, indexNews, plan, attachments, tell } = parts;
  return {
    ...layers.seams,
    async beforeRequest(facts) {
      parts.carryOutSnips();
      return layers.seams.beforeRequest!(facts);
    },
    async attachments() {
      attachments().add([...plan.attachments(), ...(await indexNews.take()), ...(await remembering.attachments())]);
      return [...attachments().take(), ...parts.children.offered()];
    },
    async afterTools(finished, { signal }) {
      attachments().onCalls(finished.map(({ call }) => call));
      attachments().add(await hooks.toolsEnded(finished, signal));
      noticeRemovals(memory, finished);
      remembering.toolsEnded(finished);
      return layers.admit(finished.map(({ call, result }) => ({ call: standsFor(call), result })));
    },
    whyStopped: hooks.takeStop,
    answerInstead: plan.takeAnswer,
    async afterAnswer({ signal, sentBack, isLast }) {
      const objections = await hooks.answerGiven({ signal, isGoingOn: sentBack > 0 });
      if (objections.length > 0 && !isLast) return objections;
      if (objections.length > 0) tell(`A Stop hook still objects after ${sentBack} more answers: the turn ends here.`);
      remembering.answered();
      return [];
    },
  };
}

/** A memory that was removed with `rm` leaves the index at once; nobody waits for that. */
function noticeRemovals(memory: Memory, finished: readonly FinishedCall[]): void {
  const folders = Object.values(memory.folders);
  const isNear = finished.some(({ call }) => {
    const { command } = call.input;
    return call.name === 'Bash' && typeof command === 'string' && folders.some((folder) => command.includes(folder));
  });
  if (isNear) void memory.noticeOutsideEdits().catch(() => {});
}
