// Everyday questions over made-up memories of a developer, written from the memories alone.
import { readFileSync } from 'node:fs';
import { share } from './recall-certainty.mjs';
import { sourceOf } from './recall-data.mjs';

const CASES = new URL('../test/cases/everyday-recall.json', import.meta.url);

export async function measureEveryday(build, directory) {
  const { memories, questions, unrelated } = JSON.parse(readFileSync(CASES, 'utf8'));
  const index = build.open(directory);
  await index.update(memories.map(({ file, ...memory }) => sourceOf({ key: file, hash: file, ...memory })));
  await index.ready();
  const certain = (ask) => index.search(ask, { limit: 5 }).filter((hit) => hit.certain);
  let [first, answered, wrong] = [0, 0, 0];
  for (const { ask, expects } of questions) {
    const right = certain(ask).filter(({ key }) => expects.includes(key)).length;
    first += expects.includes(index.search(ask, { limit: 1 })[0]?.key);
    answered += right > 0;
    wrong += certain(ask).length - right;
  }
  const spoke = unrelated.filter((ask) => certain(ask).length > 0).length;
  // A question in the middle of a message about other things; and such messages without it.
  const sentence = (text) => (/[.?!]$/.test(text) ? text : `${text}.`);
  const around = (at) => [1, 2, 3].map((step) => sentence(unrelated[(at * 3 + step) % unrelated.length]));
  const long = questions.filter(({ ask, expects }, at) => {
    const [before, between, after] = around(at);
    const message = `${before} ${between} ${sentence(ask)} ${after}`;
    return certain(message).some(({ key }) => expects.includes(key));
  }).length;
  const longSpoke = questions.filter((_, at) => certain(around(at).join(' ')).length > 0).length;
  await index.close();
  console.log(
    `\neveryday, ${build.name}: ${memories.length} memories; of ${questions.length} questions ${share(first, questions.length)} ranked first, ` +
      `${share(answered, questions.length)} answered by a certain hit, wrong ${(wrong / questions.length).toFixed(2)}; ` +
      `of ${unrelated.length} unrelated ones ${share(spoke, unrelated.length)} with any; ` +
      `in a long message ${share(long, questions.length)}, long ones without it ${share(longSpoke, questions.length)}`,
  );
}
