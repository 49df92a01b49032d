/** What went wrong with a call over the AI SDK, in our kinds: judged by status, and by the words that servers use. */

import { MESSAGES_API_LIMITS } from '../../limits.ts';
import { retryAfterOf } from '../anthropic/failure.ts';
import { ModelFailure } from '../failure.ts';
import type { FailureKind } from '../model.ts';

export interface AiSdkFailureFacts {
  /** As the user named it. */
  readonly model: string;
  readonly provider: string;
  readonly aborted: boolean;
  readonly hasBegun: boolean;
  readonly now: number;
  /** Never shown to anybody. */
  readonly secrets: readonly string[];
}

/** The fields of APICallError and of an error in the stream, without loading the SDK to check its classes. */
interface ErrorShape {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly statusCode?: unknown;
  readonly responseHeaders?: Record<string, string>;
  readonly responseBody?: unknown;
  readonly url?: unknown;
  readonly code?: unknown;
  readonly type?: unknown;
  readonly cause?: unknown;
}

export function aiSdkFailure(error: unknown, facts: AiSdkFailureFacts): ModelFailure {
  const known = knownFailure(error);
  if (known !== null) return known;
  const shape: ErrorShape = typeof error === 'object' && error !== null ? error : { message: String(error) };
  const status = typeof shape.statusCode === 'number' ? shape.statusCode : null;
  const said = [shape.message, shape.code, shape.type, shape.responseBody].filter((part) => typeof part === 'string');
  const words = said.join(' ');
  const failure = facts.aborted ? 'aborted' : kindOf(shape, { status, words, hasBegun: facts.hasBegun });
  const address = typeof shape.url === 'string' ? originOf(shape.url) : facts.provider;
  const hidden = facts.secrets.filter((secret) => secret !== '');
  const hide = (text: string) => hidden.reduce((left, secret) => left.replaceAll(secret, '…'), text);
  const message = messageOf(failure, { address, status, model: facts.model, words: shortened(String(said[0] ?? '')) });
  return new ModelFailure({
    failure,
    message: hide(message),
    fix: fixOf(failure, { ...facts, address, words, status }),
    status,
    retryAfterMs: shape.responseHeaders
      ? retryAfterOf({ headers: new Headers(shape.responseHeaders) }, facts.now)
      : null,
    tokensOver: failure === 'too-long' ? tokensOverOf(words) : null,
  });
}

const DEEPEST_CAUSE = 5;

/** One of ours, which the SDK may have wrapped. */
function knownFailure(error: unknown, depth = 0): ModelFailure | null {
  if (error instanceof ModelFailure) return error;
  if (depth > DEEPEST_CAUSE || typeof error !== 'object' || error === null || !('cause' in error)) return null;
  return knownFailure(error.cause, depth + 1);
}

/** The stream ended, and the answer had not. */
export function endedEarly(facts: AiSdkFailureFacts): ModelFailure {
  return aiSdkFailure({ message: 'the stream ended before the answer did' }, facts);
}

function kindOf(error: ErrorShape, facts: { status: number | null; words: string; hasBegun: boolean }): FailureKind {
  const { status, words, hasBegun } = facts;
  if (error.name === 'AbortError') return 'aborted';
  if (TOO_LONG.test(words)) return 'too-long';
  if (status !== null) return kindOfStatus(status, words);
  if (codesOf(error).some((code) => /TIMEOUT|TIMEDOUT/.test(code)) || error.name === 'TimeoutError') return 'timeout';
  if (/rate.?limit/i.test(words)) return 'rate-limited';
  if (/overloaded/i.test(words)) return 'overloaded';
  // An object without the name of an error is the server's own report of what went wrong while it answered.
  if (error.name === undefined && (error.type !== undefined || error.code !== undefined)) return 'server';
  return hasBegun ? 'cut' : 'network';
}

function kindOfStatus(status: number, words: string): FailureKind {
  if (status === 402 || /insufficient_quota|billing|credit balance/i.test(words)) return 'billing';
  if (status === 401 || status === 403) return 'authentication';
  if (status === 404) return /model/i.test(words) ? 'unknown-model' : 'invalid';
  if (status === 408 || status === 504) return 'timeout';
  if (status === 413) return 'too-long';
  if (status === 429) return 'rate-limited';
  if (status === 529) return 'overloaded';
  if (status === 409 || status >= 500) return 'server';
  // A refused answer with status 200 had an invalid body.
  return status < 400 ? 'cut' : 'invalid';
}

