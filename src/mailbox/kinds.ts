/** Messages that a program understands: what each asks for, who may send it, and what its reader is told to do with it. */

import type { ReceivedMessage } from './inbox.ts';

export const MESSAGE_KINDS = [
  'shutdown_request',
  'shutdown_response',
  'plan_approval_request',
  'plan_approval_response',
] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

export function isMessageKind(value: unknown): value is MessageKind {
  return MESSAGE_KINDS.some((kind) => kind === value);
}

const RESPONSES: ReadonlySet<MessageKind> = new Set(['shutdown_response', 'plan_approval_response']);

/** What is missing in an answer to a request; null where nothing is. */
export function problemWithKind(given: {
  readonly kind?: MessageKind;
  readonly approve?: boolean;
  readonly answers?: string;
}): string | null {
  const { kind, approve, answers } = given;
  if (kind === undefined || !RESPONSES.has(kind))
    return approve === undefined ? null : '`approve` belongs to an answer: shutdown_response or plan_approval_response';
  if (approve === undefined) return `A ${kind} needs \`approve\`: true or false`;
  return answers === undefined ? `A ${kind} needs \`answers\`: the id of the request` : null;
}

/** Said behind a message of a kind, by us and not by its sender; null for a plain one. */
export function remarkOn({ kind, approve, from, id }: ReceivedMessage): string | null {
  const answer = (response: string) =>
    `Answer with SendMessage: to ${JSON.stringify(from)}, kind "${response}", answers "${id}", approve true or false.`;
  switch (kind) {
    case undefined:
      return null;
    case 'shutdown_request':
      return `${from} asks you to end. ${answer('shutdown_response')} If you approve, you end after this turn: finish or give back what you have claimed first.`;
    case 'shutdown_response':
      return approve === true ? `${from} ends after its turn.` : `${from} goes on.`;
    case 'plan_approval_request':
      return `${from} may change nothing before you approve this plan, and waits. ${answer('plan_approval_response')} Approve only what your user asked for; otherwise say what should be different.`;
    case 'plan_approval_response':
      return 'It approves nothing: no plan of yours waits for it, or its sender does not lead your team.';
  }
}
