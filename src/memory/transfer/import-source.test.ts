import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { IMPORT_LIMITS, PATH_LIMITS } from '../../limits.ts';
import { findClaudeCodeMemory, readMemoryDirectory } from './import-source.ts';

const made: string[] = [];
afterEach(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
});

/** A temporary folder with these files. */
function folder(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const root = temporaryFolder('import');
  made.push(root);
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), content);
  }
  return root;
}

const GOOD = '---\nname: Ada\ndescription: Who Ada is\ntype: user\n---\nAda writes.\n';

/** Every file below a folder with its bytes and time, to see that nothing changed. */
function snapshot(root: string): unknown[] {
  const names = readdirSync(root, { recursive: true }).map(String).sort();
  return names.map((name) => {
    const facts = statSync(join(root, name));
    return [name, facts.mtimeMs, facts.mode, facts.isFile() ? readFileSync(join(root, name), 'base64') : null];
  });
}

describe('readMemoryDirectory', () => {
  it('reads every markdown file below the folder, in order, byte for byte, and changes nothing', () => {
    const odd = new Uint8Array([0xef, 0xbb, 0xbf, 0x61, 0x0d, 0x0a]);
    const root = folder({
      'b.md': GOOD,
      'a.md': odd,
      'notes/deep/c.md': GOOD,
      'notes/picture.png': 'x',
      README: 'x',
      '.git/x.md': GOOD,
      '.hidden.md': GOOD,
      'notes/.reverie/y.md': GOOD,
    });
    const before = snapshot(root);
    const { candidates } = readMemoryDirectory(root);
    expect(candidates.map(({ file, from }) => [file, from])).toEqual([
      ['a.md', join(root, 'a.md')],
      ['b.md', join(root, 'b.md')],
      ['notes/deep/c.md', join(root, 'notes/deep/c.md')],
    ]);
    expect(Buffer.from(candidates[0]!.bytes).equals(odd)).toBe(true);
    expect(snapshot(root)).toEqual(before);
  });

  it("takes titles and hooks from the source's own index, and keeps its other lines", () => {
    const root = folder({
      'MEMORY.md':
        '# What I know\n\n- [Ada Lovelace](ada.md) — writes notes\n- [Gone](gone.md) — not there\nMind the gap.\n',
      'ada.md': GOOD,
      'other.md': GOOD,
    });
    const { candidates, prose, problems } = readMemoryDirectory(root);
    expect(candidates.map(({ file, hook }) => [file, hook])).toEqual([
      ['ada.md', { title: 'Ada Lovelace', hook: 'writes notes' }],
      ['other.md', undefined],
    ]);
    expect(prose).toEqual(['# What I know', 'Mind the gap.']);
    expect(problems).toEqual([
      expect.objectContaining({ file: 'MEMORY.md', line: 4, problem: expect.stringContaining('gone.md') }),
    ]);
  });

  it('reports what it leaves out, with the reason and what to do', () => {
    const outside = folder({ 'secret.md': GOOD });
    const root = folder({
      'kept.md': GOOD,
      'large.md': 'x'.repeat(IMPORT_LIMITS.fileBytes + 1),
      'just-fits.md': GOOD + 'x'.repeat(IMPORT_LIMITS.fileBytes - GOOD.length),
      'sub/MEMORY.md': '- [X](x.md)\n',
      'CAPITALS.MD': GOOD,
    });
    symlinkSync(join(outside, 'secret.md'), join(root, 'link.md'));
    symlinkSync(outside, join(root, 'linked-folder'));
    symlinkSync(join(root, 'nowhere'), join(root, 'picture'));
    execFileSync('mkfifo', [join(root, 'pipe.md')]);
    mkdirSync(join(root, ...Array.from({ length: PATH_LIMITS.depth + 1 }, () => 'd')), { recursive: true });

    const { candidates, problems } = readMemoryDirectory(root);
    expect(candidates.map(({ file }) => file)).toEqual(['just-fits.md', 'kept.md']);
    const reasons = Object.fromEntries(problems.map(({ file, problem }) => [file, problem]));
    expect(reasons).toEqual({
      'link.md': expect.stringContaining('link'),
      'linked-folder': expect.stringContaining('link'),
      'large.md': expect.stringContaining('larger'),
      'pipe.md': expect.stringContaining('not a regular file'),
      'sub/MEMORY.md': expect.stringContaining('index'),
      'CAPITALS.MD': expect.stringContaining('.md'),
      [Array.from({ length: PATH_LIMITS.depth + 1 }, () => 'd').join('/')]: expect.stringContaining('deeper'),
    });
    expect(problems.every(({ problem, fix }) => problem.startsWith('not imported') && fix !== '')).toBe(true);
  });

  it('reads no index through a link', () => {
    const outside = folder({ 'private.md': '- [A](a.md) — leaked\nleaked\n' });
    const root = folder({ 'a.md': GOOD });
    symlinkSync(join(outside, 'private.md'), join(root, 'MEMORY.md'));
    const { candidates, prose, problems } = readMemoryDirectory(root);
    expect(candidates[0]).not.toHaveProperty('hook');
    expect(prose).toEqual([]);
    expect(problems).toMatchObject([{ file: 'MEMORY.md' }]);
  });

  it('follows the folder itself when that is a link', () => {
    const root = folder({ 'a.md': GOOD });
    const link = `${root}-link`;
    symlinkSync(root, link);
    made.push(link);
    expect(readMemoryDirectory(link).candidates).toMatchObject([{ file: 'a.md', from: join(link, 'a.md') }]);
  });

  it('takes a file with odd front matter along and says what is odd, with its line', () => {
    const root = folder({ 'plain.md': 'Just text.\n', 'typo.md': GOOD.replace('type: user', 'type: usr') });
    const { candidates, problems } = readMemoryDirectory(root);
    expect(candidates).toHaveLength(2);
    expect(problems).toEqual([
      expect.objectContaining({ file: 'plain.md', line: 1, problem: 'There is no front matter.' }),
      expect.objectContaining({ file: 'typo.md', line: 4, problem: expect.stringContaining('usr') }),
    ]);
  });

  it.skipIf(process.getuid?.() === 0)('goes on past what it may not read', () => {
    const root = folder({ 'a.md': GOOD, 'closed.md': GOOD, 'sealed/b.md': GOOD });
    chmodSync(join(root, 'closed.md'), 0);
    chmodSync(join(root, 'sealed'), 0);
    const { candidates, problems } = readMemoryDirectory(root);
    chmodSync(join(root, 'sealed'), 0o700);
    expect(candidates.map(({ file }) => file)).toEqual(['a.md']);
    expect(problems.map(({ file }) => file).sort()).toEqual(['closed.md', 'sealed']);
  });

  it('says so when there is no such folder, or no folder', () => {
    const root = folder({ 'a.md': GOOD });
    for (const path of [join(root, 'absent'), join(root, 'a.md')]) {
      expect(readMemoryDirectory(path)).toMatchObject({ candidates: [], prose: [], problems: [{ file: path }] });
    }
  });
});

