/** Rules as people write them: what each means, and what is told about the others. */

import { describe, expect, it } from 'vitest';
import { PERMISSION_LIMITS } from '../../limits.ts';
import { pathPatternMatches, wildcardMatches } from './path-pattern.ts';
import { readRules } from './read-rules.ts';
import { parseRule } from './rule.ts';

describe('a rule', () => {
  it.each<readonly [string, object]>([
    ['Bash', { kind: 'tool', tool: 'Bash' }],
    ['Bash(*)', { kind: 'tool', tool: 'Bash' }],
    [' Bash(npm test:*) ', { kind: 'command', words: ['npm', 'test'], isPrefix: true, text: 'Bash(npm test:*)' }],
    ['Bash(npm run *)', { kind: 'command', words: ['npm', 'run'], isPrefix: true }],
    ['Bash(git status)', { kind: 'command', words: ['git', 'status'], isPrefix: false }],
    ['Bash(git commit -m "a b")', { kind: 'command', words: ['git', 'commit', '-m', 'a b'], isPrefix: false }],
    ['Bash(git push * main)', { kind: 'command', words: ['git', 'push', '*', 'main'], isPrefix: false }],
    ['Edit(src/**)', { kind: 'path', tool: 'Edit', patterns: ['src/**'] }],
    ['Read(~/secrets/{a,b}/**)', { kind: 'path', tool: 'Read', patterns: ['~/secrets/a/**', '~/secrets/b/**'] }],
    ['mcp__server__tool', { kind: 'tool', tool: 'mcp__server__tool' }],
    ['WebFetch(domain:Example.com)', { kind: 'domain', domain: 'example.com' }],
    ['Skill(deploy)', { kind: 'skill', name: 'deploy' }],
  ])('%s', (text, meaning) => {
    expect(parseRule(text)).toMatchObject(meaning);
  });

  it.each([
    [''],
    ['Bash()'],
    ['Bash(a && b)'],
    ['Bash(a; b:*)'],
    ["Bash(a 'b)"],
    ['Bash(X=1 a)'],
    ['Bash(a > b)'],
    ['Bash(* a)'],
    ['WebFetch(example.com)'],
    ['TodoWrite(x)'],
    ['(a)'],
    ['Bash(a'],
    [`Read({${'a,'.repeat(200)}b})`],
    [`Bash(${'a'.repeat(PERMISSION_LIMITS.ruleCharacters)})`],
  ])('is not %j', (text) => {
    expect(parseRule(text)).toEqual({ wrong: expect.stringMatching(/./) });
  });

  it('that cannot be read costs only itself, and says where it stands', () => {
    const value = {
      allow: ['Bash(ls)', 'Bash(a && b)'],
      ask: [],
      deny: ['Read(.env)'],
      additionalDirectories: ['~/x'],
    };
    const { rules, problems, additionalDirectories } = readRules([{ origin: 'user', file: '/h/settings.json', value }]);
    expect(rules.allow.map(({ rule }) => rule.text)).toEqual(['Bash(ls)']);
    expect(rules.deny).toMatchObject([{ rule: { text: 'Read(.env)' }, from: '/h/settings.json' }]);
    expect(additionalDirectories).toEqual(['~/x']);
    expect(problems).toEqual([expect.stringMatching(/"Bash\(a && b\)".*permissions\.allow.*\/h\/settings\.json/)]);
  });
});

describe('a path pattern', () => {
  const place = { projectRoot: '/code/project', userHome: '/home/u', ignoreCase: false };

  it.each<readonly [string, string, boolean]>([
    ['src/**', '/code/project/src/a/b.ts', true],
    ['src/**', '/code/project/lib/src/a.ts', false],
    ['src/**', '/code/project-two/src/a.ts', false],
    ['src/*', '/code/project/src/a.ts', true],
    ['/src/a.ts', '/code/project/src/a.ts', true],
    ['./src', '/code/project/src/a/b', true],
    ['.env', '/code/project/a/b/.env', true],
    ['.env', '/code/project/.env', true],
    ['.env', '/code/.env', false],
    ['*.ts', '/code/project/a/b.ts', true],
    ['**/*.ts', '/code/project/b.ts', true],
    ['a/**/b', '/code/project/a/b', true],
    ['a/**/b', '/code/project/a/x/y/b/c', true],
    ['a/**/b', '/code/project/a/x/y/c', false],
    ['~/secrets/**', '/home/u/secrets/x', true],
    ['~/secrets/**', '/home/user/secrets/x', false],
    ['//etc/**', '/etc/passwd', true],
    ['//etc/**', '/code/project/etc/passwd', false],
    ['secrets/', '/code/project/x/secrets/y', true],
    ['[ab]?.ts', '/code/project/ax.ts', true],
    ['[!ab]?.ts', '/code/project/ax.ts', false],
    ['a\\*b', '/code/project/a*b', true],
    ['a\\*b', '/code/project/axb', false],
    ['SRC/**', '/code/project/src/x', false],
  ])('%s for %s: %s', (pattern, path, isMatch) => {
    expect(pathPatternMatches(pattern, path, place)).toBe(isMatch);
  });

  it('looks past capital letters and how an accent is written, where it restricts', () => {
    expect(pathPatternMatches('secrets/**', '/code/project/SECRETS/x', { ...place, ignoreCase: true })).toBe(true);
    expect(pathPatternMatches('caf\u00e9', '/code/project/cafe\u0301', place)).toBe(true);
  });

  it('is answered at once, whatever it is', () => {
    expect(wildcardMatches('*a'.repeat(200), 'a'.repeat(5_000).concat('b'))).toBe(false);
    const deep = `/code/project/${'a/'.repeat(500)}b`;
    expect(pathPatternMatches(`${'**/a/'.repeat(100)}c`, deep, place)).toBe(false);
  });
});
