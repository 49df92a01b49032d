import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { runs } from '../../test/support/property-runs.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { LIMITS } from '../limits.ts';
import { openEncoder } from '../model/encoder/encoder.ts';
import { type DocumentSource, explainHit, openLocalIndex, type RecallDocument } from './local-index.ts';

const encoder = openEncoder();
const WORDS = ['coffee', 'tests', 'deploy', 'invoice', 'garden', 'kubernetes', 'holiday', 'budget', 'parser', 'guitar'];

let directory: string;
beforeEach(() => {
  directory = temporaryFolder('local-index');
});

function memory(key: string, body: string): RecallDocument {
  return { key, hash: `${key}:${body}`, name: key, description: body, body };
}

function sourcesOf(
  documents: readonly RecallDocument[],
  onRead: (key: string) => void = () => undefined,
): DocumentSource[] {
  return documents.map((document) => ({
    key: document.key,
    hash: document.hash,
    read: () => {
      onRead(document.key);
      return document;
    },
  }));
}

function open(limits = LIMITS.localIndex as { sliceMs: number; batchMemories: number; orphanAfterMs: number }) {
  return openLocalIndex({ directory, encoder: () => encoder, limits });
}

const PREFERENCES = [
  memory('coffee.md', 'The user drinks dark roast coffee in the morning.'),
  memory('tests.md', 'Run the unit tests before every commit.'),
  memory('deploy.md', 'Deployments to Kubernetes happen on Fridays only with approval.'),
  memory('garden.md', 'The garden needs watering twice a week in summer.'),
];

