/** What each host sends, by its public reference, and what it is answered. */

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/support/property-runs.ts';
import { HOST_NAMES, type HostName } from './host.ts';
import { findHost, HOSTS } from './hosts.ts';

const claude = { session_id: 's1', transcript_path: '/t/s1.jsonl', cwd: '/code/app', permission_mode: 'default' };
const gemini = {
  session_id: 'g1',
  transcript_path: '/t/g1.jsonl',
  cwd: '/code/app',
  timestamp: '2026-11-15T10:00:00Z',
};
const cursor = {
  conversation_id: 'c1',
  generation_id: 'x',
  model: 'm',
  cursor_version: '2.0.77',
  workspace_roots: ['/code/app'],
  user_email: null,
  transcript_path: null,
};

interface Row {
  readonly host: HostName;
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly reads: Readonly<Record<string, unknown>>;
}

const ROWS: readonly Row[] = [
  {
    host: 'claude-code',
    event: 'SessionStart',
    payload: { ...claude, source: 'compact' },
    reads: {
      kind: 'session-start',
      reason: 'compact',
      sessionId: 's1',
      cwd: '/code/app',
      transcriptFile: '/t/s1.jsonl',
    },
  },
  {
    host: 'claude-code',
    event: 'SessionStart',
    payload: { ...claude, source: 'new kind' },
    reads: { kind: 'session-start', reason: 'startup' },
  },
  {
    host: 'claude-code',
    event: 'UserPromptSubmit',
    payload: { ...claude, prompt: 'Hello there' },
    reads: { kind: 'prompt', text: 'Hello there' },
  },
  {
    host: 'claude-code',
    event: 'PostToolUse',
    payload: {
      ...claude,
      tool_name: 'Read',
      tool_input: { file_path: '/code/app/a.ts' },
      tool_response: { type: 'text' },
    },
    reads: { kind: 'tool-result', file: '/code/app/a.ts', failure: null },
  },
  {
    host: 'claude-code',
    event: 'PostToolUse',
    payload: { ...claude, tool_name: 'Write', tool_input: { file_path: '/code/app/a.ts' } },
    reads: { kind: 'tool-result', file: null, failure: null },
  },
  {
    host: 'claude-code',
    event: 'PostToolUse',
    payload: { ...claude, tool_name: 'Bash', tool_response: { stdout: '3 passed', stderr: '', interrupted: false } },
    reads: { file: null, failure: null },
  },
  {
    host: 'claude-code',
    event: 'PostToolUse',
    payload: { ...claude, tool_name: 'Bash', tool_response: { stdout: '', stderr: 'Error: connect ECONNREFUSED' } },
    reads: { failure: 'Error: connect ECONNREFUSED' },
  },
  {
    host: 'claude-code',
    event: 'PostToolUseFailure',
    payload: { ...claude, tool_name: 'Bash', error: 'Exit code 3\nboom' },
    reads: { kind: 'tool-result', failure: 'Exit code 3\nboom' },
  },
  {
    host: 'claude-code',
    event: 'PreCompact',
    payload: { ...claude, trigger: 'auto' },
    reads: { kind: 'before-compaction' },
  },
  { host: 'claude-code', event: 'Stop', payload: { ...claude, stop_hook_active: false }, reads: { kind: 'stop' } },
  { host: 'claude-code', event: 'SessionEnd', payload: { ...claude, reason: 'exit' }, reads: { kind: 'session-end' } },
  {
    host: 'codex',
    event: 'UserPromptSubmit',
    payload: { ...claude, transcript_path: null, turn_id: 't', model: 'm', prompt: 'Hi you' },
    reads: { kind: 'prompt', text: 'Hi you', transcriptFile: null },
  },
  {
    host: 'codex',
    event: 'PostToolUse',
    payload: {
      ...claude,
      turn_id: 't',
      tool_name: 'Bash',
      tool_input: { command: 'x' },
      tool_response: 'Exit code: 1\nOutput:\nno such table',
    },
    reads: { failure: 'Exit code: 1\nOutput:\nno such table' },
  },
  {
    host: 'codex',
    event: 'PostToolUse',
    payload: { ...claude, tool_name: 'Bash', tool_response: 'Exit code: 0\nOutput:\nfine' },
    reads: { failure: null },
  },
  {
    host: 'gemini',
    event: 'BeforeAgent',
    payload: { ...gemini, prompt: 'Hi you' },
    reads: { kind: 'prompt', text: 'Hi you', cwd: '/code/app' },
  },
  {
    host: 'gemini',
    event: 'AfterTool',
    payload: {
      ...gemini,
      tool_name: 'read_file',
      tool_input: { file_path: 'a.ts' },
      tool_response: { llmContent: 'x' },
    },
    reads: { file: 'a.ts' },
  },
  {
    host: 'gemini',
    event: 'AfterTool',
    payload: {
      ...gemini,
      tool_name: 'run_shell_command',
      tool_input: {},
      tool_response: { llmContent: 'Command: x\nExit Code: 2\nbad' },
    },
    reads: { failure: 'Command: x\nExit Code: 2\nbad' },
  },
  {
    host: 'gemini',
    event: 'PreCompress',
    payload: { ...gemini, trigger: 'auto' },
    reads: { kind: 'before-compaction' },
  },
  {
    host: 'gemini',
    event: 'AfterAgent',
    payload: { ...gemini, prompt: 'a', prompt_response: 'b' },
    reads: { kind: 'stop' },
  },
  {
    host: 'opencode',
    event: 'UserPromptSubmit',
    payload: { session_id: 'o', cwd: '/w', prompt: 'Hi you' },
    reads: { kind: 'prompt', text: 'Hi you' },
  },
  {
    host: 'cursor',
    event: 'sessionStart',
    payload: { ...cursor, session_id: 'c1' },
    reads: { kind: 'session-start', reason: 'startup', sessionId: 'c1', cwd: '/code/app' },
  },
  {
    host: 'cursor',
    event: 'beforeSubmitPrompt',
    payload: { ...cursor, prompt: 'Hi you', attachments: [] },
    reads: { kind: 'prompt', text: 'Hi you' },
  },
  {
    host: 'cursor',
    event: 'postToolUse',
    payload: { ...cursor, tool_name: 'Shell', tool_output: '{"exitCode":1,"stdout":"no such table"}' },
    reads: { failure: 'no such table' },
  },
  {
    host: 'cursor',
    event: 'postToolUse',
    payload: { ...cursor, tool_name: 'Read', tool_input: { file_path: '/code/app/a.ts' }, tool_output: '{}' },
    reads: { file: '/code/app/a.ts' },
  },
  {
    host: 'cursor',
    event: 'postToolUse',
    payload: {
      ...{ ...cursor, tool_name: 'Shell', tool_input: { command: 'npm run docs' } },
      tool_output: '{"exitCode":0,"stdout":"Wrote every export, with examples of error handling"}',
    },
    reads: { kind: 'tool-result', file: null, failure: null },
  },
  {
    host: 'cursor',
    event: 'preCompact',
    payload: { ...cursor, trigger: 'auto' },
    reads: { kind: 'before-compaction' },
  },
  { host: 'cursor', event: 'sessionEnd', payload: { ...cursor, reason: 'completed' }, reads: { kind: 'session-end' } },
  { host: 'cursor', event: 'stop', payload: { ...cursor, status: 'completed' }, reads: { kind: 'stop' } },
];

