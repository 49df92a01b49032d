/** One budget for all agents of a session: room is reserved before an agent starts and before each of its requests. */

import type { Usage } from '../../conversation/message.ts';
import type { Limits } from '../../limits.ts';
import { ModelFailure } from '../../model/failure.ts';
import type { Meter, MeteredCall } from '../../model/meter.ts';
import { equivalentTokens, estimateLikely } from '../../model/metered-usage.ts';
import type { SiblingPass } from './siblings.ts';

/** Room for the first requests of an agent, in uncached-equivalent tokens. */
const START_TOKENS = 20_000;
const LIKELY_OUTPUT_TOKENS = 1_000;

export interface AgentBudget {
  /** Null where there is room for one more; else a sentence for the model. */
  whyNoRoom(): string | null;
  open(): AgentAccount;
}

export interface AgentAccount {
  readonly spentTokens: () => number;
  readonly isSpent: () => boolean;
  /** The session's meter for this agent: each call bears its name and stays within the bounds. */
  metered(meter: Meter, agent: AgentCalls): Meter;
  /** What was reserved and not used is free again. */
  close(): void;
}

export interface AgentCalls {
  readonly name: string;
  readonly pass: SiblingPass;
  onSpent(call: { readonly model: string; readonly usage: Usage }): void;
}

export function createBudget(limits: Pick<Limits['agents'], 'equivalentTokens' | 'treeTokens'>): AgentBudget {
  const accounts = new Set<{ readonly committed: () => number }>();
  let closedTokens = 0;
  const committed = () => [...accounts].reduce((sum, account) => sum + account.committed(), closedTokens);

  return {
    whyNoRoom() {
      if (committed() + START_TOKENS <= limits.treeTokens) return null;
      return `${usedText(committed(), limits.treeTokens)} No further agent starts: do the work here, or tell the user that \`limits.agents.treeTokens\` raises the bound.`;
    },
    open() {
      let spent = 0;
      let inFlight = 0;
      let reserved = START_TOKENS;
      let isSpent = false;
      const account = { committed: () => Math.max(reserved, spent + inFlight) };
      accounts.add(account);

      function refuseWithoutRoom(): void {
        const others = committed() - account.committed();
        if (spent < limits.equivalentTokens && others + spent + inFlight < limits.treeTokens) return;
        isSpent = true;
        const isOwn = spent >= limits.equivalentTokens;
        throw new ModelFailure({
          failure: 'cap',
          message: isOwn
            ? `This agent has used ${counted(spent)} of its ${counted(limits.equivalentTokens)} tokens.`
            : usedText(committed(), limits.treeTokens),
          fix: `Raise \`limits.agents.${isOwn ? 'equivalentTokens' : 'treeTokens'}\` in settings.`,
        });
      }

      async function* run(call: MeteredCall, { meter, agent }: { readonly meter: Meter; readonly agent: AgentCalls }) {
        await agent.pass.wait(call.signal);
        refuseWithoutRoom();
        const likely = estimateLikely(call.request, {
          cachedTokens: call.cachedTokens ?? 0,
          outputTokens: LIKELY_OUTPUT_TOKENS,
        });
        const room = equivalentTokens(likely);
        inFlight += room;
        try {
          for await (const event of meter.call({ ...call, agent: agent.name })) {
            agent.pass.responded();
            if (event.kind === 'response') {
              spent += equivalentTokens(event.response.usage);
              agent.onSpent({ model: call.model.name, usage: event.response.usage });
            }
            yield event;
          }
        } finally {
          inFlight -= room;
          agent.pass.responded();
        }
      }

      return {
        spentTokens: () => spent,
        isSpent: () => isSpent,
        metered: (meter, agent) => ({ call: (call) => run(call, { meter, agent }), totals: meter.totals }),
        close() {
          if (!accounts.delete(account)) return;
          reserved = 0;
          closedTokens += spent;
        },
      };
    },
  };
}

function usedText(used: number, most: number): string {
  return `The agents of this session have used or reserved ${counted(used)} of ${counted(most)} tokens.`;
}

function counted(tokens: number): string {
  return Math.round(tokens).toLocaleString('en-US');
}
