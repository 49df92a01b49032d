/** What is taken from payloads of each host, and when two errors are the same. */

import { expect, it } from 'vitest';
import { failureMark } from './failure-mark.ts';
import { stepOf } from './step.ts';

const PATCH = '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-a\n+b\n*** Add File: src/b.ts\n+c\n*** End Patch';

it.each([
  ['Claude Code', { tool_name: 'Bash', tool_input: { command: 'npm test' } }, 'ran', 'npm test'],
  ['Codex', { tool_name: 'shell', tool_input: { command: ['bash', '-lc', 'npm test'] } }, 'ran', 'npm test'],
  ['Codex', { tool_name: 'exec_command', tool_input: { cmd: 'npm test' } }, 'ran', 'npm test'],
  ['Codex', { tool_name: 'apply_patch', tool_input: { command: PATCH } }, 'edited', 'src/a.ts, src/b.ts'],
  ['Gemini CLI', { tool_name: 'write_file', tool_input: { file_path: 'a.ts' } }, 'edited', 'a.ts'],
  ['Gemini CLI', { tool_name: 'read_file', tool_input: { absolute_path: '/p/a.ts' } }, 'read', '/p/a.ts'],
  ['Cursor', { tool_name: 'Read', tool_input: { target_file: 'a.ts' } }, 'read', 'a.ts'],
])('%s: %j', (_host, payload, kind, what) => {
  expect(stepOf(payload, null)).toEqual({ kind, what, failure: null });
});

it.each([[null], ['text'], [{ tool_name: 'Task', tool_input: { prompt: 'x' } }], [{ tool_name: 'Bash' }]])(
  'nothing is taken from %j',
  (payload) => expect(stepOf(payload, null)).toBeNull(),
);

it('an error is the same in another folder, at another time and with other colours', () => {
  const one = '\u001b[31mError: connect ECONNREFUSED 127.0.0.1:5432 in /tmp/run-1/src/db.ts:17\u001b[0m';
  const other = 'ok\nError: connect ECONNREFUSED 127.0.0.1:5433 in /home/u/app/src/db.ts:9';
  expect(failureMark(one)).toBe(failureMark(other));
  expect(failureMark(one)).not.toBe(failureMark(one.replace('ECONNREFUSED', 'ETIMEDOUT')));
});

it.each(['', 'exit code 1', 'Error: 17', 'failed'])('%j says too little to be known again', (output) => {
  expect(failureMark(output)).toBeNull();
});
