/** Text that is made to be expensive: the gate answers, and calls nothing of it the user's word. */

import { expect, it } from 'vitest';
import { isWhole } from '../../../test/support/property-runs.ts';
import { checkWrite } from './index.ts';

const SIZE = 1_000_000;

const UNITS = ['中。', '。', 'Push. '];

it.each([
  ['user', 0],
  ['tool', 1],
  ['pasted', 2],
] as const)('a megabyte of tiny sentences by %s does not break it', (from, sample) => {
  for (const unit of isWhole ? UNITS : [UNITS[sample]!]) {
    const text = unit.repeat(SIZE / unit.length);
    const proposed = {
      type: 'feedback',
      name: 'Pushing',
      description: '',
      body: text.slice(0, 3_000),
    };
    const decision = checkWrite({ span: [{ from, text }], existing: [], proposed });
    if (from !== 'user' && 'memory' in decision) expect(decision.memory.source).not.toBe('said');
  }
});
