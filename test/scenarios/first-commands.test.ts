/** What a person types first: a text to remember, a key, a setting, a prompt; in the real program. */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type AgentHome, createAgentHome, type Ended } from '../support/agent-process.ts';
import { startMessagesServer } from '../support/messages-server.ts';

let agent: AgentHome;

beforeEach(() => {
  agent = createAgentHome(null);
});

/** The real program. */
const run = (...words: string[]) => agent.run(words);
/** The same command in this process, for what surrounds the line that a case is about. */
const here = (...words: string[]) => agent.here(words);
const data = async (...words: string[]) => JSON.parse((await here(...words, '--json')).stdout);

describe('a text alone is a memory', () => {
  it.each([
    [['remember', 'We never mock the database in tests'], 'feedback', 'We never mock the database in tests'],
    [['remember', 'deploys', 'happen', 'on', 'Tuesdays'], 'project', 'Deploys happen on Tuesdays'],
    [['memory', 'add', 'I use fish as my shell'], 'user', 'I use fish as my shell'],
    [['memory', 'save', 'Please remember that Anna owns billing.'], 'project', 'Anna owns billing'],
  ])('%j', async (words, type, name) => {
    const { code, stdout, stderr } = await here(...words);
    expect(code).toBe(0);
    expect(stdout + stderr).not.toContain('warning');
    expect(stdout).toMatch(new RegExp(`^type +${type}\nname +${name}\ndescription +.+\nSaved `));
    expect(await data('memory', 'list')).toMatchObject([{ type, name, source: 'said' }]);
  });

  it('is kept once, however often it is said, unless it does not hold any more', async () => {
    await here('remember', 'Deploys happen on Tuesdays');
    const again = await run('remember', 'Deploys happen on Tuesdays');
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(again.stdout).toContain(
      'project_deploys-happen-on-tuesdays.md (project) says that already; nothing was saved.',
    );
    expect(await data('memory', 'list')).toHaveLength(1);
    await here('memory', 'edit', 'Deploys happen on Tuesdays', '--refuted', 'it was Wednesday');
    expect((await here('remember', 'Deploys happen on Tuesdays')).stdout).toContain('Saved ');
    expect(await data('memory', 'list')).toHaveLength(2);
  });

  it('is shown with what else its subject is called', async () => {
    await here('remember', 'I prefer pnpm', '--alias', 'yarn, package manager');
    expect((await here('memory', 'show', 'I prefer pnpm')).stdout).toMatch(/^ {2}also called +yarn, package manager$/m);
    expect(await data('memory', 'show', 'I prefer pnpm')).toMatchObject({ aliases: ['yarn', 'package manager'] });
  });

  it('is found by a question without quotes', async () => {
    await here('remember', 'Deploys happen on Tuesdays');
    expect((await run('recall', 'when', 'do', 'deploys', 'happen')).stdout).toContain(
      'project_deploys-happen-on-tuesdays.md',
    );
  });

  it('is named by the status until it is purged, which leaves no name', async () => {
    await here('remember', 'Deploys happen on Tuesdays');
    expect((await here('status')).stdout).toContain(
      'last change: save of project_deploys-happen-on-tuesdays.md by user,',
    );
    await here('memory', 'purge', 'project_deploys-happen-on-tuesdays', '--yes');
    expect((await here('status')).stdout).toContain('last change: purge by user,');
  });

  it.each([
    ['And remember: the staging database is wiped on Sundays', 'The staging database is wiped on Sundays'],
    [
      'Remember that `__init__` runs twice, that’s **known**\nIt is harmless.',
      '`__init__` runs twice, that’s **known**\nIt is harmless.',
    ],
    ['Please note that the office is closed on Fridays', 'The office is closed on Fridays'],
    ['Und merk dir: die Testdatenbank wird sonntags gelöscht', 'Die Testdatenbank wird sonntags gelöscht'],
  ])('without the words that ask to keep it: %s', async (said, body) => {
    await here('remember', said);
    const [{ file, name, description }] = await data('memory', 'list');
    expect([name, description]).toEqual(Array(2).fill(body.split('\n', 1)[0]));
    expect((await data('memory', 'show', file)).body.trim()).toBe(body);
  });

  it.each([
    ['project', 'We only support Node 20 and newer'],
    ['project', 'Invoices are never deleted, only cancelled'],
    ['project', 'The nightly build always takes two hours'],
    ['project', 'Remember that the legacy importer should be gone by June'],
    ['project', 'Rechnungen werden nie gelöscht'],
    ['feedback', 'You should ask before you delete a file'],
    ['feedback', 'No emojis in commit messages'],
    ['feedback', 'Bitte immer auf Deutsch antworten'],
    ['feedback', 'Frag mich immer, bevor du etwas löschst'],
    ['feedback', 'コミットに絵文字を使わないで'],
    ['user', "Also remember that I'm new to Rust"],
    ['reference', 'Das Handbuch steht unter https://wiki.example.org/handbuch'],
  ])('is a fact about the project unless it says otherwise: %s, %s', async (type, said) => {
    await here('remember', said);
    expect(await data('memory', 'list')).toMatchObject([{ type }]);
  });

  it('is found and removed by the words people try', async () => {
    await run('remember', 'Deploys happen on Tuesdays');
    expect((await run('memory', 'search', 'when do we deploy')).stdout).toContain('deploys-happen');
    expect((await run('memory', 'rm', 'project_deploys-happen-on-tuesdays')).code).toBe(0);
    expect(await data('memory', 'list')).toEqual([]);
  });

  it('takes what is said of it, and is not given twice', async () => {
    await here('remember', '--type', 'reference', '--name', 'Board', 'Bugs are in Linear');
    expect(await data('memory', 'list')).toMatchObject([{ type: 'reference', name: 'Board' }]);
    expect(await here('remember', 'a text', '--body', 'another')).toMatchObject({ code: 2 });
  });

  it('takes the place of one that is named as everywhere else, without `.md` or by its title', async () => {
    await here('remember', 'Deploys happen on Tuesdays');
    await here('remember', 'Deploys happen on Mondays', '--supersedes', 'deploys happen on tuesdays');
    const listed = await data('memory', 'list');
    expect(listed.find(({ name }: { name: string }) => name.endsWith('Tuesdays'))).toMatchObject({
      supersededBy: 'project_deploys-happen-on-mondays.md',
    });
  });

  it('is kept whole when it is long, with a warning that recall reads its beginning', async () => {
    const { code, stdout } = await here('remember', 'The importer is slow. '.repeat(2_000));
    expect(code).toBe(0);
    expect(stdout).toContain('A long body: recall reads its beginning.');
  });
});

