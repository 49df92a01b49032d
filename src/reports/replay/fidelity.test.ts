import { describe, expect, it } from 'vitest';
import type { Entry } from '../../conversation/entry.ts';
import type { ContentBlock, Message } from '../../conversation/message.ts';
import { referencesIn } from '../../layers/4-compaction/in-use.ts';
import { createFidelity } from './fidelity.ts';

let count = 0;
function entry(role: 'user' | 'assistant', content: readonly ContentBlock[], injected?: readonly number[]): Entry {
  return {
    ...{ uuid: `e${count++}`, parentUuid: null, at: '2026-01-05T09:00:00.000Z', message: { role, content } },
    ...(injected === undefined ? {} : { injected: injected.map((block) => ({ block, source: 'context' as const })) }),
  };
}
const text = (words: string): ContentBlock => ({ type: 'text', text: words });
const call = (command: string): ContentBlock => ({ type: 'tool_use', id: 't', name: 'Bash', input: { command } });
const summary = (words: string): Message => ({ role: 'user', content: [text(words)] });

describe("the user's words", () => {
  const long = `Please keep this sentence. ${'And this one too. '.repeat(10)}`;

  it.each([
    ['the message itself', (said: Entry) => [said.message], 1],
    ['nothing of it', () => [summary('Something else entirely')], 0],
    ['a copy within a summary', () => [summary(`The user said:\n${long}\nThat was all.`)], 1],
    ['half of it', () => [summary(`> ${long.slice(0, long.length / 2)} […]`)], 0.5],
    ['a word or two of it', () => [summary('Please keep calm')], 0],
  ])('count with %s in the window', (_, windowOf, share) => {
    const fidelity = createFidelity();
    const said = entry('user', [text(long)]);
    fidelity.said([said]);
    fidelity.asked(windowOf(said));
    expect(fidelity.result().userText).toBeCloseTo(share, 1);
  });

  it('are a share of characters at each request, and the mean over requests, without injected text', () => {
    const fidelity = createFidelity();
    const [one, two] = [
      entry('user', [text('a'.repeat(100))]),
      entry('user', [text('b'.repeat(300)), text('ours')], [1]),
    ];
    fidelity.said([one]);
    fidelity.asked([one.message]);
    fidelity.said([two]);
    fidelity.asked([two.message]);
    expect(fidelity.result().userText).toBeCloseTo((1 + 300 / 400) / 2);
  });
});

describe('what is needed later', () => {
  it('is what a call repeats from an earlier message, found if the window still has it', () => {
    const fidelity = createFidelity();
    const said = entry('user', [text('Look at /srv/app/main.ts and at port 8080.')]);
    fidelity.said([said]);
    fidelity.asked([said.message]);
    fidelity.answered(entry('assistant', [call('cat /srv/app/main.ts /etc/unheard/of.conf')]));
    expect(fidelity.result().neededLater).toBe(1);
    fidelity.asked([summary('It is about /srv/app/main.ts')]);
    fidelity.answered(entry('assistant', [call('grep 8080 /srv/app/main.ts')]));
    expect(fidelity.result().neededLater).toBeCloseTo(2 / 3);
  });
});

describe('references', () => {
  it.each([
    ['open ./src/main.ts, please.', ['src/main.ts']],
    ['set MAX_RETRIES to 30 in camelCase (v1.2.3)', ['MAX_RETRIES', '30', 'camelCase', 'v1.2.3']],
    ['an ordinary sentence, with well-known words. And an end.', []],
    ['~/notes/a.md a7fd389', ['~/notes/a.md', 'a7fd389']],
  ])('of "%s"', (words, expected) => {
    expect([...referencesIn(words)]).toEqual(expected);
  });
});
