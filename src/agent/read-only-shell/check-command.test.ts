// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are variables of shells, not ours

import { symlinkSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALLOWED, DENIED } from '../../../test/faults/read-only-shell-cases.ts';
import { MORE_ALLOWED, MORE_DENIED } from '../../../test/faults/read-only-shell-more-cases.ts';
import { makeShellTree } from '../../../test/faults/read-only-shell-tree.ts';
import { runs } from '../../../test/support/property-runs.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { LIMITS, READ_ONLY_SHELL_LIMITS } from '../../limits.ts';
import { checkCommand, planCommand } from './check-command.ts';

const base = temporaryFolder('shell');
const tree = makeShellTree(base);

function verdictOf(command: string): string {
  return checkCommand(tree.fill(command), tree).verdict;
}

function allOf(tables: readonly Readonly<Record<string, readonly string[]>>[]): string[] {
  return tables.flatMap((table) => Object.values(table).flat());
}

describe.each(Object.entries({ ...DENIED, ...MORE_DENIED }))('denied: %s', (_, commands) => {
  it.each(commands.map((command) => [JSON.stringify(command).slice(0, 100), command]))('%s', (_shown, command) => {
    const { verdict, reason } = checkCommand(tree.fill(command), tree);
    expect(verdict).toBe('deny');
    expect(reason).not.toMatch(/could not be checked|undefined/);
  });
});

describe.each([...Object.entries(ALLOWED), ...Object.entries(MORE_ALLOWED)])('allowed: %s', (_, commands) => {
  it.each(commands)('%s', (command) => {
    expect(checkCommand(tree.fill(command), tree)).toMatchObject({ verdict: 'allow' });
  });
});