describe('a key', () => {
  const KEY = 'sk-ant-made-up-key';
  const file = () => join(agent.project, '..', 'user', '.reverie', 'credentials.json');
  const keysIn = async () => (await here('status')).stdout.match(/keys: .*/)![0];

  it('is read from a pipe, kept for the user alone, used, named without being shown, and removed', async () => {
    const server = await startMessagesServer(() => ({ content: [{ type: 'text', text: 'Hello.' }] }), { apiKey: KEY });
    const environment = { ANTHROPIC_BASE_URL: server.url };
    const login = await agent.run(['login'], { input: `${KEY}\n` });
    expect(login).toMatchObject({ code: 0, stdout: expect.stringContaining('credentials.json') });
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(existsSync(join(file(), '..', 'settings.json'))).toBe(false);
    expect((await agent.run(['-p', 'Hi.'], { environment })).stdout).toBe('Hello.\n');
    const status = (await run('status')).stdout;
    expect(status).toContain('keys: ANTHROPIC_API_KEY from ');
    expect(status + JSON.stringify(await data('status')) + login.stdout + login.stderr).not.toContain(KEY);

    expect((await run('logout')).stdout).toContain('Removed the key of Anthropic');
    expect(readFileSync(file(), 'utf8')).not.toContain(KEY);
    expect(await keysIn()).toBe('keys: none');
    await server.close();
  });

  it('comes from the environment first, and is refused where it cannot be one', async () => {
    await agent.here(['login', 'openai'], { input: 'kept' });
    const given = await agent.here(['login', 'openai'], { input: 'kept', environment: { OPENAI_API_KEY: 'given' } });
    expect(given.stdout).toContain('comes first');
    expect(await agent.here(['login'], { input: 'two words' })).toMatchObject({ code: 2 });
    expect(await here('login')).toMatchObject({ code: 2 });
    expect(await agent.here(['login'], { input: 'x', environment: { REVERIE_AGENT: '1' } })).toMatchObject({ code: 1 });
  });

  it('that cannot be read is named where a model is missing', async () => {
    await agent.here(['login'], { input: KEY });
    writeFileSync(file(), '{');
    expect((await run('-p', 'Hi.')).stderr).toContain(`kept keys: ${file()} is not valid JSON`);
  });

  it('reaches no command that the agent runs', async () => {
    const server = await startMessagesServer(({ bytes }) =>
      bytes.includes('"tool_result"')
        ? { content: [{ type: 'text', text: 'Done.' }] }
        : { content: [{ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'env' } }] },
    );
    await agent.here(['login'], { input: KEY });
    const environment = { ANTHROPIC_BASE_URL: server.url };
    await agent.run(['-p', '--permission-mode', 'bypass', 'Hi.'], { environment });
    await server.close();
    expect(server.requests.map(({ bytes }) => bytes).join('\n')).not.toContain(KEY);
  });
});

