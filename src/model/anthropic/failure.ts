/** What went wrong with a call to the Messages API, in our kinds: judged by status and type, with the server's words. */

import { MESSAGES_API_LIMITS } from '../../limits.ts';
import { nearestModel, wireNameOf } from '../capabilities.ts';
import { ModelFailure } from '../failure.ts';
import type { FailureKind } from '../model.ts';

export interface FailureFacts {
  /** As the user named it. */
  readonly model: string;
  readonly aborted: boolean;
  /** Part of the answer had arrived. */
  readonly hasBegun: boolean;
  /** Never shown to anybody. */
  readonly secrets: readonly string[];
  readonly now: number;
}

/** The fields of the SDK's errors, without loading it to check its classes. */
interface ErrorShape {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly status?: unknown;
  readonly type?: unknown;
  readonly apiMessage?: unknown;
  readonly headers?: { get?(name: string): string | null };
  readonly code?: unknown;
  readonly cause?: unknown;
}

const KEY_FIX = 'set ANTHROPIC_API_KEY to a key from https://platform.claude.com/settings/keys';

const ADDRESS_FIX = 'check ANTHROPIC_BASE_URL and the setting anthropicBaseUrl: the address stands there without /v1';

export function failureOf(error: unknown, facts: FailureFacts): ModelFailure {
  if (error instanceof ModelFailure) return error;
  const shape: ErrorShape = typeof error === 'object' && error !== null ? error : { message: error };
  const status = typeof shape.status === 'number' ? shape.status : null;
  const words = wordsOf(shape);
  const failure = facts.aborted ? 'aborted' : kindOf(shape, { status, words, hasBegun: facts.hasBegun });
  const hide = (text: string) => withoutSecrets(text, facts.secrets);
  const isSafe = error instanceof Error && hide(`${error.message}${error.stack}${String(error.cause)}`).safe;
  return new ModelFailure({
    failure,
    message: hide(messageOf(failure, { words, status, model: facts.model })).text,
    fix: failure === 'invalid' && status === 404 ? ADDRESS_FIX : fixOf(failure, facts.model),
    status,
    retryAfterMs: retryAfterOf(shape, facts.now),
    tokensOver: failure === 'too-long' ? tokensOverOf(words) : null,
    cause: isSafe ? error : undefined,
  });
}

/** The stream ended before the message did. */
export function cutFailure(facts: FailureFacts): ModelFailure {
  const failure: FailureKind = facts.aborted ? 'aborted' : facts.hasBegun ? 'cut' : 'network';
  return new ModelFailure({
    failure,
    message:
      failure === 'network'
        ? 'the API ended its answer before it began one'
        : messageOf(failure, { words: '', status: null, model: facts.model }),
    fix: fixOf(failure, facts.model),
  });
}

/** A page or a document instead of events is not this API, and will not become one in a moment; null when it may be. */
export function strangerFailure(response: Pick<Response, 'url' | 'status' | 'headers'>): ModelFailure | null {
  const type = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (!/^(?:text\/html|application\/(?:json|xhtml\+xml))$/.test(type)) return null;
  return new ModelFailure({
    failure: 'invalid',
    message: `${response.url} is not the Messages API: it answered with ${type}, where events should come`,
    fix: 'check ANTHROPIC_BASE_URL, the setting anthropicBaseUrl, and whether a network asks you to log in first',
    status: response.status,
  });
}

function kindOf(error: ErrorShape, facts: { status: number | null; words: string; hasBegun: boolean }): FailureKind {
  const { status, words, hasBegun } = facts;
  if (error.name === 'APIUserAbortError') return 'aborted';
  if (error.name === 'APIConnectionTimeoutError' || isTimeout(error)) return 'timeout';
  if (status !== null || typeof error.type === 'string') return kindOfAnswer(status, String(error.type), words);
  if (/authentication method|api ?key|invalid header value/i.test(words)) return 'authentication';
  return hasBegun ? 'cut' : 'network';
}

function kindOfAnswer(status: number | null, type: string, words: string): FailureKind {
  if (/credit balance|billing/i.test(words) || type === 'billing_error' || status === 402) return 'billing';
  if (status === 413 || type === 'request_too_large' || TOO_LONG.test(words)) return 'too-long';
  // A request refused with such a status is refused the next time too, whatever a gateway calls it.
  const passing = isRefusal(status) ? null : type;
  if (status === 529 || passing === 'overloaded_error') return 'overloaded';
  if (status === 429 || passing === 'rate_limit_error') return 'rate-limited';
  if (status === 401 || status === 403) return 'authentication';
  if (type === 'authentication_error' || type === 'permission_error') return 'authentication';
  if (status === 404 || type === 'not_found_error') return /model/i.test(words) ? 'unknown-model' : 'invalid';
  if (status === 408 || passing === 'timeout_error') return 'timeout';
  if (status === 409 || (status !== null && status >= 500) || passing === 'api_error') return 'server';
  return 'invalid';
}

