import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INSTRUCTION_LIMITS, LIMITS } from '../../limits.ts';
import { admitFile, isSecretNamed } from './admit.ts';
import { compileGlob } from './glob.ts';
import type { ConditionalRule } from './instruction.ts';
import { matchRules } from './match-rules.ts';
import { readRule } from './rule-front-matter.ts';

const MOST = INSTRUCTION_LIMITS.globAlternatives;

describe('globs', () => {
  it.each([
    ['**/*.ts', ['a.ts', 'src/a.ts', 'src/deep/a.ts', '.hidden/a.ts'], ['a.tsx', 'a.ts/b', 'ts']],
    ['*.md', ['README.md'], ['docs/README.md', 'README.mdx']],
    ['src/**', ['src/a', 'src/b/c.ts', 'src'], ['lib/a', 'srcs/a']],
    ['src/', ['src/a', 'src/b/c'], ['lib/src/a']],
    ['./src/*.ts', ['src/a.ts'], ['src/b/a.ts']],
    ['/src/*.ts', ['src/a.ts'], ['a.ts']],
    ['src/**/test/*.ts', ['src/test/a.ts', 'src/a/b/test/a.ts'], ['src/a/test/b/a.ts']],
    ['**/a/**/b', ['a/b', 'x/a/y/b', 'a/a/b/b'], ['b/a', 'ab']],
    ['*.{ts,tsx}', ['a.ts', 'a.tsx'], ['a.js', 'a.t']],
    ['{src,lib}/**/*.{a,b{c,d}}', ['src/x.a', 'lib/y/x.bc', 'lib/x.bd'], ['src/x.b', 'test/x.a']],
    ['a{b}c', ['a{b}c'], ['abc']],
    ['file?.txt', ['file1.txt', 'fileé.txt', 'file😀.txt'], ['file.txt', 'file12.txt']],
    ['[a-c]*.ts', ['a.ts', 'bee.ts'], ['d.ts', '.ts']],
    ['[!a-c].ts', ['d.ts'], ['a.ts', 'dd.ts']],
    ['[]x].ts', ['].ts', 'x.ts'], ['y.ts']],
    ['a[b', ['a[b'], ['ab']],
    ['\\*.ts', ['*.ts'], ['a.ts']],
    ['a*b*c', ['abc', 'a1b2c', 'abbc', 'abcbc'], ['acb', 'ab']],
    ['a.ts', ['a.ts'], ['axts']],
  ])('%s', (glob, matching, other) => {
    const matches = compileGlob(glob, MOST)!;
    expect(matching.filter((path) => !matches(path))).toEqual([]);
    expect(other.filter((path) => matches(path))).toEqual([]);
  });

  it('match as a regular expression made of them would', () => {
    const signs = fc.array(fc.constantFrom('a', 'b', '*', '?', '/', '**'), { maxLength: 8 });
    const paths = fc.array(fc.constantFrom('a', 'b', '/'), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(signs, paths, (glob, path) => {
        const segments = glob.join('').split('/');
        // Segments of `**` alone are left to the table: one in the middle may stand for no folder at all.
        fc.pre(segments.every((segment) => segment !== '' && segment !== '**') && !path.join('').startsWith('/'));
        const expression = glob.join('').replace(/\*+/g, '[^/]*').replaceAll('?', '[^/]');
        const expected = new RegExp(`^${expression}$`).test(path.join(''));
        expect(compileGlob(glob.join(''), MOST)!(path.join(''))).toBe(expected);
      }),
    );
  });

  it('cannot be made slow or large', () => {
    expect(compileGlob('{a,b}'.repeat(40), MOST)).toBeNull();
    expect(compileGlob(`${'{'.repeat(5_000)},`, MOST)!('x')).toBe(false);
    expect(compileGlob(`${'*a'.repeat(2_000)}b`, MOST)!('a'.repeat(10_000))).toBe(false);
    expect(compileGlob(`${'**/a/'.repeat(200)}b`, MOST)!('a/'.repeat(2_000))).toBe(false);
    for (const part of ['{', '{a,', '{a}', '*a', '**/a/', '[', '\\{']) {
      const glob = part.repeat(1_000_000 / part.length);
      expect([part, compileGlob(glob, MOST)!('a/'.repeat(1_000))]).toEqual([part, false]);
    }
  }, 60_000);
});

