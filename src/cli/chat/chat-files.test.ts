import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { CHAT_LIMITS } from '../../limits.ts';
import { createProjectFiles, matchFiles } from './find-files.ts';
import { type MentionPlace, readMentions } from './mentions.ts';
import { promptBlocks } from './prompt-blocks.ts';
import { openPromptHistory } from './prompt-history.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000', 'hex');

let root: string;
let place: MentionPlace;
beforeEach(() => {
  root = temporaryFolder('chat');
  place = { cwd: root, isHidden: (path) => path.endsWith('private.txt') };
});

describe('the history of prompts', () => {
  it('is stored for this user only, and survives damage', async () => {
    const folder = join(root, 'home', 'project');
    const history = openPromptHistory(folder);
    for (const prompt of ['one', 'two\nlines', 'two\nlines', '  ']) await history.add(prompt);
    const file = join(folder, 'prompts.jsonl');
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    appendFileSync(file, '{"prompt": 7}\n{torn');
    expect(openPromptHistory(folder).entries()).toEqual(['one', 'two\nlines']);
  });

  it('stays short on disk', async () => {
    const history = openPromptHistory(root);
    const most = CHAT_LIMITS.historyPrompts;
    for (let at = 0; at < 2 * most + 5; at++) await history.add(`prompt ${at}`);
    expect(openPromptHistory(root).entries()).toHaveLength(most);
    expect(openPromptHistory(root).entries().at(-1)).toBe(`prompt ${2 * most + 4}`);
    expect(readFileSync(join(root, 'prompts.jsonl'), 'utf8').split('\n').length).toBeLessThan(2 * most);
  });

  it('that cannot be written loses nothing of this run', async () => {
    writeFileSync(join(root, 'file'), '');
    const history = openPromptHistory(join(root, 'file', 'folder'));
    await history.add('kept');
    expect(history.entries()).toEqual(['kept']);
  });
});

describe('files to complete', () => {
  it.each([
    ['view', ['view.ts', 'src/view.ts', 'src/preview.ts']],
    ['src/v', ['src/view.ts', 'src/preview.ts']],
    ['svt', ['src/view.ts', 'src/preview.ts']],
    ['nothing', []],
  ])('%s', (typed, expected) => {
    expect(matchFiles(['src/preview.ts', 'README.md', 'src/view.ts', 'view.ts'], typed)).toEqual(expected);
  });

  it('are few, whatever is typed, and each one exists', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.string(), (files, typed) => {
        const found = matchFiles(files, typed);
        expect(found.length).toBeLessThanOrEqual(CHAT_LIMITS.suggestions);
        for (const file of found) expect(files).toContain(file);
      }),
    );
  });

  it('are those that git knows, without what it ignores; elsewhere all', async () => {
    for (const name of ['a b.txt', 'ignored.log']) writeFileSync(join(root, name), '');
    const list = () => createProjectFiles({ cwd: root, nowMs: () => 0 }).list();
    expect([...(await list())].sort()).toEqual(['a b.txt', 'ignored.log']);
    execFileSync('git', ['init', '-q'], { cwd: root });
    writeFileSync(join(root, '.gitignore'), '*.log\n');
    expect([...(await list())].sort()).toEqual(['.gitignore', 'a b.txt']);
  });

  it('are searched again only after a while', async () => {
    let [nowMs, looked] = [0, 0];
    const find = async () => [`file ${++looked}`];
    const files = createProjectFiles({ cwd: root, nowMs: () => nowMs, find });
    await files.list();
    expect(await files.list()).toEqual(['file 1']);
    nowMs = CHAT_LIMITS.fileListMs + 1;
    expect(await files.list()).toEqual(['file 2']);
  });
});

describe('what a prompt mentions', () => {
  it('goes with it: text as a document, an image as an image, a folder by its names', () => {
    mkdirSync(join(root, 'src'));
    writeFileSync(join(root, 'src', 'a.ts'), 'const a = 1;\n');
    writeFileSync(join(root, 'my notes.md'), 'notes');
    writeFileSync(join(root, 'p.png'), PNG);
    const { blocks, notes } = readMentions('See @src/a.ts, @"my notes.md" and @p.png in @src! Again @src/a.ts.', place);
    expect(blocks).toMatchObject([
      { type: 'document', title: join(root, 'src/a.ts'), source: { data: 'const a = 1;\n' } },
      { type: 'document', source: { data: 'notes' } },
      { type: 'image', source: { media_type: 'image/png' } },
      { type: 'document', source: { data: 'a.ts' } },
    ]);
    expect(notes).toHaveLength(4);
  });

  it.each(['me@example.org', '@someone', 'a @ b', '@./missing.ts'])('%s mentions nothing', (prompt) => {
    expect(readMentions(prompt, place)).toEqual({ blocks: [], notes: [] });
  });

  it('leaves out what a rule denies, and says so', () => {
    writeFileSync(join(root, 'private.txt'), 'the canary');
    const { blocks, notes } = readMentions('@private.txt', place);
    expect(blocks).toEqual([]);
    expect(notes).toEqual(['private.txt was not attached: a deny rule in your settings forbids reading it.']);
  });

  it('is limited, and says so', () => {
    writeFileSync(join(root, 'long.txt'), 'a line of text\n'.repeat(20_000));
    writeFileSync(join(root, 'binary'), Buffer.from([1, 0, 2]));
    const { blocks, notes } = readMentions('@long.txt @binary', place);
    expect(blocks).toHaveLength(1);
    const [block] = blocks;
    expect(block?.type === 'document' && block.source.data.length).toBeLessThanOrEqual(CHAT_LIMITS.mentionBytes);
    expect(notes[0]).toContain('the first');
    expect(notes[1]).toContain('not text');
  });

  it('is not searched in pasted text, and a pasted image is attached', () => {
    writeFileSync(join(root, 'a.ts'), 'text');
    writeFileSync(join(root, 'p.png'), PNG);
    const shown = '[Pasted text #1 +9 lines] [Image #1]';
    const prompt = {
      text: 'mail @a.ts [Image #1]',
      shown,
      images: [{ path: join(root, 'p.png') }, { path: '/gone.png' }],
    };
    const { blocks, notes } = promptBlocks(prompt, place);
    expect(blocks.map(({ type }) => type)).toEqual(['text', 'image']);
    expect(notes).toEqual(['There is no file /gone.png; it was not attached.']);
  });
});
