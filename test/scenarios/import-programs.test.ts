/** Memories of other programs, brought in by name: where they land, that twice is once, that undo takes them out again. */

import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type ImportResult, importMemories } from '../../src/memory/transfer/import-memories.ts';
import { openMemory } from '../../src/session/open-memory.ts';
import { databaseFile, logFile, ROW_NUMBERS, rowMade } from '../support/claude-mem-database.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let place: string;
let project: string;

beforeEach(() => {
  place = temporaryFolder('programs');
  project = join(place, 'project');
  fs.mkdirSync(project);
});

const options = () => ({ home: join(place, 'home'), cwd: project, env: { HOME: place } });
const bring = (source: string, path?: string): Promise<ImportResult> =>
  importMemories({ ...options(), source, ...(path === undefined ? {} : { path }) });

function write(path: string, text: string): string {
  const file = join(place, path);
  fs.mkdirSync(dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
  return file;
}

async function list() {
  const memory = await openMemory(options());
  try {
    return await memory.list();
  } finally {
    await memory.close();
  }
}

const SOURCES: [string, () => string | undefined, string[]][] = [
  ['mem0', () => write('mem0.json', '[{"id": "m1", "memory": "Likes tea"}]'), ['global likes-tea.md']],
  ['chatgpt', () => write('export/memory.json', '["Has two cats."]'), ['global has-two-cats.md']],
  [
    'basic-memory',
    () => void write('basic-memory/Team Notes.md', '---\ntitle: Team\ntype: note\n---\n- [who] Ana leads\n'),
    ['project Team Notes.md'],
  ],
  ['cursor', () => void write('project/.cursor/rules/ts.mdc', '---\nglobs: *.ts\n---\nNo any.\n'), ['project ts.md']],
  [
    'copilot',
    () => void write('project/.github/copilot-instructions.md', 'Use pnpm.\n'),
    ['project copilot-instructions.md'],
  ],
  [
    'codex',
    () => void write('.codex/memories/MEMORY.md', `# Task Group: here\napplies_to: cwd=${project}; r=1\n- a fact\n`),
    ['project here.md'],
  ],
];

describe.each(SOURCES)('importing from %s', (name, make, expected) => {
  it('keeps the memory with its origin, changes nothing there, does nothing the second time, and can be undone', async () => {
    const path = make();
    const before = fs.readdirSync(place, { recursive: true }).sort();
    const first = await bring(name, path);
    expect(first.problems).toEqual([]);
    expect(first.imported.map(({ scope, file }) => `${scope} ${file}`)).toEqual(expected);
    const [entry] = await list();
    expect(entry).toMatchObject({ source: 'imported', type: null });
    expect(entry?.origin).toMatchObject({ host: name, from: first.imported[0]?.from });
    expect(entry?.description).not.toBe('');
    const after = fs.readdirSync(place, { recursive: true }).filter((each) => !String(each).startsWith('home'));
    expect(after.sort()).toEqual(before);

    const second = await bring(name, path);
    expect(second.imported).toEqual([]);
    expect(second.unchanged).toHaveLength(1);

    const memory = await openMemory(options());
    await memory.undo();
    expect(await memory.list()).toEqual([]);
    await memory.close();
  });
});

describe('importing from claude-mem', () => {
  it('brings in what it observed in this project, once', async () => {
    const database = write('.claude-mem/claude-mem.db', '');
    fs.writeFileSync(database, databaseFile());
    fs.writeFileSync(`${database}-wal`, logFile());
    const cwd = join(place, 'shop');
    fs.mkdirSync(cwd);
    const first = await importMemories({ ...options(), cwd, source: 'claude-mem' });
    expect(first.imported).toHaveLength(ROW_NUMBERS.filter((number) => rowMade(number).project === 'shop').length);
    expect(new Set(first.imported.map(({ scope }) => scope))).toEqual(new Set(['project']));
    const second = await importMemories({ ...options(), cwd, source: 'claude-mem' });
    expect([second.imported, second.unchanged.length]).toEqual([[], first.imported.length]);
    expect(fs.readFileSync(database)).toEqual(databaseFile());
  });
});

describe('importing by name', () => {
  it('refuses a secret and brings in the rest', async () => {
    const key = `AKIA${'QZ7LMN3PXT5VKW2R'}`;
    const path = write(
      'mem0.json',
      JSON.stringify([{ memory: `aws_access_key_id = ${key}` }, { memory: 'Likes tea' }]),
    );
    const result = await bring('mem0', path);
    expect(result.imported.map(({ file }) => file)).toEqual(['likes-tea.md']);
    expect(result.problems).toHaveLength(1);
    expect(JSON.stringify(result)).not.toContain(key);
  });

  it('brings in the rest when one file has a name that cannot be kept', async () => {
    write('basic-memory/good.md', 'Good.\n');
    write('basic-memory/CON.md', 'Bad name.\n');
    const result = await bring('basic-memory');
    expect(result.imported.map(({ file }) => file)).toEqual(['good.md']);
    expect(result.problems).toMatchObject([{ file: 'CON.md' }]);
  });

  it('says what to give when there is nothing, or when the place is not known', async () => {
    await expect(bring('codex')).rejects.toMatchObject({
      code: 'not-found',
      fix: expect.stringContaining('codex <path>'),
    });
    await expect(bring('cursor')).rejects.toMatchObject({ code: 'not-found' });
    await expect(bring('mem0')).rejects.toMatchObject({ code: 'usage' });
    await expect(bring('something', 'x')).rejects.toMatchObject({ code: 'usage' });
  });

  it('takes a folder that is named like a program by its path', async () => {
    write('project/codex/note.md', 'A note.\n');
    expect((await bring('./codex')).imported.map(({ file }) => file)).toEqual(['note.md']);
  });
});