describe('what a host sends', () => {
  it.each(ROWS)('$host $event', ({ host, event, payload, reads }) => {
    const reading = findHost(host)!.read({ hook_event_name: event, ...payload }, event);
    expect(reading).toMatchObject({ kind: 'event', event: reads });
  });

  it('has rows for every host, and for every event of Cursor, which nobody tried', () => {
    const events = ROWS.filter(({ host }) => host === 'cursor').map(({ event }) => event);
    expect(new Set(events)).toEqual(new Set(findHost('cursor')!.events));
    expect(new Set(ROWS.map(({ host }) => host))).toEqual(new Set(HOST_NAMES));
    expect(HOSTS.map(({ name }) => name).toSorted()).toEqual([...HOST_NAMES].toSorted());
  });

  it('is nothing to a memory when a sub-agent sends it', () => {
    const payload = { ...claude, agent_id: 'a1', prompt: 'Hi you' };
    expect(findHost('claude-code')!.read(payload, 'UserPromptSubmit').kind).toBe('ignored');
  });

  it('is nothing to a memory when it has no words', () => {
    const rows = [
      ['claude-code', 'UserPromptSubmit', claude],
      ['codex', 'UserPromptSubmit', claude],
      ['gemini', 'BeforeAgent', gemini],
    ] as const;
    for (const [host, event, payload] of rows) {
      expect(findHost(host)!.read({ ...payload, prompt: '' }, event).kind).toBe('ignored');
      expect(findHost(host)!.read(payload, event).kind).toBe('unreadable');
    }
  });

  it('is refused when it is meant for another event, or for no conversation', () => {
    const { read } = findHost('claude-code')!;
    expect(read({ ...claude, hook_event_name: 'Stop' }, 'SessionEnd').kind).toBe('unreadable');
    expect(read({ prompt: 'Hi you' }, 'UserPromptSubmit').kind).toBe('unreadable');
    expect(read({ ...claude }, 'UserPromptSubmit').kind).toBe('unreadable');
  });
});

