import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import type { Memory } from '../memory/memory.ts';
import { openMemory } from '../session/open-memory.ts';
import { changeBetween, type MemoryChange, watchMemory } from './watch.ts';

let root: string;
let memory: Memory;
let watching: { close(): void };
let changes: MemoryChange[];
let problems: string[];

beforeEach(async () => {
  root = temporaryFolder('watch');
  mkdirSync(join(root, 'project'));
  memory = await openMemory({
    home: join(root, 'home'),
    cwd: join(root, 'project'),
    env: { HOME: join(root, 'user') },
  });
  changes = [];
  problems = [];
  watching = watchMemory(memory, {
    onChange: (change) => void changes.push(change),
    onProblem: (problem) => void problems.push(problem),
  });
});
afterEach(async () => {
  watching.close();
  await memory.close();
});

const NOTE = { type: 'project', name: 'Note', description: 'A note', body: 'Text.' } as const;
const NOTE_URI = 'reverie://memory/project/project_note.md';
const INDEX_URI = 'reverie://index/project';

/** Everything told since the last time, once this much of it is there. */
async function told(...uris: string[]): Promise<{ listChanged: boolean; uris: ReadonlySet<string> }> {
  const giveUpAt = Date.now() + 15_000;
  for (;;) {
    const all = new Set(changes.flatMap((change) => change.uris));
    if (uris.every((uri) => all.has(uri))) {
      const listChanged = changes.some((change) => change.listChanged);
      changes.length = 0;
      return { listChanged, uris: all };
    }
    if (Date.now() > giveUpAt) throw new Error(`Not told: ${uris.join(' ')}; told ${[...all].join(' ')}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('watching memory', () => {
  it('notices the first memory of all, although there was no folder to watch', async () => {
    await memory.save(NOTE);
    expect((await told(INDEX_URI)).listChanged).toBe(true);
  });

  it('tells an edit from a new, a renamed and a forgotten memory', async () => {
    await memory.save(NOTE);
    await told(INDEX_URI);
    // The folder was made a moment ago; what follows is seen by its own watch.
    await memory.save({ ...NOTE, name: 'Other' });
    expect(await told('reverie://memory/project/project_other.md', INDEX_URI)).toMatchObject({ listChanged: true });
    appendFileSync(join(memory.folders.project!, 'project_note.md'), 'More.\n');
    expect(await told(NOTE_URI)).toEqual({ listChanged: false, uris: new Set([NOTE_URI]) });
    await memory.update('project_note.md', { description: 'Another hook' });
    expect((await told(NOTE_URI, INDEX_URI)).listChanged).toBe(true);
    await memory.forget('project_note.md');
    expect((await told(NOTE_URI, INDEX_URI)).listChanged).toBe(true);
    expect(problems).toEqual([]);
  });

  it('sees into folders that are made later', async () => {
    await memory.save(NOTE);
    await told(INDEX_URI);
    const below = join(memory.folders.project!, 'team', 'shop');
    mkdirSync(below, { recursive: true });
    writeFileSync(join(below, 'first.md'), 'First.\n');
    await told('reverie://memory/project/team/shop/first.md');
    appendFileSync(join(below, 'first.md'), 'More.\n');
    await told('reverie://memory/project/team/shop/first.md');
  });

  it('says nothing once it is closed', async () => {
    await memory.save(NOTE);
    await told(INDEX_URI);
    watching.close();
    await memory.save({ ...NOTE, name: 'Other' });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(changes).toEqual([]);
  });
});

describe('the change between two looks', () => {
  const entry = (shown: string, modified = '1') => ({ shown, modified });

  it.each([
    ['nothing', [['a', entry('x')]], [['a', entry('x')]], { listChanged: false, uris: [] }],
    ['a text', [['a', entry('x')]], [['a', entry('x', '2')]], { listChanged: false, uris: ['a'] }],
    ['a name', [['a', entry('x')]], [['a', entry('y')]], { listChanged: true, uris: ['a'] }],
    ['one more', [], [['a', entry('x')]], { listChanged: true, uris: ['a'] }],
    ['one less', [['a', entry('x')]], [], { listChanged: true, uris: ['a'] }],
    ['one for another', [['a', entry('x')]], [['b', entry('x')]], { listChanged: true, uris: ['b', 'a'] }],
  ] as const)('is %s', (_name, before, now, change) => {
    expect(changeBetween(new Map(before), new Map(now))).toEqual(change);
  });
});
