/** A teammate's plan goes to the leader of its team, and only what the leader answers to that very request counts. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { ReceivedMessage } from '../../mailbox/inbox.ts';
import type { Mailbox } from '../../mailbox/mailbox.ts';
import type { AskAboutPlan, PlanAnswer, ReviewPlan } from '../plan/exit-plan-tool.ts';

/** How often it is looked whether the leader still runs. */
const LOOK_MS = 1_000;

export interface PlanApprovals {
  /** The leader where one runs, else `user`, else nobody. */
  review(user: ReviewPlan | undefined): AskAboutPlan;
  /** Whether the message was an answer that a plan waited for; anything else approves nothing. */
  take(message: ReceivedMessage): boolean;
}

export function createPlanApprovals(facts: {
  readonly name: string;
  readonly mailbox: Pick<Mailbox, 'send' | 'others'>;
  readonly leader: () => string | null;
}): PlanApprovals {
  const { mailbox } = facts;
  const waiting = new Map<string, { readonly leader: string; answer(answer: PlanAnswer): void }>();

  function livingLeader(): string | null {
    const leader = facts.leader();
    return leader !== null && leader !== facts.name && mailbox.others().includes(leader) ? leader : null;
  }

  async function ask(leader: string, { plan, signal }: Parameters<ReviewPlan>[0]): Promise<PlanAnswer> {
    const request = { to: leader, message: plan, summary: 'a plan to approve', kind: 'plan_approval_request' } as const;
    const { id } = await mailbox.send(request);
    const over = new AbortController();
    try {
      return await Promise.race([
        new Promise<PlanAnswer>((answer) => waiting.set(id, { leader, answer })),
        untilGone(leader, AbortSignal.any([signal, over.signal])),
      ]);
    } finally {
      over.abort();
      waiting.delete(id);
    }
  }

  async function untilGone(leader: string, signal: AbortSignal): Promise<never> {
    while (livingLeader() === leader) await sleep(LOOK_MS, undefined, { signal });
    throw new Error(`${leader}, who leads your team, is gone.`);
  }

  return {
    review: (user) => async (question) => {
      const leader = livingLeader();
      if (leader !== null) return ask(leader, question);
      return user === undefined ? null : user(question);
    },
    take({ kind, from, answers, approve, message }) {
      if (kind !== 'plan_approval_response') return false;
      const request = waiting.get(answers ?? '');
      if (request === undefined || request.leader !== from || facts.leader() !== from) return false;
      request.answer(
        approve === true ? { kind: 'approve', leader: from } : { kind: 'refuse', words: message, leader: from },
      );
      return true;
    },
  };
}
