import * as fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createToolPlace, type ToolPlace } from '../../../../test/support/tool-place.ts';
import { LIMITS, TOOL_LIMITS } from '../../../limits.ts';

let place: ToolPlace;
beforeEach(() => {
  place = createToolPlace();
});
afterEach(() => place.close());

/** Later ones are newer. */
function putAll(files: Readonly<Record<string, string>>): void {
  for (const [index, [name, content]] of Object.entries(files).entries()) {
    const path = place.put(name, content);
    fs.utimesSync(path, 1_000 + index, 1_000 + index);
  }
}

const grep = async (input: Record<string, unknown>) => place.call('Grep', input);
const glob = async (pattern: string, more: object = {}) => place.call('Glob', { pattern, ...more });

describe('Grep', () => {
  beforeEach(() =>
    putAll({
      'a.ts': 'alpha\nbeta\ngamma\n',
      'src/b.ts': 'beta\n',
      'src/c.md': 'Beta two\nbeta three\n',
      '.hidden/d.ts': 'beta\n',
      'src/.secret': 'beta\n',
      '.git/e.ts': 'beta\n',
      'sub/.git/e.ts': 'beta\n',
    }),
  );

  it.each([
    ['names files, newest first', { pattern: 'beta' }, 'Found 3 files\nsrc/c.md\nsrc/b.ts\na.ts'],
    ['in a folder', { pattern: 'beta', path: 'src' }, 'Found 2 files\nsrc/c.md\nsrc/b.ts'],
    ['in a file', { pattern: 'beta', path: 'src/b.ts' }, 'Found 1 file\nsrc/b.ts'],
    ['by glob', { pattern: 'beta', glob: '*.md' }, 'Found 1 file\nsrc/c.md'],
    ['by glob below the path', { pattern: 'beta', path: 'src', glob: '/*.ts' }, 'Found 1 file\nsrc/b.ts'],
    ['by type', { pattern: 'beta', type: 'md' }, 'Found 1 file\nsrc/c.md'],
    ['hidden ones when named', { pattern: 'beta', glob: '.hidden/**' }, 'Found 1 file\n.hidden/d.ts'],
    ['hidden ones as the path', { pattern: 'beta', path: '.hidden' }, 'Found 1 file\n.hidden/d.ts'],
    ['a hidden one as the path', { pattern: 'beta', path: 'src/.secret' }, 'Found 1 file\nsrc/.secret'],
    ['no hidden ones by a star', { pattern: 'beta', glob: 'src/*' }, 'Found 2 files\nsrc/c.md\nsrc/b.ts'],
    ['no hidden ones by a choice', { pattern: 'beta', glob: '{src/?secret,src/b.ts}' }, 'Found 1 file\nsrc/b.ts'],
    ['never git’s own', { pattern: 'beta', glob: '.git/**' }, 'No matches found.'],
    ['nothing', { pattern: 'delta' }, 'No matches found.'],
    ['lines', { pattern: 'beta', output_mode: 'content', path: 'src' }, 'src/b.ts:1:beta\nsrc/c.md:2:beta three'],
    ['without numbers', { pattern: 'beta', output_mode: 'content', path: 'a.ts', '-n': false }, 'a.ts:beta'],
    ['any case', { pattern: 'BETA', '-i': true, output_mode: 'count', path: 'src' }, 'src/b.ts:1\nsrc/c.md:2'],
    [
      'around',
      { pattern: 'beta', output_mode: 'content', path: 'a.ts', '-C': 1 },
      'a.ts-1-alpha\na.ts:2:beta\na.ts-3-gamma',
    ],
    ['after', { pattern: 'beta', output_mode: 'content', path: 'a.ts', '-A': '1' }, 'a.ts:2:beta\na.ts-3-gamma'],
    [
      'over lines',
      { pattern: 'alpha.beta', multiline: true, output_mode: 'content', path: 'a.ts' },
      'a.ts:1:alpha\na.ts:2:beta',
    ],
  ])('%s', async (_what, input, expected) => {
    const result = await grep(input);
    expect(result.text).toBe(expected);
    expect(result.isError).toBeUndefined();
  });

  it('goes by .gitignore', async () => {
    place.put('.gitignore', 'src/\n');
    fs.writeFileSync(place.at('.git/HEAD'), 'ref: refs/heads/main\n');
    expect((await grep({ pattern: 'beta' })).text).toBe('Found 1 file\na.ts');
  });

  it.each(['*', '**', '**/*'])('goes by .gitignore even with the glob %s', async (pattern) => {
    place.put('.ignore', 'src/\n');
    expect((await grep({ pattern: 'beta', glob: pattern })).text).toBe('Found 1 file\na.ts');
  });

  it.each([
    ['a wrong pattern', { pattern: '(' }, /unclosed group/],
    ['look-around', { pattern: '(?=a)' }, /look-around/],
    ['an unknown type', { pattern: 'a', type: 'no-such' }, /unrecognized file type: no-such/],
    ['a wrong glob', { pattern: 'a', glob: '{a' }, /glob/],
    ['a NUL', { pattern: 'a\0b' }, /NUL/],
    ['a folder that is not there', { pattern: 'a', path: 'srcs' }, /srcs does not exist\. Did you mean src\?/],
  ])('says in words what is wrong: %s', async (_what, input, reason) => {
    const result = await grep(input);
    expect(result.isError).toBe(true);
    expect(result.text).toMatch(reason);
  });

  it.each(['--files', '-e', '--pre=touch made', '-', '--', '-f/etc/passwd'])(
    'takes %j for a pattern',
    async (pattern) => {
      place.put('dashes.txt', `one ${pattern} two`);
      const result = await grep({ pattern, output_mode: 'content', path: 'dashes.txt' });
      expect(result.text).toBe(`dashes.txt:1:one ${pattern} two`);
      expect(fs.existsSync(place.at('made'))).toBe(false);
    },
  );

  it('takes no option from a type, a glob or a file’s name', async () => {
    place.put('--pre=touch made', 'beta');
    expect((await grep({ pattern: 'beta', path: '--pre=touch made' })).text).toContain('Found 1 file');
    await grep({ pattern: 'beta', type: '--pre=touch made' });
    await grep({ pattern: 'beta', glob: '--pre=touch made' });
    expect(fs.existsSync(place.at('made'))).toBe(false);
  });

  it('reads no configuration', async () => {
    place.put('rgrc', '--ignore-case\n');
    const other = createToolPlace({ cwd: place.root, environment: { RIPGREP_CONFIG_PATH: place.at('rgrc') } });
    expect((await other.call('Grep', { pattern: 'ALPHA' })).text).toBe('No matches found.');
    await other.close();
  });

  it('is bounded in lines and characters, cut at a line', async () => {
    place.put('many.txt', Array.from({ length: 1_000 }, (_, index) => `match ${index}`).join('\n'));
    const lines = await grep({ pattern: 'match', output_mode: 'content' });
    expect(lines.text.split('\n').length).toBe(TOOL_LIMITS.grepLines + 1);
    expect(lines.text).toMatch(/many\.txt:250:match 249\n\[250 of 1000 lines shown/);
    const few = await grep({ pattern: 'match', output_mode: 'content', head_limit: 2 });
    expect(few.text).toBe(
      'many.txt:1:match 0\nmany.txt:2:match 1\n[2 of 1000 lines shown: narrow the search, or raise head_limit]',
    );
    place.put('wide.txt', `${'word '.repeat(80)}\n`.repeat(200));
    const wide = await grep({ pattern: 'word', output_mode: 'content', path: 'wide.txt', head_limit: 0 });
    expect(wide.text.length).toBeLessThanOrEqual(LIMITS.toolResults.grepCharacters + 100);
    expect(wide.text).toMatch(/word \n\[\d+ of 200 lines shown/);
    place.put('minified.js', 'x'.repeat(1_000_000));
    const minified = await grep({ pattern: 'x+', output_mode: 'content', path: 'minified.js' });
    expect(minified.text.length).toBeLessThan(1_000);
  });

  it('takes no time for a pattern that would take for ever elsewhere', async () => {
    place.put('slow.txt', `${'a'.repeat(10_000)}!`);
    expect((await grep({ pattern: '^(a+)+$', path: 'slow.txt' })).text).toBe('No matches found.');
  });

  it('ends when it is interrupted', async () => {
    const stop = new AbortController();
    stop.abort();
    const interrupted = await place.call('Grep', { pattern: 'beta' }, { signal: stop.signal });
    expect(interrupted).toMatchObject({ isError: true, text: 'Interrupted by the user.' });
  });
});

describe('Glob', () => {
  beforeEach(() =>
    putAll({
      'a.ts': '',
      'src/b.ts': '',
      'src/deep/c.ts': '',
      'src/d.md': '',
      '.github/e.yml': '',
      '.git/f.ts': '',
      '!odd.ts': '',
    }),
  );

  it.each([
    ['at any depth, newest first', '*.ts', '!odd.ts\nsrc/deep/c.ts\nsrc/b.ts\na.ts'],
    ['in one folder', 'src/*.ts', 'src/b.ts'],
    ['below a folder', 'src/**/*.ts', 'src/deep/c.ts\nsrc/b.ts'],
    ['either', 'src/*.{md,ts}', 'src/d.md\nsrc/b.ts'],
    ['all', '**', '!odd.ts\nsrc/d.md\nsrc/deep/c.ts\nsrc/b.ts\na.ts'],
    ['hidden ones when named', '.github/**', '.github/e.yml'],
    ['with a dot in front', './src/*.ts', 'src/b.ts'],
    ['through the folder above', 'src/../src/*.ts', 'No files found.'],
    ['never git’s own', '.git/**', 'No files found.'],
    ['a name that begins like a negation', '!odd.ts', '!odd.ts'],
    ['nothing', '*.none', 'No files found.'],
    ['one letter', 'src/?.ts', 'src/b.ts'],
    ['a range of letters', '[a-b].ts', 'src/b.ts\na.ts'],
    ['other letters', '[!a].ts', 'src/deep/c.ts\nsrc/b.ts'],
    ['braces with a dot', '**/{b.ts,d.md}', 'src/d.md\nsrc/b.ts'],
    ['a brace that is not closed', '{a.ts', 'No files found.'],
    ['a bracket that is not closed', '[a.ts', 'No files found.'],
    ['signs that only expressions know', 'a.ts|(b+)$', 'No files found.'],
    ['a hostile one', '*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b', 'No files found.'],
  ])('finds %s', async (_what, pattern, expected) => {
    expect((await glob(pattern)).text).toBe(expected);
  });

  it('finds below a path, given as such or in the pattern', async () => {
    expect((await glob('*.ts', { path: 'src' })).text).toBe('src/deep/c.ts\nsrc/b.ts');
    expect((await glob(`${place.root}/src/*.ts`)).text).toBe('src/b.ts');
    expect((await glob('~/src/*.ts')).text).toBe('src/b.ts');
    expect((await glob('../*.ts', { path: 'src' })).text).toBe('!odd.ts\na.ts');
    expect((await glob(place.at('src/b.ts'))).text).toBe('src/b.ts');
    expect(await glob('*', { path: 'a.ts' })).toMatchObject({ isError: true });
    expect(await glob('*', { path: 'none' })).toMatchObject({ isError: true });
    expect(await glob('  ')).toMatchObject({ isError: true });
  });

  it.each(['*', '**', '**/*', '*.ts', 'src/**'])('goes by .gitignore: %s', async (pattern) => {
    place.put('.ignore', 'deep/\n');
    const found = (await glob(pattern)).text.split('\n');
    expect(found).toContain('src/b.ts');
    expect(found).not.toContain('src/deep/c.ts');
    expect(found).not.toContain('.git/f.ts');
  });

  it('shows a hundred, and says how many there are', async () => {
    for (let number = 0; number < 150; number++) place.put(`many/${number}.txt`, '');
    const lines = (await glob('*.txt')).text.split('\n');
    expect(lines.length).toBe(101);
    expect(lines.at(-1)).toContain('the newest 100 of 150 files');
  });
});