describe('ranking', () => {
  it('finds a memory by meaning when no word is shared', async () => {
    const index = open();
    await index.update(sourcesOf(PREFERENCES));
    const [best] = index.search('Which beverage would they like at breakfast?', { limit: 1 });
    expect(best?.key).toBe('coffee.md');
    expect(best?.why.wordsShared).toEqual([]);
  });

  it.each([
    ['name', { name: 'Planning of 2023-06-16' }],
    ['aliases', { aliases: 'the plan of 2023-06-16' }],
    ['date, behind a text that is not read to its end', { date: '2023-06-16', body: 'Lunch and news. '.repeat(2_000) }],
  ])('finds a memory by a day in its %s', async (_where, field) => {
    const index = open();
    const lunch = (key: string) => memory(key, 'Lunch and news.');
    await index.update(sourcesOf([lunch('a.md'), { ...lunch('b.md'), ...field }, lunch('c.md')]));
    const [hit] = index.search('2023-06-16', { limit: 1 });
    expect(hit?.key).toBe('b.md');
    expect(hit?.why.wordsShared).toContain('16 June 2023');
  });

  it('finds a memory by the day it was written, however the question writes it', async () => {
    const told = (key: string, date: string) => ({ ...memory(key, 'Maria told good news over lunch.'), date });
    const index = open();
    await index.update(sourcesOf([told('a.md', '2023-06-09'), told('b.md', '2023-06-16'), told('c.md', '2022-06-17')]));
    const first = (query: string) => index.search(query, { limit: 1 })[0]?.key;
    expect(first('what did Maria tell on 16 June, 2023?')).toBe('b.md');
    expect(first('what did Maria tell in June 2022?')).toBe('c.md');
    const [hit] = index.search('what did Maria tell on June 9th?', { limit: 1 });
    expect(hit?.key).toBe('a.md');
    expect(hit?.why.wordsShared).toContain('9 June');
  });

  it('is certain about an answer, and about nothing for an unrelated question', async () => {
    const index = open();
    await index.update(sourcesOf(PREFERENCES));
    const certain = (query: string) => index.search(query, { limit: 5 }).filter((hit) => hit.certain);
    expect(certain('When should I run the unit tests?').map(({ key }) => key)).toEqual(['tests.md']);
    expect(certain('What is the boiling point of ethanol at sea level?')).toEqual([]);
  });

  it('takes a short memory with a made-up name for English, and knows it by that name', async () => {
    const index = open();
    await index.update(sourcesOf([memory('port.md', 'The frobnicator listens on port 7788')]));
    const [hit] = index.search('Which port does the frobnicator use?', { limit: 1 });
    expect(hit).toMatchObject({ key: 'port.md', certain: true, why: { trust: 1, named: ['frobnicator'] } });
  });

  it('leaves out what it is told to and fills the place with the next', async () => {
    const index = open();
    await index.update(sourcesOf(PREFERENCES));
    const [first, second] = index.search('coffee in the garden', { limit: 2 });
    const [next] = index.search('coffee in the garden', { limit: 1, exclude: new Set([first!.key]) });
    expect(next?.key).toBe(second?.key);
  });

  it('is no more certain about the next when the best was seen before', async () => {
    const index = open();
    const slow = memory('slow.md', 'The unit tests of the parser are slow.');
    const lint = memory('lint.md', 'Run the linter before every push.');
    await index.update(sourcesOf([...PREFERENCES, slow, lint]));
    const query = 'When should I run the unit tests?';
    const hits = index.search(query, { limit: 5 });
    expect(hits.filter(({ certain }) => certain).map(({ key }) => key)).toEqual(['tests.md']);
    const seen = new Set(['tests.md']);
    expect(index.search(query, { limit: 4, seen })).toEqual(hits.slice(1));
    // What is excluded, because it no longer holds, does not set the bar.
    const [next] = index.search(query, { limit: 1, exclude: seen });
    expect(next).toMatchObject({ key: 'slow.md', certain: true });
  });

  it('is certain about the one with the number, not about others that are alike', async () => {
    const docks = Array.from({ length: 12 }, (_, at) => memory(`${at}.md`, `Dock ${at} of the harbour unloads steel.`));
    const index = open();
    await index.update(sourcesOf(docks));
    const [seven, ...others] = index.search('What does dock 7 of the harbour unload?', { limit: 5 });
    expect(seven).toMatchObject({ key: '7.md', certain: true });
    expect(others.map(({ certain, why }) => [certain, why.isBehind])).toEqual(others.map(() => [false, true]));
    expect(index.search('What do the docks of the harbour unload?', { limit: 5 }).every(({ certain }) => certain)).toBe(
      true,
    );
  });

  it('returns nothing from an empty index or for an empty query', async () => {
    const index = open();
    expect(index.search('coffee', { limit: 5 })).toEqual([]);
    await index.update(sourcesOf(PREFERENCES));
    expect(index.search('', { limit: 5 })).toEqual([]);
    expect(index.search('?!', { limit: 5 })).toEqual([]);
  });

  it('explains a hit with the matching words', async () => {
    const index = open();
    await index.update(sourcesOf(PREFERENCES));
    const [hit] = index.search('Do we deploy to kubernetes on Mondays?', { limit: 1 });
    const text = explainHit(hit!);
    expect(hit?.why.wordsShared).toContain('kubernetes');
    expect(text).toContain('deploy.md');
    expect(text).toContain('words in both: deploy, kubernetes');
    expect(text).toMatch(/met: .*\w+ ~ \w+ 0\.\d\d/);
  });

  it('ranks by words alone without an encoder', async () => {
    const index = openLocalIndex({ directory, encoder: () => null });
    await index.update(sourcesOf(PREFERENCES));
    expect(index.search('watering the garden', { limit: 1 })[0]?.key).toBe('garden.md');
  });
});

