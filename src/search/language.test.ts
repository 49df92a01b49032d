/** Questions in languages that the encoder does not know, over made-up memories in the same language. */

import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { openEncoder } from '../model/encoder/encoder.ts';
import { type LocalIndex, openLocalIndex } from './local-index.ts';

interface Cases {
  readonly memories: readonly string[];
  readonly questions: readonly string[];
  readonly unrelated: readonly string[];
}

const CASES = new URL('../../test/cases/languages-recall.json', import.meta.url);
const languages: Readonly<Record<string, Cases>> = JSON.parse(readFileSync(CASES, 'utf8'));

let [whole, words]: LocalIndex[] = [];
beforeAll(async () => {
  const encoder = openEncoder();
  const documents = Object.entries(languages).flatMap(([language, { memories }]) =>
    memories.map((body, at) => ({ key: `${language}${at}`, hash: body, name: '', description: body, body })),
  );
  const open = async (of: typeof encoder | null) => {
    const index = openLocalIndex({ directory: temporaryFolder('languages'), encoder: () => of });
    await index.update(documents.map((document) => ({ ...document, read: () => document })));
    await index.ready();
    return index;
  };
  [whole, words] = [await open(encoder), await open(null)];
});

describe.each(Object.keys(languages))('%s', (language) => {
  const { questions, unrelated } = languages[language]!;
  const found = (index: LocalIndex) =>
    questions.filter((ask, at) => index.search(ask, { limit: 1 })[0]?.key === `${language}${at}`).length;
  const certain = (ask: string) => whole!.search(ask, { limit: 5 }).filter((hit) => hit.certain);

  it('the encoder does no harm', () => {
    expect(found(whole!)).toBeGreaterThanOrEqual(found(words!));
    expect(found(whole!)).toBeGreaterThanOrEqual(18);
  });

  it('some of the right memories are certain, and nothing for what is unrelated', () => {
    const right = questions.filter((ask, at) => certain(ask).some(({ key }) => key === `${language}${at}`));
    expect(right.length).toBeGreaterThanOrEqual(8);
    expect(unrelated.filter((ask) => certain(ask).length > 0)).toEqual([]);
  });
});
