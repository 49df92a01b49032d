/** When the conversation is looked through: every reason to, and every reason not to. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../limits.ts';
import { decideExtraction, type ExtractionFacts } from './decide.ts';

const limits = LIMITS.extraction;
const said = [{ text: 'Look at this.', at: '2026-01-07T10:00:00.000Z', uuid: 'a' }];
const span = { said, tokens: 100, turns: 1, isAnswered: true, hasCue: false, agentWrote: false };
const facts: ExtractionFacts = {
  trigger: 'answer',
  isOn: true,
  failuresInARow: 0,
  span,
  everyTurns: undefined,
  spentShare: 0,
};

describe('decideExtraction', () => {
  it.each<[string, Partial<ExtractionFacts>, object]>([
    ['little has gathered', {}, { kind: 'wait', reason: 'too-little' }],
    ['it is off', { isOn: false, trigger: 'exit' }, { kind: 'wait', reason: 'off' }],
    ['it failed three times', { failuresInARow: 3, trigger: 'exit' }, { kind: 'wait', reason: 'paused' }],
    [
      'nobody said anything',
      { span: { ...span, said: [] }, trigger: 'exit' },
      { kind: 'wait', reason: 'nothing-said' },
    ],
    [
      'the agent wrote itself',
      { span: { ...span, agentWrote: true, hasCue: true } },
      { kind: 'skip', reason: 'agent-wrote' },
    ],
    ['the user gave a cue', { span: { ...span, hasCue: true }, spentShare: 1 }, { kind: 'run', reason: 'cue' }],
    ['four turns', { span: { ...span, turns: 4 } }, { kind: 'wait', reason: 'too-little' }],
    ['five turns', { span: { ...span, turns: 5 } }, { kind: 'run', reason: 'turns' }],
    ['nearly enough tokens', { span: { ...span, tokens: 7_999 } }, { kind: 'wait', reason: 'too-little' }],
    ['enough tokens', { span: { ...span, tokens: 8_000 } }, { kind: 'run', reason: 'tokens' }],
    ['it had its share', { span: { ...span, turns: 9 }, spentShare: 0.06 }, { kind: 'wait', reason: 'costs-enough' }],
    ['each turn is asked for', { everyTurns: 1, spentShare: 0.9 }, { kind: 'run', reason: 'turns' }],
    ['a compaction comes', { trigger: 'compaction', spentShare: 1 }, { kind: 'run', reason: 'compaction' }],
    [
      'the user broke off',
      { trigger: 'exit', span: { ...span, isAnswered: false, hasCue: true } },
      { kind: 'wait', reason: 'unanswered' },
    ],
    ['the session ends after a word', { trigger: 'exit' }, { kind: 'wait', reason: 'too-little' }],
    [
      'the session ends after a word and a long answer',
      { trigger: 'exit', span: { ...span, tokens: 5_000 } },
      { kind: 'wait', reason: 'too-little' },
    ],
    [
      'the session ends',
      { trigger: 'exit', span: { ...span, said: [{ ...said[0]!, text: 'Words. '.repeat(200) }] }, spentShare: 1 },
      { kind: 'run', reason: 'exit' },
    ],
  ])('when %s', (_when, given, expected) => {
    expect(decideExtraction({ ...facts, ...given }, limits)).toEqual(expected);
  });

  it('never runs where it is off, paused, or nothing was said', () => {
    fc.assert(
      fc.property(
        fc.record({
          trigger: fc.constantFrom('answer' as const, 'compaction' as const, 'exit' as const),
          everyTurns: fc.option(fc.integer({ min: 1, max: 10 }), { nil: undefined }),
          spentShare: fc.option(fc.double({ min: 0, max: 2, noNaN: true })),
        }),
        fc.record({
          tokens: fc.nat(),
          turns: fc.nat(100),
          isAnswered: fc.boolean(),
          hasCue: fc.boolean(),
          agentWrote: fc.boolean(),
        }),
        fc.constantFrom({ isOn: false }, { failuresInARow: 3 }, { isMute: true }),
        (given, gathered, stop) => {
          const isMute = 'isMute' in stop;
          const whole = { ...facts, ...given, ...stop, span: { ...gathered, said: isMute ? [] : said } };
          expect(decideExtraction(whole, limits).kind).toBe('wait');
        },
      ),
    );
  });
});
