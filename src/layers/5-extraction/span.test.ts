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
const isMemoryWrite = ({ name }: { name: string }) => name === 'Write';

describe('spanSince', () => {
  const first = entry('user', [words('Hello there')]);
  const answer = entry('assistant', [words('Hi')]);
  const second = entry('user', [words('From now on use tabs.'), words('Remember that it rains.')], {
    injected: [{ block: 1, source: 'recall' }],
  });

  it('begins behind the cursor, and at the start where that is gone or was never set', () => {
    const entries = [first, answer, second];
    expect(spanSince(answer.uuid, { entries, isMemoryWrite }).entries).toEqual([second]);
    for (const cursor of [null, 'compacted-away']) {
      expect(spanSince(cursor, { entries, isMemoryWrite }).entries).toEqual(entries);
    }
    expect(spanSince(second.uuid, { entries, isMemoryWrite })).toMatchObject({ lastUuid: null, said: [], turns: 0 });
  });

  it('takes the user’s own words only', () => {
    const span = spanSince(null, { entries: [first, answer, second], isMemoryWrite });
    expect(span.said.map(({ text }) => text)).toEqual(['Hello there', 'From now on use tabs.']);
    expect(span).toMatchObject({ hasCue: true, turns: 1, lastUuid: second.uuid });
    const injected = entry('user', [words('Remember that it rains.')], { injected: [{ block: 0, source: 'recall' }] });
    expect(spanSince(null, { entries: [injected], isMemoryWrite })).toMatchObject({ hasCue: false, said: [] });
  });

  it.each([
    ['done', false, true],
    ['refused', true, false],
  ])('a write of the agent’s that was %s', (_how, isError, expected) => {
    const entries = [first, entry('assistant', [write('t1')]), entry('user', [result('t1', isError)])];
    expect(spanSince(null, { entries, isMemoryWrite }).agentWrote).toBe(expected);
  });
});
