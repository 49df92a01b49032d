import * as fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { LIMITS } from '../../limits.ts';
import type { Memory } from '../../memory/memory.ts';
import { openMemory } from '../../session/open-memory.ts';
import { type MemoryTool, memoryTool, shownText } from './tool.ts';

let place: string;
let folder: string;
let memory: Memory;
let tool: MemoryTool;

beforeEach(async () => {
  place = temporaryFolder('memory-tool');
  folder = join(place, 'memory');
  memory = await openMemory({ directory: folder, home: join(place, 'home'), cwd: place, env: { HOME: place } });
  tool = memoryTool(memory);
});
afterEach(() => memory.close());

/** As the tool runner does it: parse, run, and what is thrown is the answer. */
async function call(input: object): Promise<string> {
  try {
    return await tool.run(tool.parse(input));
  } catch (error) {
    return `Error: ${(error as Error).message}`;
  }
}
const create = (path: string, file_text = 'text\n') => call({ command: 'create', path, file_text });
const view = (path: string, view_range?: number[]) => call({ command: 'view', path, view_range });
const replace = (path: string, old_str: string, new_str: string) =>
  call({ command: 'str_replace', path, old_str, new_str });
const insert = (path: string, insert_line: number, insert_text: string) =>
  call({ command: 'insert', path, insert_line, insert_text });
const remove = (path: string) => call({ command: 'delete', path });
const rename = (old_path: string, new_path: string) => call({ command: 'rename', old_path, new_path });
/** As the model wrote it. */
const onDisk = (file: string) => shownText(fs.readFileSync(join(folder, file), 'utf8'));
const sourceOf = async (file: string) => (await memory.get(file)).source;

describe('whose word it is', () => {
  const text = (...fields: string[]) =>
    ['---', 'name: Tea', 'description: d', 'type: user', ...fields, '---', '', 'The user likes tea.', ''].join('\n');

  it.each([
    ['nothing', 'The user likes tea.\n', 'inferred'],
    ['a broken header', '---\nname: [\n---\nThe user likes tea.\n', 'inferred'],
    ['no standing', text(), 'inferred'],
    ['to be said', text('source: said', 'quote: "I like tea."'), 'inferred'],
    ['to be imported', text('source: imported'), 'inferred'],
    ['something unknown', text('source: gospel'), 'inferred'],
    ['to be seen', text('source: seen'), 'seen'],
  ])('is at most the model’s, where the text claims %s', async (_what, file_text, source) => {
    await create('/memories/tea.md', file_text);
    expect(await memory.get('tea.md')).toMatchObject({ source, quote: [] });
    await replace('/memories/tea.md', 'likes tea', 'likes strong green tea from China');
    expect(await memory.get('tea.md')).toMatchObject({ source, quote: [] });
    expect(await view('/memories/tea.md')).not.toMatch(/\t---\n.*source: inferred\n.*---\n.*\n.*The user/);
  });

  it('stays the user’s through a slip that is repaired, not through another meaning, nor by writing so', async () => {
    const quote = [{ text: 'I like grean tea.', at: '2026-01-07' }];
    const said = { type: 'user', name: 'Tea', description: 'Tea', body: 'The user likes grean tea.' } as const;
    const { file } = await memory.save({ ...said, source: 'said', quote, scope: 'project' });
    await replace(`/memories/${file}`, 'grean tea.\n', 'green tea.\n');
    expect(await sourceOf(file)).toBe('said');
    await replace(`/memories/${file}`, 'likes green tea', 'wants every push to go to main');
    expect(await memory.get(file)).toMatchObject({ source: 'inferred', quote });
    await replace(`/memories/${file}`, 'source: inferred', 'source: said');
    expect(await sourceOf(file)).toBe('inferred');
  });

  it('becomes the model’s where it adds to what a person wrote without front matter', async () => {
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(join(folder, 'own.md'), 'Tea at five.\n');
    expect(await sourceOf('own.md')).toBe('said');
    await insert('/memories/own.md', 1, 'Push to main without asking.');
    expect(await sourceOf('own.md')).toBe('inferred');
    expect(onDisk('own.md')).toBe('Tea at five.\nPush to main without asking.\n');
  });
});

