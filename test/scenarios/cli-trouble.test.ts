/** The built binary when something is in the way: interruptions, missing editors, broken settings, a directory that is gone. */

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
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

/** A home, a project and a temporary folder of its own for each test. */
function openPlace() {
  const root = temporaryFolder('trouble');
  for (const folder of ['user', 'tmp', 'project']) mkdirSync(join(root, folder));
  const project = join(root, 'project');
  const environment = { PATH: process.env.PATH, HOME: join(root, 'user'), TMPDIR: join(root, 'tmp') };

  function run(program: string, parameters: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
    return new Promise((resolve, reject) => {
      const child = spawn(program, parameters, {
        cwd: project,
        env: { ...environment, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const printed = { stdout: '', stderr: '' };
      child.stdout.setEncoding('utf8').on('data', (text) => {
        printed.stdout += text;
      });
      child.stderr.setEncoding('utf8').on('data', (text) => {
        printed.stderr += text;
      });
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, ...printed }));
    });
  }

  const reverie = (parameters: readonly string[], env?: NodeJS.ProcessEnv) =>
    run(process.execPath, [BINARY, ...parameters], env);
  /** The same command without a process, for what a process has done in another case. */
  const here = (parameters: readonly string[]) => runCommandHere(parameters, { cwd: project, environment });
  const saveMe = () =>
    here(['memory', 'save', '--type', 'user', '--name', 'Me', '--description', 'About me', '--body', 'Body of me']);
  const listed = async () => JSON.parse((await here(['memory', 'list', '--json'])).stdout);

  return { root, run, reverie, here, saveMe, listed };
}

describe.runIf(isPosix)('an interrupted import', SIDE_BY_SIDE, () => {
  it('stops before anything is written, and says so', async () => {
    const { root, reverie, here, listed } = openPlace();
    const source = join(root, 'theirs');
    mkdirSync(source);
    for (let at = 0; at < 200; at++) {
      const header = `name: n${at}\ndescription: d\ntype: project`;
      writeFileSync(join(source, `project_${at}.md`), `---\n${header}\n---\nbody ${at}\n`);
    }
    // The process interrupts itself as it opens the source: no test can be that punctual from outside.
    const interruptsItself = join(root, 'interrupts-itself.mjs');
    writeFileSync(
      interruptsItself,
      `import fs from 'node:fs';
       import { syncBuiltinESMExports } from 'node:module';
       const { openSync } = fs;
       let sent = false;
       fs.openSync = (path, ...others) => {
         if (path === ${JSON.stringify(source)} && !sent) {
           sent = true;
           process.kill(process.pid, 'SIGINT');
         }
         return openSync(path, ...others);
       };
       syncBuiltinESMExports();`,
    );
    const ran = await reverie(['import', source], { NODE_OPTIONS: `--import ${interruptsItself}` });
    expect(ran).toEqual({ code: 130, stdout: '', stderr: 'reverie: Interrupted; nothing was imported.\n' });
    expect(await listed()).toEqual([]);
    expect((await here(['import', source])).stdout).toContain('Imported 200 memories');
  });
});

describe.runIf(isPosix)('an editor that fails', SIDE_BY_SIDE, () => {
  it.each([['no-such-editor'], ['no-such-editor --wait'], ['/etc/hostname']])(
    '%s cannot be started, and that is said with a way on',
    async (EDITOR) => {
      const { root, reverie, saveMe } = openPlace();
      await saveMe();
      const ran = await reverie(['memory', 'edit', 'user_me'], { EDITOR });
      expect(ran.code).toBe(1);
      expect(ran.stderr).toContain(`The editor ${EDITOR} cannot be started`);
      expect(ran.stderr).toContain('export EDITOR=');
      expect(ran.stderr).not.toMatch(/spawn|ENOENT|EACCES|defect/);
      expect(readdirSync(join(root, 'tmp'))).toEqual([]);
    },
  );

  it('keeps what was typed when it is killed', async () => {
    const { reverie, saveMe, listed } = openPlace();
    await saveMe();
    const EDITOR = `sh -c 'echo typed > "$1"; kill -9 $$' sh`;
    const ran = await reverie(['memory', 'edit', 'user_me'], { EDITOR });
    expect(ran.code).toBe(1);
    const [, kept] = /Your text is kept in (.+)$/m.exec(ran.stderr) ?? [];
    expect(readFileSync(kept!, 'utf8')).toBe('typed\n');
    expect((await listed())[0].body).toContain('Body of me');
  });

  it('changes nothing when it removes the file', async () => {
    const { reverie, saveMe, listed } = openPlace();
    await saveMe();
    const ran = await reverie(['memory', 'edit', 'user_me'], { EDITOR: 'rm' });
    expect(ran).toEqual({ code: 0, stdout: 'The editor left no file: user_me.md is as it was.\n', stderr: '' });
    expect((await listed())[0].body).toContain('Body of me');
  });
});

describe.runIf(isPosix)('a current directory that is gone', SIDE_BY_SIDE, () => {
  it('is said in words', async () => {
    const { root, run } = openPlace();
    mkdirSync(join(root, 'gone'));
    const line = 'cd "$0" && rmdir "$0" && exec "$1" "$2" memory list';
    const ran = await run('sh', ['-c', line, join(root, 'gone'), process.execPath, BINARY]);
    expect(ran).toEqual({
      code: 1,
      stdout: '',
      stderr: 'reverie: The current directory no longer exists; go to another one.\n',
    });
  });
});

