import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Message, NO_USAGE, type Usage } from './message.ts';
import { createPrefixWatch, expectedReads, type PrefixParts } from './prefix.ts';
import { createMessageChain, firstDifference } from './prefix-chain.ts';

function message(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}

const shell = { name: 'Bash', description: 'Runs a command.' };
const read = { name: 'Read', description: 'Reads a file.' };
const first: PrefixParts = {
  model: 'claude-a',
  system: [{ text: 'You are an agent. The time is 12:04:05.' }, { text: 'The project is a parser.' }],
  tools: [shell, read],
  messages: [message('one'), message('two'), message('three')],
  toolChoice: 'auto',
  thinking: { kind: 'off' },
  cache: { ttl: '5m' },
};
const grown: PrefixParts = { ...first, messages: [...first.messages, message('four')] };

const ttlMs = 300_000;
const written: Usage = { ...NO_USAGE, cacheReadTokens: 60_000, cacheWriteTokens: 40_000 };
const lost: Usage = { ...NO_USAGE, cacheWriteTokens: 101_000 };
const kept: Usage = { ...NO_USAGE, cacheReadTokens: 100_000, cacheWriteTokens: 1_000 };

/** Two requests through one watch; returns what it says about the second. */
function verdictOf(second: PrefixParts, facts: { usage?: Usage; idleMs?: number; announce?: string[] } = {}) {
  const watch = createPrefixWatch();
  watch.after({ snapshot: watch.before(first), usage: written, atMs: 1_000, ttlMs });
  for (const reason of facts.announce ?? []) watch.announceBreak(reason);
  const snapshot = watch.before(second);
  return watch.after({ snapshot, usage: facts.usage ?? lost, atMs: 1_000 + (facts.idleMs ?? 1_000), ttlMs });
}

describe('a cache that holds', () => {
  it('is not a break', () => {
    expect(verdictOf(grown, { usage: kept })).toEqual({
      kind: 'kept',
      expectedTokens: 100_000,
      readTokens: 100_000,
    });
  });

  it.each<[string, number, number, 'kept' | 'broken']>([
    ['exactly 5%', 100_000, 95_000, 'kept'],
    ['above 5%', 100_000, 94_999, 'broken'],
    ['exactly 2,000 tokens', 10_000, 8_000, 'kept'],
    ['above both', 10_000, 7_999, 'broken'],
    ['nothing cached before', 0, 0, 'kept'],
    ['more than expected', 10_000, 50_000, 'kept'],
  ])('may read less: %s', (_, cached, reads, kind) => {
    const watch = createPrefixWatch();
    const before = { ...NO_USAGE, cacheWriteTokens: cached };
    expect(expectedReads(before)).toBe(cached);
    watch.after({ snapshot: watch.before(first), usage: before, atMs: 0, ttlMs });
    const usage = { ...NO_USAGE, cacheReadTokens: reads };
    expect(watch.after({ snapshot: watch.before(grown), usage, atMs: 1, ttlMs }).kind).toBe(kind);
  });

  it('says nothing about a first request', () => {
    const watch = createPrefixWatch();
    expect(watch.after({ snapshot: watch.before(first), usage: lost, atMs: 0, ttlMs }).kind).toBe('kept');
  });
});

