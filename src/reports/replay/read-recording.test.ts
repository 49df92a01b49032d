import { describe, expect, it } from 'vitest';
import { serializeRecord } from '../../disk/transcript/record.ts';
import { readRecording } from './read-recording.ts';

const at = '2026-01-05T09:00:00.000Z';

function lines(...records: readonly unknown[]): string {
  return records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record))).join('\n');
}

describe('a transcript of ours', () => {
  const entry = { parentUuid: null, at } as const;
  const asked = {
    type: 'message',
    ...entry,
    uuid: 'a',
    message: {
      role: 'user',
      content: [
        { type: 'text', text: 'Memory index' },
        { type: 'text', text: 'Fix it' },
      ],
    },
    injected: [{ block: 0, source: 'context' }],
  } as const;
  const usage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4, cacheWriteHourTokens: 4 };
  const answered = {
    type: 'message',
    ...entry,
    uuid: 'b',
    message: { role: 'assistant', content: [{ type: 'text', text: 'Done' }] },
    response: { model: 'claude-opus-5-5', usage, stopReason: 'end', id: 'm1' },
  } as const;
  const summary = {
    ...asked,
    uuid: 'c',
    message: { role: 'user', content: [{ type: 'text', text: 'Earlier messages, condensed' }] },
    injected: [{ block: 0, source: 'summary' }],
  } as const;

  it('is read with its usage, its model and injected text; a summary replaces messages that are there anyway', () => {
    const text = [asked, answered, summary].map(serializeRecord).join('');
    const recording = readRecording(text, 'x');
    expect(recording).toMatchObject({ model: 'claude-opus-5-5', damaged: 0 });
    expect(recording?.messages).toHaveLength(2);
    expect(recording?.messages[0]).toMatchObject({ role: 'user', atMs: Date.parse(at), injected: [0] });
    expect(recording?.messages[1]?.usage).toEqual(usage);
  });

  it('loses a torn line and nothing else', () => {
    const text = `${serializeRecord(asked)}{"type":"message","uuid":"t","par\n{"type":"message"}\n${serializeRecord(answered)}`;
    expect(readRecording(text, 'x')).toMatchObject({ damaged: 2, messages: [{ role: 'user' }, { role: 'assistant' }] });
  });
});

describe('a transcript of Claude Code', () => {
  const user = (uuid: string, content: unknown, more = {}) => {
    return { type: 'user', uuid, timestamp: at, message: { role: 'user', content }, ...more };
  };
  const assistant = (uuid: string, id: string, block: unknown, output: number) => ({
    type: 'assistant',
    uuid,
    timestamp: at,
    message: {
      ...{ role: 'assistant', id, model: 'claude-sonnet-4-5-20250929', content: [block] },
      usage: {
        ...{ input_tokens: 5, cache_read_input_tokens: 100, cache_creation_input_tokens: 20, output_tokens: output },
        cache_creation: { ephemeral_1h_input_tokens: 20 },
      },
    },
  });
  const call = (id: string) => ({ type: 'tool_use', id, name: 'Bash', input: { command: 'ls' } });
  const result = (id: string) => [{ type: 'tool_result', tool_use_id: id, content: 'a\nb', is_error: true }];

  it('joins the records of one response, even with results between them', () => {
    const text = lines(
      { type: 'summary', summary: 'x' },
      user('1', 'List them'),
      assistant('2', 'm1', call('t1'), 3),
      user('3', result('t1')),
      assistant('4', 'm1', call('t2'), 40),
      user('5', result('t2')),
      assistant('6', 'm2', { type: 'text', text: 'Two' }, 5),
    );
    const recording = readRecording(text, 'x');
    expect(recording?.model).toBe('claude-sonnet-4-5-20250929');
    expect(recording?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'user', 'assistant']);
    expect(recording?.messages[1]?.content).toMatchObject([{ id: 't1' }, { id: 't2' }]);
    expect(recording?.messages[1]?.usage).toMatchObject({ outputTokens: 40, cacheWriteHourTokens: 20 });
    expect(recording?.messages[2]?.content).toEqual([
      { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'a\nb' }], is_error: true },
    ]);
  });

  it('leaves out side conversations, summaries and duplicates, and does not take notices for words', () => {
    const text = lines(
      user('1', 'Hello'),
      user('1', 'Hello'),
      user('2', 'Other agent', { isSidechain: true }),
      user('3', 'This session is continued', { isCompactSummary: true }),
      user('4', 'Caveat', { isMeta: true }),
      user('5', '<task-notification>\n<status>done</status>\n</task-notification>\nRead the file.'),
      user('6', '[Request interrupted by user for tool use]'),
      assistant('7', 'm', { type: 'text', text: 'Hi' }, 1),
    );
    const messages = readRecording(text, 'x')?.messages ?? [];
    expect(messages).toHaveLength(5);
    expect(messages.map(({ injected }) => injected)).toEqual([[], [0], [0], [0], []]);
  });
});

describe('plain JSON', () => {
  it('may have text instead of blocks, and models as counts or names', () => {
    const messages = [
      { role: 'user', ts: at, content: 'Hello' },
      { role: 'assistant', ts: at, content: [{ type: 'text', text: 'Hi' }], usage: { output_tokens: 1 } },
      { role: 'robot', content: 'x' },
    ];
    const recording = readRecording(JSON.stringify({ session: 's', models: { small: 1, large: 9 }, messages }), 'x');
    expect(recording).toMatchObject({ model: 'large', damaged: 1 });
    expect(recording?.messages).toMatchObject([{ role: 'user' }, { role: 'assistant', usage: null }]);
  });

  it.each(['', 'not JSON', '{"messages":[]}', '[1,2]', '{"type":"user"}'])(
    'without messages gives nothing: %s',
    (text) => {
      expect(readRecording(text, 'x')).toBeNull();
    },
  );
});
