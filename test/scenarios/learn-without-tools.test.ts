/** Learning through Codex and Gemini CLI: they are asked with the tools switched off that they bring, or not at all. */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const BINARY = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const SAID = 'the staging database lives in the Frankfurt region, billing wanted that';
const KEPT = { type: 'project', name: 'Staging', description: SAID, body: `${SAID}.`, quote: SAID };

/** As `codex mcp list --json` prints it, version 0.169. */
const server = (name: string) => ({
  ...{ name, enabled: true, disabled_reason: null, startup_timeout_sec: null, tool_timeout_sec: null },
  transport: { type: 'stdio', command: '/usr/bin/node', args: ['mcp'], env: null, env_vars: [], cwd: null },
  auth_status: 'unsupported',
});

/** One conversation, looked through with a program that notes how it was asked. */
function learnWith(
  host: 'codex' | 'gemini',
  transcript: { path: string[]; line: object },
  program: (at: At) => string,
) {
  const root = temporaryFolder(`learn-${host}`);
  const at = (...parts: string[]) => join(root, ...parts);
  const file = at('user', ...transcript.path);
  for (const folder of [dirname(file), at('bin'), at('project'), at('home')]) mkdirSync(folder, { recursive: true });
  writeFileSync(at('home', 'settings.json'), JSON.stringify({ learn: 'on' }));
  writeFileSync(file, `${JSON.stringify(transcript.line)}\n`);
  const begin = `#!${process.execPath}\nconst { readFileSync, writeFileSync } = require('node:fs');\n`;
  writeFileSync(at('bin', host), `${begin}const words = process.argv.slice(2);\n${program(at)}`, { mode: 0o755 });
  const words = [BINARY, 'learn', 'from', host, 's1', file, '--home', at('home')];
  const env = { HOME: at('user'), PATH: `${at('bin')}:${process.env.PATH}` };
  const { stdout } = spawnSync(process.execPath, words, { cwd: at('project'), env, encoding: 'utf8' });
  const asked = existsSync(at('asked.json')) ? (JSON.parse(readFileSync(at('asked.json'), 'utf8')) as string[]) : null;
  return { stdout, asked };
}

type At = (...parts: string[]) => string;

const ANSWER = JSON.stringify({ memories: [KEPT] });
const AT = '2026-11-18T05:31:27.000Z';

function learnWithCodex(listing: string) {
  const events = [
    { type: 'thread.started', thread_id: 't' },
    { type: 'item.completed', item: { type: 'agent_message', text: ANSWER } },
    { type: 'turn.completed', usage: { input_tokens: 900, cached_input_tokens: 0, output_tokens: 90 } },
  ];
  const path = ['.codex', 'sessions', '2026', '11', '18', 'rollout-2026-11-18T05-31-26-s1.jsonl'];
  const line = { timestamp: AT, type: 'event_msg', payload: { type: 'user_message', message: SAID } };
  return learnWith(
    'codex',
    { path, line },
    (at) => `
if (words[0] === 'mcp') { console.log(${JSON.stringify(listing)}); process.exit(0); }
readFileSync(0);
writeFileSync(${JSON.stringify(at('asked.json'))}, JSON.stringify(words));
console.log(${JSON.stringify(events.map((event) => JSON.stringify(event)).join('\n'))});
`,
  );
}

describe('learning through Codex', () => {
  it('offers the model no tool of an MCP server, Reverie’s own among them', () => {
    const { stdout, asked } = learnWithCodex(
      JSON.stringify([server('other'), server('reverie'), server('my-tools_2')]),
    );
    expect(stdout).toContain('Kept 1');
    const settings = asked!.filter((_, at) => asked![at - 1] === '-c');
    expect(settings.filter((setting) => setting.startsWith('mcp_servers.'))).toEqual([
      'mcp_servers.other.enabled=false',
      'mcp_servers.reverie.enabled=false',
      'mcp_servers.my-tools_2.enabled=false',
    ]);
    expect(asked!.at(-1)).toBe('-');
  });

  it('asks as before where there is no server', () => {
    const { stdout, asked } = learnWithCodex('[]');
    expect(stdout).toContain('Kept 1');
    expect(asked!.join(' ')).not.toContain('mcp_servers');
  });

  it('does not ask where one cannot be switched off', () => {
    for (const listing of [JSON.stringify([server('a.b=true')]), 'no such command']) {
      const { stdout, asked } = learnWithCodex(listing);
      expect(stdout).toContain('could not be told to leave its MCP servers out');
      expect(asked).toBeNull();
    }
  });
});

it('learning through Gemini CLI gives it a policy that denies every tool', () => {
  const path = ['.gemini', 'tmp', 'project', 'chats', 'session-2026-11-18T05-31-s1.jsonl'];
  const line = { id: 'm1', timestamp: AT, type: 'user', content: [{ text: SAID }] };
  const { stdout, asked } = learnWith(
    'gemini',
    { path, line },
    (at) => `
readFileSync(0);
const policy = readFileSync(words[words.indexOf('--policy') + 1], 'utf8');
writeFileSync(${JSON.stringify(at('asked.json'))}, JSON.stringify([policy, ...words]));
console.log(JSON.stringify({ session_id: 's', response: ${JSON.stringify(ANSWER)}, stats: { models: {} } }));
`,
  );
  expect(stdout).toContain('Kept 1');
  expect(asked![0]).toBe('[[rule]]\ntoolName = "*"\ndecision = "deny"\npriority = 999\n');
});
