/** Nobody reaches a model but through the meter: what is not counted keeps to no cap. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

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