describe('findClaudeCodeMemory', () => {
  it('looks under the root with every other character made a dash', () => {
    const userHome = folder();
    const slug = '-srv-My-App--2----ber';
    const memory = join(userHome, '.claude', 'projects', slug, 'memory');
    const facts = { userHome, env: {}, projectRoot: '/srv/My App/.2/__über' };
    expect(findClaudeCodeMemory(facts)).toEqual({ looked: [memory] });
    mkdirSync(memory, { recursive: true });
    expect(findClaudeCodeMemory(facts)).toEqual({ found: memory });
  });

  it('looks where CLAUDE_CONFIG_DIR says, and nowhere else', () => {
    const userHome = folder({ '.claude/projects/-srv-app/memory/a.md': GOOD });
    const other = folder();
    const facts = { userHome, env: { CLAUDE_CONFIG_DIR: other }, projectRoot: '/srv/app' };
    expect(findClaudeCodeMemory(facts)).toEqual({ looked: [join(other, 'projects', '-srv-app', 'memory')] });
    expect(findClaudeCodeMemory({ ...facts, env: { CLAUDE_CONFIG_DIR: '' } })).toHaveProperty('found');
  });

  it('finds the memory under the real path of a linked project', () => {
    const project = folder();
    const link = `${project}-link`;
    symlinkSync(project, link);
    made.push(link);
    const userHome = folder({ [`.claude/projects/${project.replace(/[^A-Za-z0-9]/g, '-')}/memory/a.md`]: GOOD });
    expect(findClaudeCodeMemory({ userHome, env: {}, projectRoot: link })).toHaveProperty('found');
  });

  it('does not take a file for the folder', () => {
    const userHome = folder({ '.claude/projects/-srv-app/memory': 'x' });
    expect(findClaudeCodeMemory({ userHome, env: {}, projectRoot: '/srv/app' })).toHaveProperty('looked');
  });
});