describe('what a host is answered', () => {
  it('carries the text where the host shows it to the model, and only there', () => {
    const result = { context: 'text' };
    for (const host of HOSTS) {
      for (const event of host.events) {
        const written = JSON.stringify(host.answer(result, event));
        expect([host.name, event, written.includes('text')]).toEqual([host.name, event, host.takesContext(event)]);
        expect(JSON.stringify(host.answer({ context: null }, event))).toMatch(/^\{(?:"continue":true)?\}$/);
      }
    }
  });

  it('never blocks or stops anything', () => {
    for (const host of HOSTS) {
      for (const event of host.events) {
        const answer = host.answer({ context: 'text' }, event);
        expect(Object.keys(answer)).not.toContain('decision');
        expect(answer.continue ?? true).toBe(true);
      }
    }
  });

  it('names the event it answers, as Claude Code, Codex and Gemini CLI ask', () => {
    expect(findHost('codex')!.answer({ context: 'text' }, 'UserPromptSubmit')).toEqual({
      hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'text' },
    });
  });
});

describe('what the user typed, by a transcript', () => {
  const at = '2026-11-15T10:00:00.000Z';

  it('is told from tool results, hooks and sub-agents in Claude Code', () => {
    const line = (record: object) => JSON.stringify({ type: 'user', timestamp: at, ...record });
    const lines = [
      line({ message: { role: 'user', content: 'remember that' } }),
      line({ message: { role: 'user', content: [{ type: 'text', text: 'in blocks' }] } }),
      line({
        message: { role: 'user', content: [{ type: 'tool_result', content: 'remember me' }] },
        toolUseResult: {},
      }),
      line({ isMeta: true, message: { role: 'user', content: 'meta' } }),
      line({ origin: { kind: 'task-notification' }, message: { role: 'user', content: 'a sub-agent is done' } }),
      line({ isSidechain: true, message: { role: 'user', content: 'sub-agent' } }),
      line({ isCompactSummary: true, message: { role: 'user', content: 'summary' } }),
      JSON.stringify({ type: 'assistant', message: { role: 'assistant', content: '"user"' } }),
      '{"type":"user","message":{"role":"us',
    ];
    expect(findHost('claude-code')!.userTexts(lines)).toEqual([
      { text: 'remember that', at },
      { text: 'in blocks', at },
    ]);
  });

  it('is read from the display log in Codex, in both of its forms', () => {
    const lines = [
      { type: 'event_msg', payload: { type: 'user_message', message: 'older' } },
      {
        type: 'event_msg',
        payload: { type: 'item_completed', item: { type: 'UserMessage', content: [{ type: 'text', text: 'newer' }] } },
      },
      {
        type: 'response_item',
        payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: '"UserMessage"' }] },
      },
    ].map((record) => JSON.stringify({ timestamp: at, ...record }));
    expect(
      findHost('codex')!
        .userTexts(lines)
        .map(({ text }) => text),
    ).toEqual(['older', 'newer']);
  });
});

