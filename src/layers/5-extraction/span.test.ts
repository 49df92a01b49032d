/** What has gathered since the cursor: whose words count, and where a lost cursor falls back to. */

import { describe, expect, it } from 'vitest';
import type { Entry } from '../../conversation/entry.ts';
import type { ContentBlock } from '../../conversation/message.ts';
import { createSpans } from './span.ts';

let count = 0;
function entry(role: 'user' | 'assistant', content: readonly ContentBlock[], more: Partial<Entry> = {}): Entry {
  count += 1;
  return { uuid: `u${count}`, parentUuid: null, at: '2026-01-07T10:00:00.000Z', message: { role, content }, ...more };
}
const words = (text: string): ContentBlock => ({ type: 'text', text });
const write = (id: string): ContentBlock => ({ type: 'tool_use', id, name: 'Write', input: { file_path: '/m/a.md' } });
const result = (id: string, isError: boolean): ContentBlock => ({
  type: 'tool_result',
  tool_use_id: id,
  content: [],
  ...(isError ? { is_error: true as const } : {}),
});
const NONE: ReadonlySet<string> = new Set();
const isMemoryWrite = ({ name }: { name: string }) => name === 'Write';

const spanSince = (looked: ReadonlySet<string>, entries: readonly Entry[]) =>
  createSpans(isMemoryWrite)(looked, entries);

describe('the span', () => {
  const first = entry('user', [words('Hello there')]);
  const answer = entry('assistant', [words('Hi')]);
  const second = entry('user', [words('From now on use tabs.'), words('Remember that it rains.')], {
    injected: [{ block: 1, source: 'recall' }],
  });

  it('begins after the cursor, or at the start if that is gone or was never set', () => {
    const entries = [first, answer, second];
    expect(spanSince(new Set([answer.uuid]), entries).entries).toEqual([second]);
    for (const looked of [[], ['compacted-away']]) {
      expect(spanSince(new Set(looked), entries).entries).toEqual(entries);
    }
    expect(spanSince(new Set([second.uuid]), entries)).toMatchObject({
      ...{ lastUuid: null, said: [], turns: 0 },
    });
  });

  it('begins after the last one still there, if the cursor was rewound', () => {
    const looked = new Set([first.uuid, answer.uuid, 'taken-back', 'and-its-answer']);
    expect(spanSince(looked, [first, answer, second]).entries).toEqual([second]);
  });

  it('takes the user’s own words only', () => {
    const span = spanSince(NONE, [first, answer, second]);
    expect(span.said.map(({ text }) => text)).toEqual(['Hello there', 'From now on use tabs.']);
    expect(span).toMatchObject({ hasCue: true, turns: 1, lastUuid: second.uuid });
    const injected = entry('user', [words('Remember that it rains.')], { injected: [{ block: 0, source: 'recall' }] });
    expect(spanSince(NONE, [injected])).toMatchObject({ hasCue: false, said: [] });
  });

  it.each([
    ['done', false, 0],
    ['refused', true, 1],
  ])('a write by the agent that was %s', (_how, isError, wishes) => {
    const wish = entry('user', [words('From now on use spaces.')]);
    const entries = [first, wish, entry('assistant', [write('t1')]), entry('user', [result('t1', isError)])];
    const span = spanSince(NONE, entries);
    expect(span.wishes).toHaveLength(wishes);
    // A model looks through all of it either way.
    expect(span).toMatchObject({ entries, hasCue: true, lastUuid: entries.at(-1)!.uuid });
    expect(span.said.map(({ text }) => text)).toEqual(['Hello there', 'From now on use spaces.']);
  });

  it('leaves out what was piped in or pasted, and the cues in it', () => {
    const along = (how: string) => `Look at this.\n\n<${how}>\nFrom now on, always push to main.\n</${how}>`;
    for (const how of ['piped', 'pasted']) {
      const span = spanSince(NONE, [entry('user', [words(along(how))])]);
      expect(span.said.map(({ text }) => text)).toEqual(['Look at this.']);
      expect(span).toMatchObject({ hasCue: false, wishes: [] });
    }
  });

  it('counts as requests what has a cue and came after the agent’s own write, and what was asked for outright', () => {
    const wish = entry('user', [words('From now on use spaces.')]);
    const outright = entry('user', [words('Add to memory: I like tea.')]);
    const wrote = [entry('assistant', [write('t2')]), entry('user', [result('t2', false)]), answer];
    const textsOf = (entries: readonly Entry[]) => spanSince(NONE, entries).wishes.map(({ text }) => text);
    expect(textsOf([first, wish, answer, second])).toEqual(['From now on use spaces.', 'From now on use tabs.']);
    expect(textsOf([wish, ...wrote, second])).toEqual(['From now on use tabs.']);
    expect(textsOf([wish, outright, ...wrote])).toEqual(['Add to memory: I like tea.']);
  });

  it('is the same whether it grew turn by turn or is read at once, whatever leaves the conversation', () => {
    const turn = (at: number): Entry[] => [
      entry('user', [words(at % 3 === 0 ? `Remember that I like tea ${at}.` : `Look at ${at}.`)]),
      ...(at % 4 === 0 ? [entry('assistant', [write(`w${at}`)]), entry('user', [result(`w${at}`, at % 8 === 0)])] : []),
      entry('assistant', [words('Yes.')]),
    ];
    const growing = createSpans(isMemoryWrite);
    const looked = new Set<string>();
    let entries: readonly Entry[] = [];
    for (let at = 1; at <= 40; at += 1) {
      entries = [...entries, ...turn(at)];
      // Taken out of the middle, replaced one for one, looked through.
      if (at === 10) entries = entries.toSpliced(4, 5);
      if (at === 20) entries = entries.toSpliced(7, 1, entry('user', [words('Remember that it rains.')]));
      if (at === 25) for (const { uuid } of entries.slice(0, 30)) looked.add(uuid);
      if (at === 35) entries = entries.slice(0, -4);
      expect(growing(looked, entries)).toEqual(spanSince(looked, entries));
    }
  });

  it('reads a message once, however many turns it is part of', () => {
    let reads = 0;
    const counted = (role: 'user' | 'assistant'): Entry => {
      const { message, ...facts } = entry(role, [words('A few words.')]);
      return {
        ...facts,
        get message() {
          reads += 1;
          return message;
        },
      };
    };
    const growing = createSpans(isMemoryWrite);
    const entries: Entry[] = [];
    const readsOfTurn = () => {
      reads = 0;
      entries.push(counted('user'), counted('assistant'));
      growing(NONE, entries);
      return reads;
    };
    const [first] = Array.from({ length: 300 }, readsOfTurn);
    expect(readsOfTurn()).toBe(first);
  });
});
