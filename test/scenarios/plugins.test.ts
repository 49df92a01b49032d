/** The plugin for Claude Code and the extension for Gemini CLI: what is in the repository is what an install writes, and it runs. */

import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/catalog.ts';
import { claudeCode } from '../../src/hooks/hosts/claude-code.ts';
import { gemini } from '../../src/hooks/hosts/gemini.ts';
import { PLUGIN_COMMANDS } from '../../src/hooks/install/plugin-commands.ts';
import { pluginFiles } from '../../src/hooks/install/plugin-files.ts';
import { extractExplicit } from '../../src/layers/5-extraction/explicit.ts';
import { createAgentHome } from '../support/agent-process.ts';
import { runBuiltHook } from '../support/built-hook.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const PACKAGE = JSON.parse(read('package.json')) as { version: string; files: readonly string[] };

describe('the plugins', () => {
  it('are in the repository as the program makes them, and in the package', () => {
    for (const [path, text] of pluginFiles(PACKAGE.version)) {
      expect(existsSync(join(ROOT, path)) && read(path), `${path}: npm run docs`).toBe(text);
      expect(PACKAGE.files).toContain(path.split('/')[0]);
    }
  });

  it.each([
    ['plugins/claude-code/hooks/hooks.json', claudeCode],
    ['plugins/gemini/hooks/hooks.json', gemini],
  ])('%s has every event of the host, with the installed program', (path, host) => {
    const { hooks } = JSON.parse(read(path)) as { hooks: Record<string, { hooks: { command: string }[] }[]> };
    const lines = Object.values(hooks).flatMap((groups) => groups.flatMap((group) => group.hooks));
    expect(lines.map(({ command }) => command).toSorted()).toEqual(
      host.events.map((event) => `reverie hook ${host.name} ${event}`).toSorted(),
    );
  });

  it('name only commands and tools that exist', () => {
    const names = new Set(COMMANDS.map(({ name }) => name));
    for (const [path, text] of pluginFiles(PACKAGE.version)) {
      if (!path.includes('/commands/')) continue;
      const named = [...text.matchAll(/reverie (memory \w+|last|recall)/g)].map(([, name]) => name!);
      expect(named.filter((name) => !names.has(name))).toEqual([]);
      const tools = [...text.matchAll(/\bmemory_\w+/g)].map(([name]) => name.replace('memory_', ''));
      for (const tool of tools) expect(existsSync(join(ROOT, 'src/mcp/tools', `${tool}.ts`))).toBe(true);
    }
  });

  it('ask in words of which only what the user typed is a wish, where a host takes all of it for typed', () => {
    const wish = 'invoices are numbered by year, since the auditors ask for it';
    const kept = PLUGIN_COMMANDS.map(({ name, prompt }) => {
      const found = extractExplicit(prompt(wish), { now: new Date() });
      return [name, found.map(({ quote }) => quote)];
    });
    expect(Object.fromEntries(kept)).toEqual({
      ...{ remember: [`Remember: ${wish}`], recall: [], forget: [], why: [], last: [] },
    });
  });

  it('connect by the program on the PATH, and learn nothing until the user says so', { timeout: 90_000 }, async () => {
    const agent = createAgentHome(null);
    const user = dirname(agent.home);
    const bin = join(user, 'bin');
    mkdirSync(bin);
    const main = join(ROOT, 'dist', 'main.js');
    writeFileSync(join(bin, 'reverie'), `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`);
    writeFileSync(join(bin, 'claude'), `#!/bin/sh\necho asked > "${join(user, 'asked')}"\n`);
    for (const name of ['reverie', 'claude']) chmodSync(join(bin, name), 0o755);
    const env = { HOME: user, PATH: `${bin}:/usr/bin:/bin`, REVERIE_HOOK_BUDGET_MS: '40000' };
    const transcripts = join(user, '.claude', 'projects', 'p');
    mkdirSync(transcripts, { recursive: true });
    const transcript_path = join(transcripts, 's1.jsonl');
    const content = 'our release train leaves on Thursdays because support is staffed on Fridays';
    writeFileSync(transcript_path, `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`);
    const { hooks } = JSON.parse(read('plugins/claude-code/hooks/hooks.json'));
    const call = (event: string) => {
      const input = JSON.stringify({ session_id: 's1', cwd: agent.project, hook_event_name: event, transcript_path });
      return spawnSync('sh', ['-c', hooks[event][0].hooks[0].command], { cwd: agent.project, env, input }).stdout;
    };
    expect(String(call('SessionStart'))).toContain('reverie-memory');
    call('SessionEnd');
    const status = await agent.here(['learn', 'status', '--json']);
    expect(JSON.parse(status.stdout)).toMatchObject({ learn: 'off', today: { runs: 0 } });
    expect(existsSync(join(user, 'asked'))).toBe(false);
  });
});