describe('a denied construct', () => {
  const allowed = fc.constantFrom(...allOf([ALLOWED, MORE_ALLOWED]));
  const joint = fc.constantFrom(' | ', ' && ', ' || ', ' ; ', ';', '|');

  it('denies the whole line, wherever in the list it stands', () => {
    const denied = fc.constantFrom(...allOf([DENIED]).filter((command) => command.trim() !== ''));
    fc.assert(
      fc.property(
        fc.array(allowed, { maxLength: 3 }),
        denied,
        fc.array(allowed, { maxLength: 3 }),
        joint,
        (a, b, c, by) => {
          // A line that breaks off in the middle (an open quote, a last backslash) takes in what follows; alone it is in the table.
          fc.pre(!/^[^']*'$|\\$|^#|-$/.test(b) || c.length === 0);
          // A pipe gives a program the input that it lacked.
          fc.pre(!(by.includes('|') && /^(?:head|grep foo|cat -)$/.test(b)));
          // An empty stage at the line's end is filled by what follows.
          fc.pre(b !== 'ls | ' || c.length === 0);
          expect(verdictOf([...a, b, ...c].join(by))).toBe('deny');
        },
      ),
      { numRuns: runs(2_000) },
    );
  });

  it('denies the whole line, whatever quotes stand around it but single ones', () => {
    const construct = fc.constantFrom('$(id)', '`id`', '$x', '${x}', '$((1))', '$[1]', '$1', '$@', '$$', '$_');
    const quoted = fc.constantFrom<(text: string) => string>(
      (text) => text,
      (text) => `"${text}"`,
      (text) => `"it's ${text} 'here'"`,
      (text) => `'a'${text}'b'`,
      (text) => `"a"${text}"b"`,
      (text) => `'a'"${text}"'b'`,
      (text) => `\\'${text}\\'`,
      (text) => `"\\"${text}\\""`,
      (text) => `\\\\${text}`,
      (text) => `"\\\\${text}"`,
      (text) => `--include="*${text}"`,
      (text) => `-e"${text}"`,
    );
    fc.assert(
      fc.property(allowed, construct, quoted, (command, text, quote) => {
        // A single & or a redirection at the end of the line would come between.
        fc.pre(/[^;\s]$/.test(command));
        expect(verdictOf(`${command} ${quote(text)}`)).toBe('deny');
        expect(verdictOf(`ls ${quote(text)}; ${command}`)).toBe('deny');
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('is only text between single quotes', () => {
    const text = fc.string({ unit: 'grapheme-ascii', maxLength: 30 }).map((each) => each.replaceAll("'", ''));
    fc.assert(
      fc.property(text, (each) => {
        const plan = planCommand(`grep -e '${each}' victim.txt`, tree);
        expect(plan.pipelines[0]!.stages[0]!.words).toEqual(['-e', each, 'victim.txt']);
      }),
      { numRuns: runs(1_000) },
    );
  });
});

describe('globs', () => {
  const wordsOf = (command: string) => planCommand(tree.fill(command), tree).pipelines[0]!.stages[0]!.words;

  it('become sorted names without the hidden ones', () => {
    expect(wordsOf('wc notes/?.md ./n*')).toEqual([
      'notes/*.md',
      'notes/a.md',
      'notes/b.md',
      './node_modules',
      './notes',
    ]);
    expect(wordsOf('ls notes/.*')).toEqual(['notes/.dot.md']);
    expect(wordsOf('ls ./node*/*/readme.md')).toEqual(['./node_modules/x/readme.md']);
    expect(wordsOf('ls notes/[!a-z]*.md')).toEqual(['notes/*.md', 'notes/-n.md', 'notes/日本語.md']);
  });

  it('stand for themselves when quoted, or when nothing matches', () => {
    expect(wordsOf('ls notes/"*".md')).toEqual(['notes/*.md']);
    expect(wordsOf('ls "notes/"[x-z]*')).toEqual(['notes/[x-z]*']);
    expect(wordsOf('ls notes/[]ab]"."m[\\!d]')).toEqual(['notes/a.md', 'notes/b.md']);
  });

  it('are refused where they would look at, or become, too much', () => {
    const limits = { ...LIMITS.readOnlyShell, globEntries: 5 };
    expect(checkCommand('ls notes/*', { ...tree, limits }).reason).toMatch(/too many entries/);
    expect(checkCommand('ls notes/*', { ...tree, limits: { ...LIMITS.readOnlyShell, words: 3 } }).reason).toMatch(
      /too many/,
    );
  });

  it('whose name would be an option are refused', () => {
    expect(checkCommand('cat -d*', tree).reason).toMatch(/taken for an option/);
  });
});

describe('a reason', () => {
  it('is short, and whole characters, whatever the line repeats', () => {
    for (const command of [
      `${'😀'.repeat(4_000)}`,
      'ls -😀',
      `cat /${'é'.repeat(1_000)}`,
      `ls --${'x'.repeat(8_000)}`,
    ]) {
      const { verdict, reason } = checkCommand(command, tree);
      expect(verdict).toBe('deny');
      expect(reason.length).toBeLessThanOrEqual(READ_ONLY_SHELL_LIMITS.reasonCharacters);
      expect(reason).not.toMatch(/\p{Cs}/u);
    }
  });
});

describe('the folders', () => {
  it('may be links themselves, and need not exist yet', () => {
    symlinkSync(tree.cwd, `${base}/alias`);
    const facts = { cwd: `${base}/alias`, roots: [`${base}/alias`, `${base}/later`] };
    expect(checkCommand('cat victim.txt', facts).verdict).toBe('allow');
    expect(checkCommand(`ls ${base}/later/x`, facts).verdict).toBe('allow');
    expect(checkCommand('cat link-out', facts).verdict).toBe('deny');
  });

  it.each([[[]], [['/']], [['/proc']], [['/dev']], [['/sys/kernel']], [['relative']]])('cannot be %s', (roots) => {
    expect(checkCommand('ls /proc', { cwd: '/', roots }).verdict).toBe('deny');
    expect(checkCommand('ls relative', { cwd: '/', roots }).verdict).toBe('deny');
  });

  it('do not hold the working folder by themselves', () => {
    const facts = { cwd: `${base}/outside`, roots: tree.roots };
    for (const command of ['ls', 'find', 'grep -r x', 'cat secret.txt']) {
      expect(checkCommand(command, facts).verdict).toBe('deny');
    }
    expect(checkCommand('cat ../agent/proj/victim.txt', facts).verdict).toBe('allow');
  });
});

describe('elsewhere than on Linux', () => {
  it('options that take a value only there are refused', () => {
    expect(checkCommand('ls -w 80 notes', { ...tree, platform: 'darwin' }).verdict).toBe('deny');
    expect(checkCommand('ls -la notes', { ...tree, platform: 'darwin' }).verdict).toBe('allow');
  });

  it('nothing runs on Windows', () => {
    expect(checkCommand('ls', { ...tree, platform: 'win32' }).verdict).toBe('deny');
  });
});

describe('cat', () => {
  it('is given real paths, so that links cannot be swapped under it', () => {
    expect(planCommand('cat -n traps/to-notes/a.md nosuch', tree).pipelines[0]!.stages[0]!.words).toEqual([
      '-n',
      `${tree.cwd}/notes/a.md`,
      'nosuch',
    ]);
  });
});
