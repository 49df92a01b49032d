/** The built binary, as a person or a script calls it. */

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Memory, openMemory } from '../../src/index.ts';
import { runCommandHere } from '../support/command-here.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const BINARY = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const isPosix = process.platform !== 'win32';
/** Processes beside one another take longer, each by itself. */
const SIDE_BY_SIDE = { concurrent: true, timeout: 60_000 };

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Call {
  readonly input?: string;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

function endOf(child: ChildProcess): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  child.stdout!.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr!.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

const save = (type: string, name: string, more: readonly string[] = ['--body', `Body of ${name}`]) => [
  ...['memory', 'save', '--type', type, '--name', name, '--description', `About ${name}`],
  ...more,
];

/** A home, a project and a temporary folder of its own for each test. */
function openPlace() {
  const root = temporaryFolder('cli');
  for (const folder of ['user', 'tmp', 'project', 'other']) mkdirSync(join(root, folder));
  const environment = { PATH: process.env.PATH, HOME: join(root, 'user'), TMPDIR: join(root, 'tmp') };

  function start(program: string, parameters: readonly string[], call: Call & { keepInputOpen?: boolean } = {}) {
    const child = spawn(program, parameters, {
      cwd: call.cwd ?? join(root, 'project'),
      env: { ...environment, ...call.env },
      stdio: [call.input === undefined && !call.keepInputOpen ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    if (call.input !== undefined) child.stdin!.end(call.input);
    return { child, ended: endOf(child) };
  }

  const reverie = (parameters: readonly string[], call: Call = {}) =>
    start(process.execPath, [BINARY, ...parameters], call).ended;

  /** The same command without a process, for what a process has done in another case. */
  const here = (parameters: readonly string[], { cwd, env, input }: Call = {}): Promise<Ended> =>
    runCommandHere(parameters, {
      cwd: cwd ?? join(root, 'project'),
      environment: { ...environment, ...env },
      ...(input === undefined ? {} : { input }),
    });

  const dataBy =
    (run: typeof reverie) =>
    async (parameters: readonly string[], call: Call = {}) => {
      const { code, stdout, stderr } = await run([...parameters, '--json'], call);
      expect(stderr).toBe('');
      expect(code).toBe(0);
      return JSON.parse(stdout);
    };
  const [data, dataHere] = [dataBy(reverie), dataBy(here)];

  /** What a story begins with, and what it left: no process is needed to put it there, or to look. */
  async function inMemory<T>(use: (memory: Memory) => Promise<T>, cwd = join(root, 'project')): Promise<T> {
    const memory = await openMemory({ cwd, home: join(root, 'user', '.reverie'), env: environment });
    const result = await use(memory);
    await memory.close();
    return result;
  }

  const put = (type: 'user' | 'project', name: string, cwd?: string) =>
    inMemory((memory) => memory.save({ type, name, description: `About ${name}`, body: `Body of ${name}` }), cwd);
  const list = (cwd?: string) => inMemory((memory) => memory.list(), cwd);
  const leftBehind = () => readdirSync(join(root, 'tmp'));
  return { root, start, reverie, here, data, dataHere, put, list, leftBehind };
}

describe('a memory from its first day to its last', SIDE_BY_SIDE, () => {
  it('is saved, listed, shown, changed, undone, forgotten and purged', async () => {
    const { reverie, data, dataHere, leftBehind } = openPlace();
    const first = await reverie(save('feedback', 'No mocks', []), { input: 'Use a real database.\n' });
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout.split('\n')[0]).toBe('Saved feedback_no-mocks.md (project)');

    const [entry] = await data(['memory', 'list']);
    expect(entry).toMatchObject({
      file: 'feedback_no-mocks.md',
      scope: 'project',
      type: 'feedback',
      name: 'No mocks',
      source: 'said',
    });
    expect(entry.body).toContain('Use a real database.');
    if (isPosix) expect(statSync(entry.path).mode & 0o777).toBe(0o600);
    const original = readFileSync(entry.path, 'utf8');

    const shown = await reverie(['memory', 'show', 'feedback_no-mocks', '--raw']);
    expect(shown.stdout).toBe(original);

    const changed = await data(['memory', 'edit', 'feedback_no-mocks', '--description', 'Tests only']);
    expect(readFileSync(entry.path, 'utf8')).toContain('Tests only');
    const diff = await reverie(['memory', 'diff']);
    expect(diff.stdout).toMatch(/^-description: .*No mocks$/m);
    expect(diff.stdout).toMatch(/^\+description: Tests only$/m);
    expect(await data(['memory', 'undo', changed.change])).toMatchObject({ kind: 'undo', undoes: changed.change });
    expect(readFileSync(entry.path, 'utf8')).toBe(original);

    const forgotten = await data(['memory', 'forget', 'feedback_no-mocks.md', '--reason', 'wrong']);
    expect(await dataHere(['memory', 'list'])).toEqual([]);
    const log = await data(['memory', 'log', '--limit', '1']);
    expect(log).toMatchObject([{ id: forgotten.change, kind: 'forget', who: 'user', why: 'wrong' }]);

    expect((await reverie(['memory', 'purge', 'feedback_no-mocks'])).code).toBe(2);
    const purged = await reverie(['memory', 'purge', 'feedback_no-mocks', '--yes']);
    expect(purged).toMatchObject({ code: 0, stderr: '' });
    expect(purged.stdout).toContain('for good');
    expect(await dataHere(['memory', 'log', '--file', 'feedback_no-mocks'])).not.toContainEqual(
      expect.objectContaining({ kind: 'save' }),
    );
    expect(leftBehind()).toEqual([]);
  });

  it('keeps what is global across projects, and the rest apart', async () => {
    const { root, dataHere, put } = openPlace();
    await put('user', 'Me');
    await put('project', 'Freeze');
    const elsewhere = await dataHere(['memory', 'list'], { cwd: join(root, 'other') });
    expect(elsewhere.map(({ file }: { file: string }) => file)).toEqual(['user_me.md']);
    const fromElsewhere = await dataHere(['memory', 'list', '--cwd', '../project'], { cwd: join(root, 'other') });
    expect(fromElsewhere).toHaveLength(2);
  });

  it('uses a directory alone when it is given one, relative paths included', async () => {
    const { root, here } = openPlace();
    const { code, stdout } = await here([...save('user', 'Me'), '--directory', 'own/memory']);
    expect(code).toBe(0);
    expect(stdout).toContain('--directory own/memory');
    expect(existsSync(join(root, 'project/own/memory/user_me.md'))).toBe(true);
    expect(existsSync(join(root, 'user/.reverie'))).toBe(false);
  });

  it('is pinned, and unpinned', async () => {
    const { reverie, here, put, list } = openPlace();
    await put('user', 'Me');
    await reverie(['memory', 'pin', 'user_me']);
    expect((await here(['memory', 'list'])).stdout).toContain('(pinned) About Me');
    await here(['memory', 'pin', 'user_me', '--off']);
    expect(await list()).toMatchObject([{ pinned: false }]);
  });
});

describe('failures', SIDE_BY_SIDE, () => {
  it.each([
    ['key ', ['AKIA', 'Q3EGRZ7L', 'N5XWTB2M'].join('')],
    ['export DB_PASS=', ['tulip', 'garden', '7'].join('')],
    ['db.internal:5432:orders:app:', ['tulip', 'garden'].join('')],
    ['user admin, pass ', ['Tr0ub', '4dor!'].join('')],
  ])('a secret is refused, and its value is shown nowhere: %s', async (before, secret) => {
    const { here, list } = openPlace();
    const { code, stdout, stderr } = await here(save('reference', 'Key', ['--body', `${before}${secret}`]));
    expect(code).toBe(1);
    expect(stderr).not.toBe('');
    expect(stdout + stderr).not.toContain(secret);
    expect(await list()).toEqual([]);
  });

  it('an undo over a later change is refused, naming it', async () => {
    const { reverie, dataHere, put } = openPlace();
    const saved = await put('user', 'Me');
    const later = await dataHere(['memory', 'edit', 'user_me', '--description', 'Later']);
    const { code, stderr } = await reverie(['memory', 'undo', saved.change]);
    expect(code).toBe(1);
    expect(stderr).toContain(later.change);
  });

  it('memory that is off says why', async () => {
    const { here } = openPlace();
    const { code, stderr } = await here([...save('user', 'Me'), '--bare']);
    expect(code).toBe(1);
    expect(stderr).toContain('--bare');
    const listed = await here(['memory', 'list'], { env: { REVERIE_DISABLE_MEMORY: '1' } });
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    expect(listed.stdout).toContain('REVERIE_DISABLE_MEMORY');
  });

  it.each([[['memory', 'lst']], [['memory', 'save']], [['memory', 'list', '--nope']]])(
    '%j exits 2',
    async (parameters) => {
      const { here } = openPlace();
      expect(await here(parameters)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining('--help'),
      });
    },
  );
});

describe('output', SIDE_BY_SIDE, () => {
  it('is coloured when forced, and plain in a pipe, with NO_COLOR and with --no-color', async () => {
    const { reverie, put } = openPlace();
    await put('user', 'Me');
    const forced = await reverie(['memory', 'list'], { env: { FORCE_COLOR: '1' } });
    expect(forced.stdout).toContain('\u001b[');
    const plain = await reverie(['memory', 'list']);
    expect(plain.stdout).not.toContain('\u001b');
    // Newer versions of Node complain on stderr about the two together; what we print is what counts.
    const both = await reverie(['memory', 'list'], { env: { FORCE_COLOR: '1', NO_COLOR: '1' } });
    expect(both.stdout).toBe(plain.stdout);
    expect(await reverie(['memory', 'list', '--no-color'], { env: { FORCE_COLOR: '1' } })).toEqual(plain);
  });

  it.runIf(existsSync('/dev/full'))('that cannot be written is a failure', async () => {
    const { start } = openPlace();
    const line = '"$0" "$1" --help > /dev/full';
    const { code, stderr } = await start('bash', ['-c', line, process.execPath, BINARY]).ended;
    expect(code).toBe(1);
    expect(stderr).toContain('ENOSPC');
  });

  it.runIf(isPosix)('ends quietly when the reader has had enough', async () => {
    const { root, start } = openPlace();
    const folder = join(root, 'many');
    mkdirSync(folder);
    const description = 'long '.repeat(200);
    for (let at = 0; at < 300; at++) {
      writeFileSync(
        join(folder, `user_${at}.md`),
        `---\nname: n${at}\ndescription: ${description}\ntype: user\n---\nbody\n`,
      );
    }
    const line = 'set -o pipefail; "$0" "$1" memory list --directory "$2" | head -n 1; echo $?';
    const { stdout, stderr } = await start('bash', ['-c', line, process.execPath, BINARY, folder]).ended;
    expect(stderr).toBe('');
    expect(stdout.split('\n')).toEqual([expect.stringContaining('user_0.md'), '0', '']);
  });
});

describe.runIf(isPosix)('interruptions', SIDE_BY_SIDE, () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s while waiting for input exits %i and leaves nothing behind', async (signal, code) => {
    const { start, list, leftBehind } = openPlace();
    const { child, ended } = start(process.execPath, [BINARY, ...save('user', 'Me', ['--body', '-'])], {
      keepInputOpen: true,
    });
    // More than a pipe holds: once it is out, the process is reading, and has long installed its handlers.
    await new Promise((resolve) => child.stdin!.write('half a memory '.repeat(100_000), resolve));
    child.kill(signal);
    expect(await ended).toMatchObject({ code, stdout: '', stderr: '' });
    expect(leftBehind()).toEqual([]);
    expect(await list()).toEqual([]);
  });

  it('a killed editor leaves no copy behind', async () => {
    const { start, put, leftBehind } = openPlace();
    await put('user', 'Me');
    const { child, ended } = start(process.execPath, [BINARY, 'memory', 'edit', 'user_me'], {
      env: { EDITOR: 'exec sleep 30 #' },
    });
    await waitUntil(() => leftBehind().length === 1);
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 143 });
    expect(leftBehind()).toEqual([]);
  });
});

