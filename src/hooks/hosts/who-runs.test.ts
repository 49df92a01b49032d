/** Who runs a command, and who called a hook, by table. */

import { expect, it } from 'vitest';
import { isForgedHook, whoRuns } from './who-runs.ts';

it.each<[string, Record<string, string>, boolean, 'person' | 'agent']>([
  ['nothing is set', {}, true, 'person'],
  ['nothing is set, in a script', {}, false, 'person'],
  ['our own agent', { REVERIE_AGENT: '1' }, true, 'agent'],
  ['Claude Code', { CLAUDECODE: '1' }, false, 'agent'],
  ['a terminal beside Claude Code in an editor', { CLAUDECODE: '1' }, true, 'person'],
  ['Claude Code with a terminal of its own making', { CLAUDECODE: '1', CLAUDE_CODE_CHILD_SESSION: '1' }, true, 'agent'],
  ['Codex', { CODEX_THREAD_ID: '0198' }, false, 'agent'],
  ['Gemini CLI, which gives its commands a terminal', { GEMINI_CLI: '1' }, true, 'agent'],
  ['opencode', { OPENCODE: '1' }, false, 'agent'],
  ['Cursor', { CURSOR_AGENT: '1' }, false, 'agent'],
  ['a mark that is off', { CURSOR_AGENT: '0', OPENCODE: 'false', GEMINI_CLI: '' }, false, 'person'],
])('%s', (_what, environment, hasTerminal, runner) => {
  expect(whoRuns({ environment, hasTerminal })).toBe(runner);
});

it.each<[string, Parameters<typeof isForgedHook>, boolean]>([
  [
    'a hook of a host that marks its hooks too',
    ['claude-code', { CLAUDECODE: '1', CLAUDE_CODE_CHILD_SESSION: '1' }],
    false,
  ],
  ['a hook of a host that marks all it starts', ['opencode', { OPENCODE: '1' }], false],
  ['a hook beside another host’s extension', ['codex', { CLAUDECODE: '1' }], false],
  ['a hook of a host that marks its commands alone', ['gemini', { GEMINI_CLI: '1' }], true],
  ['another host’s command', ['cursor', { GEMINI_CLI: '1' }], true],
  ['a command of our own agent', ['claude-code', { REVERIE_AGENT: '1' }], true],
  ['nobody', ['claude-code', {}], false],
])('a hook is called by %s', (_what, [host, environment], isForged) => {
  expect(isForgedHook(host, environment)).toBe(isForged);
});
