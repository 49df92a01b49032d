/** What /compact and /model say about their outcome. */

import { describe, expect, it } from 'vitest';
import type { SteerableAgent } from '../../../session/steering.ts';
import { NO_PAINT } from '../../terminal/paint.ts';
import { type Action, notice } from '../action.ts';
import type { SlashPorts } from './ports.ts';
import { runSlash } from './run.ts';

async function said(
  line: 'compact' | 'model' | 'context',
  facts: { agent: Partial<SteerableAgent>; argument?: string },
) {
  const actions: Action[] = [];
  const ports = {
    agent: facts.agent,
    paint: NO_PAINT,
    width: 60,
    isQuiet: true,
    dispatch: (each: Action) => actions.push(each),
  };
  await runSlash({ name: line, argument: facts.argument ?? '' }, ports as unknown as SlashPorts);
  return actions.flatMap((action) => (action.kind === 'print' ? [action.output] : []));
}

it.each([
  ['Compacted, 100 to about 10 tokens.', 'success'],
  ['Not compacted: there is too little.', 'error'],
] as const)('/compact marks what it says: %s', async (line, tone) => {
  expect(await said('compact', { agent: { compact: async () => line } })).toEqual([notice(line, tone)]);
});

describe('/model', () => {
  it.each([
    ['claude-opus-5-5', 'success', /^From the next message on/],
    ['claude-opsu-5-5', 'warning', /not a model known here.*tried.*claude-opus-5-5/],
    ['nonsense', 'warning', /not a model known here.*tried/],
    ['ollama/qwen3', 'success', /^From the next message on/],
  ] as const)('%s', async (name, tone, text) => {
    const agent = { setModel: async (wanted: string) => wanted };
    expect(await said('model', { agent, argument: name })).toMatchObject([{ tone, text: expect.stringMatching(text) }]);
  });
});

it('/context is words and numbers for a screen reader', async () => {
  const window = { window: 1_000, effective: 900, warnAt: 700, compactAt: 800, hardStopAt: 890 };
  const parts = [{ name: 'messages', tokens: 300 }];
  const agent = { window: () => ({ parts, usedTokens: 300, isCounted: true, window }) };
  const [output] = await said('context', { agent: agent as unknown as SteerableAgent });
  const text = output?.kind === 'lines' ? output.lines.join('\n') : '';
  expect(text).toMatch(/messages +300/);
  expect(text).not.toMatch(/[█▓▒■·/]{2}|█/);
});