describe.runIf(isPosix)('memory edit', SIDE_BY_SIDE, () => {
  it('stores what the editor wrote', async () => {
    const { reverie, put, list, leftBehind } = openPlace();
    await put('user', 'Me');
    const { code, stdout } = await reverie(['memory', 'edit', 'user_me'], { env: { EDITOR: `sed -i s/Body/Soul/` } });
    expect(stdout).toContain('Changed user_me.md (global)');
    expect(code).toBe(0);
    expect(await list()).toMatchObject([{ body: expect.stringContaining('Soul of Me') }]);
    expect(leftBehind()).toEqual([]);
  });
});

describe('the tour', SIDE_BY_SIDE, () => {
  it.each([[[]], [['tour']]])(
    '%j shows what the thing does, without a key or a terminal, and leaves nothing behind',
    async (parameters) => {
      const { root, reverie, leftBehind } = openPlace();
      const env = { OLLAMA_HOST: 'http://127.0.0.1:9', LMSTUDIO_HOST: 'http://127.0.0.1:9' };
      const { code, stdout, stderr } = await reverie(parameters, { env });
      expect(stderr).toBe('');
      expect(code).toBe(0);
      for (const part of ['Saved feedback_', 'type: feedback', '+description:', 'Undid', 'reverie --help'])
        expect(stdout).toContain(part);
      expect(stdout).not.toContain(root);
      expect(leftBehind()).toEqual([]);
      expect(readdirSync(join(root, 'user'))).toEqual([]);
    },
  );

  it('is not what somebody with a model asks for by saying nothing', async () => {
    const { reverie } = openPlace();
    const env = { ANTHROPIC_BASE_URL: 'http://127.0.0.1:9', ANTHROPIC_API_KEY: 'unused' };
    const { code, stdout, stderr } = await reverie([], { env });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('nothing to read');
    expect(stderr).toContain('reverie -p');
  });

  it('plays each step to its right end, whatever the user has set', async () => {
    const { root, data } = openPlace();
    const mine = join(root, 'user', 'mine');
    const steps = await data(['tour'], {
      env: { REVERIE_MEMORY_DIR: mine, REVERIE_HOME: mine, REVERIE_DISABLE_MEMORY: '1' },
    });
    const failed = steps.filter(({ exitCode }: { exitCode: number }) => exitCode !== 0);
    expect(failed.map(({ title }: { title: string }) => title)).toEqual(['A credential does not get in']);
    expect(existsSync(mine)).toBe(false);
  });
});

