import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ALLOWED } from '../../../test/faults/read-only-shell-cases.ts';
import { MORE_ALLOWED } from '../../../test/faults/read-only-shell-more-cases.ts';
import { factsOfTree, makeShellTree, type ShellTree } from '../../../test/faults/read-only-shell-tree.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { LIMITS, type Limits } from '../../limits.ts';
import { createKeptOutput, type ReadOnlyRun, runReadOnly } from './run-read-only.ts';

const base = temporaryFolder('run');
mkdirSync(`${base}/calm`);
mkdirSync(`${base}/busy`);
const calm = makeShellTree(`${base}/calm`);
const tree = makeShellTree(`${base}/busy`);
/** A file without blocks that takes minutes to read. */
const ENDLESS = 'endless.bin';
writeFileSync(`${tree.cwd}/${ENDLESS}`, '');
truncateSync(`${tree.cwd}/${ENDLESS}`, 2 ** 40);

function run(
  command: string,
  change: {
    readonly limits?: Partial<Limits['readOnlyShell']>;
    readonly signal?: AbortSignal;
    readonly tree?: ShellTree;
  } = {},
): Promise<ReadOnlyRun> {
  return runReadOnly(command, {
    cwd: (change.tree ?? tree).cwd,
    roots: (change.tree ?? tree).roots,
    signal: change.signal ?? new AbortController().signal,
    limits: { ...LIMITS.readOnlyShell, ...change.limits },
  });
}

function processesNaming(word: string): string[] {
  if (!existsSync('/proc/self/cmdline')) return [];
  return readdirSync('/proc').filter((id) => {
    try {
      return /^\d+$/.test(id) && readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0').includes(word);
    } catch {
      return false;
    }
  });
}

describe.concurrent('a line', () => {
  it.each([
    ['cat victim.txt', "victim.txt\nfoo bar\nthe deploy process\nit's here\n", 0],
    ['cat victim.txt | grep -n deploy', '3:the deploy process\n', 0],
    ['cat victim.txt | head -n 2 | tail -n 1', 'foo bar\n', 0],
    ['ls nosuch', "ls: cannot access 'nosuch': No such file or directory\n", 2],
    ['ls nosuch 2>/dev/null', '', 2],
    ['ls nosuch | wc -l', /^(?:ls: cannot .*\n0\n|0\nls: cannot .*\n)$/, 0],
    ['ls nosuch 2>/dev/null | wc -l', '0\n', 0],
    ['ls nosuch 2>&1 | wc -l', '1\n', 0],
    ['ls nosuch 2>&1', "ls: cannot access 'nosuch': No such file or directory\n", 2],
    ['grep -q foo victim.txt && cat notes/a.md | head -1', 'notes/a.md\n', 0],
    ['grep -q nothere victim.txt && ls', '', 1],
    ['grep -q nothere victim.txt || wc -l victim.txt', '4 victim.txt\n', 0],
    ['grep -q foo victim.txt || ls; wc -l victim.txt', '4 victim.txt\n', 0],
    ['wc -l victim.txt; grep -q nothere victim.txt', '4 victim.txt\n', 1],
    ["stat -c '%F' fifo", 'fifo\n', 0],
    ["find . -maxdepth 1 -name '*.md'", './readme.md\n', 0],
    ['ls "notes/*.md"', 'notes/*.md\n', 0],
    ['cat notes/*.md | grep -c foo', '9\n', 0],
    ['ls | grep -r ECONNRESET <home>/tx', `<home>/tx/one.jsonl:{"error":"ECONNRESET"}\n`, 0],
  ])('%s', async (command, output, exitCode) => {
    const result = await run(tree.fill(command));
    if (typeof output === 'string') expect(result.output).toBe(tree.fill(output));
    else expect(result.output).toMatch(output);
    expect(result).toMatchObject({ exitCode, isTruncated: false, timedOut: false });
  });

  it('that is denied is not run', async () => {
    await expect(run('ls; touch made.txt')).rejects.toMatchObject({ code: 'refused' });
    expect(existsSync(`${tree.cwd}/made.txt`)).toBe(false);
  });

  it('of the tables changes nothing and tells nothing from outside', async () => {
    const before = factsOfTree(calm.base);
    const commands = [ALLOWED, MORE_ALLOWED].flatMap((table) => Object.values(table).flat());
    const outputs: string[] = [];
    const left = [...commands];
    const takeAll = async () => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) {
        outputs.push((await run(calm.fill(next), { tree: calm })).output);
      }
    };
    await Promise.all([takeAll(), takeAll(), takeAll()]);
    expect(outputs).toHaveLength(commands.length);
    for (const secret of calm.secrets) expect(outputs.filter((output) => output.includes(secret))).toEqual([]);
    expect(factsOfTree(calm.base)).toEqual(before);
  });
});