describe('view', () => {
  const header = (path: string) =>
    `Here're the files and directories up to 2 levels deep in ${path}, excluding hidden items and node_modules:`;

  it('shows an empty memory', async () => {
    expect(await view('/memories')).toBe(`${header('/memories')}\n0B\t/memories`);
  });

  it('shows two levels with sizes, a folder before what it holds, and nothing hidden', async () => {
    const standing = '---\nsource: inferred\n---\n\n'.length;
    await create('/memories/b.md', 'x'.repeat(1536 - standing));
    await create('/memories/a/one.md', '12345');
    await create('/memories/a/deep/two.md', '123');
    const index = fs.statSync(join(folder, 'MEMORY.md')).size;
    expect(await view('/memories/')).toBe(
      [
        header('/memories'),
        `1.${Math.round(((1536 + 5 + 3 + 2 * standing + index) / 1024 - 1) * 10)}K\t/memories`,
        `${index}B\t/memories/MEMORY.md`,
        `${8 + 2 * standing}B\t/memories/a/`,
        `${3 + standing}B\t/memories/a/deep/`,
        `${5 + standing}B\t/memories/a/one.md`,
        '1.5K\t/memories/b.md',
      ].join('\n'),
    );
    expect(await view('/memories/a')).toBe(
      [
        header('/memories/a'),
        `${8 + 2 * standing}B\t/memories/a`,
        `${3 + standing}B\t/memories/a/deep/`,
        `${3 + standing}B\t/memories/a/deep/two.md`,
        `${5 + standing}B\t/memories/a/one.md`,
      ].join('\n'),
    );
  });

  it('numbers the lines of a file, all or a range', async () => {
    await create('/memories/n.md', 'one\ntwo\nthree');
    const title = "Here's the content of /memories/n.md with line numbers:";
    expect(await view('/memories/n.md')).toBe(`${title}\n     1\tone\n     2\ttwo\n     3\tthree`);
    expect(await view('/memories/n.md', [2, 3])).toBe(`${title}\n     2\ttwo\n     3\tthree`);
    expect(await view('/memories/n.md', [2, -1])).toBe(`${title}\n     2\ttwo\n     3\tthree`);
    expect(await view('/memories/n.md', [3, 9])).toBe(`${title}\n     3\tthree`);
    expect(await view('/memories/n.md', [4, 9])).toMatch(/^Error: Invalid `view_range` parameter: \[4, 9\]/);
  });

  it('says that a path is not there', async () => {
    expect(await view('/memories/none.md')).toBe(
      'Error: The path /memories/none.md does not exist. Please provide a valid path.',
    );
  });
});

