/** Removing a range from the conversation by hand: the transcript keeps it, and resuming leaves it out again. */

import type { Conversation } from '../../agent/conversation.ts';
import type { Tool } from '../../agent/tool.ts';
import type { Entry } from '../../conversation/entry.ts';
import { ReverieError } from '../../errors.ts';
import type { SessionContext } from '../../toolbox/session-context.ts';
import { decideSnip, readSnips, type Snip, type SnipRange, snipped } from './index.ts';
import { snipTool } from './tool.ts';

export interface AgentSnip {
  /** A conversation that was left, as it was then. */
  resumed(entries: readonly Entry[]): readonly Entry[];
  /** Returns how many messages were removed. */
  take(range: SnipRange, conversation: Conversation, by?: Snip['by']): number;
  /** The agent's own tool; none where this is switched off when the session opens. */
  readonly tools: readonly Tool[];
  /** What the agent asked for since it was last asked. */
  wishes(): readonly SnipRange[];
  state(): unknown;
}

const REFUSALS = {
  'not-found': {
    code: 'not-found',
    message: 'That message is not part of this conversation.',
    fix: 'Name two of its entries.',
  },
  'wrong-order': { code: 'usage', message: 'The range ends before it begins.', fix: 'Name the older message first.' },
  'splits-a-round': {
    code: 'usage',
    message: 'The range would part a tool call from its result.',
    fix: 'Begin at the message with the call, and end at the one with its results.',
  },
} as const;

type SnipSession = Pick<SessionContext, 'place' | 'log' | 'now'> & {
  /** The conversation, which does not exist yet when its tools are made. */
  readonly entries: () => readonly Entry[];
};

export function openAgentSnip({ place, log, now, entries }: SnipSession): AgentSnip {
  let snips: readonly Snip[] = readSnips(log.kept?.states.get('snip'));
  const wished: SnipRange[] = [];
  const isThere = place.switches.isOn('layers.snip');
  return {
    resumed: (kept) => snipped(kept, snips),
    tools: isThere ? [snipTool({ entries, take: (range) => wished.push(range) })] : [],
    wishes: () => wished.splice(0),
    take(range, conversation, by) {
      if (!place.switches.isOn('layers.snip')) {
        const message = 'Taking messages out of the conversation is switched off.';
        throw new ReverieError({ code: 'refused', message, fix: 'Set "layers.snip" to true in the settings.' });
      }
      const decision = decideSnip(conversation.entries, range);
      if (decision.kind === 'refuse') throw new ReverieError(REFUSALS[decision.reason]);
      const at = now().toISOString();
      const snip: Snip = { uuids: decision.uuids, at, ...(by === undefined ? {} : { by }) };
      snips = [...snips, snip];
      conversation.replace(conversation.context(), snipped(conversation.entries, [snip]));
      log.append({ type: 'state', at, layer: 'snip', state: snips });
      return snip.uuids.length;
    },
    // Nothing is written for the many sessions that never use it.
    state: () => (snips.length === 0 ? undefined : snips),
  };
}
