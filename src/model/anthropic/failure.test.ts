/** Failures of the Messages API by status, type and words; keys never appear in the words. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTemporary } from '../failure.ts';
import type { FailureKind } from '../model.ts';
import { cutFailure, type FailureFacts, failureOf, retryAfterOf, strangerFailure } from './failure.ts';

const facts: FailureFacts = { model: 'claude-opus-5-5', aborted: false, hasBegun: false, secrets: ['hunter2'], now: 0 };

interface Answer {
  status?: number;
  type?: string;
  words?: string;
  headers?: Record<string, string>;
}

/** As the SDK throws it. */
function answer({ status, type, words = 'no', headers = {} }: Answer): Error {
  const error = new Error(`${status ?? ''} ${words}`);
  return Object.assign(error, { status, type: type ?? null, apiMessage: words, headers: new Headers(headers) });
}

describe('an answer of the server', () => {
  it.each<[FailureKind, Answer]>([
    ['overloaded', { status: 529, type: 'overloaded_error' }],
    ['overloaded', { type: 'overloaded_error' }],
    ['overloaded', { status: 503, type: 'overloaded_error' }],
    ['rate-limited', { status: 429, type: 'rate_limit_error' }],
    ['rate-limited', { type: 'rate_limit_error' }],
    ['server', { status: 500, type: 'api_error' }],
    ['server', { status: 502 }],
    ['server', { type: 'api_error' }],
    ['timeout', { status: 408 }],
    ['timeout', { type: 'timeout_error' }],
    ['too-long', { status: 413, type: 'request_too_large' }],
    ['too-long', { status: 400, type: 'invalid_request_error', words: 'prompt is too long: 7 tokens > 5 maximum' }],
    ['authentication', { status: 401, type: 'authentication_error' }],
    ['authentication', { status: 403, type: 'permission_error' }],
    ['billing', { status: 400, type: 'invalid_request_error', words: 'Your credit balance is too low' }],
    ['billing', { status: 402, type: 'billing_error' }],
    ['unknown-model', { status: 404, type: 'not_found_error', words: 'model: claude-opsu-5-5' }],
    ['invalid', { status: 404, type: 'not_found_error', words: 'no such page' }],
    ['invalid', { status: 400, type: 'invalid_request_error', words: 'messages: roles' }],
    ['server', { status: 409, type: 'api_error' }],
    ['invalid', { status: 400, type: 'api_error' }],
    ['invalid', { status: 422, type: 'timeout_error' }],
    ['invalid', { status: 400, type: 'overloaded_error' }],
    ['invalid', { status: 418, type: 'rate_limit_error' }],
  ])('is %s for %j', (kind, each) => {
    const failure = failureOf(answer(each), facts);
    expect(failure.failure).toBe(kind);
    expect(failure.status).toBe(each.status ?? null);
    expect(failure.message).not.toBe('');
  });

  it('in the four hundreds is retried only for 408, 409 and 429', () => {
    const types = ['api_error', 'overloaded_error', 'rate_limit_error', 'timeout_error', undefined];
    const tried = Array.from({ length: 100 }, (_, at) => 400 + at).filter((status) =>
      types.some((type) => isTemporary(failureOf(answer({ status, type }), facts).failure)),
    );
    expect(tried).toEqual([408, 409, 429]);
  });

  it.each([
    ['prompt is too long: 210000 tokens > 200000 maximum', 10_000],
    ['input length and `max_tokens` exceed context limit: 190000 + 21000 > 200000', 11_000],
    ['prompt is too long', null],
  ])('says by how much it is too long: %s', (words, tokensOver) => {
    expect(failureOf(answer({ status: 400, words }), facts)).toMatchObject({ failure: 'too-long', tokensOver });
  });

  it('names the fix', () => {
    const fixOf = (each: Answer, model = facts.model) => failureOf(answer(each), { ...facts, model }).fix;
    expect(fixOf({ status: 401 })).toContain('ANTHROPIC_API_KEY');
    expect(fixOf({ status: 404, type: 'not_found_error', words: 'no such page' })).toContain('without /v1');
    expect(fixOf({ status: 404, words: 'model: x' }, 'claude-opsu-5-5')).toContain('did you mean claude-opus-5-5?');
    expect(fixOf({ status: 404, words: 'model: x' }, 'gpt-6')).not.toContain('did you mean');
    expect(fixOf({ status: 402 })).toContain('billing');
  });

  it('keeps the server’s words, but not a whole page', () => {
    expect(failureOf(answer({ status: 400, words: 'tools.0: bad' }), facts).message).toContain('tools.0: bad');
    const page = new Error(`502 ${'<html>'.repeat(10_000)}`);
    const failure = failureOf(Object.assign(page, { status: 502, apiMessage: null }), facts);
    expect(failure.message.length).toBeLessThan(700);
    expect(failure.message).not.toContain('502 <html>');
  });
});

