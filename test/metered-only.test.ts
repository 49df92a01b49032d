/** Nobody reaches a model but through the meter: what is not counted keeps to no cap. */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openLedger, readLedger } from '../src/disk/ledger/ledger.ts';
import { LIMITS } from '../src/limits.ts';
import { createMeter } from '../src/model/metered.ts';
import type { ModelRequest } from '../src/model/model.ts';
import type { Purpose } from '../src/model/purpose.ts';
import { scriptedModel } from '../src/model/scripted.ts';

const source = fileURLToPath(new URL('../src', import.meta.url));

/** A provider's own `messages.stream(` is behind the port; a model's `stream(` is the port. */
const CALLS_A_MODEL = /(?<!\bmessages\s*\??)\.\s*stream\s*(?:\?\.)?\(/g;

function callsIn(text: string): number {
  return [...text.matchAll(CALLS_A_MODEL)].length;
}

describe('a model', () => {
  it('is called by the meter alone', () => {
    const callers = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
      .filter((path) => callsIn(readFileSync(join(source, path), 'utf8')) > 0);
    expect(callers).toEqual([join('model', 'metered.ts')]);
  });

  it.each([
    ['model.stream(request, options)', 1],
    ['call.model\n  .stream(request)', 1],
    ['model?.stream?.(request)', 1],
    ['client.messages.stream(body)', 0],
    ['client.beta.messages\n.stream(body)', 0],
    ['streamWithRetry(attempt)', 0],
    ['stream(request, options) {', 0],
  ])('is known to be called: %j', (text, calls) => {
    expect(callsIn(text)).toBe(calls);
  });
});

const REQUEST: ModelRequest = {
  system: [],
  tools: [],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'x'.repeat(400) }] }],
  thinking: { kind: 'off' },
  toolChoice: 'auto',
  maxOutputTokens: 100,
  cache: { ttl: '5m', breakpoints: [0] },
};

describe('meter and ledger', () => {
  it('together stop background work at the day’s cap, and have every call on disk', async () => {
    const home = mkdtempSync(join(tmpdir(), 'reverie-metered-'));
    const now = () => new Date();
    // Each call is reserved at 100 + 5 × 100 tokens and costs 100 + 5 × 20.
    const limits = { ...LIMITS, caps: { ...LIMITS.caps, dayTokens: 1_000 } };
    const onProblem = (problem: Error) => expect.unreachable(problem.message);
    const ledger = openLedger({ home, session: 's', project: 'p', now, onProblem, limits });
    try {
      const meter = createMeter({ ledger, limits, now });
      const usage = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 0, cacheWriteTokens: 0 };
      const model = scriptedModel({ answer: () => ({ text: 'yes', usage }) });
      const ask = async (purpose: Purpose) => {
        const call = { purpose, model, request: REQUEST, signal: new AbortController().signal };
        for await (const event of meter.call(call)) if (event.kind === 'response') return 'answered';
        return 'nothing';
      };
      for (const purpose of ['main', 'extraction', 'notes', 'dream'] as const)
        expect(await ask(purpose)).toBe('answered');
      await expect(ask('dream')).rejects.toMatchObject({ failure: 'cap', fix: expect.stringContaining('dayTokens') });
      expect(await ask('main')).toBe('answered');
      const lines = [];
      for await (const line of readLedger({ home, now: now() })) {
        lines.push('purpose' in line ? `${line.type} ${line.purpose}` : line.type === 'event' ? line.name : line.type);
      }
      const background = ['extraction', 'notes', 'dream'].flatMap((each) => [`reserved ${each}`, `call ${each}`]);
      expect(lines).toEqual(['call main', ...background, 'cap', 'call main']);
      expect(meter.totals()).toMatchObject({ calls: 5, usage: { inputTokens: 500, outputTokens: 100 } });
    } finally {
      ledger.close();
      rmSync(home, { recursive: true, force: true });
    }
  });
});