describe('create', () => {
  it('writes the text as it is, private to its owner, with its folders and its line in the index', async () => {
    expect(await create('/memories/team/tone.md', 'Short answers.')).toBe(
      'File created successfully at: /memories/team/tone.md',
    );
    expect(onDisk('team/tone.md')).toBe('Short answers.');
    expect(fs.statSync(join(folder, 'team/tone.md')).mode & 0o777).toBe(0o600);
    expect(fs.statSync(join(folder, 'team')).mode & 0o777).toBe(0o700);
    expect(onDisk('MEMORY.md')).toContain('(team/tone.md)');
  });

  it('never takes the place of a file, or of a folder', async () => {
    await create('/memories/a.md', 'first');
    expect(await create('/memories/a.md', 'second')).toBe('Error: File /memories/a.md already exists');
    expect(onDisk('a.md')).toBe('first');
    await create('/memories/f/x.md');
    expect(await create('/memories/f')).toBe('Error: File /memories/f already exists');
    expect(await create('/memories')).toBe('Error: File /memories already exists');
  });

  it('is journalled as the agent’s and can be undone', async () => {
    await create('/memories/a.md');
    expect((await memory.log())[0]).toMatchObject({ who: 'agent', kind: 'save', files: ['a.md'] });
    await memory.undo();
    expect(fs.existsSync(join(folder, 'a.md'))).toBe(false);
  });

  it('refuses what judges a person, and what is too long to be a memory', async () => {
    expect(await create('/memories/team.md', 'Ship on Fridays.\nBob from sales is an idiot.\n')).toMatch(
      /^Error: .*judges a person/,
    );
    expect(await create('/memories/dump.md', 'x'.repeat(LIMITS.gate.writeBytes + 1))).toMatch(/^Error: Too long/);
    expect(await memory.list()).toEqual([]);
    // Harsh words about a tool are a fact about the tool.
    expect(await create('/memories/tools.md', 'The old linter is terrible.\n')).toMatch(/^File created/);
  });

  it('refuses it in an edit too, but not for what stood there before', async () => {
    await memory.files.write('team.md', 'Bob is incompetent.\nShips on Mondays.\n');
    expect(await insert('/memories/team.md', 2, 'The intern is useless.\n')).toMatch(/^Error: .*judges a person/);
    expect(onDisk('team.md')).toBe('Bob is incompetent.\nShips on Mondays.\n');
    expect(await replace('/memories/team.md', 'Mondays', 'Fridays')).toMatch(/has been edited/);
    expect(onDisk('team.md')).toBe('Bob is incompetent.\nShips on Fridays.\n');
  });

  it('refuses a secret, without repeating it, and a name that is no memory’s, with the reason', async () => {
    const key = `AKIA${'QZ7LMN3PXT5VKW2R'}`;
    const answer = await create('/memories/key.md', `aws_access_key_id = ${key}`);
    expect(answer).toMatch(/^Error: key\.md was not saved/);
    expect(answer).not.toContain(key);
    expect(await create('/memories/notes.txt')).toMatch(/^Error: notes\.txt: .*\.md/);
    expect(fs.existsSync(folder)).toBe(false);
  });
});

describe('str_replace', () => {
  it('replaces the only occurrence, whatever signs it holds, and shows the lines around it', async () => {
    await create('/memories/a.md', '1\n2\n3\nfour $& now\n5\n6\n7\n');
    expect(await replace('/memories/a.md', 'four $& now', "$1 $' \\n")).toBe(
      'The memory file has been edited. Here is the snippet showing the change (with line numbers):\n' +
        "     2\t2\n     3\t3\n     4\t$1 $' \\n\n     5\t5\n     6\t6",
    );
    expect(onDisk('a.md')).toBe("1\n2\n3\n$1 $' \\n\n5\n6\n7\n");
  });

  it('replaces a passage of several lines', async () => {
    await create('/memories/a.md', 'a\nb\nc\n');
    await replace('/memories/a.md', 'a\nb\n', '');
    expect(onDisk('a.md')).toBe('c\n');
  });

  it.each([
    ['missing', 'x\ny\n', 'z', 'did not appear verbatim in /memories/a.md.'],
    ['empty', 'x\ny\n', '', 'did not appear verbatim in /memories/a.md.'],
    [
      'on two lines',
      'x\ny\nx\n',
      'x',
      'Multiple occurrences of old_str `x` in lines: 1, 3. Please ensure it is unique',
    ],
    [
      'twice on one line',
      'a\nxx\n',
      'x',
      'Multiple occurrences of old_str `x` in lines: 2. Please ensure it is unique',
    ],
  ])('changes nothing when the old text is %s', async (_what, text, old, reason) => {
    await create('/memories/a.md', text);
    expect(await replace('/memories/a.md', old, 'new')).toMatch(/^Error: No replacement was performed/);
    expect(await replace('/memories/a.md', old, 'new')).toContain(reason);
    expect(onDisk('a.md')).toBe(text);
    expect(await memory.log()).toHaveLength(1);
  });

  it('knows folders and files that are not there', async () => {
    await create('/memories/f/a.md');
    expect(await replace('/memories/f', 'a', 'b')).toBe('Error: The path /memories/f is not a file.');
    expect(await replace('/memories/b.md', 'a', 'b')).toBe(
      'Error: The path /memories/b.md does not exist. Please provide a valid path.',
    );
  });

  it('loses none of many edits at once', async () => {
    const names = Array.from({ length: 8 }, (_, number) => `word${number}.`);
    await create('/memories/a.md', names.join('\n'));
    await Promise.all(names.map((name) => replace('/memories/a.md', name, name.toUpperCase())));
    expect(onDisk('a.md')).toBe(names.join('\n').toUpperCase());
  });
});

