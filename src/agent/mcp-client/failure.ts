/** What went wrong with a server, in words that say what to do: for the user in a warning, for the model in a result. */

import { messageOf } from '../../base/values.ts';
import type { ServerPlan } from './server-plan.ts';
import { shownLine, withoutSecrets } from './shown-text.ts';

export interface FailureFacts {
  readonly plan: ServerPlan;
  /** What the server left behind, if it is a program. */
  readonly lastWords: string;
  readonly timeMs: number;
  readonly characters: number;
}

export function explain(error: unknown, facts: FailureFacts): string {
  const words = facts.lastWords === '' ? reason(error, facts) : `${reason(error, facts)} ${facts.lastWords}`;
  return shownLine(withoutSecrets(words, facts.plan.secrets), facts.characters);
}

function reason(error: unknown, { plan, timeMs }: FailureFacts): string {
  const status = statusOf(error);
  if (status !== null) return statusReason(status, error);
  const code = codeOf(error);
  if (code === 'ENOENT' && plan.kind === 'program')
    return `It cannot be started: there is no command ${plan.command}, or no folder ${plan.cwd}.`;
  if (code === 'EACCES' && plan.kind === 'program') return `It cannot be started: ${plan.command} may not be run.`;
  if (code === 'REQUEST_TIMEOUT') return `It did not answer within ${timeMs / 1_000} s.`;
  if (code === 'CONNECTION_CLOSED' || code === 'NOT_CONNECTED') return 'The connection to it has ended.';
  const cause = error instanceof Error ? error.cause : undefined;
  if (plan.kind === 'address' && cause !== undefined)
    return `It cannot be reached at ${plan.url.origin}: ${codeOf(cause) || messageOf(cause)}.`;
  return messageOf(error);
}

function statusReason(status: number, error: unknown): string {
  if (status === 401 || status === 403)
    return (
      `It refuses us (${status}): it needs credentials, or others. Put them into "headers" of its settings, such as ` +
      '"Authorization": "Bearer $' +
      '{TOKEN}"; signing in with OAuth is not supported.'
    );
  if (status === 404) return 'There is no MCP server at its address (404), or it has forgotten this session.';
  return `It answers with status ${status}: ${messageOf(error)}`;
}

/** A server that forgot the session has not run what it was asked. */
export function isSessionLost(error: unknown): boolean {
  return statusOf(error) === 404;
}

/** It answered, but not to this way of beginning: a server that knows only a newer protocol. */
export function isRefusal(error: unknown): boolean {
  const status = statusOf(error);
  if (status !== null) return status >= 400 && status < 500 && ![401, 403, 407, 429].includes(status);
  return error instanceof Error && 'code' in error && typeof error.code === 'number';
}

export function isTimeout(error: unknown): boolean {
  return codeOf(error) === 'REQUEST_TIMEOUT';
}

function statusOf(error: unknown): number | null {
  const { status, data } = (error ?? {}) as { status?: unknown; data?: { status?: unknown } };
  const found = status ?? data?.status;
  return typeof found === 'number' ? found : null;
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}