describe('the extension of pi', { timeout: 90_000 }, () => {
  /** As pi's public reference has it: handlers by event, tools and commands by name. */
  const HOST = `
    const [file, cwd] = process.argv.slice(1);
    const [on, tools, commands] = [{}, {}, {}];
    const { default: extend } = await import(file);
    extend({
      on: (event, handler) => { on[event] = handler; },
      registerTool: (tool) => { tools[tool.name] = tool; },
      registerCommand: (name, command) => { commands[name] = command; },
    });
    const notes = [];
    const entries = [];
    const ctx = { cwd, ui: { notify: (text) => notes.push(text) }, sessionManager: { getBranch: () => entries } };
    const ask = async (prompt) => {
      const message = (await on.before_agent_start({ prompt }, ctx))?.message;
      if (message) entries.push({ type: 'custom_message', ...message });
      return message?.content ?? null;
    };
    const use = async (name, given) => (await tools[name].execute('1', given, undefined, undefined, ctx)).content[0].text;
    await on.session_start({ reason: 'startup' }, ctx);
    const question = 'should our integration tests mock the database?';
    const answers = [await ask(question), await ask(question), await ask('')];
    await on.session_start({ reason: 'resume' }, ctx);
    answers.push(await ask(question));
    entries.push({ type: 'compaction' });
    await on.session_start({ reason: 'resume' }, ctx);
    const summarised = await ask(question);
    const saved = await use('memory_save', { memory: 'Invoices are numbered by year', quote: 'by year' });
    const found = await use('memory_search', { query: 'how are invoices numbered?' });
    await commands['reverie-last'].handler('', ctx);
    console.log(JSON.stringify({ answers, summarised, saved, found, notes, mark: process.env.REVERIE_AGENT }));`;

  it('brings a certain memory once, says what was done last, and saves as an agent does', async () => {
    const agent = createAgentHome(null);
    const user = dirname(agent.home);
    const bin = join(user, 'bin');
    mkdirSync(bin);
    writeFileSync(
      join(bin, 'reverie'),
      `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'dist', 'main.js')}" "$@"\n`,
    );
    chmodSync(join(bin, 'reverie'), 0o755);
    await agent.here(['remember', 'Integration tests use the real database, since a mock hid a broken migration']);
    const opencode = { session_id: 'o1', cwd: agent.project, prompt: 'Rename the worker pool' };
    const environment = { REVERIE_HOOK_BUDGET_MS: '40000' };
    await agent.run(['hook', 'opencode', 'UserPromptSubmit'], { input: JSON.stringify(opencode), environment });
    const file = join(ROOT, 'plugins', 'pi', 'extensions', 'reverie.js');
    const env = { HOME: user, PATH: `${bin}:/usr/bin:/bin`, ...environment };
    const words = ['--input-type=module', '-e', HOST, file, agent.project];
    const ran = spawnSync(process.execPath, words, { cwd: agent.project, env, encoding: 'utf8' });
    const { answers, summarised, saved, found, notes, mark } = JSON.parse(ran.stdout);
    expect(answers[0]).toContain('opencode: Rename the worker pool');
    expect(answers[0]).toContain('a mock hid a broken migration');
    expect(answers.slice(1)).toEqual([null, null, null]);
    expect(summarised).toContain('a mock hid a broken migration');
    expect(saved).toContain('invoices-are-numbered-by-year');
    expect(found).toContain('Invoices are numbered by year');
    expect(notes[0]).toContain('Rename the worker pool');
    expect(mark).toBe('1');
    const listed = JSON.parse((await agent.here(['memory', 'list', '--json'])).stdout) as { source: string }[];
    expect(listed.map(({ source }) => source).toSorted()).toEqual(['inferred', 'said']);
  });
});

