/** Text that is made to be expensive: the gate answers, and calls nothing of it the user's word. */

import { expect, it } from 'vitest';
import { checkWrite } from './index.ts';

const SIZE = 1_000_000;

it.each(['user', 'tool', 'pasted'] as const)('a megabyte of tiny sentences by %s does not break it', (from) => {
  for (const unit of ['中。', '。', 'Push. ']) {
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