describe('import, export, settings, trust, doctor', SIDE_BY_SIDE, () => {
  it('carries all memories from one home to another', async () => {
    const { root, reverie, here, data, dataHere, put, list } = openPlace();
    await put('user', 'Me');
    await put('project', 'Freeze');
    const exported = await data(['export', 'all.export']);
    expect(exported).toEqual({ file: join(root, 'project', 'all.export'), memories: 2, warnings: [] });
    expect((await here(['export', '-'])).stdout).toContain('Freeze');

    const home = ['--home', join(root, 'second')];
    const dry = await dataHere(['import', 'all.export', '--dry-run', ...home]);
    expect(dry.imported).toHaveLength(2);
    expect(await dataHere(['memory', 'list', ...home])).toEqual([]);
    const { code, stdout } = await reverie(['import', 'all.export', ...home]);
    expect(code).toBe(0);
    expect(stdout).toContain('Imported 2 memories');
    const bodies = (entries: readonly { file: string; body: string }[]) =>
      entries.map(({ file, body }) => [file, body]);
    expect(bodies(await dataHere(['memory', 'list', ...home]))).toEqual(bodies(await list()));
    expect((await dataHere(['import', 'all.export', ...home])).imported).toEqual([]);
  });

  it('brings in a directory without touching it, or uses it in place', async () => {
    const { root, here, dataHere, put, list } = openPlace();
    const source = join(root, 'theirs');
    mkdirSync(source);
    const text = '---\nname: Theirs\ndescription: From elsewhere\ntype: project\n---\nA fact.\n';
    writeFileSync(join(source, 'my-own-name.md'), text);
    const result = await dataHere(['import', '../theirs']);
    expect(result.imported).toMatchObject([{ file: 'my-own-name.md' }]);
    expect(await dataHere(['memory', 'list'])).toMatchObject([{ file: 'my-own-name.md', source: 'imported' }]);
    expect(readdirSync(source)).toEqual(['my-own-name.md']);
    expect(readFileSync(join(source, 'my-own-name.md'), 'utf8')).toBe(text);

    expect(await dataHere(['import', '../theirs', '--attach'], { cwd: join(root, 'other') })).toEqual({
      folder: source,
    });
    await put('project', 'Added', join(root, 'other'));
    expect(existsSync(join(source, 'project_added.md'))).toBe(true);
    await here(['import', '--detach'], { cwd: join(root, 'other') });
    expect(await list(join(root, 'other'))).toEqual([]);
  });

  it('shows a setting with its origin, and project settings only after trust', async () => {
    const { root, reverie, here, data, dataHere } = openPlace();
    mkdirSync(join(root, 'project/.reverie'));
    const file = join(root, 'project/.reverie/settings.json');
    writeFileSync(file, JSON.stringify({ autoMemoryEnabled: false, memoryGuidelnes: 'x' }));
    expect(await dataHere(['settings', 'autoMemoryEnabled'])).toMatchObject({ value: true, origin: 'default' });
    const refused = await here(['trust']);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    for (const part of ['setting autoMemoryEnabled  false', 'needs --yes here']) expect(refused.stderr).toContain(part);
    expect(await dataHere(['settings', 'autoMemoryEnabled'])).toMatchObject({ value: true, origin: 'default' });
    const enables = [{ what: 'setting', name: 'autoMemoryEnabled', text: 'false' }];
    expect(await data(['trust', '--yes'])).toEqual({ project: join(root, 'project'), trusted: true, enables });
    expect(await dataHere(['settings', 'autoMemoryEnabled'])).toMatchObject({ value: false, origin: 'project', file });
    const all = await reverie(['settings']);
    expect(all.stdout).toContain('memoryGuidelines');
    expect(all.stdout).toMatch(/^autoMemoryEnabled +false +project, /m);
    await here(['trust', '--remove']);
    expect(await dataHere(['settings', 'autoMemoryEnabled'])).toMatchObject({ value: true, origin: 'default' });
    const flagged = await dataHere(['settings', 'autoMemoryEnabled', '--settings', '{"autoMemoryEnabled":false}']);
    expect(flagged).toMatchObject({ value: false, origin: 'flag' });
  });

  it('gives a moved repository its memory back, by the command it names', async () => {
    const { root, start, reverie, here, put, list } = openPlace();
    const [before, after] = [join(root, 'before'), join(root, 'after')];
    const git = ['-c', 'user.name=n', '-c', 'user.email=e@x', '-C', before];
    mkdirSync(before);
    for (const words of [
      ['init', '-q'],
      ['commit', '-q', '--allow-empty', '-m', 'first'],
    ]) {
      expect((await start('git', [...git, ...words]).ended).code).toBe(0);
    }
    await put('project', 'Freeze', before);
    renameSync(before, after);
    const { stdout } = await here(['doctor'], { cwd: after });
    expect(stdout.match(/This project was at/g)).toHaveLength(1);
    const [, words] = /^ {2}reverie (doctor --reattach \S+)$/m.exec(stdout) ?? [];
    expect(await reverie(words!.split(' '), { cwd: after })).toMatchObject({ code: 0, stderr: '' });
    expect(await list(after)).toMatchObject([{ file: 'project_freeze.md' }]);
  });

  it('says all is well, or what is not and how to fix it', async () => {
    const { reverie, here, put, list } = openPlace();
    await put('project', 'Freeze');
    expect(await reverie(['doctor'])).toEqual({ code: 0, stdout: 'All is well.\n', stderr: '' });
    const [entry] = await list();
    writeFileSync(entry!.path.replace('project_freeze', 'broken'), '---\nname: [\n---\nbody\n', { mode: 0o600 });
    const { code, stdout } = await here(['doctor']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/broken\.md:\d+/);
    expect(stdout).toContain('reverie memory edit broken.md');
  });
});

async function waitUntil(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('waited too long');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