describe('/reverie:remember', { concurrent: true, timeout: 90_000 }, () => {
  const WISH = 'invoices are numbered by year, since the auditors ask for it';
  const typed = (name: string, words: string) =>
    `<command-message>${name}</command-message>\n<command-name>/${name}</command-name>\n<command-args>${words}</command-args>`;

  it.each([
    ['as the word of the user, where the hook and the transcript have it', true, true, ['said']],
    ['as nothing, where an agent ran the command and no hook saw it typed', false, true, []],
    ['as unconfirmed, where the transcript never has it', true, false, ['inferred']],
  ])('keeps what follows it %s', async (_, isReported, isInTranscript, sources) => {
    const agent = createAgentHome(null);
    const transcripts = join(dirname(agent.home), '.claude', 'projects', 'p');
    mkdirSync(transcripts, { recursive: true });
    const transcript_path = join(transcripts, 's1.jsonl');
    const content = isInTranscript ? typed('reverie:remember', WISH) : 'hello';
    const line = { type: 'user', timestamp: new Date().toISOString(), message: { role: 'user', content } };
    writeFileSync(transcript_path, `${JSON.stringify(line)}\n`);
    const hook = (event: string, fields: object = {}) => {
      const payload = { session_id: 's1', cwd: agent.project, hook_event_name: event, transcript_path, ...fields };
      const words = ['hook', 'claude-code', event];
      const input = JSON.stringify(payload);
      // Processes in one case, as the host starts them.
      if (isReported && isInTranscript)
        return agent.run(words, { input, environment: { REVERIE_HOOK_BUDGET_MS: '40000' } });
      return runBuiltHook(words, { input, environment: { PATH: process.env.PATH, HOME: dirname(agent.home) } });
    };
    if (isReported) await hook('UserPromptSubmit', { prompt: `/reverie:remember ${WISH}` });
    await hook('Stop');
    await hook('SessionEnd');
    const listed = JSON.parse((await agent.here(['memory', 'list', '--json'])).stdout) as { source: string }[];
    expect(listed.map(({ source }) => source)).toEqual(sources);
  });
});

describe('reverie install claude-code', { concurrent: true, timeout: 90_000 }, () => {
  it('names three ways to live with a memory that Claude Code keeps itself, and a plugin that does the same', async () => {
    const agent = createAgentHome(null);
    const folder = join(dirname(agent.home), '.claude');
    const memory = join(folder, 'projects', agent.project.replace(/[^A-Za-z0-9]/g, '-'), 'memory');
    const install = () => agent.run(['install', 'claude-code', '--yes']);
    mkdirSync(memory, { recursive: true });
    expect((await install()).stdout).not.toContain('memory of its own');
    writeFileSync(join(memory, 'feedback_x.md'), '---\nname: X\ndescription: d\ntype: feedback\n---\nBody.\n');
    const told = (await install()).stdout;
    expect(told).toContain(`memory of its own for this project, with 1 file: ${memory}`);
    const [attach, bring] = [...told.matchAll(/reverie (import claude-code.*)/g)].map(([, words]) => words!.split(' '));
    expect((await agent.here([...bring!, '--dry-run'])).stdout).toContain('Would import 1 memory');
    expect((await agent.run(attach!)).stdout).toContain('Attached');
    expect(told).not.toContain('runs twice');

    await agent.run(['install', 'claude-code', '--uninstall', '--yes']);
    writeFileSync(join(folder, 'settings.json'), '{"enabledPlugins":{"reverie@reverie":true}}');
    expect((await agent.here(['status'])).stdout).toContain('connected: Claude Code');
    expect((await install()).stdout).toContain('runs twice');
  });

  it('knows the extension of Gemini CLI as a connection, and says so to whoever installs the hooks beside it', async () => {
    const agent = createAgentHome(null);
    const copy = join(dirname(agent.home), '.gemini', 'extensions', 'reverie');
    cpSync(join(ROOT, 'plugins/gemini'), copy, { recursive: true });
    expect((await agent.here(['status'])).stdout).toContain('connected: Gemini CLI');
    expect((await agent.run(['install', 'gemini', '--yes'])).stdout).toContain('gemini extensions uninstall reverie');
    rmSync(copy, { recursive: true });
    await agent.run(['uninstall', 'gemini', '--yes']);
    expect((await agent.here(['status'])).stdout).not.toContain('connected: Gemini CLI');
  });
});
