/** What the user only agreed to: the assistant's words right before. */

import { describe, expect, it } from 'vitest';
import { checkWrite, type SpanMessage } from './index.ts';

const DAY = '2026-01-07';
const user = (text: string): SpanMessage => ({ from: 'user', text, at: DAY });
const assistant = (text: string): SpanMessage => ({ from: 'assistant', text, at: DAY });

const PROPOSAL = 'I suggest an LRU bound of 64 MB for the body cache.';
const CACHE = {
  ...{ type: 'project', name: 'Cache bound', description: 'The body cache is bounded' },
  body: 'The body cache is an LRU, bounded to 64 MB.',
};

function standing(span: readonly SpanMessage[], quote: string) {
  const decision = checkWrite({ span, existing: [], proposed: { ...CACHE, quote } });
  return 'memory' in decision ? { source: decision.memory.source, quote: decision.memory.quote } : decision.reason;
}

describe('a plain yes', () => {
  it('is the user’s word for the sentence that it answers, and is kept with it', () => {
    const span = [user('what would you do'), assistant(`The rest is fine. ${PROPOSAL}`), user('yes, do that')];
    expect(standing(span, 'yes, do that')).toEqual({
      source: 'said',
      quote: [{ text: `${PROPOSAL} — yes, do that`, at: DAY }],
    });
  });
});

describe('an answer that no list knows for a yes', () => {
  it.each(['love it', 'that would be a disaster', 'hm, if you say so'])(
    '“%s” does not make the assistant’s sentence the user’s word, whatever its writer concludes',
    (answer) => {
      const span = [user('what would you do'), assistant(PROPOSAL), user(answer)];
      expect(standing(span, answer)).not.toMatchObject({ source: 'said' });
    },
  );
});

describe('a yes with more behind it', () => {
  it('is kept with what it answers only where the yes itself is quoted', () => {
    const span = [assistant('The export is removed after the release.'), user('correct. and bound the body cache')];
    expect(standing(span, 'and bound the body cache')).toMatchObject({
      quote: [{ text: 'and bound the body cache' }],
    });
  });
});
