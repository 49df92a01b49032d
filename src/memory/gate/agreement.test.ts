/** What the user only agreed to: the assistant's words right before, named by the writer and looked up by code. */

import { describe, expect, it } from 'vitest';
import { checkWrite, type SpanMessage } from './index.ts';

const DAY = '2026-01-07';
const user = (text: string): SpanMessage => ({ from: 'user', text, at: DAY });
const assistant = (text: string): SpanMessage => ({ from: 'assistant', text, at: DAY });
const pasted = (text: string): SpanMessage => ({ from: 'pasted', text, at: DAY });

const PROPOSAL = 'I suggest an LRU bound of 64 MB for the body cache.';
const CACHE = {
  ...{ type: 'project', name: 'Cache bound', description: 'The body cache is bounded' },
  body: 'The body cache is an LRU, bounded to 64 MB.',
};

function standing(span: readonly SpanMessage[], proposed: { quote: string | readonly string[]; agreed?: string }) {
  const decision = checkWrite({ span, existing: [], proposed: { ...CACHE, ...proposed } });
  return 'memory' in decision ? { source: decision.memory.source, quote: decision.memory.quote } : decision.reason;
}

describe('an answer that no list knows for a yes', () => {
  it.each(['ja genau so', 'agreed, the article is garbage, go with yours', 'love it', '그걸로 갑시다'])(
    '“%s” is the user’s word for the sentence that it answers, and is kept with it',
    (answer) => {
      const span = [user('what would you do'), assistant(`The rest is fine. ${PROPOSAL} It is quick.`), user(answer)];
      expect(standing(span, { quote: answer, agreed: 'an LRU bound of 64 MB for the body cache' })).toEqual({
        source: 'said',
        quote: [{ text: `${PROPOSAL} — ${answer}`, at: DAY }],
      });
    },
  );

  it('counts for all messages of the assistant’s turn', () => {
    const span = [user('go on'), assistant(PROPOSAL), assistant('Tests are green.'), user('love it')];
    expect(standing(span, { quote: 'love it', agreed: PROPOSAL })).toMatchObject({ source: 'said' });
  });

  it.each<[string, SpanMessage[], { quote: string; agreed?: string }]>([
    ['is not named', [assistant(PROPOSAL), user('love it')], { quote: 'love it' }],
    ['was never said', [assistant('Done.'), user('love it')], { quote: 'love it', agreed: PROPOSAL }],
    [
      'was said in an earlier turn',
      [assistant(PROPOSAL), user('hm'), assistant('All right.'), user('love it')],
      { quote: 'love it', agreed: PROPOSAL },
    ],
    [
      'is not what the message begins with',
      [assistant(PROPOSAL), user('no. the tests are slow. love it')],
      { quote: 'love it', agreed: PROPOSAL },
    ],
    ['was answered by a question', [assistant(PROPOSAL), user('love it?')], { quote: 'love it?', agreed: PROPOSAL }],
    [
      'was brought by a page that came along',
      [user('is this right'), pasted(PROPOSAL), assistant(PROPOSAL), user('love it')],
      { quote: 'love it', agreed: PROPOSAL },
    ],
  ])('carries nothing where what it is said to answer %s', (_what, span, proposed) => {
    expect(standing(span, proposed)).not.toMatchObject({ source: 'said' });
  });
});

describe('a yes with more behind it', () => {
  it('is kept with what it answers only where the yes itself is quoted', () => {
    const span = [assistant('The export is removed after the release.'), user('correct. and bound the body cache')];
    expect(standing(span, { quote: 'and bound the body cache' })).toMatchObject({
      quote: [{ text: 'and bound the body cache' }],
    });
  });
});