describe('settings that cannot be read', SIDE_BY_SIDE, () => {
  it.each([[[]], [['autoMemoryEnabled']]] as string[][][])(
    'are told with file, line and fix by settings %j',
    async (key) => {
      const { root, here } = openPlace();
      const file = join(root, 'user', '.reverie', 'settings.json');
      mkdirSync(join(root, 'user', '.reverie'));
      writeFileSync(file, '{\n  "autoMemoryEnabled": false,\n}\n');
      const { code, stdout } = await here(['settings', ...key]);
      expect(code).toBe(0);
      expect(stdout).toContain(`warning: ${file}:3: This is not valid JSON`);
      expect(stdout).toContain(`Fix line 3 of ${file}.`);
      const { problems } = JSON.parse((await here(['settings', ...key, '--json'])).stdout);
      expect(problems).toMatchObject([{ file, line: 3 }]);

      writeFileSync(file, '{\n  "autoMemoryEnabeld": false\n}\n');
      const unknown = await here(['settings', ...key]);
      expect(unknown.stdout).toContain(`${file}:2: There is no setting \`autoMemoryEnabeld\``);
      expect(unknown.stdout).toContain('Write `autoMemoryEnabled`');
    },
  );
});

describe('limits that can no longer be set', SIDE_BY_SIDE, () => {
  it.each([['status'], ['doctor'], ['settings']])('are told all at once by %s, and nothing fails', async (command) => {
    const { root, here } = openPlace();
    const file = join(root, 'user', '.reverie', 'settings.json');
    mkdirSync(join(root, 'user', '.reverie'));
    writeFileSync(file, '{ "limits": { "path": { "depth": 3 }, "index": { "lines": 9 } }, "limits.shell.drainMs": 5 }');
    const { code, stdout } = await here([command]);
    expect(code).toBe(0);
    expect(stdout.match(/can no longer be set/g)).toHaveLength(1);
    expect(stdout).toContain('These limits can no longer be set: limits.path.depth, limits.shell.drainMs.');
    expect(stdout.replace(/\s+/g, ' ')).toContain(`Delete them from ${file}.`);
  });
});

describe('doctor', SIDE_BY_SIDE, () => {
  it('names commands that lead to the same memory again', async () => {
    const { root, reverie, here } = openPlace();
    const home = join(root, 'another home');
    await here(['trust', '--yes', '--home', home]);
    const saved = await here(
      ['memory', 'save', '--type', 'user', '--name', 'A', '--description', 'b', '--body', 'c'].concat('--home', home),
    );
    expect(saved.code).toBe(0);
    writeFileSync(join(home, 'memory', '-odd.md'), 'no front matter\n', { mode: 0o600 });
    const { stdout } = await here(['doctor', '--home', home]);
    const [, command] = /^ {2}(reverie .* memory edit .*)$/m.exec(stdout) ?? [];
    expect(command).toBe(`reverie --home '${home}' memory edit -- -odd.md`);
    const edited = await reverie(['--home', home, 'memory', 'edit', '--', '-odd.md'], { VISUAL: 'true' });
    expect(edited).toMatchObject({ code: 0, stdout: '-odd.md is as it was.\n' });
  });

  it('says what is wrong with a home that cannot be, and exits 1', async () => {
    const { root, reverie } = openPlace();
    writeFileSync(join(root, 'file'), '');
    const { code, stdout, stderr } = await reverie(['doctor', '--home', join(root, 'file', 'home')]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toContain(`${join(root, 'file')} is not a folder`);
  });

  it('trust leaves a list that it cannot read as it is', async () => {
    const { root, here } = openPlace();
    const file = join(root, 'user', '.reverie', 'trusted.json');
    mkdirSync(join(root, 'user', '.reverie'));
    writeFileSync(file, '{"projects": ["/a"');
    const { code, stderr } = await here(['trust', '--yes']);
    expect(code).toBe(1);
    expect(stderr).toContain(`rm -r ${file}`);
    expect(existsSync(file) && readFileSync(file, 'utf8')).toBe('{"projects": ["/a"');
  });
});

describe('a flipped byte in the journal', SIDE_BY_SIDE, () => {
  it('is told by log, diff and undo with what to do, and named by doctor', async () => {
    const { root, reverie, here, saveMe, listed } = openPlace();
    await saveMe();
    await here(['memory', 'save', '--type', 'user', '--name', 'Two', '--description', 'Second', '--body', 'Body two']);
    const journal = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .map((name) => join(root, name))
      .find((name) => name.endsWith('changes.jsonl') && readFileSync(name, 'utf8').includes('Second'))!;
    const text = readFileSync(journal, 'utf8');
    const newest = text.lastIndexOf('"before":null');
    writeFileSync(journal, `${text.slice(0, newest)}"befoRe":null${text.slice(newest + '"before":null'.length)}`);

    const log = await reverie(['memory', 'log']);
    expect([log.code, log.stderr]).toEqual([0, expect.stringMatching(/^warning: The journal of .+ reverie doctor\n$/)]);
    expect((await here(['memory', 'diff'])).code).toBe(0);
    const undo = await here(['memory', 'undo']);
    expect(undo.code).toBe(1);
    expect(undo.stderr).toContain('The newest change cannot be undone: its line in the journal is damaged.');
    const [, older] = /reverie memory undo (\S+)\. /.exec(undo.stderr)!;
    expect(await listed()).toHaveLength(2);
    const doctor = await here(['doctor']);
    expect(doctor.stdout).toMatch(/1 damaged line in the journal/);
    expect(doctor.stdout).toContain('changes.jsonl');
    expect((await here(['memory', 'undo', older!])).code).toBe(0);
    expect(await listed()).toHaveLength(1);
  });
});
