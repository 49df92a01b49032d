/** What happens during the agent's work: which results call for a memory, and which memory is about them. */

import { describe, expect, it } from 'vitest';
import type { ToolResultBlock, ToolUseBlock } from '../conversation/message.ts';
import { isFitFor, queryOf, type Trigger, triggersOf } from './triggers.ts';

function finished(name: string, input: Record<string, unknown>, text: string, isError = false) {
  const call: ToolUseBlock = { type: 'tool_use', id: 't', name, input };
  const content = [{ type: 'text' as const, text }];
  const result: ToolResultBlock = {
    type: 'tool_result',
    tool_use_id: 't',
    content,
    ...(isError ? { is_error: true } : {}),
  };
  return [{ call, result }];
}
const inProject = (path: string) => (path.startsWith('/') ? null : path);

describe('triggersOf', () => {
  it.each([
    ['a command that failed', finished('Bash', {}, 'boom\n[exit code 2]', true), ['failure']],
    ['a command that timed out', finished('Bash', {}, '[timed out after 5 ms; it was ended.]', true), ['failure']],
    ['a command that was denied', finished('Bash', {}, 'The rule Bash(rm) denies this.', true), []],
    ['a command that was fine', finished('Bash', {}, 'error: none'), []],
    ['a file of the project', finished('Read', { file_path: 'src/a.ts' }, '1\tx'), ['file']],
    ['a file elsewhere', finished('Read', { file_path: '/etc/hosts' }, '1\tx'), []],
    ['a file that is not there', finished('Read', { file_path: 'src/a.ts' }, 'no', true), []],
    ['a search', finished('Grep', { pattern: 'x' }, 'src/a.ts'), []],
  ])('%s', (_what, results, kinds) => {
    expect(triggersOf(results, inProject).map(({ kind }) => kind)).toEqual(kinds);
  });
});

describe('isFitFor', () => {
  const failure: Trigger = { kind: 'failure', output: 'ok\nError: duplicate key user_id_fkey\n[exit code 1]' };
  it.each<[string, Trigger, { text: string; certain?: boolean; isWorded?: boolean }, boolean]>([
    ['the same constraint', failure, { text: 'user_id_fkey fails when …', isWorded: true }, true],
    ['another error', failure, { text: 'an error of the mailer', isWorded: true }, false],
    ['certain, and worded', failure, { text: 'duplicate keys', certain: true, isWorded: true }, true],
    ['certain by likeness alone', failure, { text: 'twins', certain: true }, false],
    ['the path', { kind: 'file', path: 'src/a.ts' }, { text: 'see src/a.ts.' }, true],
    ['the name', { kind: 'file', path: 'src/a.ts' }, { text: 'a.ts is generated' }, true],
    ['a longer name', { kind: 'file', path: 'src/a.ts' }, { text: 'data.ts and a.tsx' }, false],
    ['a word that is a file’s name', { kind: 'file', path: 'build' }, { text: 'the build is slow' }, false],
  ])('%s', (_what, trigger, memory, expected) => {
    expect(isFitFor(trigger, { certain: false, isWorded: false, ...memory })).toBe(expected);
  });
});

it('looks up the lines that matter, within a limit', () => {
  expect(queryOf({ kind: 'failure', output: 'noise\nfatal: no remote\n[exit code 1]' }, 100)).toBe('fatal: no remote');
  expect(queryOf({ kind: 'failure', output: 'error '.repeat(1_000) }, 50)).toHaveLength(50);
});