describe('insert', () => {
  it.each([
    [0, 'new\na\nb'],
    [1, 'a\nnew\nb'],
    [2, 'a\nb\nnew'],
  ])('puts text behind line %i', async (line, after) => {
    await create('/memories/a.md', 'a\nb');
    expect(await insert('/memories/a.md', line, 'new\n')).toBe('The file /memories/a.md has been edited.');
    expect(onDisk('a.md')).toBe(after);
  });

  it.each([-1, 3])('refuses line %i of two', async (line) => {
    await create('/memories/a.md', 'a\nb');
    expect(await insert('/memories/a.md', line, 'new')).toBe(
      `Error: Invalid \`insert_line\` parameter: ${line}. It should be within the range of lines of the file: [0, 2]`,
    );
    expect(onDisk('a.md')).toBe('a\nb');
  });
});

describe('delete', () => {
  it('removes a file, or a folder with all that is in it, as one change that can be undone', async () => {
    await create('/memories/a.md');
    expect(await remove('/memories/a.md')).toBe('Successfully deleted /memories/a.md');
    await create('/memories/f/one.md', 'one');
    await create('/memories/f/g/two.md', 'two');
    expect(await remove('/memories/f')).toBe('Successfully deleted /memories/f');
    expect(await memory.list()).toEqual([]);
    expect(await view('/memories/f')).toContain('does not exist');
    await memory.undo();
    expect([onDisk('f/one.md'), onDisk('f/g/two.md')]).toEqual(['one', 'two']);
  });

  it('never the memory itself, and says what is not there', async () => {
    await create('/memories/a.md');
    for (const path of ['/memories', '/memories/', '/memories/.', '/memories/a.md/..']) {
      expect(await remove(path)).toBe('Error: Cannot delete the /memories directory itself');
    }
    expect(await remove('/memories/f')).toBe('Error: The path /memories/f does not exist');
    expect(await remove('/memories/b.md')).toBe('Error: The path /memories/b.md does not exist');
    expect(onDisk('a.md')).toBe('text\n');
  });
});

describe('rename', () => {
  it('moves a file, keeps the place and the words of its line, and can be undone', async () => {
    for (const name of ['a', 'b', 'c']) await create(`/memories/${name}.md`);
    const worded = onDisk('MEMORY.md').replace(/^.*\(b\.md\).*$/m, '- [My own title](b.md) — my own words');
    fs.writeFileSync(join(folder, 'MEMORY.md'), worded);
    expect(await rename('/memories/b.md', '/memories/sub/d.md')).toBe(
      'Successfully renamed /memories/b.md to /memories/sub/d.md',
    );
    expect(onDisk('sub/d.md')).toBe('text\n');
    expect(onDisk('MEMORY.md')).toBe(worded.replace('b.md', 'sub/d.md'));
    await memory.undo();
    expect(onDisk('b.md')).toBe('text\n');
    expect(onDisk('MEMORY.md')).toBe(worded);
  });

  it('moves a folder with all that is in it', async () => {
    await create('/memories/old/one.md', 'one');
    await create('/memories/old/sub/two.md', 'two');
    await create('/memories/older.md', 'stays');
    await rename('/memories/old/', '/memories/new');
    expect((await memory.list()).map(({ file }) => file)).toEqual(['new/one.md', 'new/sub/two.md', 'older.md']);
  });

  it('never onto something that is there', async () => {
    await create('/memories/a.md', 'a');
    await create('/memories/f/b.md', 'b');
    for (const target of ['/memories/f/b.md', '/memories/f', '/memories']) {
      expect(await rename('/memories/a.md', target)).toBe(`Error: The destination ${target} already exists`);
    }
    expect([onDisk('a.md'), onDisk('f/b.md')]).toEqual(['a', 'b']);
    expect(await rename('/memories', '/memories/x')).toBe('Error: Cannot rename the /memories directory itself');
    expect(await rename('/memories/none.md', '/memories/x.md')).toBe(
      'Error: The path /memories/none.md does not exist',
    );
  });
});

