// Questions over memories in the same language, for languages that the encoder does not know; beside words alone and MiniSearch.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { share } from './recall-certainty.mjs';
import { sourceOf } from './recall-data.mjs';
import { createTally, TALLY_COLUMNS } from './recall-measure.mjs';

const CASES = new URL('../test/cases/languages-recall.json', import.meta.url);

export async function measureLanguages(build, directory) {
  const languages = Object.entries(JSON.parse(readFileSync(CASES, 'utf8')));
  console.log(`\nlanguages, ${build.name}: 20 questions over 20 memories each, memories of all four in one folder`);
  const documents = languages.flatMap(([language, { memories }]) =>
    memories.map((body, at) => ({
      key: `${language}${at}`,
      hash: `${language}${at}`,
      name: '',
      description: body,
      body,
    })),
  );
  const whole = build.open(join(directory, 'whole'));
  const words = build.openWords(join(directory, 'words'));
  for (const index of [whole, words]) {
    await index.update(documents.map(sourceOf));
    await index.ready();
  }
  const yardstick = new MiniSearch({ fields: ['body'], idField: 'key' });
  yardstick.addAll(documents);
  const methods = {
    recall: (ask) => whole.search(ask, { limit: 20 }).map(({ key }) => key),
    'words alone': (ask) => words.search(ask, { limit: 20 }).map(({ key }) => key),
    minisearch: (ask) => yardstick.search(ask).map(({ id }) => id),
  };
  const names = Object.keys(methods);
  console.log(`${TALLY_COLUMNS.padEnd(26)}${names.map((name) => name.padEnd(22)).join('')}certain: own, unrelated`);
  const certain = (ask) => whole.search(ask, { limit: 5 }).filter((hit) => hit.certain);
  for (const [language, { questions, unrelated }] of languages) {
    const cells = names.map((name) => {
      const tally = createTally();
      for (const [at, ask] of questions.entries()) tally.add([language], methods[name](ask), [`${language}${at}`]);
      return tally.line(language).text.padEnd(22);
    });
    const right = questions.filter((ask, at) => certain(ask).some(({ key }) => key === `${language}${at}`)).length;
    const spoke = unrelated.filter((ask) => certain(ask).length > 0).length;
    console.log(
      `${language.padEnd(26)}${cells.join('')}${share(right, questions.length)}, ${share(spoke, unrelated.length)}`,
    );
  }
  await whole.close();
  await words.close();
}