describe('updating', () => {
  it('reads only what is new or changed', async () => {
    const index = open();
    await index.update(sourcesOf(PREFERENCES));
    const changed = [
      { ...PREFERENCES[0]!, name: 'drinks', hash: 'new', description: '', body: 'The user has switched to green tea.' },
      ...PREFERENCES.slice(1, 3),
    ];
    const read: string[] = [];
    const result = await index.update(sourcesOf(changed, (key) => read.push(key)));
    expect(read).toEqual(['coffee.md']);
    expect(result).toEqual({ added: 1, removed: 1, kept: 2, unsaved: null });
    expect(index.search('green tea', { limit: 1 })[0]?.key).toBe('coffee.md');
    expect(index.search('dark roast', { limit: 5 }).flatMap((hit) => hit.why.wordsShared)).toEqual([]);
    expect(index.size()).toBe(3);
  });

  it('skips a file that is gone by the time it is read', async () => {
    const index = open();
    const gone: DocumentSource = { key: 'gone.md', hash: 'x', read: () => null };
    expect(await index.update([...sourcesOf(PREFERENCES), gone])).toMatchObject({ added: 4 });
    expect(index.size()).toBe(4);
  });

  it('gives the same as a fresh index, after any series of changes', async () => {
    const body = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 }).map((words) => words.join(' '));
    const state = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'), body);
    await fc.assert(
      fc.asyncProperty(fc.array(state, { minLength: 1, maxLength: 5 }), body, async (states, query) => {
        const limits = { ...LIMITS.localIndex, batchMemories: 2 };
        const index = openLocalIndex({ directory: mkdtempSync(join(directory, 'a-')), encoder: () => encoder, limits });
        for (const files of states) await index.update(sourcesOf(toMemories(files)));
        const fresh = openLocalIndex({ directory: mkdtempSync(join(directory, 'b-')), encoder: () => encoder });
        await fresh.update(sourcesOf(toMemories(states.at(-1)!)));
        const found = (one: typeof index) =>
          one.search(query, { limit: 9 }).map(({ key, score }) => `${key} ${score.toFixed(4)}`);
        expect(found(index)).toEqual(found(fresh));
      }),
      { numRuns: runs(40) },
    );
  });
});

function toMemories(files: Readonly<Record<string, string>>): RecallDocument[] {
  return Object.entries(files).map(([key, body]) => memory(key, body));
}

