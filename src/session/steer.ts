/** Steering a session by hand: going back, taking messages out, unfolding, summarising; each tells whoever counted on what was there. */

import { messageOf } from '../base/values.ts';
import type { SnipRange } from '../layers/snip/index.ts';
import type { AgentSnip } from '../layers/snip/join.ts';
import type { SessionContext } from '../toolbox/session-context.ts';
import type { SteerableAgent } from './steering.ts';
import type { AgentTurns } from './turns.ts';
import type { AgentCompaction } from './window/compaction.ts';
import { openAgentExpand } from './window/expand.ts';
import type { AgentLayers } from './window/layers.ts';
import { rewindConversation } from './window/rewind.ts';
import { agentWindow } from './window/window.ts';

type SteeredSession = Pick<
  SessionContext,
  'place' | 'log' | 'environment' | 'rendered' | 'conversation' | 'now' | 'model' | 'announceBreak' | 'tell'
> & {
  readonly turns: Pick<AgentTurns, 'alone'>;
  readonly layers: Pick<AgentLayers, 'collapse' | 'shortened'>;
  readonly snip: Pick<AgentSnip, 'take' | 'wishes'>;
  readonly compaction: () => AgentCompaction;
  /** What was told in messages that are gone has to be told again. */
  readonly messagesWent: () => void;
};

type Steering = Pick<
  SteerableAgent,
  | 'rewind'
  | 'snip'
  | 'folds'
  | 'unfold'
  | 'window'
  | 'compact'
  | 'compactFrom'
  | 'compactUpTo'
  | 'summarised'
  | 'expand'
> & {
  /** Before a request: takes out what the agent asked for. */
  carryOutSnips(): void;
};

export function steerAgent(session: SteeredSession): Steering {
  const { place, log, conversation, now, turns, layers, snip, compaction } = session;
  function takeOut(range: SnipRange, by?: 'agent'): number {
    const removed = snip.take(range, conversation, by);
    layers.shortened();
    session.messagesWent();
    session.announceBreak('snip');
    return removed;
  }

  return {
    rewind(uuid) {
      const rewound = rewindConversation(uuid, { conversation, record: log.append, now });
      session.messagesWent();
      session.announceBreak('rewind');
      return rewound;
    },
    snip: (range) => turns.alone(async () => takeOut(range)),
    carryOutSnips() {
      for (const range of snip.wishes()) {
        try {
          takeOut(range, 'agent');
        } catch (error) {
          session.tell(messageOf(error));
        }
      }
    },
    folds: () => layers.collapse.state().folds,
    unfold: (id) => turns.alone(async () => layers.collapse.unfold(id)),
    window: () => agentWindow(session),
    compact: (wishes) => turns.alone((signal) => compaction().byHand(wishes, signal)),
    compactFrom: (uuid, wishes) =>
      turns.alone((signal) => compaction().around({ uuid, side: 'from' }, { wishes, signal })),
    compactUpTo: (uuid, wishes) =>
      turns.alone((signal) => compaction().around({ uuid, side: 'up-to' }, { wishes, signal })),
    ...openAgentExpand({ log, conversation, limits: place.limits }),
  };
}
