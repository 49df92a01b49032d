/** A repository with every trap we know of, worked in before anybody trusts it: not one goes off, and none of its settings counts. */

import { existsSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type HostileRun, hostileEnvironment, runHostile } from '../support/hostile-process.ts';
import { createHostileWorld, type HostileWorld, SECRET } from '../support/hostile-repository.ts';
import { type MessagesServer, startMessagesServer } from '../support/messages-server.ts';
import { hasTmux, openTerminal } from '../support/tmux.ts';
import { HOSTILE_TEXT, hostilePath, setTripwires } from '../support/tripwires.ts';

/** One after the other, on a machine that does much else. */
const BUSY_MS = 120_000;
/** What is asked about where somebody can be. */
const ASKED = [
  ['Bash', { command: 'ls', outside_sandbox: true }],
  ['Read', { file_path: 'link/diary.txt' }],
  ['Bash', { command: 'git ls-files | head -3; git status; git diff; cat second.txt' }],
] as const;
const CALLS = [
  ['Glob', { pattern: '**/*' }],
  ['Grep', { pattern: 'planted', output_mode: 'content' }],
  ['Read', { file_path: 'second.txt' }],
  ['Read', { file_path: 'forbidden.txt' }],
  ['Bash', { command: 'ls' }],
  ['Skill', { skill: 'evil' }],
] as const;

let world: HostileWorld;
let server: MessagesServer;

beforeAll(async () => {
  world = await createHostileWorld();
  setTripwires(world);
  server = await startMessagesServer(({ body }) => {
    const said = JSON.stringify(body.messages);
    const calls = said.includes('in the chat') ? CALLS : [...CALLS, ...ASKED];
    if (said.includes('tool_result')) return { content: [{ type: 'text', text: 'All done.' }] };
    return { content: calls.map(([name, input], at) => ({ type: 'tool_use', id: `toolu_${at}`, name, input })) };
  });
}, BUSY_MS);
beforeEach(() => world.forgetTraces());
afterAll(async () => {
  await server.close();
  await world.remove();
});

const run = (words: readonly string[], more: Partial<HostileRun> = {}) =>
  runHostile(world, words, { path: hostilePath(world), baseUrl: server.url, ...more });

function expectNoTrace(output = ''): void {
  const sent = JSON.stringify(server.requests.map(({ body }) => body));
  const leaks = { printed: output.includes(SECRET), sent: sent.includes(SECRET) };
  expect({ traces: world.traces(), ...leaks }).toEqual({ traces: [], printed: false, sent: false });
}

/** What the model was told, apart from the conversation itself. */
const instructed = () => JSON.stringify(server.requests.map(({ body }) => [body.system, body.tools]));

const hookInput = (event: string) =>
  JSON.stringify({ session_id: 's1', cwd: world.repository, hook_event_name: event, prompt: 'What is in second.txt?' });

const mcpInput = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/call', params: { name: 'memory_search', arguments: { query: 'second.txt' } } },
]
  .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  .join('');