describe('a program', () => {
  it('of the working folder never runs in place of the real one', async () => {
    writeFileSync(`${tree.cwd}/wc`, '#!/bin/sh\necho wrong\n', { mode: 0o755 });
    expect((await run('wc -l victim.txt')).output).toBe('4 victim.txt\n');
  });

  it('that would take minutes is ended at the time limit, with all of its pipeline', async () => {
    const result = await run(`cat ${ENDLESS} | grep -c nothere | wc -l; ls`, { limits: { timeoutMs: 200 } });
    expect(result).toEqual({ output: '', exitCode: 124, isTruncated: false, timedOut: true });
    expect(processesNaming(`${tree.cwd}/${ENDLESS}`)).toEqual([]);
  });

  it('that writes without end is ended at the output limit', async () => {
    const result = await run(`cat -v ${ENDLESS}; ls`, { limits: { outputBytes: 1_000 } });
    expect(result).toMatchObject({ isTruncated: true, timedOut: false });
    expect(result.output).toBe('^@'.repeat(500));
    expect(processesNaming(`${tree.cwd}/${ENDLESS}`)).toEqual([]);
  });

  it('ends when the one that reads it has ended', async () => {
    const result = await run(`cat ${ENDLESS} | head -c 3 | cat -v`);
    expect(result).toEqual({ output: '^@^@^@', exitCode: 0, isTruncated: false, timedOut: false });
  });

  it('ends when the user interrupts', async () => {
    const controller = new AbortController();
    const running = run(`wc -l ${ENDLESS}; ls`, { signal: controller.signal });
    controller.abort();
    expect(await running).toEqual({ output: '', exitCode: 130, isTruncated: false, timedOut: false });
    expect(processesNaming(ENDLESS)).toEqual([]);
  });

  it('does not start when the user has interrupted before', async () => {
    expect(await run('ls', { signal: AbortSignal.abort() })).toMatchObject({ output: '', exitCode: 130 });
  });

  it('whose file was swapped for a link meanwhile has its output dropped', async () => {
    writeFileSync(`${tree.cwd}/swapped.txt`, 'harmless\n');
    const running = run(`wc -l ${ENDLESS}; cat swapped.txt`, { limits: { timeoutMs: 300 } });
    rmSync(`${tree.cwd}/swapped.txt`);
    symlinkSync(`${tree.base}/outside/secret.txt`, `${tree.cwd}/swapped.txt`);
    await expect(running).rejects.toMatchObject({ code: 'refused', message: expect.stringMatching(/swapped\.txt/) });
    rmSync(`${tree.cwd}/swapped.txt`);
  });
});

describe('kept output', () => {
  it('is never cut inside a character', () => {
    let fullCount = 0;
    const kept = createKeptOutput({ outputBytes: 5 }, () => {
      fullCount += 1;
    });
    kept.add(Buffer.from('aé'));
    kept.add(Buffer.from('日本'));
    kept.add(Buffer.from('more'));
    expect(kept.text()).toBe('aé');
    expect(fullCount).toBe(1);
  });
});
