/** Commands that nobody allowed, over HTTP with the real SDK: they run in the sandbox without a question, and reach nothing else. */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are meant for a shell.

import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PermissionQuestion } from '../../src/agent/permissions/permissions.ts';
import { findSandbox } from '../../src/agent/sandbox/find-sandbox.ts';
import type { AgentOptions } from '../../src/session/agent.ts';
import { openAgent } from '../../src/session/open-agent.ts';
import { type MessagesServer, startMessagesServer } from '../support/messages-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

type Call = { readonly name: string; readonly input: Readonly<Record<string, unknown>> };

const { sandbox } = await findSandbox();
let root: string;
let project: string;
let server: MessagesServer;
let calls: readonly Call[] = [];

beforeEach(async () => {
  root = temporaryFolder('sandboxed');
  project = join(root, 'project');
  mkdirSync(join(project, 'sub'), { recursive: true });
  execFileSync('git', ['init', '-q', project]);
  writeFileSync(join(project, 'a.txt'), 'alpha\nbeta\n');
  writeFileSync(join(project, 'private.txt'), 'the private canary\n');
  writeFileSync(join(project, '.env'), 'KEY=the environment canary\n');
  writeFileSync(join(root, 'outside.txt'), 'the outside canary\n');
  server = await startMessagesServer((_request, index) => {
    const call = calls[index];
    return { content: [call === undefined ? { type: 'text', text: 'Done.' } : useOf(call, index)] };
  });
});

afterEach(() => server.close());

const useOf = (call: Call, index: number) => ({ type: 'tool_use', id: `toolu_${index}`, ...call }) as const;
const bash = (command: string, more = {}): Call => ({ name: 'Bash', input: { command, ...more } });

/** What the model reads of each call. */
async function resultsOf(wanted: readonly Call[], options: AgentOptions = {}): Promise<readonly string[]> {
  calls = wanted;
  const agent = await openAgent({
    cwd: project,
    home: join(root, 'home'),
    env: { HOME: root, PATH: process.env.PATH, ANTHROPIC_API_KEY: 'not-a-key', ANTHROPIC_BASE_URL: server.url },
    ...options,
    settings: { 'layers.extraction': false, 'layers.notes': false, 'layers.recall': false, ...options.settings },
  });
  const results: string[] = [];
  for await (const event of agent.send('Look around.')) {
    if (event.kind === 'tool-ended') results.push(String(event.result.content));
  }
  await agent.close();
  return results;
}

