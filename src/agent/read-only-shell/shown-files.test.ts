import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { shownFiles } from './shown-files.ts';

let root: string;
beforeAll(() => {
  root = temporaryFolder('shown');
  mkdirSync(join(root, 'memory'));
  for (const name of ['a.md', 'b.md']) writeFileSync(join(root, 'memory', name), 'text');
  symlinkSync(join(root, 'memory', 'a.md'), join(root, 'link.md'));
});

describe('files that a command shows', () => {
  it.each<[string, readonly string[]]>([
    ['cat memory/a.md', ['a.md']],
    ['cat -n "memory/a.md" memory/b.md', ['a.md', 'b.md']],
    ['cat memory/*.md', ['a.md', 'b.md']],
    ['cat link.md', ['a.md']],
    ['head -5 memory/a.md | cat', ['a.md']],
    ['ls memory; tail memory/b.md', ['b.md']],
    // Commands that do more than read stand beside it.
    ['git status && cat memory/a.md', ['a.md']],
    ['cat memory/a.md && npm test', ['a.md']],
    // Only a number or some lines of it are seen.
    ['cat memory/a.md | wc -l', []],
    ['cat memory/a.md | grep x | head', []],
    ['cat memory/a.md | sort', []],
    ['grep text memory/a.md', []],
    ['wc memory/a.md', []],
    // Nothing is there, or it is elsewhere.
    ['cat memory/c.md', []],
    ['cat /etc/hostname', []],
    ['cat memory/a.md > copy.md', []],
    ['cat $(ls memory)', []],
    ["cat 'memory/a.md", []],
    ['', []],
  ])('%s', (command, names) => {
    const facts = { cwd: root, roots: [root], platform: 'linux' } as const;
    expect(shownFiles(command, facts)).toEqual(names.map((name) => join(root, 'memory', name)));
  });
});