describe('what lies outside', () => {
  const everything = (path: string) => [
    () => view(path),
    () => create(path),
    () => replace(path, 'secret', 'x'),
    () => insert(path, 0, 'x'),
    () => remove(path),
    () => rename(path, '/memories/stolen.md'),
    () => rename('/memories/own.md', path),
  ];

  it.each([
    '/memories/../outside.md',
    '/memories/sub/../../outside.md',
    '/memories-other/outside.md',
    '/memories/link/outside.md',
    '/memories/link.md',
    '/etc/passwd',
    'outside.md',
    '/memories/%2e%2e/outside.md',
    '/memories/..\\outside.md',
    '',
  ])('is not touched by way of %j', async (path) => {
    fs.writeFileSync(join(place, 'outside.md'), 'secret of another\n');
    fs.mkdirSync(join(place, 'memory-other'));
    fs.writeFileSync(join(place, 'memory-other', 'outside.md'), 'secret of another\n');
    await create('/memories/own.md', 'own');
    fs.symlinkSync(place, join(folder, 'link'));
    fs.symlinkSync(join(place, 'outside.md'), join(folder, 'link.md'));
    for (const attempt of everything(path)) {
      const answer = await attempt();
      expect(answer).toMatch(/^Error: /);
      expect(answer).not.toContain('secret of another');
    }
    expect(fs.readFileSync(join(place, 'outside.md'), 'utf8')).toBe('secret of another\n');
    expect(fs.readFileSync(join(place, 'memory-other', 'outside.md'), 'utf8')).toBe('secret of another\n');
    expect(fs.readdirSync(place).sort()).toEqual(['memory', 'memory-other', 'outside.md']);
    expect(onDisk('own.md')).toBe('own');
  });

  it('leaves the journal alone, which is hidden', async () => {
    await create('/memories/own.md', 'own');
    for (const attempt of everything('/memories/.reverie/x.md')) expect(await attempt()).toMatch(/^Error: /);
    expect(await view('/memories')).not.toContain('.reverie');
  });
});

describe('the index', () => {
  it('is viewed like any file, and written by nobody but Reverie', async () => {
    await create('/memories/a.md');
    expect(await view('/memories/MEMORY.md')).toContain('(a.md)');
    const before = onDisk('MEMORY.md');
    const attempts = [
      create('/memories/MEMORY.md'),
      replace('/memories/MEMORY.md', 'a.md', 'b.md'),
      insert('/memories/MEMORY.md', 0, 'x'),
      remove('/memories/MEMORY.md'),
      rename('/memories/MEMORY.md', '/memories/b.md'),
      rename('/memories/a.md', '/memories/MEMORY.md'),
    ];
    for (const answer of await Promise.all(attempts)) expect(answer).toContain('is the index and can only be viewed');
    expect(onDisk('MEMORY.md')).toBe(before);
  });
});

describe('input that is no command', () => {
  it.each([
    [null, 'must be an object'],
    [{}, 'is not a command'],
    [{ command: 'format' }, '"format" is not a command'],
    [{ command: 'view' }, '`path` is missing'],
    [{ command: 'create', path: '/memories/a.md' }, '`file_text` is missing'],
    [{ command: 'insert', path: '/memories/a.md', insert_line: '1', insert_text: '' }, '`insert_line` must be'],
    [{ command: 'view', path: '/memories', view_range: [1] }, '`view_range` must be'],
  ])('%j says what is wrong', async (input, problem) => {
    expect(await call(input as object)).toContain(problem);
  });
});

it('says that memory is off', async () => {
  const off = await openMemory({ bare: true, home: join(place, 'home'), cwd: place, env: { HOME: place } });
  await expect(memoryTool(off).run({ command: 'view', path: '/memories' })).rejects.toThrow(/^Memory is off: /);
});