describe('a break', () => {
  const clock = { text: 'You are an agent. The time is 12:04:06.' };
  it.each<[string, Partial<PrefixParts>, string]>([
    ['a clock', { system: [clock, first.system[1]!] }, 'system block 1 changed near "… time is 12:04:06."'],
    ['a block more', { system: [...first.system, { text: 'new' }] }, 'system block 3 was added'],
    ['a block less', { system: first.system.slice(0, 1) }, 'system block 2 was removed'],
    ['tools moved', { tools: [read, shell] }, 'tools were reordered'],
    ['a tool less', { tools: [read] }, 'tool Bash was removed'],
    ['a tool more', { tools: [{ name: 'Grep' }, shell, read] }, 'tool Grep was added'],
    [
      'a tool described again',
      { tools: [{ ...shell, description: 'Runs a program.' }, read] },
      'tool Bash changed near "…iption":"Runs a program."}"',
    ],
    ['another model', { model: 'claude-b' }, 'model changed from claude-a to claude-b'],
    ['tool choice', { toolChoice: 'none' }, 'tool choice changed from auto to none'],
    ['thinking', { thinking: { kind: 'adaptive' } }, 'thinking changed from {"kind":"off"} to {"kind":"adaptive"}'],
    ['lifetime', { cache: { ttl: '1h' } }, 'cache lifetime changed from 5m to 1h'],
    ['betas', { betas: ['a', 'b'] }, 'beta headers changed from none to a, b'],
    ['a message', { messages: [message('one'), message('2'), message('three')] }, 'message 2 changed'],
    ['messages less', { messages: first.messages.slice(0, 1) }, 'messages after 1 were removed'],
    ['the first of two', { tools: [read], system: [clock] }, 'tool Bash was removed'],
  ])('is named: %s', (_, change, reason) => {
    expect(verdictOf({ ...grown, ...change })).toMatchObject({ kind: 'broken', cause: 'client', reason });
  });

  it('shows no part of a message', () => {
    const verdict = verdictOf({ ...grown, messages: [message('one and a password')] });
    expect(JSON.stringify(verdict)).not.toContain('password');
  });

  it('is the server’s when nothing changed, even with copies', () => {
    expect(verdictOf(structuredClone(grown))).toMatchObject({ kind: 'broken', cause: 'server', changes: [] });
  });

  it('is due to time after a long pause', () => {
    expect(verdictOf(grown, { idleMs: ttlMs })).toMatchObject({ cause: 'server' });
    expect(verdictOf({ ...grown, tools: [] }, { idleMs: ttlMs + 1 })).toMatchObject({ cause: 'ttl' });
  });

  it('is expected when it was announced', () => {
    const shorter = { ...grown, messages: [message('a summary')] };
    expect(verdictOf(shorter, { announce: ['microcompaction', 'compaction'], idleMs: ttlMs * 2 })).toMatchObject({
      cause: 'announced',
      reason: 'microcompaction, compaction',
      changes: ['message 1 changed'],
    });
  });
});

describe('what was announced', () => {
  it('survives a failed request, but only one answered request', () => {
    const watch = createPrefixWatch();
    watch.after({ snapshot: watch.before(first), usage: written, atMs: 0, ttlMs });
    watch.announceBreak('compaction');
    watch.before(grown);
    const snapshot = watch.before(grown);
    watch.announceBreak('compaction');
    const causes = [watch.after({ snapshot, usage: lost, atMs: 1, ttlMs })];
    for (let at = 2; at < 4; at++) {
      causes.push(
        watch.after({ snapshot: watch.before(grown), usage: { ...lost, cacheReadTokens: 0 }, atMs: at, ttlMs }),
      );
    }
    expect(causes.map((verdict) => verdict.kind === 'broken' && verdict.cause)).toEqual([
      'announced',
      'announced',
      'server',
    ]);
  });
});

describe('a chain', () => {
  const texts = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 });

  it('finds the first difference between any two requests, whatever came between', () => {
    fc.assert(
      fc.property(fc.array(texts, { minLength: 2, maxLength: 6 }), (requests) => {
        const chain = createMessageChain();
        const pool = new Map(['a', 'b', 'c'].map((text) => [text, message(text)]));
        const chains = requests.map((request, at) =>
          chain(request.map((text) => (at % 2 ? message(text) : pool.get(text)!))),
        );
        for (const [one, left] of requests.entries()) {
          for (const [other, right] of requests.entries()) {
            const shorter = Math.min(left.length, right.length);
            const expected = left.slice(0, shorter).findIndex((text, at) => text !== right[at]);
            expect(firstDifference(chains[one]!, chains[other]!)).toBe(expected === -1 ? null : expected);
          }
        }
      }),
    );
  });

  it('serialises only messages that are new to it', () => {
    let looks = 0;
    const watched = (text: string) => ({ ...message(text), toJSON: () => `${text} ${++looks}` });
    const messages = Array.from({ length: 100 }, (_, at) => watched(`${at}`));
    const chain = createMessageChain();
    for (let length = 1; length <= messages.length; length++) chain(messages.slice(0, length));
    createMessageChain()(messages);
    expect(looks).toBe(100);
  });
});