const TOO_LONG =
  /context.{0,10}length|maximum context|context (size|window)|prompt is too long|too many (input )?tokens|exceeds? the (available )?context/i;

/** `maximum context length is 8192 tokens. However, you requested 9000 tokens`. */
function tokensOverOf(words: string): number | null {
  const [, most] = /(?:context length|context size|window)\D{0,40}(\d{3,})/i.exec(words) ?? [];
  const [, asked] = /(?:requested|resulted in|request)\D{0,20}(\d{3,})\s*tokens/i.exec(words) ?? [];
  if (most === undefined || asked === undefined) return null;
  const over = Number(asked) - Number(most);
  return over > 0 ? over : null;
}

function messageOf(
  failure: FailureKind,
  facts: { address: string; status: number | null; model: string; words: string },
): string {
  const tail = `${facts.status === null ? '' : ` (${facts.status})`}${facts.words === '' ? '' : `: ${facts.words}`}`;
  switch (failure) {
    case 'overloaded':
      return `${facts.address} is overloaded${tail}`;
    case 'rate-limited':
      return `the rate limit of ${facts.address} is reached${tail}`;
    case 'server':
      return `${facts.address} failed${tail}`;
    case 'cut':
      return `the answer of ${facts.address} broke off in the middle${tail}`;
    case 'network':
      return `${facts.address} cannot be reached${tail}`;
    case 'timeout':
      return `${facts.address} did not answer in time${tail}`;
    case 'too-long':
      return `the conversation is too long for ${facts.model}${tail}`;
    case 'authentication':
      return `${facts.address} refused the key${tail}`;
    case 'billing':
      return `the account at ${facts.address} has no credit left${tail}`;
    case 'unknown-model':
      return `${facts.address} has no model ${facts.model}${tail}`;
    case 'invalid':
    case 'cap':
      return `${facts.address} refused the request${tail}`;
    case 'aborted':
      return 'the call was interrupted';
  }
}

function fixOf(
  failure: FailureKind,
  facts: { model: string; provider: string; address: string; words: string; status: number | null },
): string | undefined {
  const bare = facts.model.replace(/^[^/]*\//, '');
  switch (failure) {
    case 'network':
      if (facts.provider === 'ollama') return `start it with \`ollama serve\`, or set OLLAMA_HOST to where it runs`;
      if (facts.provider === 'lmstudio') return 'start the server in LM Studio, or with `lms server start`';
      return `check that a server answers at ${facts.address}, and OPENAI_BASE_URL where it is set`;
    case 'authentication':
      return facts.provider === 'openai' ? 'set OPENAI_API_KEY to a valid key' : 'set the key that this server wants';
    case 'unknown-model':
      return facts.provider === 'ollama'
        ? `ollama pull ${bare}`
        : 'name one that the server knows: reverie settings model NAME, or /model NAME in the chat';
    case 'billing':
      return 'add credit to the account, or use another model';
    case 'overloaded':
    case 'rate-limited':
    case 'server':
    case 'cut':
    case 'timeout':
      return 'try again in a moment';
    case 'invalid':
      if (facts.status === 404)
        return `check that an API like OpenAI's is at ${facts.address}: OPENAI_BASE_URL mostly ends in /v1`;
      // OpenAI's newest models take tools only over another API, and say so.
      return /v1\/responses/.test(facts.words)
        ? 'set the setting "model" to one that takes tools over chat completions'
        : undefined;
    case 'too-long':
    case 'aborted':
    case 'cap':
      return undefined;
  }
}

function codesOf(error: ErrorShape): string[] {
  const cause = error.cause as ErrorShape | undefined;
  return [error.code, cause?.code].filter((code) => typeof code === 'string');
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

/** A proxy may answer with a whole page. */
function shortened(text: string): string {
  const most = MESSAGES_API_LIMITS.errorCharacters;
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}