describe.runIf(sandbox !== null)('a command that nobody allowed', () => {
  it('reads whatever the project has, by any line, without a question', async () => {
    const lines = [
      'git status --short',
      'cat a.txt | sed -n 2p',
      'for n in 1 2; do echo "$n"; done',
      'cd sub && pwd',
      'pwd',
    ];
    const results = await resultsOf(lines.map((line) => bash(line)));
    expect(results[0]).toContain('?? a.txt');
    expect(results.slice(1, 3)).toEqual(['beta', '1\n2']);
    expect(results[3]).toContain(
      `[commands now run in ${join(project, 'sub')}; relative paths in other tools still start at ${project}]`,
    );
    expect(results[4]).toBe(join(project, 'sub'));
  });

  it('changes nothing, sees nothing of the home folder, and is told how to ask for more', async () => {
    const results = await resultsOf([
      bash('touch made.txt'),
      bash(`cat ${join(root, 'outside.txt')}; ls -A "$HOME"`),
      bash('cat .env'),
      bash('env'),
      bash('touch made.txt', { outside_sandbox: true }),
    ]);
    expect(readdirSync(project).sort()).toEqual(['.env', '.git', 'a.txt', 'private.txt', 'sub']);
    expect(results.join('\n')).not.toMatch(/canary|not-a-key/);
    expect(results[0]).toMatch(/Read-only file system[\s\S]*set outside_sandbox: the user is asked/);
    expect(results[4]).toContain('Nobody can be asked here.');
  });

  it.each(['ask', 'accept-edits'] as const)('speaks to no program that listens in the project (%s)', async (mode) => {
    const heard: string[] = [];
    const server = createServer((socket) => socket.on('data', (data) => heard.push(String(data))).end('the other end'));
    const pipes = [join(project, 'sub', 'pipe'), join(project, '.git', 'pipe')];
    for (const pipe of pipes) execFileSync('mkfifo', [pipe]);
    // Open for both, or a writer would wait for a reader, and the test with it.
    const held = pipes.map((pipe) => openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK));
    await new Promise<void>((resolve) => server.listen(join(project, 'sub', 'door'), resolve));
    const speak = `require('net').connect('sub/door').on('data', (data) => console.log(String(data))).on('error', (error) => console.log(error.code)).write('hello')`;
    const lines = [bash(`node -e "${speak}"`), ...pipes.map((pipe) => bash(`echo hello > ${pipe}`))];
    const [spoken] = await resultsOf(lines, { permissionMode: mode });
    expect(spoken).toMatch(/ECONNREFUSED|EACCES/);
    expect(heard).toEqual([]);
    for (const pipe of held) expect(() => readSync(pipe, Buffer.alloc(9))).toThrow(/EAGAIN/);
    for (const pipe of held) closeSync(pipe);
    server.close();
  });

  it('is the first that the system ends when memory runs out', async () => {
    const [own] = await resultsOf([bash('cat /proc/self/oom_score_adj; echo 0 > /proc/self/oom_score_adj')]);
    expect(own).toMatch(/^1000\n[\s\S]*Read-only/);
  });

  it('is asked about where it has to leave the sandbox', async () => {
    const questions: PermissionQuestion[] = [];
    const ask = async (question: PermissionQuestion) => {
      questions.push(question);
      return { kind: 'once' } as const;
    };
    await resultsOf([bash('touch inside'), bash('touch made.txt', { outside_sandbox: true })], { ask });
    expect(questions.map(({ call }) => call.input.command)).toEqual(['touch made.txt']);
    expect(existsSync(join(project, 'made.txt'))).toBe(true);
  });

  it('runs outside where a rule covers all of it, and inside where it covers a part', async () => {
    const permissions = { allow: ['Bash(touch:*)'] };
    await resultsOf([bash('touch made.txt'), bash('touch other.txt; cp a.txt b.txt')], { settings: { permissions } });
    expect(existsSync(join(project, 'made.txt'))).toBe(true);
    expect(existsSync(join(project, 'other.txt'))).toBe(false);
  });

  it('changes the project where edits are accepted, but not what git and Reverie obey', async () => {
    const before = readFileSync(join(project, '.git', 'config'), 'utf8');
    const results = await resultsOf(
      [
        bash('echo made > made.txt; rm a.txt'),
        bash(
          'echo x >> .git/config; echo x > .git/hooks/pre-commit; mkdir -p .reverie; echo {} > .reverie/settings.json',
        ),
        bash(`echo x > ${join(root, 'outside.txt')}`),
      ],
      { permissionMode: 'accept-edits' },
    );
    expect(readFileSync(join(project, 'made.txt'), 'utf8')).toBe('made\n');
    expect(readdirSync(project).sort()).toEqual(['.env', '.git', 'made.txt', 'private.txt', 'sub']);
    expect(readFileSync(join(project, '.git', 'config'), 'utf8')).toBe(before);
    expect(existsSync(join(project, '.git', 'hooks', 'pre-commit'))).toBe(false);
    expect(readFileSync(join(root, 'outside.txt'), 'utf8')).toBe('the outside canary\n');
    expect(results[1]).toContain('Read-only file system');
  });

  it('changes no repository inside of the project or of an added folder, where edits are accepted', async () => {
    const added = join(root, 'added');
    const repositories = [join(project, 'sub', 'inner'), added, join(added, 'deep', 'er')];
    for (const folder of repositories) execFileSync('git', ['init', '-q', folder]);
    const permissions = { additionalDirectories: [added] };
    await resultsOf(
      repositories.map((folder) =>
        bash(`cd ${folder}; touch made; echo x > .git/hooks/pre-commit; echo x >> .git/config; mv .git other`),
      ),
      { permissionMode: 'accept-edits', settings: { permissions } },
    );
    for (const folder of repositories) {
      expect(existsSync(join(folder, 'made'))).toBe(true);
      expect(existsSync(join(folder, '.git/hooks/pre-commit'))).toBe(false);
      expect(readFileSync(join(folder, '.git/config'), 'utf8')).not.toContain('x\n');
    }
  });

  it('makes no folder whose content a rule keeps from edits', async () => {
    const permissions = { deny: ['Edit(sub/locked/**)', 'Write(/kept/*)'] };
    await resultsOf(
      [bash('for n in sub/lock ke; do mkdir -p "${n}ed" "${n}pt"; echo x > "${n}ed/a"; echo x > "${n}pt/a"; done')],
      {
        ...{ permissionMode: 'accept-edits', settings: { permissions } },
      },
    );
    expect(['sub/locked', 'sub/lockpt/a', 'keed/a', 'kept'].map((name) => existsSync(join(project, name)))).toEqual([
      ...[false, true, true, false],
    ]);
  });

  it('leads git to no other configuration where edits are accepted', async () => {
    const evil = `printf '[core]\\n\\tfsmonitor = "touch ${join(root, 'ran')}; false"\\n' >>`;
    await resultsOf(
      [
        bash(`mkdir x && cp -r .git/HEAD .git/refs .git/objects x && ${evil} x/config; echo ../x > .git/commondir`),
        bash(`git init -q sub && ${evil} sub/.git/config && cd sub && echo 1 > f && git add f; cd .. && git add sub`),
        bash('mv .git .other; rm -rf .git; echo gitdir: x > .git'),
      ],
      { permissionMode: 'accept-edits' },
    );
    expect(existsSync(join(project, 'x', 'config'))).toBe(true);
    execFileSync('git', ['status', '--short'], { cwd: project, stdio: 'ignore' });
    expect(existsSync(join(root, 'ran'))).toBe(false);
  });

  it.each([
    ['the repository of another folder', 'file', 'other/.git'],
    ['the repository of another folder by a link', 'link', 'other/.git'],
    ['any folder', 'file', 'other'],
  ])('sees nothing of %s that .git claims', async (_, kind, claimed) => {
    execFileSync('git', ['init', '-q', join(root, 'other')]);
    writeFileSync(join(root, claimed, 'canary.txt'), 'the other canary\n');
    const cwd = join(root, 'claiming');
    mkdirSync(cwd);
    if (kind === 'link') symlinkSync(join(root, claimed), join(cwd, '.git'));
    else writeFileSync(join(cwd, '.git'), `gitdir: ${join(root, claimed)}\n`);
    const [result] = await resultsOf([bash(`cat ${join(root, claimed, 'canary.txt')}`)], { cwd });
    expect(result).toContain('No such file');
  });

  it.each(['tree', 'whole/part', 'project/sub'])('sees the repository that %s belongs to', async (name) => {
    const git = ['-c', 'user.name=a', '-c', 'user.email=a@b.c', '-c', 'protocol.file.allow=always'];
    const run = (cwd: string, ...words: string[]) => execFileSync('git', [...git, ...words], { cwd, stdio: 'ignore' });
    run(project, 'commit', '-q', '--allow-empty', '-m', 'first');
    run(project, 'worktree', 'add', '-q', join(root, 'tree'));
    execFileSync('git', ['init', '-q', join(root, 'whole')]);
    run(join(root, 'whole'), 'submodule', 'add', '-q', project, 'part');
    expect(await resultsOf([bash('git log --format=%s | cat')], { cwd: join(root, name) })).toEqual(['first']);
  });

  it('runs in plan mode too', async () => {
    expect(await resultsOf([bash('echo "$((1 + 1))"')], { permissionMode: 'plan' })).toEqual(['2']);
  });

  it('runs unasked without a sandbox where it is one of the reading commands of git', async () => {
    execFileSync('git', ['config', 'core.fsmonitor', 'touch fired'], { cwd: project });
    writeFileSync(join(project, 'new.txt'), 'new\n');
    const [status] = await resultsOf([bash('git status --short | grep new')], { settings: { sandbox: 'off' } });
    expect(status).toBe('?? new.txt');
    expect(existsSync(join(project, 'fired'))).toBe(false);
  });

  it('is asked about where the sandbox is switched off', async () => {
    const [refused] = await resultsOf([bash('echo "$((1 + 1))"')], { settings: { sandbox: 'off' } });
    expect(refused).toContain('Nobody can be asked here.');
  });
});