describe('the front matter of a rule', () => {
  it.each([
    ['a list', 'paths:\n  - src/**\n  - "lib/**" \n', ['src/**', 'lib/**']],
    ['a list that is not indented', 'paths:\n- a\n- b\nother: x', ['a', 'b']],
    ['a list with comments', 'paths:\n  # those\n  - a # this\n\n  - b\n', ['a', 'b']],
    ['a star that YAML would take for a reference', 'paths: **/*.ts', ['**/*.ts']],
    ['several with commas', 'paths: "a, b", src/{x,y}/**', ['a, b', 'src/{x,y}/**']],
    ['brackets', 'paths: ["src/**", lib/[a,b].ts]', ['src/**', 'lib/[a,b].ts']],
    ['brackets over lines', 'paths: [\n  "a",\n  b,\n]\nname: x', ['a', 'b']],
    ['another key first', 'name: x\nPaths: a', ['a']],
  ])('%s', (_what, header, globs) => {
    expect(readRule(`---\n${header}\n---\nThe rule.`)).toEqual({ body: 'The rule.', globs, isEmptyPaths: false });
  });

  it.each([
    ['nothing', 'The rule.', 'The rule.', false],
    ['other keys only', '---\nname: x\n---\nThe rule.', 'The rule.', false],
    ['an empty list', '---\npaths:\n---\nThe rule.', 'The rule.', true],
    ['no end', '---\npaths: a\nThe rule.', '---\npaths: a\nThe rule.', false],
  ])('without globs: %s', (_what, text, body, isEmptyPaths) => {
    expect(readRule(text)).toEqual({ body, globs: null, isEmptyPaths });
  });
});

describe('rules for a touched file', () => {
  const rule = (path: string, folder: string, ...globs: string[]): ConditionalRule => {
    return { path, level: 'project', text: path, globs: globs.map((glob) => ({ folder, glob })) };
  };

  it('are those with a glob that matches below their folder', () => {
    const rules = [rule('ts', '/p', '**/*.ts'), rule('api', '/p/api', 'src/**', 'x'), rule('all', '/', '**')];
    const matched = (path: string) => matchRules(rules, path).map((each) => each.path);
    expect(matched('/p/a.ts')).toEqual(['ts', 'all']);
    expect(matched('/p/api/src/a.js')).toEqual(['api', 'all']);
    expect(matched('/p/src/a.js')).toEqual(['all']);
    expect(matched('/pp/a.ts')).toEqual(['all']);
  });
});

describe('admission', () => {
  const place = {
    level: 'project',
    files: [],
    rules: null,
    globFolder: '/p',
    within: ['/p'],
    isOpenToAll: false,
  } as const;
  const located = { kind: 'file', real: '/p/a.md', identity: '1:1', ownerId: 7, bytes: 10 } as const;
  const facts = { trusted: true, approvedIncludes: [], limits: LIMITS.instructions, userId: 7 };

  it('refuses what another user put into a folder that all may write to', () => {
    const verdict = (ownerId: number, isOpenToAll: boolean) =>
      admitFile({ path: '/p/a.md', located: { ...located, ownerId }, place: { ...place, isOpenToAll } }, facts).verdict;
    expect([verdict(7, true), verdict(0, true), verdict(8, false), verdict(8, true)]).toEqual([
      'read',
      'read',
      'read',
      'skip',
    ]);
  });

  it('goes by whole names of folders', () => {
    const verdict = (real: string) =>
      admitFile({ path: '/p/a.md', located: { ...located, real }, place }, facts).verdict;
    expect([verdict('/p/b.md'), verdict('/p2/b.md'), verdict('/b.md')]).toEqual(['read', 'ask', 'ask']);
  });
});

describe('names of secrets', () => {
  it.each([
    ['/p/.env', true],
    ['/p/.env.production', true],
    ['/p/prod.env', true],
    ['/p/.env.example', false],
    ['/p/.envrc', true],
    ['/p/server.PEM', true],
    ['/h/.ssh/config', true],
    ['/h/.aws/readme.md', true],
    ['/p/id_rsa', true],
    ['/p/id_ed25519', true],
    ['/p/id_rsa.pub', false],
    ['/etc/shadow', true],
    ['/etc/passwd', true],
    ['/p/credentials', true],
    ['/p/my-credentials.json', true],
    ['/p/.npmrc', true],
    ['/p/docs/secrets.md', false],
    ['/p/environment.md', false],
    ['/p/keys.md', false],
    ['/p/password-policy.md', false],
  ])('%s', (path, isSecret) => {
    expect(isSecretNamed(path)).toBe(isSecret);
  });
});
