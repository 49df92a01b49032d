/** When the conversation is looked through: every reason to, and every reason not to. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../limits.ts';
import { decideExtraction, decideMeans, type ExtractionFacts } from './decide.ts';

const limits = LIMITS.extraction;
const said = [{ text: 'Look at this.', at: '2026-01-07T10:00:00.000Z', uuid: 'a' }];
const span = { said, tokens: 100, turns: 1, isAnswered: true, hasCue: false, agentWrote: false, wishes: [] };
const facts: ExtractionFacts = {
  trigger: 'answer',
  isOn: true,
  isLeaving: false,
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
      'it failed three times, and a wish comes by again',
      { failuresInARow: 3, span: { ...span, wishes: said } },
      { kind: 'wait', reason: 'paused' },
    ],
    [
      'it failed three times, and a wish is about to go',
      { failuresInARow: 3, trigger: 'compaction', span: { ...span, wishes: said, agentWrote: true } },
      { kind: 'keep', reason: 'paused' },
    ],
    [
      'it failed three times, and the session ends on a wish',
      { failuresInARow: 3, trigger: 'exit', span: { ...span, wishes: said } },
      { kind: 'keep', reason: 'paused' },
    ],
    [
      'it failed three times, and the user broke off',
      { failuresInARow: 3, trigger: 'exit', span: { ...span, wishes: said, isAnswered: false } },
      { kind: 'wait', reason: 'unanswered' },
    ],
    [
      'the user does not wait',
      { isLeaving: true, trigger: 'exit', span: { ...span, hasCue: true, wishes: said } },
      { kind: 'keep', reason: 'leaving' },
    ],
    [
      'the user does not wait, and wished for nothing',
      { isLeaving: true, trigger: 'exit', span: { ...span, turns: 9 } },
      { kind: 'wait', reason: 'leaving' },
    ],
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

  it('never runs where it is off, paused, left, or nothing was said', () => {
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
        fc.constantFrom({ isOn: false }, { failuresInARow: 3 }, { isLeaving: true }, { isMute: true }),
        (given, gathered, stop) => {
          const isMute = 'isMute' in stop;
          const words = isMute ? [] : said;
          const wishes = gathered.hasCue ? words : [];
          const whole = { ...facts, ...given, ...stop, span: { ...gathered, said: words, wishes } };
          const { kind } = decideExtraction(whole, limits);
          const mayKeep = !('isOn' in stop) && given.trigger !== 'answer' && wishes.length > 0;
          expect(mayKeep ? ['wait', 'keep'] : ['wait']).toContain(kind);
        },
      ),
    );
  });
});

describe('decideMeans', () => {
  const waited = { trigger: 'answer', isLeaving: false, isPaused: false, span: { ...span, wishes: said } } as const;
  it.each<[string, Partial<Parameters<typeof decideMeans>[0]>, object]>([
    ['nothing happened', {}, { kind: 'fork' }],
    ['the run before it saw to it', { span: { ...span, said: [] } }, { kind: 'nothing', reason: 'seen-to' }],
    ['the agent saw to it', { span: { ...span, agentWrote: true } }, { kind: 'nothing', reason: 'seen-to' }],
    ['it was paused', { isPaused: true }, { kind: 'nothing', reason: 'comes-by-again' }],
    ['it was paused, and the messages went', { isPaused: true, trigger: 'compaction' }, { kind: 'wishes' }],
    ['the user left', { isLeaving: true }, { kind: 'wishes' }],
    ['the user left without a wish', { isLeaving: true, span }, { kind: 'nothing', reason: 'seen-to' }],
  ])('when %s meanwhile', (_when, given, expected) => {
    expect(decideMeans({ ...waited, ...given })).toEqual(expected);
  });
});
