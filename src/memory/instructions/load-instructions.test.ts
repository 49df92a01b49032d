import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { LIMITS } from '../../limits.ts';
import type { InstructionFacts } from './instruction.ts';
import { loadInstructions } from './load-instructions.ts';

/** A file system with the user in `home`, the project in `work/project`, and files by their paths below it all. */
function world(files: Readonly<Record<string, string>>) {
  const root = temporaryFolder('instructions');
  const at = (path: string) => join(root, path);
  for (const folder of ['home', 'work/project']) mkdirSync(at(folder), { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  }
  const facts: InstructionFacts = {
    cwd: at('work/project'),
    projectRoot: at('work/project'),
    userHome: at('home'),
    home: at('home/.reverie'),
    managedFolder: at('managed'),
    trusted: true,
    approvedIncludes: [],
    limits: LIMITS.instructions,
  };
  /** What was loaded from within, by path below the root. */
  const load = (changes: Partial<InstructionFacts> = {}) => {
    const loaded = loadInstructions({ ...facts, ...changes });
    const inside = <File extends { readonly path: string }>(files: readonly File[]) =>
      files.flatMap((file) =>
        file.path.startsWith(`${root}/`) ? [{ ...file, path: file.path.slice(root.length + 1) }] : [],
      );
    const files = inside(loaded.files);
    return {
      files,
      paths: files.map(({ path }) => path),
      conditional: inside(loaded.conditional),
      warnings: loaded.warnings.filter((line) => line.includes(root)).map((line) => line.replaceAll(`${root}/`, '')),
      pending: loaded.pendingIncludes.map((path) => path.slice(root.length + 1)),
    };
  };
  return { at, load };
}

const PROJECT = 'work/project';

describe('the order of instruction files', () => {
  it('is managed, user, project from the top down, local', () => {
    const { at, load } = world({
      'managed/AGENTS.md': 'managed',
      'home/.reverie/AGENTS.md': 'a',
      'home/.reverie/CLAUDE.md': 'a',
      'home/.claude/CLAUDE.md': 'a',
      'home/.claude/rules/style.md': 'a',
      'work/CLAUDE.md': 'a',
      'work/CLAUDE.local.md': 'a',
      [`${PROJECT}/AGENTS.md`]: 'a',
      [`${PROJECT}/CLAUDE.md`]: 'a',
      [`${PROJECT}/.claude/CLAUDE.md`]: 'a',
      [`${PROJECT}/.claude/rules/b.md`]: 'a',
      [`${PROJECT}/.claude/rules/a/deep.md`]: 'a',
      [`${PROJECT}/.claude/rules/notes.txt`]: 'no markdown',
      [`${PROJECT}/AGENTS.local.md`]: 'a',
      [`${PROJECT}/CLAUDE.local.md`]: 'a',
      [`${PROJECT}/packages/one/AGENTS.md`]: 'a',
      [`${PROJECT}/packages/two/AGENTS.md`]: 'not on the way',
    });
    const { files } = load({ cwd: at(`${PROJECT}/packages/one`) });
    expect(files.map(({ path, level }) => `${level} ${path}`)).toEqual([
      'managed managed/AGENTS.md',
      'user home/.reverie/AGENTS.md',
      'user home/.reverie/CLAUDE.md',
      'user home/.claude/CLAUDE.md',
      'user home/.claude/rules/style.md',
      'project work/CLAUDE.md',
      'project work/project/AGENTS.md',
      'project work/project/CLAUDE.md',
      'project work/project/.claude/CLAUDE.md',
      'project work/project/.claude/rules/a/deep.md',
      'project work/project/.claude/rules/b.md',
      'project work/project/packages/one/AGENTS.md',
      'local work/CLAUDE.local.md',
      'local work/project/CLAUDE.local.md',
      'local work/project/AGENTS.local.md',
    ]);
  });

  it('gives the same real file once: by link, by hard link, and in a home folder on the way', () => {
    const { at, load } = world({
      'home/.claude/CLAUDE.md': 'user',
      'home/code/AGENTS.md': 'project',
      'home/code/x': '',
    });
    symlinkSync('AGENTS.md', at('home/code/CLAUDE.md'));
    linkSync(at('home/code/AGENTS.md'), at('home/code/CLAUDE.local.md'));
    const { files } = load({ cwd: at('home/code'), projectRoot: at('home/code') });
    expect(files.map(({ path, level }) => `${level} ${path}`)).toEqual([
      'user home/.claude/CLAUDE.md',
      'project home/code/AGENTS.md',
    ]);
  });

  it('leaves out what a work tree within the main one repeats', () => {
    const tree = `${PROJECT}/trees/one`;
    const gitFolder = `${PROJECT}/.git/worktrees/one`;
    const { at, load } = world({
      [`${PROJECT}/.git/HEAD`]: 'ref: refs/heads/main\n',
      [`${PROJECT}/.git/objects/x`]: '',
      [`${PROJECT}/.git/refs/x`]: '',
      [`${gitFolder}/commondir`]: '../..\n',
      [`${PROJECT}/AGENTS.md`]: 'same',
      [`${PROJECT}/CLAUDE.local.md`]: 'only here',
      [`${tree}/AGENTS.md`]: 'same',
    });
    writeFileSync(at(`${tree}/.git`), `gitdir: ${at(gitFolder)}\n`);
    writeFileSync(at(`${gitFolder}/gitdir`), `${at(`${tree}/.git`)}\n`);
    expect(load({ cwd: at(tree) }).paths).toEqual([`${tree}/AGENTS.md`, `${PROJECT}/CLAUDE.local.md`]);
  });
});

describe('includes', () => {
  const including = (text: string) => ({ [`${PROJECT}/CLAUDE.md`]: text });

  it.each([
    ['beside it', '@a.md', [`${PROJECT}/a.md`]],
    ['in a folder', 'See @docs/b.md, please.', [`${PROJECT}/docs/b.md`]],
    ['with a blank', '@"with space.md"', [`${PROJECT}/with space.md`]],
    ['with an escaped blank', '@with\\ space.md', [`${PROJECT}/with space.md`]],
    ['not within a span', '`@a.md`', []],
    ['not within a fence', '```\n@a.md\n```', []],
    ['not within a comment', 'x <!-- @a.md -->', []],
    ['not an address', 'me@a.md', []],
    ['not a folder', '@docs', []],
    ['itself', '@./CLAUDE.md', []],
    ['twice', '@a.md and @./a.md', [`${PROJECT}/a.md`]],
  ])('%s', (_what, text, expected) => {
    const { load } = world({
      ...including(text),
      [`${PROJECT}/a.md`]: 'a',
      [`${PROJECT}/docs/b.md`]: 'b',
      [`${PROJECT}/with space.md`]: 'c',
    });
    expect(load().paths).toEqual([`${PROJECT}/CLAUDE.md`, ...expected]);
  });

  it('are relative to the including file, and end in a cycle', () => {
    const { load } = world({
      ...including('@docs/a.md'),
      [`${PROJECT}/docs/a.md`]: '@b.md',
      [`${PROJECT}/docs/b.md`]: '@a.md',
    });
    const { paths, warnings } = load();
    expect(paths).toEqual([`${PROJECT}/CLAUDE.md`, `${PROJECT}/docs/a.md`, `${PROJECT}/docs/b.md`]);
    expect(warnings).toEqual([]);
  });

  it('go five deep', () => {
    const chain = Array.from(
      { length: 7 },
      (_, index) => [`${PROJECT}/d${index + 1}.md`, `@d${index + 2}.md`] as const,
    );
    const { paths, warnings } = world({ ...including('@./d1.md'), ...Object.fromEntries(chain) }).load();
    expect(paths).toEqual(['CLAUDE', 'd1', 'd2', 'd3', 'd4', 'd5'].map((name) => `${PROJECT}/${name}.md`));
    expect(warnings).toEqual([`${PROJECT}/d6.md was left out: includes go deeper than 5 files there.`]);
  });

  it.each([
    ['.env', /secrets/],
    ['keys/server.pem', /secrets/],
    ['.ssh/config.md', /secrets/],
    ['aws-credentials.json', /secrets/],
    ['image.md', /UTF-8/],
    ['latin.md', /UTF-8/],
    ['missing.md', /does not exist/],
    ['./docs', /regular file/],
  ])('never hold %s', (path, reason) => {
    const { at, load } = world({
      ...including(`@${path}`),
      [`${PROJECT}/docs/x`]: '',
      [`${PROJECT}/.env`]: 'KEY=1',
      [`${PROJECT}/keys/server.pem`]: 'x',
      [`${PROJECT}/.ssh/config.md`]: 'x',
      [`${PROJECT}/aws-credentials.json`]: '{}',
      [`${PROJECT}/image.md`]: 'a\0b',
    });
    writeFileSync(at(`${PROJECT}/latin.md`), Buffer.from([0x63, 0xe9, 0x21]));
    const { paths, warnings } = load();
    expect(paths).toEqual([`${PROJECT}/CLAUDE.md`]);
    expect(warnings.filter((line) => reason.test(line))).toHaveLength(1);
  });

  it('never hold a secret behind a link, not even for the user', () => {
    const { at, load } = world({ 'home/.reverie/CLAUDE.md': '@~/notes.md @~/.ssh/id_rsa', 'home/.ssh/id_rsa': 'KEY' });
    symlinkSync(at('home/.ssh/id_rsa'), at('home/notes.md'));
    const { paths, warnings } = load();
    expect(paths).toEqual(['home/.reverie/CLAUDE.md']);
    expect(warnings).toHaveLength(2);
  });

  it('wait neither for a pipe nor for a giant', () => {
    const { at, load } = world({ ...including('@./fifo @./big.md'), [`${PROJECT}/big.md`]: '' });
    execFileSync('mkfifo', [at(`${PROJECT}/fifo`)]);
    truncateSync(at(`${PROJECT}/big.md`), 2 ** 30);
    const { paths, warnings } = load();
    expect(paths).toEqual([`${PROJECT}/CLAUDE.md`]);
    expect(warnings).toEqual([
      `${PROJECT}/fifo was left out: it is not a regular file.`,
      `${PROJECT}/big.md was left out: it is larger than 4,194,304 bytes.`,
    ]);
  });

  it.each([
    ['beside the project', '@../shared/x.md', 'work/shared/x.md'],
    ['in a sibling that shares its name', '@../project-two/x.md', 'work/project-two/x.md'],
    ['in the home', '@~/x.md', 'home/x.md'],
    ['behind a link', '@linked.md', 'work/shared/x.md'],
  ])('from a project ask before they reach %s', (_what, text, target) => {
    const outside = ['work/shared/x.md', 'work/project-two/x.md', 'home/x.md'];
    const { at, load } = world({ ...including(text), ...Object.fromEntries(outside.map((path) => [path, 'outside'])) });
    symlinkSync(at('work/shared/x.md'), at(`${PROJECT}/linked.md`));

    const asked = load();
    expect(asked.pending).toEqual([target]);
    expect(asked.warnings).toHaveLength(1);
    expect(asked.paths).toEqual([`${PROJECT}/CLAUDE.md`]);

    const approved = load({ approvedIncludes: [at(target)] });
    expect(approved.pending).toEqual([]);
    expect(approved.files.map((file) => file.text)).toEqual([text, 'outside']);

    const untrusted = load({ trusted: false, approvedIncludes: [at(target)] });
    expect([untrusted.paths, untrusted.pending]).toEqual([[`${PROJECT}/CLAUDE.md`], []]);
    expect(untrusted.warnings[0]).toMatch(/reverie trust$/);

    const declined = load({ declinedIncludes: [at(target)] });
    expect([declined.paths, declined.pending, declined.warnings]).toEqual([[`${PROJECT}/CLAUDE.md`], [], []]);
  });

  it('of an absolute path elsewhere ask too', () => {
    const { at, load } = world({ 'elsewhere/x.md': 'x', [`${PROJECT}/AGENTS.md`]: '' });
    writeFileSync(at(`${PROJECT}/AGENTS.md`), `@${at('elsewhere/x.md')}`);
    expect(load().pending).toEqual(['elsewhere/x.md']);
  });

  it('are asked about when the file itself is a link out of the project', () => {
    const { at, load } = world({ 'work/private.md': 'private' });
    symlinkSync(at('work/private.md'), at(`${PROJECT}/CLAUDE.md`));
    expect(load()).toMatchObject({ paths: [], pending: ['work/private.md'] });
  });

  it('of the user reach anywhere, and those of a folder above the project reach below it', () => {
    const { load } = world({
      'home/.reverie/AGENTS.md': '@~/notes/a.md',
      'home/notes/a.md': 'a',
      'work/AGENTS.md': '@b.md',
      'work/b.md': 'b',
    });
    expect(load().paths).toEqual(['home/.reverie/AGENTS.md', 'home/notes/a.md', 'work/AGENTS.md', 'work/b.md']);
  });

  it('never give one text twice, and end, whatever includes what', () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const graph = fc.array(fc.subarray(names), { minLength: names.length, maxLength: names.length });
    fc.assert(
      fc.property(graph, fc.subarray(names), (edges, first) => {
        const link = (targets: readonly string[]) => targets.map((name) => `@./${name}.md`).join(' ');
        const { load } = world({
          [`${PROJECT}/AGENTS.md`]: `top ${link(first)}`,
          [`${PROJECT}/CLAUDE.md`]: `second ${link(names)}`,
          ...Object.fromEntries(
            names.map((name, index) => [`${PROJECT}/${name}.md`, `text-${name}. ${link(edges[index]!)}`]),
          ),
        });
        const all = load()
          .files.map((file) => file.text)
          .join('\n');
        for (const name of names) expect(all.split(`text-${name}.`)).toHaveLength(2);
      }),
      { numRuns: 30 },
    );
  });
});

