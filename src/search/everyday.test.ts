/** What a developer asks every day over forty memories; the cases were written from the memories alone. */

import { readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { openEncoder } from '../model/encoder/encoder.ts';
import { explainHit, type LocalIndex, openLocalIndex, type RecallDocument } from './local-index.ts';

interface Cases {
  readonly memories: ReadonlyArray<{ file: string; name: string; description: string; body: string }>;
  readonly questions: ReadonlyArray<{ ask: string; expects: readonly string[] }>;
  readonly unrelated: readonly string[];
}

const CASES = new URL('../../test/cases/everyday-recall.json', import.meta.url);
const { memories, questions, unrelated }: Cases = JSON.parse(readFileSync(CASES, 'utf8'));
const encoder = openEncoder();

async function indexOf(documents: readonly RecallDocument[]): Promise<LocalIndex> {
  const index = openLocalIndex({ directory: temporaryFolder('everyday'), encoder: () => encoder });
  await index.update(documents.map((document) => ({ ...document, read: () => document })));
  await index.ready();
  return index;
}

let index: LocalIndex;
beforeAll(async () => {
  index = await indexOf(memories.map(({ file, ...memory }) => ({ key: file, hash: file, ...memory })));
});

function certain(question: string): readonly string[] {
  return index
    .search(question, { limit: 5 })
    .filter((hit) => hit.certain)
    .map(({ key }) => key);
}

it('seven of ten questions get the right memory unasked', () => {
  const answered = questions.filter(({ ask, expects }) => certain(ask).some((key) => expects.includes(key)));
  expect(answered.length).toBeGreaterThanOrEqual(70);
});

it('unrelated questions get silence', () => {
  expect(unrelated.filter((ask) => certain(ask).length > 0).length).toBeLessThanOrEqual(5);
});

it('one sentence of a long message is enough', () => {
  const around =
    'I slept badly and the coffee is cold. Yesterday was a long day with too many letters from the tax office.';
  const message = `${around} Anyway, can we deploy on the 21st of December? I would like to be done before my holiday starts.`;
  expect(certain(message)).toContain('project_freeze.md');
  expect(certain(around)).toEqual([]);
});

it.each([
  ['anything new on 2291?', 'project_flaky_upload.md'],
  ['something calls createLabel', 'project_rate_limit.md'],
])('a name that one memory alone holds is enough: %s', (ask, key) => {
  expect(certain(ask)).toEqual([key]);
});

it('a common word is not, however few memories there are', async () => {
  const body = 'The tests of the parser are slow.';
  const alone = await indexOf([{ key: 'a.md', hash: 'a', name: 'parser', description: body, body }]);
  expect(alone.search('the tests of the garden fence were lovely', { limit: 1 })[0]?.certain).toBe(false);
});

it.each([
  ['which workday suits the plumber and the painter best, and what do they charge?', false],
  ['which Quorvyn suits the plumber and the painter best, and what do they charge?', true],
])('a rare word made of two common ones is no name: %s', async (ask, isCertain) => {
  const body = 'The workday of the release crew, Quorvyn and two others, ends at five.';
  const alone = await indexOf([{ key: 'a.md', hash: 'a', name: 'crew', description: body, body }]);
  expect(alone.search(ask, { limit: 1 })[0]?.certain).toBe(isCertain);
});

it('says what was missing', () => {
  const [hit] = index.search('which wine goes with staging a play?', { limit: 1 });
  expect(hit!.certain).toBe(false);
  expect(explainHit(hit!)).toMatch(
    /missing: 0\.\d\d more evidence \(unrelated questions reach .* here\); not in it: .*wine/,
  );
});

it('says so when another memory fits much better, or when the language is not known', async () => {
  const documents = [
    'The staging database is reset every night at two by the nightly job of the platform team.',
    'The staging database has a nightly copy.',
    'Die Datenbank wird jede Nacht von der Technik gesichert und wöchentlich geprüft.',
  ].map((body, at) => ({ key: `m${at}.md`, hash: body, name: `m${at}`, description: body, body }));
  const few = await indexOf(documents);
  const explained = (ask: string) => few.search(ask, { limit: 3 }).map(explainHit).join('\n');
  const ask = 'which nightly job of the platform team resets the staging database every night at two?';
  expect(explained(ask)).toContain('another memory fits much better');
  expect(explained('Wann wird in der Technik gearbeitet, und von wem?')).toContain('not in English');
});

it('an exact match comes first among 1,500 that are alike', async () => {
  const documents = Array.from({ length: 1_500 }, (_, at) => {
    const exact = at === 1_437;
    const body = `The nightly job writes the report of store ${exact ? 'Quillon' : at} to the shared folder.`;
    return { key: `m${at}.md`, hash: `h${at}`, name: `Report ${at}`, description: body, body };
  });
  const many = await indexOf(documents);
  expect(many.search('where does the nightly job write the report of store Quillon?', { limit: 5 })[0]).toMatchObject({
    key: 'm1437.md',
    certain: true,
  });
});