describe('a file that a rule denies', () => {
  const settings = { permissions: { deny: ['Read(private.txt)'] } };

  it('is left out of every search', async () => {
    const results = await resultsOf(
      [
        { name: 'Grep', input: { pattern: 'alpha|canary', output_mode: 'content' } },
        { name: 'Grep', input: { pattern: 'canary' } },
        { name: 'Grep', input: { pattern: 'canary|alpha', output_mode: 'count' } },
        { name: 'Glob', input: { pattern: '*.txt' } },
        { name: 'Read', input: { file_path: 'private.txt' } },
      ],
      { settings },
    );
    expect(results.slice(0, 4)).toEqual(['a.txt:1:alpha', 'No matches found.', 'a.txt:1', 'a.txt']);
    expect(results[4]).toContain('The rule Read(private.txt)');
  });

  it.runIf(sandbox !== null)('cannot be opened by any line in the sandbox', async () => {
    const lines = [
      'cat priv*',
      'grep -r canary .',
      'cp private.txt /tmp/x && cat /tmp/x',
      'python3 -c "print(open(\'private.txt\').read())"',
      'git hash-object private.txt',
    ];
    const results = await resultsOf(
      lines.map((line) => bash(line)),
      { settings },
    );
    expect(results).toHaveLength(lines.length);
    expect(results.join('\n')).not.toContain('the private canary');
  });

  it.runIf(sandbox !== null)('nor can one among the programs that are shown, nor a secret beside them', async () => {
    const scripts = join(root, 'scripts');
    for (const name of ['kept', 'tokens']) mkdirSync(join(scripts, name), { recursive: true });
    writeFileSync(join(scripts, 'deploy'), '#!/bin/sh\necho deployed\n', { mode: 0o755 });
    for (const name of ['.env', 'kept/server.pem', 'tokens/one.txt'])
      writeFileSync(join(scripts, name), 'the canary\n');
    const read = `node -e "for (const name of ['.env', 'kept/server.pem', 'tokens/one.txt']) try { console.log(require('fs').readFileSync(process.argv[1] + '/' + name, 'utf8')) } catch (error) { console.log(error.code) }" ${scripts}`;
    const env = {
      ...{ HOME: root, PATH: `${scripts}:${process.env.PATH}` },
      ...{ ANTHROPIC_API_KEY: 'not-a-key', ANTHROPIC_BASE_URL: server.url },
    };
    const permissions = { deny: ['Read(~/scripts/tok*/**)', 'Read(//usr/lib/git-c*/git-dae*)'] };
    const results = await resultsOf([bash('deploy'), bash(read), bash('wc -c /usr/lib/git-*/*-daemon')], {
      ...{ env, settings: { permissions } },
    });
    expect(results.slice(0, 2)).toEqual(['deployed', 'EACCES\nEACCES\nEACCES']);
    expect(results[2]).toContain('Permission denied');
  });

  it('is opened by no line that only reads, where there is no sandbox', async () => {
    const lines = [
      'cat p*.txt',
      'head ./*.txt',
      'grep -r canary .',
      'grep canary p*.txt',
      'cat a.txt p?ivate.txt',
      'cat ?.txt',
    ];
    const results = await resultsOf([...lines.map((line) => bash(line)), bash('cat a*.txt')], {
      settings: { ...settings, sandbox: 'off' },
    });
    expect(results.join('\n')).not.toContain('the private canary');
    expect(results.at(-1)).toBe('alpha\nbeta');
  });

  it('is denied from the folder where the session began as well', async () => {
    mkdirSync(join(project, 'sub', 'kept'));
    writeFileSync(join(project, 'sub', 'kept', 'k.txt'), 'the kept canary\n');
    const searched = { name: 'Grep', input: { pattern: 'canary', output_mode: 'content' } };
    const lines = sandbox === null ? [] : [bash('cat k*/k*'), bash('x=kept; cat $x/k.txt')];
    const permissions = { deny: ['Read(kept/**)'] };
    const results = await resultsOf([searched, ...lines], { cwd: join(project, 'sub'), settings: { permissions } });
    expect(results.join('\n')).not.toContain('the kept canary');
  });
});

describe.runIf(sandbox !== null)('git in a project that nobody trusts', () => {
  it('stays in the sandbox, though a rule allows it', async () => {
    const made = join(project, 'made');
    execFileSync('git', ['-C', project, 'config', 'filter.planted.clean', `touch ${made}; cat`]);
    writeFileSync(join(project, '.gitattributes'), '* filter=planted\n');
    const permissions = { allow: ['Bash(git:*)'] };
    const [added] = await resultsOf([bash('git add a.txt')], { settings: { permissions } });
    expect(added).toContain('this ran in the sandbox');
    expect(existsSync(made)).toBe(false);
  });
});