describe('the text of instruction files', () => {
  it('has no block comments, no byte order mark, and nothing unseen', () => {
    const { load } = world({ [`${PROJECT}/CLAUDE.md`]: '\uFEFF<!-- for people -->\nUse\u200b tabs.\r\n' });
    const { files, warnings } = load();
    expect(files[0]?.text).toBe('Use tabs.');
    expect(warnings).toEqual([`${PROJECT}/CLAUDE.md holds characters that nobody sees; they were taken out.`]);
  });

  it('is loaded with a word when it is long', () => {
    const { load } = world({
      [`${PROJECT}/CLAUDE.md`]: 'x'.repeat(40_001),
      [`${PROJECT}/AGENTS.md`]: 'x'.repeat(40_000),
    });
    const { paths, warnings } = load();
    expect(paths).toHaveLength(2);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/CLAUDE\.md has 40,001 characters/);
  });

  it('stops at a number of files', () => {
    const { load } = world({
      [`${PROJECT}/AGENTS.md`]: '@a.md @b.md',
      [`${PROJECT}/a.md`]: 'a',
      [`${PROJECT}/b.md`]: 'b',
    });
    expect(load({ limits: { ...LIMITS.instructions, files: 2 } }).paths).toEqual([
      `${PROJECT}/AGENTS.md`,
      `${PROJECT}/a.md`,
    ]);
  });
});