describe('the files', () => {
  async function stored() {
    const index = open();
    await index.update(sourcesOf(PREFERENCES));
    await index.close();
    return index.search('unit tests', { limit: 4 });
  }
  const fileOf = (ending: string) => join(directory, readdirSync(directory).find((name) => name.endsWith(ending))!);

  it('are loaded by another process without reading a memory', async () => {
    const before = await stored();
    const again = open();
    expect(again.search('unit tests', { limit: 4 })).toEqual(before);
    const reads: string[] = [];
    expect(await again.update(sourcesOf(PREFERENCES, (key) => reads.push(key)))).toMatchObject({ kept: 4, added: 0 });
    expect(reads).toEqual([]);
  });

  it('are private', async () => {
    await stored();
    for (const name of readdirSync(directory)) expect(statSync(join(directory, name)).mode & 0o077).toBe(0);
  });

  const damages: ReadonlyArray<readonly [string, () => void]> = [
    ['a segment is cut short', () => truncateSync(fileOf('.segment'), 40)],
    ['a segment is gone', () => rmSync(fileOf('.segment'))],
    ['a byte of a segment is flipped', () => flip(fileOf('.segment'), 100)],
    ['the manifest is half written', () => truncateSync(fileOf('manifest.json'), 30)],
    ['a digit of the manifest is flipped', () => flip(fileOf('manifest.json'), 60)],
    ['the manifest is of an older format', () => replaceFormat(fileOf('manifest.json'))],
    ['the manifest is empty', () => writeFileSync(fileOf('manifest.json'), '')],
  ];
  it.each(damages)('are rebuilt when %s', async (_, damage) => {
    const before = await stored();
    damage();
    const again = open();
    expect(again.search('unit tests', { limit: 4 })).toEqual([]);
    expect(await again.update(sourcesOf(PREFERENCES))).toEqual({ added: 4, removed: 0, kept: 0, unsaved: null });
    expect(open().search('unit tests', { limit: 4 })).toEqual(before);
  });

  it('of another encoder are not used', async () => {
    await stored();
    const other = openLocalIndex({ directory, encoder: () => ({ ...encoder, id: 'another' }) });
    expect(other.size()).toBe(0);
  });

  it('that are no longer named are removed, once no reader can be opening them', async () => {
    let now = Date.now();
    const index = openLocalIndex({ directory, encoder: () => encoder, now: () => now });
    const segments = () => readdirSync(directory).filter((name) => name.endsWith('.segment')).length;
    await index.update(sourcesOf(PREFERENCES));
    await index.update(sourcesOf([memory('new.md', 'Something else altogether.')]));
    expect(segments()).toBe(2);
    now += LIMITS.localIndex.orphanAfterMs + 60_000;
    await index.update(sourcesOf([memory('new.md', 'Something else once more.')]));
    await index.update(sourcesOf(PREFERENCES));
    expect(open().size()).toBe(4);
    expect(segments()).toBeLessThanOrEqual(3);
  });

  it('stay whole while two processes write in turn', async () => {
    const [left, right] = [open(), open()];
    await left.update(sourcesOf(PREFERENCES));
    await right.update(sourcesOf(PREFERENCES.slice(0, 2)));
    await left.update(sourcesOf([...PREFERENCES, memory('new.md', 'The budget is fixed.')]));
    expect(open().size()).toBe(5);
  });

  it('are never seen half changed by a concurrent reader', async () => {
    const states = [PREFERENCES, PREFERENCES.slice(0, 2), [...PREFERENCES, memory('new.md', 'The budget is fixed.')]];
    const writers = [open(), open()];
    await writers[0]!.update(sourcesOf(PREFERENCES));
    let writing = true;
    const rounds = writers.map(async (writer) => {
      for (let round = 0; round < 6; round++) await writer.update(sourcesOf(states[round % 3]!));
    });
    const written = Promise.all(rounds).finally(() => {
      writing = false;
    });
    const seen = new Set<number>();
    while (writing) {
      seen.add(open().size());
      await setImmediate();
    }
    await written;
    expect([...seen].filter((size) => ![2, 4, 5].includes(size))).toEqual([]);
  });

  it('that cannot be written leave a working index, and say so', async () => {
    writeFileSync(join(directory, 'blocked'), '');
    const index = openLocalIndex({ directory: join(directory, 'blocked', 'index'), encoder: () => encoder });
    const { added, unsaved } = await index.update(sourcesOf(PREFERENCES));
    expect(added).toBe(4);
    expect(unsaved).toMatch(/ENOTDIR|EEXIST/);
    expect(index.search('unit tests', { limit: 1 })[0]?.key).toBe('tests.md');
  });
});

function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at]! ^= 1;
  writeFileSync(path, bytes);
}

function replaceFormat(path: string): void {
  writeFileSync(path, readFileSync(path, 'utf8').replace('"format":', '"format":9'));
}

describe('pasted pages', () => {
  const page = Array.from({ length: 100_000 }, (_, at) => `line ${at} of a log`).join('\n');

  it('are found by their beginning', async () => {
    const index = open();
    await index.update(sourcesOf([...PREFERENCES, memory('log.md', `The violin broke.\n${page}`)]));
    expect(index.search('broken violin', { limit: 1 })[0]?.key).toBe('log.md');
  });

  it('used as questions are answered by their beginning', async () => {
    const index = open();
    await index.update(sourcesOf(PREFERENCES));
    expect(index.search(`Do the unit tests run before a commit?\n${page}`, { limit: 1 })[0]?.key).toBe('tests.md');
  });
});

describe('a large index', () => {
  it('finds the one memory that answers among thousands, alive ones only', async () => {
    const index = open();
    const many = Array.from({ length: 3_000 }, (_, at) =>
      memory(`m${at}.md`, `${WORDS[at % 10]} ${WORDS[(at * 7) % 9]} note number ${at}`),
    );
    const answer = memory('answer.md', 'The violin teacher comes on Tuesday afternoons.');
    await index.update(sourcesOf([...many, answer]));
    expect(index.search('When is the music lesson with the violin?', { limit: 1 })[0]?.key).toBe('answer.md');
    await index.update(sourcesOf(many));
    expect(index.search('violin teacher', { limit: 5 }).map(({ key }) => key)).not.toContain('answer.md');
    expect(index.size()).toBe(3_000);
  });
});
