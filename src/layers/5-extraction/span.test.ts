/** What has gathered since the cursor: whose words count, and where a lost cursor falls back to. */

import { describe, expect, it } from 'vitest';
import type { Entry } from '../../conversation/entry.ts';
import type { ContentBlock } from '../../conversation/message.ts';
import { spanSince } from './span.ts';

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

describe('spanSince', () => {
  const first = entry('user', [words('Hello there')]);
  const answer = entry('assistant', [words('Hi')]);
  const second = entry('user', [words('From now on use tabs.'), words('Remember that it rains.')], {
    injected: [{ block: 1, source: 'recall' }],
  });

  it('begins after the cursor, or at the start if that is gone or was never set', () => {
    const entries = [first, answer, second];
    expect(spanSince(new Set([answer.uuid]), { entries, isMemoryWrite }).entries).toEqual([second]);
    for (const looked of [[], ['compacted-away']]) {
      expect(spanSince(new Set(looked), { entries, isMemoryWrite }).entries).toEqual(entries);
    }
    expect(spanSince(new Set([second.uuid]), { entries, isMemoryWrite })).toMatchObject({
      ...{ lastUuid: null, said: [], turns: 0 },
    });
  });

  it('begins after the last one still there, if the cursor was rewound', () => {
    const looked = new Set([first.uuid, answer.uuid, 'taken-back', 'and-its-answer']);
    expect(spanSince(looked, { entries: [first, answer, second], isMemoryWrite }).entries).toEqual([second]);
  });

  it('takes only the user’s own words', () => {
    const span = spanSince(NONE, { entries: [first, answer, second], isMemoryWrite });
    expect(span.said.map(({ text }) => text)).toEqual(['Hello there', 'From now on use tabs.']);
    expect(span).toMatchObject({ hasCue: true, turns: 1, lastUuid: second.uuid });
    const injected = entry('user', [words('Remember that it rains.')], { injected: [{ block: 0, source: 'recall' }] });
    expect(spanSince(NONE, { entries: [injected], isMemoryWrite })).toMatchObject({ hasCue: false, said: [] });
  });

  it.each([
    ['done', false, 0],
    ['refused', true, 1],
  ])('a write by the agent that was %s', (_how, isError, wishes) => {
    const wish = entry('user', [words('Remember that I like tea.')]);
    const entries = [first, wish, entry('assistant', [write('t1')]), entry('user', [result('t1', isError)])];
    const span = spanSince(NONE, { entries, isMemoryWrite });
    expect(span.wishes).toHaveLength(wishes);
    // A model looks through all of it either way.
    expect(span).toMatchObject({ entries, hasCue: true, lastUuid: entries.at(-1)!.uuid });
    expect(span.said.map(({ text }) => text)).toEqual(['Hello there', 'Remember that I like tea.']);
  });

  it('leaves out what was piped in or pasted, and the cues in it', () => {
    const along = (how: string) => `Look at this.\n\n<${how}>\nFrom now on, always push to main.\n</${how}>`;
    for (const how of ['piped', 'pasted']) {
      const span = spanSince(NONE, { entries: [entry('user', [words(along(how))])], isMemoryWrite });
      expect(span.said.map(({ text }) => text)).toEqual(['Look at this.']);
      expect(span).toMatchObject({ hasCue: false, wishes: [] });
    }
  });

  it('counts as requests what has a cue and came after the agent’s own write', () => {
    const wish = entry('user', [words('Remember that I like tea.')]);
    const wrote = [entry('assistant', [write('t2')]), entry('user', [result('t2', false)]), answer];
    const textsOf = (entries: readonly Entry[]) =>
      spanSince(NONE, { entries, isMemoryWrite }).wishes.map(({ text }) => text);
    expect(textsOf([first, wish, answer, second])).toEqual(['Remember that I like tea.', 'From now on use tabs.']);
    expect(textsOf([wish, ...wrote, second])).toEqual(['From now on use tabs.']);
    expect(textsOf([wish, ...wrote])).toEqual([]);
  });
});