describe('whatever arrives', () => {
  const anything = fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        session_id: fc.jsonValue(),
        conversation_id: fc.jsonValue(),
        prompt: fc.jsonValue(),
        cwd: fc.jsonValue(),
        hook_event_name: fc.jsonValue(),
        transcript_path: fc.jsonValue(),
        tool_name: fc.constantFrom('Bash', 'Read', 'Shell', 'read_file', 'run_shell_command', 1),
        tool_input: fc.jsonValue(),
        tool_response: fc.jsonValue(),
        tool_output: fc.oneof(fc.json(), fc.jsonValue()),
        workspace_roots: fc.jsonValue(),
        error: fc.jsonValue(),
      },
      { requiredKeys: [] },
    ),
  );

  it('is read without throwing, and every event has what it promises', () => {
    fc.assert(
      fc.property(fc.constantFrom(...HOSTS), fc.nat(20), anything, (host, which, payload) => {
        const event = host.events[which] ?? 'Unheard';
        const reading = host.read(payload, event);
        if (reading.kind !== 'event') {
          expect(reading.reason).not.toBe('');
          return;
        }
        expect(reading.event.sessionId).not.toBe('');
        if (reading.event.kind === 'prompt') expect(reading.event.text).not.toBe('');
        if (reading.event.kind === 'tool-result') {
          expect([null, 'string']).toContain(reading.event.file === null ? null : typeof reading.event.file);
        }
      }),
      { numRuns: runs(500) },
    );
  });

  it('and every line of a transcript too', () => {
    fc.assert(
      fc.property(fc.constantFrom(...HOSTS), fc.array(fc.oneof(fc.string(), fc.json())), (host, lines) => {
        for (const { text } of host.userTexts(lines)) expect(text).not.toBe('');
      }),
    );
  });
});

describe('what a command printed', () => {
  const bash = { ...claude, tool_name: 'Bash' };
  const failureOf = (stdout: string) => {
    const reading = findHost('claude-code')!.read(
      { ...bash, hook_event_name: 'PostToolUse', tool_response: { stdout, stderr: '' } },
      'PostToolUse',
    );
    return reading.kind === 'event' && reading.event.kind === 'tool-result' ? reading.event.failure : 'no reading';
  };

  it.each([
    'every test passed',
    'export const answer = 42;\nexamples/',
    'EXPORT EVERY EXAMPLES ERRATA',
    '0 errors, 0 warnings',
    'No error was found in 12 files.',
    'src/error.ts\nsrc/fatal-page.tsx\nsrc/exception-list.md',
    'Error handling: see docs/errors.md',
    'a1b2c3d Handle the error of a closed socket',
    'process exited with code 0',
  ])('is no failure: %j', (stdout) => {
    expect(failureOf(stdout)).toBeNull();
  });

  it.each([
    'src/a.ts(3,5): error TS2304: Cannot find name',
    'main.c:3:5: error: expected ;',
    'error[E0308]: mismatched types',
    'fatal: not a git repository',
    'panic: runtime error: index out of range',
    'Traceback (most recent call last):\n  File "a.py", line 1',
    'TypeError: x is not a function\n    at main.js:1',
    'java.lang.NullPointerException: null',
    'connect ECONNREFUSED 127.0.0.1:5432',
    'bash: pnpm: command not found',
    'npm error code ERESOLVE',
    'npm ERR! code 1',
    'Process exited with code 2',
  ])('is a failure: %j', (stdout) => {
    expect(failureOf(stdout)).toBe(stdout);
  });
});