describe('a setting', () => {
  const file = () => join(agent.project, '..', 'user', '.reverie', 'settings.json');

  it('is set, shown with its source, and taken out again; the rest of the file stays', async () => {
    mkdirSync(join(file(), '..'), { recursive: true });
    writeFileSync(file(), '{\n  "economy":   "max"\n}\n');
    expect((await run('settings', 'model', 'claude-haiku-5-5')).stdout).toContain('model: claude-haiku-5-5  user');
    const shown = (await here('settings', 'model')).stdout;
    expect(shown).toContain(`claude-haiku-5-5  user, ${file()}`);
    expect(shown).toMatch(/^takes +text$/m);
    expect(readFileSync(file(), 'utf8')).toContain('"economy":   "max"');
    await here('settings', 'autoMemoryEnabled', 'false');
    await here('settings', 'limits.loop.parallelTools', '3');
    await here('settings', 'permissions', '{"deny":["WebFetch"]}');
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toMatchObject({
      autoMemoryEnabled: false,
      'limits.loop.parallelTools': 3,
      permissions: { deny: ['WebFetch'] },
    });
    expect((await here('settings', 'model', '--unset')).code).toBe(0);
    expect(JSON.parse(readFileSync(file(), 'utf8'))).not.toHaveProperty('model');
  });

  it.each([
    [['economy', 'maxi'], 'economy is not changed: it takes one of'],
    [['econmy', 'max'], 'did you mean economy?'],
    [['limits.loop.parallelTools', 'many'], 'a whole number'],
    [['--unset'], 'KEY is missing'],
  ])('is refused as %j', async (words, why) => {
    const { code, stderr } = await here('settings', ...words);
    expect(code).toBe(2);
    expect(stderr).toContain(why);
    expect(existsSync(file())).toBe(false);
  });

  it('is not for an agent to change', async () => {
    const ended = await agent.here(['settings', 'permissionMode', 'bypass'], { environment: { REVERIE_AGENT: '1' } });
    expect(ended.code).toBe(1);
    expect(existsSync(file())).toBe(false);
  });
});

describe('text that is no command', () => {
  it.each([
    [['stauts'], 'did you mean status'],
    [['memori', 'list'], 'did you mean memory?'],
    [['memory', 'lisst'], 'did you mean memory list'],
  ])('%j is nearly one, and says so', async (words, hint) => {
    const { code, stderr } = await here(...words);
    expect(code).toBe(2);
    expect(stderr).toContain(hint);
  });

  it('cannot be the first message of a chat without a terminal', async () => {
    const ended = await agent.run(['What is this?'], { input: 'more' });
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining("reverie -p 'What is this?'") });
  });
});

describe('coding agents', () => {
  it('are found, connected without being named, listed by status, and disconnected', async () => {
    expect(await run('install', '--yes')).toMatchObject({ code: 2, stderr: expect.stringContaining('None of') });
    const user = join(agent.project, '..', 'user');
    for (const folder of ['.claude', '.gemini']) mkdirSync(join(user, folder));
    const { code, stdout } = await run('install', '--yes');
    expect(code).toBe(0);
    expect(stdout).toContain('Claude Code is connected');
    expect(stdout).toContain('Gemini CLI is connected');
    expect((await here('status')).stdout).toContain('connected: Claude Code, Gemini CLI');
    expect((await run('install', '--uninstall', '--yes')).code).toBe(0);
    expect((await here('status')).stdout).toContain('connected: no coding agent');
  });
});

describe('a project that was moved', () => {
  it('is offered its old memory by the first start of the agent, and can still be given it after that', async () => {
    const git = (...words: string[]) => execFileSync('git', ['-C', agent.project, ...words], { stdio: 'ignore' });
    git('init', '-q');
    git('-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit', '-q', '--allow-empty', '-m', 'root');
    await here('remember', 'Deploys happen on Tuesdays');
    const moved = `${agent.project}-moved`;
    renameSync(agent.project, moved);
    mkdirSync(agent.project);

    const server = await startMessagesServer(() => ({ content: [{ type: 'text', text: 'Hello.' }] }));
    const environment = { ANTHROPIC_BASE_URL: server.url };
    const first = await agent.run(['-p', '--cwd', moved, 'Hi.'], { environment });
    await server.close();
    expect(first.stdout).toBe('Hello.\n');
    const [, slug] = /reverie doctor --reattach (\S+)/.exec(first.stderr)!;
    expect((await here('status', '--cwd', moved)).stdout).toContain(`--reattach ${slug}`);
    expect((await here('doctor', '--cwd', moved)).stdout).toContain(`--reattach ${slug}`);

    expect((await here('doctor', '--cwd', moved, '--reattach', slug!)).code).toBe(0);
    expect(await data('memory', 'list', '--cwd', moved)).toMatchObject([{ name: 'Deploys happen on Tuesdays' }]);
    expect(await data('sessions', '--cwd', moved)).toHaveLength(1);
    expect((await here('doctor', '--cwd', moved)).stdout).toContain('All is well.');
  });
});

