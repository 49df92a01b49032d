/** One budget for all agents of a session: room is reserved before an agent starts and before each of its requests. */

import type { Limits } from '../../limits.ts';
import { ModelFailure } from '../../model/failure.ts';
import type { CallRecord } from '../../model/ledger-port.ts';
import type { Meter, MeteredCall } from '../../model/meter.ts';
import { equivalentTokens, estimateLikely } from '../../model/metered-usage.ts';
import type { ModelRequest } from '../../model/model.ts';
import type { SiblingPass } from './siblings.ts';

/** Room for the first requests of an agent, in uncached-equivalent tokens. */
const START_TOKENS = 20_000;

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
  /** What a call has cost, as the ledger has it. */
  onSpent(record: CallRecord): void;
}

/** What one agent has spent, and the most that its requests in flight may cost. */
interface Holding {
  spent: number;
  inFlight: number;
}

/**
 * A request starts when the most it may cost fits beside what was spent and reserved. While it does not fit, it waits for others to settle; when
 * nobody is left to wait for, it goes alone. So all agents together pass the bound by less than one request.
 */
export function createBudget(limits: Pick<Limits['agents'], 'equivalentTokens' | 'treeTokens'>): AgentBudget {
  const holdings = new Set<Holding>();
  const waiting = new Set<() => void>();
  let settled = 0;
  /** With what is left of the room that each started with. */
  const committed = () => [...holdings].reduce((sum, each) => sum + startRoom(each), settled);

  function hasRoom(own: Holding, most: number): boolean {
    const others = [...holdings].filter((each) => each !== own);
    const held = others.reduce((sum, each) => sum + Math.max(each.inFlight, startRoom(each)), own.inFlight);
    if (settled + held + most <= limits.treeTokens) return true;
    return [...holdings].every(({ inFlight }) => inFlight === 0);
  }

  function wakeAll(): void {
    for (const each of [...waiting]) each();
  }

  function untilSettled(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const go = () => {
        waiting.delete(go);
        signal.removeEventListener('abort', go);
        resolve();
      };
      waiting.add(go);
      signal.addEventListener('abort', go, { once: true });
    });
  }

  return {
    whyNoRoom() {
      if (committed() + START_TOKENS <= limits.treeTokens) return null;
      return `${usedText(committed(), limits.treeTokens)} No further agent starts: do the work here, or tell the user that \`limits.agents.treeTokens\` raises the bound.`;
    },
    open() {
      const own: Holding = { spent: 0, inFlight: 0 };
      let isSpent = false;
      holdings.add(own);

      function refuseWhenSpent(): void {
        if (own.spent < limits.equivalentTokens && settled < limits.treeTokens) return;
        isSpent = true;
        const isOwn = own.spent >= limits.equivalentTokens;
        throw new ModelFailure({
          failure: 'cap',
          message: isOwn
            ? `This agent has used ${counted(own.spent)} of its ${counted(limits.equivalentTokens)} tokens.`
            : usedText(settled, limits.treeTokens),
          fix: `Raise \`limits.agents.${isOwn ? 'equivalentTokens' : 'treeTokens'}\` in settings.`,
        });
      }

      /** The answer gives the room back, once. */
      async function reserve({ request, signal }: MeteredCall): Promise<() => void> {
        const most = mostOf(request);
        for (;;) {
          refuseWhenSpent();
          // An aborted call is refused by the meter itself.
          if (signal.aborted || hasRoom(own, most)) break;
          await untilSettled(signal);
        }
        own.inFlight += most;
        let isHeld = true;
        return () => {
          if (!isHeld) return;
          isHeld = false;
          own.inFlight -= most;
          wakeAll();
        };
      }

      async function* run(call: MeteredCall, { meter, agent }: { readonly meter: Meter; readonly agent: AgentCalls }) {
        await agent.pass.wait(call.signal);
        const free = await reserve(call);
        const onRecord = (record: CallRecord) => {
          settled += record.equivalentTokens;
          own.spent += record.equivalentTokens;
          agent.onSpent(record);
          free();
        };
        try {
          for await (const event of meter.call({ ...call, agent: agent.name, onRecord })) {
            agent.pass.responded();
            yield event;
          }
        } finally {
          free();
          agent.pass.responded();
        }
      }

      return {
        spentTokens: () => own.spent,
        isSpent: () => isSpent,
        metered: (meter, agent) => ({ call: (call) => run(call, { meter, agent }), totals: meter.totals }),
        close() {
          holdings.delete(own);
          wakeAll();
        },
      };
    },
  };
}

function startRoom({ spent }: Holding): number {
  return Math.max(START_TOKENS - spent, 0);
}

/** Nothing is read from the cache, all of it is written there, and the answer is as long as it may be. */
function mostOf(request: ModelRequest): number {
  const usage = estimateLikely(request, { cachedTokens: 0, outputTokens: request.maxOutputTokens });
  const cacheWriteHourTokens = request.cache.ttl === '1h' ? usage.cacheWriteTokens : 0;
  return equivalentTokens({ ...usage, cacheWriteHourTokens });
}

function usedText(used: number, most: number): string {
  return `The agents of this session have used or reserved ${counted(used)} of ${counted(most)} tokens.`;
}

function counted(tokens: number): string {
  return Math.round(tokens).toLocaleString('en-US');
}
