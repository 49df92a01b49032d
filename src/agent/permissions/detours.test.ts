/** Ways around a rule that denies: another program that is told to run the command, and a folder that takes a denied file along. */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are meant for a shell.

import { describe, expect, it } from 'vitest';
import type { PermissionMode } from '../permission.ts';
import { decidePermission } from './decide-permission.ts';
import { parseRule } from './rule.ts';
import { loadShellGrammar } from './shell-commands.ts';

await loadShellGrammar();

interface Case {
  readonly mode: PermissionMode;
  readonly rules?: { readonly deny?: readonly string[]; readonly allow?: readonly string[] };
  readonly isFolder?: (path: string) => boolean;
}

function bash(command: string, { mode, rules = {}, isFolder = () => false }: Case) {
  const read = (texts: readonly string[] = []) =>
    texts.flatMap((text) => {
      const rule = parseRule(text);
      return 'wrong' in rule ? [] : [{ rule, from: 'test' }];
    });
  return decidePermission({
    ...{ call: { name: 'Bash', input: { command } }, isReadOnly: false, mode, isFolder, canAsk: true },
    rules: { allow: read(rules.allow), ask: [], deny: read(rules.deny) },
    place: {
      ...{ cwd: '/p', roots: ['/p'], userHome: '/home/u', home: '/home/u/.reverie' },
      ...{ settingsFiles: [], memoryFolders: [], readableFolders: [], additionalDirectories: [] },
    },
    realPath: (path) => path,
    checkReadOnly: (line) => ({ verdict: /^(?:cat|grep) [^>$`;&|]*$/.test(line) ? 'allow' : 'deny', reason: '' }),
  }).verdict;
}

describe('a command that a rule denies, in words that another program gets', () => {
  const rules = { deny: ['Bash(rm:*)', 'Bash(git push:*)'] };
  it.each([
    ...["compgen -C 'rm x'", 'mapfile -C rm -c 1 a < f', "PS4='$(rm x)'; set -x; :", "test -v 'a[$(rm x)]'"],
    ...['hash -p /bin/rm y; y x', 'alias y=rm; y x', ". /dev/stdin <<< 'rm x'", "echo 'rm x' | bash -", 'npx rm x'],
    ...["tar --to-command='rm x' -xf f", "git -c core.pager='rm x' log", 'awk \'BEGIN{system("rm x")}\''],
    ...[
      'docker exec c rm x',
      'python3 -c \'import os; os.system("rm x")\'',
      'make --eval=$(echo)rm',
      'valgrind git push',
    ],
    ...["su root -c 'git -C x push'", 'ssh host git push'],
  ])('%s is asked about in bypass', (command) => {
    expect(bash(command, { rules, mode: 'bypass' })).not.toBe('allow');
    expect(bash(command, { mode: 'bypass' })).toBe('allow');
  });

  it.each(['grep -r rm src', 'git stash push', 'docker run --rm x', 'npm run format', 'cat git/push'])(
    '%s is another',
    (command) => expect(bash(command, { rules, mode: 'bypass' })).toBe('allow'),
  );

  it('is not looked for where a rule allows the line', () => {
    const command = "git commit -m 'rm old files'";
    expect(bash(command, { rules, mode: 'bypass' })).toBe('ask');
    expect(bash(command, { rules: { ...rules, allow: ['Bash(git commit:*)'] }, mode: 'bypass' })).toBe('allow');
  });
});

it('a folder does not move where a rule denies paths, since it could take one along', () => {
  const rules = { deny: ['Read(config/keys/**)'] };
  const isFolder = (path: string) => path.endsWith('/config');
  const mode = 'accept-edits';
  expect(bash('mv config other', { mode, rules, isFolder })).toBe('ask');
  expect(bash('mv a.txt b.txt', { mode, rules, isFolder })).toBe('allow');
  expect(bash('mv config other', { mode, isFolder })).toBe('allow');
});
