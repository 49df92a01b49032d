/** When the conversation is searched for memories: every reason to, and every reason not to. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../limits.ts';
import { decideExtraction, decideMeans, type ExtractionFacts } from './decide.ts';

const limits = LIMITS.extraction;
const said = [{ text: 'Look at this.', at: '2026-01-07T10:00:00.000Z', uuid: 'a' }];
const typed = (characters: number) => [{ ...said[0]!, text: 'x'.repeat(characters) }];
const span = { said, turns: 1, isAnswered: true, hasCue: false, wishes: [] };
const facts: ExtractionFacts = {
  trigger: 'answer',
  isOn: true,
  isLeaving: false,
  failuresInARow: 0,
  isAhead: false,
  span,
  everyTurns: undefined,
};

describe('decideExtraction', () => {
  it.each<[string, Partial<ExtractionFacts>, object]>([
    ['little has gathered', {}, { kind: 'wait', reason: 'too-little' }],
    [
      'its cost has run ahead',
      { isAhead: true, span: { ...span, said: typed(40) } },
      { kind: 'wait', reason: 'ahead' },
    ],
    [
      'its cost has run ahead, and there is a cue',
      { isAhead: true, span: { ...span, hasCue: true } },
      { kind: 'run', reason: 'cue' },
    ],
    [
      'its cost has run ahead, and the session ends',
      { isAhead: true, trigger: 'exit', span: { ...span, said: typed(40) } },
      { kind: 'run', reason: 'exit' },
    ],
    [
      'a yes is the last word',
      { trigger: 'exit', span: { ...span, said: [{ ...said[0]!, text: 'yes, keep that' }] } },
      { kind: 'run', reason: 'exit' },
    ],
    [
      'a sentence of Japanese was typed',
      { span: { ...span, said: [{ ...said[0]!, text: 'リリースは木曜日に限ります。' }] } },
      { kind: 'run', reason: 'said' },
    ],
    ['it is off', { isOn: false, trigger: 'exit' }, { kind: 'wait', reason: 'off' }],
    ['it failed three times', { failuresInARow: 3, trigger: 'exit' }, { kind: 'wait', reason: 'paused' }],
    [
      'it failed three times, and a wish comes by again',
      { failuresInARow: 3, span: { ...span, wishes: said } },
      { kind: 'wait', reason: 'paused' },
    ],
    [
      'it failed three times, and a wish is about to go',
      { failuresInARow: 3, trigger: 'compaction', span: { ...span, wishes: said } },
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
    ['the user gave a cue', { span: { ...span, hasCue: true } }, { kind: 'run', reason: 'cue' }],
    ['many turns of few words', { span: { ...span, turns: 50 } }, { kind: 'wait', reason: 'too-little' }],
    ['nearly enough was typed', { span: { ...span, said: typed(39) } }, { kind: 'wait', reason: 'too-little' }],
    ['enough was typed', { span: { ...span, said: typed(40) } }, { kind: 'run', reason: 'said' }],
    [
      'enough was typed over several turns',
      { span: { ...span, said: [...typed(20), ...typed(20)], turns: 2 } },
      { kind: 'run', reason: 'said' },
    ],
    ['each turn is asked for', { everyTurns: 1 }, { kind: 'run', reason: 'turns' }],
    [
      'enough was typed, and fewer turns went by than are asked for',
      { everyTurns: 3, span: { ...span, said: typed(400), turns: 2 } },
      { kind: 'wait', reason: 'too-little' },
    ],
    [
      'a cue was given, and fewer turns went by than are asked for',
      { everyTurns: 3, span: { ...span, hasCue: true } },
      { kind: 'run', reason: 'cue' },
    ],
    ['a compaction comes', { trigger: 'compaction' }, { kind: 'run', reason: 'compaction' }],
    [
      'the user broke off',
      { trigger: 'exit', span: { ...span, isAnswered: false, hasCue: true } },
      { kind: 'wait', reason: 'unanswered' },
    ],
    ['the session ends after a word', { trigger: 'exit' }, { kind: 'wait', reason: 'too-little' }],
    ['the session ends', { trigger: 'exit', span: { ...span, said: typed(40) } }, { kind: 'run', reason: 'exit' }],
    [
      'the session ends before so many turns as are asked for',
      { trigger: 'exit', everyTurns: 9, span: { ...span, said: typed(40) } },
      { kind: 'run', reason: 'exit' },
    ],
  ])('when %s', (_when, given, expected) => {
    expect(decideExtraction({ ...facts, ...given }, limits)).toEqual(expected);
  });

  it('never runs when it is off, paused, left, or nothing was said', () => {
    fc.assert(
      fc.property(
        fc.record({
          trigger: fc.constantFrom('answer' as const, 'compaction' as const, 'exit' as const),
          everyTurns: fc.option(fc.integer({ min: 1, max: 10 }), { nil: undefined }),
        }),
        fc.record({
          turns: fc.nat(100),
          isAnswered: fc.boolean(),
          hasCue: fc.boolean(),
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
    ['the agent kept all that was wished for', { span }, { kind: 'fork' }],
    ['it was paused', { isPaused: true }, { kind: 'nothing', reason: 'comes-by-again' }],
    ['it was paused, and the messages went', { isPaused: true, trigger: 'compaction' }, { kind: 'wishes' }],
    ['the user left', { isLeaving: true }, { kind: 'wishes' }],
    ['the user left without a wish', { isLeaving: true, span }, { kind: 'nothing', reason: 'seen-to' }],
  ])('when %s meanwhile', (_when, given, expected) => {
    expect(decideMeans({ ...waited, ...given })).toEqual(expected);
  });
});