describe('rules', () => {
  it('wait for a file when they have globs, with what they include', () => {
    const { at, load } = world({
      [`${PROJECT}/.claude/rules/api.md`]: '---\npaths: **/*.ts, src/{a,b}/**\n---\nAPI rules @more.md @shared.md',
      [`${PROJECT}/.claude/rules/more.md`]: '---\ndescription: always\n---\nmore',
      [`${PROJECT}/.claude/rules/tests.md`]: '---\npaths:\n  - "test/**"\n---\nTests @part.txt',
      [`${PROJECT}/.claude/rules/part.txt`]: 'part',
      [`${PROJECT}/.claude/rules/zz.md`]: '---\npaths: docs/**\n---\nDocs @part.txt',
      [`${PROJECT}/.claude/rules/shared.md`]: 'shared',
    });
    const { files, conditional } = load();
    expect(files.map((file) => file.text)).toEqual(['more', 'shared']);
    const folder = at(PROJECT);
    const [test, docs] = [
      { folder, glob: 'test/**' },
      { folder, glob: 'docs/**' },
    ];
    expect(conditional.map(({ path, globs }) => ({ path, globs }))).toEqual([
      {
        path: `${PROJECT}/.claude/rules/api.md`,
        globs: [
          { folder, glob: '**/*.ts' },
          { folder, glob: 'src/{a,b}/**' },
        ],
      },
      { path: `${PROJECT}/.claude/rules/tests.md`, globs: [test] },
      { path: `${PROJECT}/.claude/rules/part.txt`, globs: [test, docs] },
      { path: `${PROJECT}/.claude/rules/zz.md`, globs: [docs] },
    ]);
  });

  it('are found through links, and a loop of folders ends', () => {
    const { at, load } = world({ [`${PROJECT}/.claude/rules/a/x.md`]: 'x', [`${PROJECT}/shared/y.md`]: 'y' });
    symlinkSync('..', at(`${PROJECT}/.claude/rules/a/loop`));
    symlinkSync(at(`${PROJECT}/shared`), at(`${PROJECT}/.claude/rules/shared`));
    expect(load().files.map((file) => file.text)).toEqual(['x', 'y']);
  });
});
