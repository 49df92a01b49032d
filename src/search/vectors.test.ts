import { appendFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { type DocumentSource, type Embedder, openLocalIndex } from './local-index.ts';

/** A model that knows two subjects and nothing else. */
const SUBJECTS: ReadonlyArray<readonly [RegExp, readonly number[]]> = [
  [/sea|boat|harbour/, [1, 0, 0.1]],
  [/bread|oven|flour/, [0, 1, 0.1]],
];

function subjectOf(text: string): Float32Array {
  const known = SUBJECTS.find(([pattern]) => pattern.test(text));
  return Float32Array.from(known?.[1] ?? [0, 0, 1]);
}

function createModel() {
  const asked: string[] = [];
  const embedder: Embedder = {
    id: 'two-subjects',
    async embed(texts) {
      asked.push(...texts);
      return texts.map(subjectOf);
    },
  };
  return { asked, embedder };
}

const TEXTS: Readonly<Record<string, string>> = {
  boat: 'The boat needs paint',
  oven: 'The oven is broken',
  tax: 'Taxes are due',
};

function sources(texts = TEXTS): DocumentSource[] {
  return Object.entries(texts).map(([key, body]) => ({
    key,
    hash: body,
    read: () => ({ key, hash: body, name: '', description: '', body }),
  }));
}

let directory: string;
beforeEach(() => {
  directory = temporaryFolder('vectors');
});

describe("the user's own model", () => {
  const open = (embed: Embedder) => openLocalIndex({ directory, encoder: () => null, embed });

  it('finds what words do not, once the query is prepared', async () => {
    const index = open(createModel().embedder);
    await index.update(sources());
    await index.ready();
    expect(index.search('flour', { limit: 1 })).toEqual([]);
    await index.prepare('flour');
    const [hit] = index.search('flour', { limit: 1 });
    expect(hit?.key).toBe('oven');
    expect(hit?.why.vector).toBeGreaterThan(0.5);
  });

  it('answers by words while vectors are still being computed', async () => {
    let release: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow: Embedder = { id: 'slow', embed: async (texts) => waiting.then(() => texts.map(subjectOf)) };
    const index = open(slow);
    await index.update(sources());
    expect(index.search('paint the boat', { limit: 1 })[0]?.key).toBe('boat');
    release();
    await index.ready();
  });

  it('is asked once for each text, also by the next process', async () => {
    const model = createModel();
    const first = open(model.embedder);
    await first.update(sources());
    await first.ready();
    expect(model.asked).toHaveLength(3);
    const second = open(model.embedder);
    await second.update(sources({ ...TEXTS, tax: 'Taxes were paid' }));
    await second.ready();
    await second.prepare('harbour');
    expect(model.asked.slice(3)).toEqual(['\n\nTaxes were paid', 'harbour']);
    expect(second.search('harbour', { limit: 1 })[0]?.key).toBe('boat');
  });

  it('loses no more than the torn end of its file', async () => {
    const model = createModel();
    const first = open(model.embedder);
    await first.update(sources());
    await first.ready();
    appendFileSync(join(directory, readdirSync(directory).find((name) => name.endsWith('.vectors'))!), 'torn');
    const second = open(model.embedder);
    await second.update(sources({ ...TEXTS, more: 'flour and water' }));
    await second.ready();
    const third = open(model.embedder);
    await third.prepare('bread');
    expect(third.search('bread', { limit: 2 }).map(({ key }) => key)).toEqual(['more', 'oven']);
  });

  it('that fails leaves the words', async () => {
    const broken: Embedder = { id: 'broken', embed: () => Promise.reject(new Error('no network')) };
    const index = open(broken);
    await index.update(sources());
    await index.ready();
    await index.prepare('boat');
    expect(index.search('boat', { limit: 1 })[0]?.key).toBe('boat');
  });
});