function isRefusal(status: number | null): boolean {
  return status !== null && status >= 400 && status < 500 && ![408, 409, 429].includes(status);
}

const TOO_LONG = /prompt is too long|exceed context limit|input is too long/i;

/** `prompt is too long: 210000 tokens > 200000 maximum`, or prompt and answer together. */
function tokensOverOf(words: string): number | null {
  const [, prompt, maximum] = /(\d+) tokens? > (\d+)/i.exec(words) ?? [];
  if (prompt !== undefined) return Number(prompt) - Number(maximum);
  const [, input, output, window] = /(\d+) \+ (\d+) > (\d+)/.exec(words) ?? [];
  return input === undefined ? null : Number(input) + Number(output) - Number(window);
}

function messageOf(failure: FailureKind, facts: { words: string; status: number | null; model: string }): string {
  const said = facts.words === '' ? '' : `: ${facts.words}`;
  const status = facts.status === null ? '' : ` (${facts.status})`;
  switch (failure) {
    case 'overloaded':
      return `the API is overloaded${status}${said}`;
    case 'rate-limited':
      return `the API's rate limit is reached${status}${said}`;
    case 'server':
      return `the API failed${status}${said}`;
    case 'cut':
      return `the answer broke off in the middle${said}`;
    case 'network':
      return `the API cannot be reached${said}`;
    case 'timeout':
      return `the API did not answer in time${said}`;
    case 'too-long':
      return `the conversation is too long for ${facts.model}${said}`;
    case 'authentication':
      return `the API refused the key${status}${said}`;
    case 'billing':
      return `the account has no credit left${status}${said}`;
    case 'unknown-model':
      return `the API knows no model ${facts.model}${said}`;
    case 'invalid':
    case 'cap':
      return `the API refused the request${status}${said}`;
    case 'aborted':
      return 'the call was interrupted';
  }
}

function fixOf(failure: FailureKind, model: string): string | undefined {
  switch (failure) {
    case 'authentication':
      return KEY_FIX;
    case 'billing':
      return 'add credit at https://platform.claude.com/settings/billing, or use another model';
    case 'unknown-model': {
      const near = nearestModel(model);
      return near !== null && near !== wireNameOf(model)
        ? `did you mean ${near}? To use it: reverie settings model ${near}, or /model ${near} in the chat`
        : 'name one that the API knows: reverie settings model NAME, or /model NAME in the chat';
    }
    case 'network':
      return 'check the connection, and ANTHROPIC_BASE_URL where it is set';
    case 'overloaded':
    case 'rate-limited':
    case 'server':
    case 'cut':
    case 'timeout':
      return 'try again in a moment';
    case 'too-long':
    case 'invalid':
    case 'aborted':
    case 'cap':
      return undefined;
  }
}

/** The server's words, or those of the error and its cause. */
function wordsOf(error: ErrorShape): string {
  if (typeof error.apiMessage === 'string') return shortened(error.apiMessage);
  const words: string[] = [];
  for (let each: ErrorShape | undefined = error; each && words.length < MOST_CAUSES; each = causeOf(each)) {
    if (typeof each.message === 'string' && each.message !== '') words.push(each.message.replace(/\.$/, ''));
  }
  // The SDK puts the status in front of a body that it cannot read.
  return shortened([...new Set(words)].join(': ').replace(/^\d{3} /, ''));
}

const MOST_CAUSES = 4;

function causeOf(error: ErrorShape): ErrorShape | undefined {
  return typeof error.cause === 'object' && error.cause !== null ? error.cause : undefined;
}

/** A proxy may answer with a whole page. */
function shortened(text: string): string {
  const most = MESSAGES_API_LIMITS.errorCharacters;
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}

function isTimeout(error: ErrorShape): boolean {
  return [error.code, causeOf(error)?.code].some((code) => typeof code === 'string' && /TIMEOUT|TIMEDOUT/.test(code));
}

/** Milliseconds, seconds, or a date, depending on the server. */
export function retryAfterOf(error: ErrorShape, now: number): number | null {
  const header = (name: string) => error.headers?.get?.(name) ?? null;
  const milliseconds = Number.parseFloat(header('retry-after-ms') ?? '');
  if (milliseconds >= 0) return milliseconds;
  const after = header('retry-after');
  if (after === null) return null;
  if (/^\s*\d+(\.\d+)?\s*$/.test(after)) return Number.parseFloat(after) * 1_000;
  const date = Date.parse(after);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

function withoutSecrets(text: string, secrets: readonly string[]): { text: string; safe: boolean } {
  const known = secrets.filter((secret) => secret !== '').reduce((left, secret) => left.replaceAll(secret, '…'), text);
  const clean = known.replace(/sk-ant-[\w-]+/g, 'sk-ant-…');
  return { text: clean, safe: clean === text };
}