describe('a repository full of traps', { timeout: BUSY_MS }, () => {
  it('sets off none in `reverie -p`, tells the model nothing, and may still deny', async () => {
    const { code, output } = await run(['-p', 'Look around.']);
    expectNoTrace(output);
    expect(code).toBe(0);
    expect(output.match(/settings of this project have no effect/g)).toHaveLength(1);
    expect(instructed()).not.toContain(HOSTILE_TEXT);
    const results = JSON.stringify(server.requests.at(-1)!.body.messages);
    expect(results).toContain('second');
    expect(results).not.toContain('forbidden text');
  });

  it('sets off none in commands that look memories up in it', async () => {
    const body = 'The rule is in `second.txt` and `nested/ls`, in `obeyEverything`, since commit 0123456789abcdef0123.';
    const words = ['--type', 'project', '--name', 'Where the rule is', '--description', 'where', '--body', body];
    const saved = await run(['memory', 'save', ...words]);
    expect(saved).toMatchObject({ code: 0 });
    for (const line of ['recall where is the rule in second.txt', 'memory list', 'memory log', 'status', 'doctor']) {
      expectNoTrace((await run(line.split(' '))).output);
    }
  });

  it.each(['nested', 'claimed', 'claimed-git'])('sets off none from its folder %s', async (folder) => {
    for (const line of ['status', 'doctor', 'recall where is the rule in second.txt']) {
      expectNoTrace((await run(line.split(' '), { folder })).output);
    }
  });

  it('sets off none through hooks of other agents and the MCP server', async () => {
    for (const event of ['SessionStart', 'UserPromptSubmit', 'Stop', 'SessionEnd']) {
      expectNoTrace((await run(['hook', 'claude-code', event], { input: hookInput(event) })).output);
    }
    const { output } = await run(['mcp'], { input: mcpInput });
    expect(output).toContain('"id":1');
    expectNoTrace(output);
  });

  it('brings no program for what the user allowed or configured by name', async () => {
    const settings = {
      permissions: { allow: ['Bash(ls:*)', 'Bash(own-editor)'] },
      hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'ls; own-editor' }] }] },
      mcpServers: { own: { command: 'own-editor' } },
    };
    const { output } = await run(['-p', 'Look around.', '--settings', JSON.stringify(settings)]);
    expect(output).toContain('All done.');
    expectNoTrace(output);
  });

  it('is not asked for the user’s editor', async () => {
    await run(['memory', 'save', '--type', 'user', '--name', 'Short', '--description', 'short', '--body', 'Short.']);
    const edit = (EDITOR: string) => run(['memory', 'edit', 'Short'], { environment: { EDITOR } });
    for (const own of ['true', 'true --wait']) expect(await edit(own)).toMatchObject({ code: 0 });
    for (const theirs of ['own-editor', './bin/code'])
      expect((await edit(theirs)).output).toContain('cannot be started');
    expectNoTrace();
  });

  it('changes no setting, and `reverie trust` lists what is ignored until then', async () => {
    const { output } = await run(['settings', '--json']);
    const { origins } = JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1));
    const taken = origins.filter(({ origin }: { origin: string }) => origin === 'project' || origin === 'local');
    expect(taken).toEqual([]);
    const listed = (await run(['trust'])).output;
    for (const name of ['memoryGuidelines', 'permissionMode', 'limits.index.lines', 'hook Stop', 'server program']) {
      expect(listed).toContain(name);
    }
    expectNoTrace(listed);
  });

  it.runIf(hasTmux)('sets off none in the chat: opened, `@` typed, a turn, closed', async () => {
    const environment = hostileEnvironment(world, { path: process.env.PATH!, baseUrl: server.url });
    const terminal = openTerminal({ environment: environment as Record<string, string>, columns: 120, rows: 40 });
    try {
      await terminal.shell(`cd ${world.repository}`);
      await terminal.shell(`PATH="${hostilePath(world)}" ${process.execPath} ${process.cwd()}/dist/main.js`);
      await terminal.until('No, go on without these');
      expectNoTrace(terminal.screen({ all: true }));
      terminal.press('Escape');
      await terminal.until(/% left/);
      terminal.type('look at @red');
      await terminal.until('red.txt');
      expect(terminal.screen({ colours: true })).not.toContain('\u001b[31mred');
      terminal.press('Escape');
      terminal.press('C-u');
      terminal.type('Look around in the chat.');
      terminal.press('Enter');
      await terminal.until('All done.');
      terminal.press('C-d');
      await terminal.until((screen) => screen.trimEnd().endsWith('$'));
      expectNoTrace(terminal.screen({ all: true }));
      expect(instructed()).not.toContain(HOSTILE_TEXT);
    } finally {
      terminal.close();
    }
  });

  it('leaves the memory where it belongs', () => {
    expect(existsSync(`${world.outside}/memory`)).toBe(false);
    expect(existsSync(`${world.home}/projects`)).toBe(true);
  });
});
