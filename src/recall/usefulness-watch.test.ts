/** The watch for uses: what it looks at, once each, and within which limits. */

import { describe, expect, it } from 'vitest';
import type { FinishedCall } from '../agent/tool-runs.ts';
import { LIMITS, type Limits } from '../limits.ts';
import { createUseWatch, type WatchedMemory } from './usefulness-watch.ts';

function watching(limits: Partial<Limits['usefulness']> = {}, openWords?: () => never) {
  const used: string[] = [];
  const watch = createUseWatch({
    onUsed: (key, by) => used.push(`${key} ${by}`),
    limits: { ...LIMITS.usefulness, ...limits },
    ...(openWords === undefined ? {} : { openWords }),
  });
  watch.promptComes('What do we do now?');
  return { watch, used };
}

const memory = (key: string, words: string): WatchedMemory => {
  return { key, text: `<system-reminder>\nRecalled\n\n${words}\n</system-reminder>`, query: 'two words' };
};
const finished = (input: Record<string, unknown>, output = ''): FinishedCall => ({
  call: { type: 'tool_use', id: 't', name: 'Bash', input },
  result: { type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: output }] },
});
const PORT = memory('port', 'The database listens on 5433.');

describe('a watch', () => {
  it('sees a use once, and none before the memory was shown', () => {
    const { watch, used } = watching();
    watch.answered('It is 5433.');
    watch.surfaced([PORT]);
    watch.answered('It is 5433.');
    watch.answered('It is 5433.');
    expect(used).toEqual(['port names']);
  });

  it('finds it however deep it is in a call', () => {
    const { watch, used } = watching();
    watch.surfaced([PORT]);
    watch.toolsEnded([finished({ options: [{ port: 5433 }] })], []);
    expect(used).toEqual(['port names']);
  });

  it('counts nothing as a use that a result had said, even before the memory was shown', () => {
    const { watch, used } = watching();
    watch.toolsEnded([finished({ command: 'env' }, 'PORT=5433')], []);
    watch.surfaced([PORT]);
    watch.answered('It is 5433.');
    expect(used).toEqual([]);
    watch.promptComes('And which one was it again?');
    watch.answered('It is 5433.');
    expect(used).toEqual(['port names']);
  });

  it('counts that its file was opened, if it was shown', () => {
    const { watch, used } = watching();
    watch.surfaced([PORT]);
    watch.toolsEnded([finished({})], ['another', 'port']);
    expect(used).toEqual(['port read']);
  });

  it('looks at no more than it may, and only at the newest memories', () => {
    const { watch, used } = watching({ readCharacters: 30, watchedMemories: 1 });
    watch.surfaced([memory('old', 'The cache listens on 6380.'), PORT]);
    watch.answered('It is 6380.');
    watch.answered(`${'x'.repeat(30)} 5433`);
    watch.answered('5433');
    expect(used).toEqual([]);
  });

  it('ends with the conversation', () => {
    const { watch, used } = watching();
    watch.surfaced([PORT]);
    watch.keepOnly(new Set());
    watch.answered('It is 5433.');
    expect(used).toEqual([]);
  });

  it('continues for what is still in the conversation after a rewind', () => {
    const { watch, used } = watching();
    watch.surfaced([memory('cache', 'The cache listens on 6380.'), PORT]);
    watch.keepOnly(new Set([PORT.key]));
    watch.answered('They are 5433 and 6380.');
    expect(used).toEqual([expect.stringMatching(/^port /)]);
  });

  it('never fails a turn', () => {
    const { watch, used } = watching({}, () => {
      throw new Error('no words');
    });
    watch.surfaced([PORT]);
    watch.toolsEnded([finished({ port: 5433 })], []);
    watch.answered('It is 5433.');
    expect(used).toEqual([]);
  });
});