describe('something that is not an answer', () => {
  const named = (name: string, message: string, more: object = {}) =>
    Object.assign(new Error(message), { name, type: null, ...more });

  it.each<[FailureKind, Error, Partial<FailureFacts>]>([
    ['network', named('APIConnectionError', 'Connection error.'), {}],
    ['timeout', named('APIConnectionTimeoutError', 'Request timed out.'), {}],
    ['timeout', new TypeError('terminated', { cause: { code: 'UND_ERR_BODY_TIMEOUT' } }), { hasBegun: true }],
    ['cut', new TypeError('terminated'), { hasBegun: true }],
    ['cut', new SyntaxError('Unexpected end of JSON input'), { hasBegun: true }],
    ['network', new TypeError('terminated'), {}],
    ['aborted', named('APIUserAbortError', 'Request was aborted.'), {}],
    ['aborted', new TypeError('terminated'), { aborted: true, hasBegun: true }],
    ['authentication', new Error('Could not resolve authentication method. Expected one of apiKey'), {}],
  ])('is %s for %s', (kind, error, more) => {
    expect(failureOf(error, { ...facts, ...more }).failure).toBe(kind);
  });

  it('names the deepest cause of a failed connection', () => {
    const refused = new Error('connect ECONNREFUSED 127.0.0.1:1');
    const failed = new TypeError('fetch failed', { cause: refused });
    const { message } = failureOf(Object.assign(new Error('Connection error.'), { cause: failed }), facts);
    expect(message).toContain('ECONNREFUSED');
  });

  it('is judged by how far the stream had come', () => {
    expect(cutFailure({ ...facts, hasBegun: true }).failure).toBe('cut');
    expect(cutFailure(facts).failure).toBe('network');
    expect(cutFailure({ ...facts, aborted: true, hasBegun: true }).failure).toBe('aborted');
  });
});

describe('keys', () => {
  it('are in no message and in no cause, whoever repeats them', () => {
    const secret = fc.stringMatching(/^[A-Za-z0-9_-]{8,40}$/);
    const around = fc.string({ maxLength: 20 });
    fc.assert(
      fc.property(secret, around, around, (key, before, after) => {
        const words = `${before}${key}${after}`;
        const error = new TypeError(`"${words}" is an invalid header value`);
        const failure = failureOf(error, { ...facts, secrets: [key] });
        expect(`${failure.message}${failure.fix}`.includes(key)).toBe(false);
        expect(failure.cause).toBeUndefined();
      }),
    );
  });

  it('are recognised by their look too', () => {
    const failure = failureOf(answer({ status: 401, words: 'bad key sk-ant-api03-abc_DEF-123' }), facts);
    expect(failure.message).not.toContain('api03');
  });

  it('leave the cause of any other failure', () => {
    const error = answer({ status: 500 });
    expect(failureOf(error, facts).cause).toBe(error);
  });
});

describe('retry-after', () => {
  const now = Date.parse('2026-11-15T12:00:00Z');
  it.each([
    [{ 'retry-after': '3' }, 3_000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': 'Sun, 15 Nov 2026 12:00:07 GMT' }, 7_000],
    [{ 'retry-after': 'Sun, 15 Nov 2026 11:00:00 GMT' }, 0],
    [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
    [{ 'retry-after': 'soon' }, null],
    [{}, null],
  ])('%j', (headers, milliseconds) => {
    expect(retryAfterOf({ headers: new Headers(headers as Record<string, string>) }, now)).toBe(milliseconds);
  });
});

describe('an answer that is not the API’s', () => {
  const stranger = (type: string | null) =>
    strangerFailure({
      url: 'http://proxy/v1/messages',
      status: 200,
      headers: new Headers(type === null ? {} : { 'content-type': type }),
    });

  it.each(['text/html', 'text/html; charset=utf-8', 'Application/JSON'])('is recognised at once by %s', (type) => {
    expect(stranger(type)).toMatchObject({
      failure: 'invalid',
      message: expect.stringContaining('http://proxy/v1/messages'),
      fix: expect.stringContaining('ANTHROPIC_BASE_URL'),
    });
  });

  it.each(['text/event-stream', 'text/event-stream; charset=utf-8', 'application/octet-stream', null])(
    'may be valid as %s',
    (type) => expect(stranger(type)).toBeNull(),
  );

  it('is not a lost connection when it ends before it begins', () => {
    expect(cutFailure(facts)).toMatchObject({
      failure: 'network',
      message: expect.stringContaining('before it began'),
    });
  });
});
