/** Requests that agents were sent and may answer: to end, or to approve a plan. Only what was really asked can be answered. */

import { ReverieError } from '../../../errors.ts';
import type { ReceivedMessage } from '../../../mailbox/inbox.ts';
import type { MessageKind } from '../../../mailbox/kinds.ts';
import type { OutgoingMessage } from '../../../mailbox/mailbox.ts';

/** Requests that are remembered; the oldest give way. */
const MOST_OPEN = 500;

const ASKED_BY: Partial<Record<MessageKind, MessageKind>> = {
  shutdown_response: 'shutdown_request',
  plan_approval_response: 'plan_approval_request',
};

export function createRequests() {
  const open = new Map<string, { readonly kind: MessageKind; readonly from: string; readonly to: string }>();
  const leaving = new Set<string>();

  return {
    came({ id, kind, from }: ReceivedMessage, to: string): void {
      if (kind !== 'shutdown_request' && kind !== 'plan_approval_request') return;
      open.set(id, { kind, from, to });
      if (open.size > MOST_OPEN) open.delete(open.keys().next().value!);
    },
    /** Throws with a sentence where this cannot be sent. */
    check(given: OutgoingMessage, sender: { readonly from: string; readonly isLeader: boolean }): void {
      const { kind, answers } = given;
      if (kind === 'plan_approval_response' && !sender.isLeader)
        throw refused('Only the leader of the team approves plans; nothing was sent.');
      const asked = kind === undefined ? undefined : ASKED_BY[kind];
      if (asked === undefined) return;
      const request = open.get(answers ?? '');
      if (request === undefined || request.to !== sender.from || request.kind !== asked)
        throw refused(`You have no ${asked} with the id ${JSON.stringify(answers ?? '')}; nothing was sent.`);
      if (request.from !== given.to) throw refused(`That ${asked} came from ${request.from}: answer there.`);
    },
    /** It was sent. */
    answered({ kind, approve, answers }: OutgoingMessage, from: string): void {
      if (kind === undefined || ASKED_BY[kind] === undefined) return;
      open.delete(answers ?? '');
      if (kind === 'shutdown_response' && approve === true) leaving.add(from);
    },
    isLeaving: (name: string) => leaving.has(name),
    left: (name: string) => void leaving.delete(name),
  };
}

function refused(message: string): ReverieError {
  return new ReverieError({ code: 'refused', message });
}