describe('a line that cannot work says so, and what to type instead', () => {
  function expectRefused({ code, stdout, stderr }: Ended, told: string) {
    expect(code).not.toBe(0);
    expect(stderr).toContain(told);
    expect(stdout).toBe('');
  }

  it.each([
    [['permissions'], '/permissions is a command of the chat.'],
    [['install', 'claude'], 'There is no coding agent claude; did you mean claude-code?'],
    [['uninstall'], 'See: reverie uninstall --help'],
    [['settings', 'economy', 'unset'], 'To go back to its default: reverie settings economy --unset'],
    [['import', 'cladue-code'], 'Did you mean claude-code?'],
    [['messages', 'send', '--from', 'kim', '--to', 'sam', 'hi'], 'reverie messages read sam --follow'],
    [['messages', 'send', 'sam', 'hi'], 'For example: reverie messages send --from sam --to reviewer "'],
    [['install'], 'reverie install claude-code'],
    [['--continue'], 'There is no model to talk to'],
    [['--resume'], 'There is no model to talk to'],
  ])('%j', async (words, told) => {
    expectRefused(await run(...words), told);
  });

  it.each([
    [['/compact'], '/compact is a command of the chat.'],
    [['learn', 'from', 'claude-code'], 'Which session? Give its id after the coding agent.'],
    [['trust'], 'If you are sure: reverie trust --yes'],
    [['import', 'claude'], 'name a program: claude-code, codex'],
    [['--settings', 'gone.json', 'memory', 'list'], 'there is no file '],
    [['export', '.'], 'is a folder\nName the file as well: reverie export '],
    [['import', '.'], 'A file that `reverie export` wrote is imported by its own path'],
    [['settings', 'recall.encoder', 'nomic'], 'it takes `ollama/MODEL`, `openai/MODEL` or `onnx/MODEL`'],
    [['remember', 'Deploys happen on Mondays', '--supersedes', 'deploys'], 'There is no memory deploys.md.'],
    [['team', 'start', 'gone.yaml'], 'docs/how-to/teams.md'],
  ])('%j', async (words, told) => {
    expectRefused(await here(...words), told);
  });

  it('team init names the whole line to type', async () => {
    execFileSync('git', ['init', '-q'], { cwd: agent.project });
    const { code, stderr } = await here('team', 'init', '--no-hook');
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('If you are sure: reverie team init --no-hook --yes\n'),
    ]);
  });

  it('an empty list says how to fill the folder that was asked for', async () => {
    const { stdout } = await here('memory', 'list', '--directory', join(agent.project, 'notes'));
    expect(stdout).toContain(`reverie remember "…" --directory ${join(agent.project, 'notes')}\n`);
  });

  it('an empty description is not taken', async () => {
    await here('remember', 'Deploys happen on Tuesdays');
    const { code, stderr } = await here('memory', 'edit', 'deploys happen on tuesdays', '--description', ' ');
    expect([code, stderr]).toEqual([2, expect.stringContaining('Leave it out to keep the description.')]);
  });

  it.each([['version'], ['-v'], ['-V']])('%s is the version', async (word) => {
    expect((await here(word)).stdout).toBe((await here('--version')).stdout);
  });

  it('a secret in a sentence is not repeated, and its line is the one that was typed', async () => {
    const { code, stderr } = await here('remember', 'The key is AKIAQ3EGRZ7LN5XWTB2M');
    expect(code).toBe(1);
    expect(stderr).toContain('The memory was not saved. Line 1: AWS access key (aws-access-key). ');
    expect(stderr).not.toContain('AKIA');
  });

  it('a hook without a host is a slip of the hand, not a problem of a coding agent', async () => {
    await here('remember', 'Deploys happen on Tuesdays');
    expect((await run('hook')).stderr).toContain('To connect one: reverie install');
    expect((await here('status')).stdout).toContain('no problems');
  });
});

describe('help and status', () => {
  it('name what the README starts with', async () => {
    expect((await run('--help')).stdout).toMatch(/^ {2}remember +Save a sentence/m);
    expect((await here('remember', '--help')).stdout).toContain('  reverie remember "Deploys need two approvals');
  });

  it('say how learning begins', async () => {
    expect((await here('status')).stdout).toContain('no coding agent; to connect one: reverie install');
    expect((await here('learn', 'on')).stdout).toContain('learns from: nothing yet; connect Claude Code');
    await run('install', 'gemini', '--yes');
    expect((await here('learn', 'status')).stdout).toContain('learns from: Gemini CLI, each asked');
    expect((await here('status')).stdout).toContain('learning from them: on');
  });
});
