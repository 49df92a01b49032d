// How often the right memory, and how often any to a foreign question, would be certain if more or less evidence were asked for.
// `npm run bench:certain [-- --data DIR]`. The pools of a set are merged into one. First what values give, fitted to nothing; then two rules, each fitted
// on four fifths of the questions and judged on the rest (`inSilence` alone: weights and share were chosen with all in sight); then the rule in force in
// folders of other sizes.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEncoder } from '../dist/model/encoder/encoder.js';
import { BEHIND_THE_BEST, CERTAIN_FROM, evidenceRequired } from '../dist/search/certain.js';
import { openLocalIndex } from '../dist/search/local-index.js';
import { share } from './recall-certainty.mjs';
import { dataFolder, memoryOf, mergePools, readSets, sourceOf, strangersOf } from './recall-data.mjs';

const VALUES = [0.15, 0.19, 0.21, 0.22, 0.23, 0.24, 0.25, 0.27, 0.31];
const RULES = [
  { title: 'a distance above the noise', shareOfNoise: 1, from: 0 },
  { title: 'a share of the noise', shareOfNoise: CERTAIN_FROM.shareOfNoise, from: 0.1 },
];
const STEP = 0.005;
const FOLDS = 5;
/** Of the foreign questions, while fitting: a little less than the five of a hundred that are allowed, because others will come. */
const FOREIGN_AT_MOST = 0.045;
/** Folders of this many memories, and how many of them are drawn from each set. */
const SIZES = new Map([
  [8, 12],
  [40, 5],
  [114, 3],
  [300, 2],
]);
/** Of each kind in a drawn folder. */
const ASKED = 50;

const sets = readSets(dataFolder());
if (sets === null)
  console.log(`No questions in ${dataFolder()}: give a folder with --data DIR or REVERIE_RECALL_DATA.`);
else await calibrate(sets.map(mergePools));

async function calibrate(merged) {
  const scratch = mkdtempSync(join(tmpdir(), 'reverie-bench-'));
  try {
    const encoder = openEncoder();
    const answers = [];
    const small = new Map([...SIZES.keys()].map((size) => [size, []]));
    for (const set of merged) {
      const [{ items, queries }] = set.pools;
      const foreign = foreignTo(set, merged);
      const own = queries.map((query) => ({ ...query, kind: 'own' }));
      const ask = (name, folder, questions) =>
        askAll({ directory: join(scratch, name), encoder, set: set.name }, folder, questions);
      answers.push(...(await ask(set.name, items, [...own, ...foreign])));
      for (const [size, draws] of SIZES) {
        for (let draw = 0; draw < draws && size < items.length; draw++) {
          const { folder, asked } = drawFolder({ items, own }, { size, draw });
          const strangers = shuffled(
            foreign.filter(({ kind }) => kind !== 'asked here too'),
            draw,
          ).slice(0, ASKED);
          small.get(size).push(...(await ask(`${set.name}-${size}-${draw}`, folder, [...asked, ...strangers])));
        }
      }
    }
    printValues(answers);
    printRules(answers);
    printSizes(small);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function foreignTo(set, all) {
  return strangersOf(set, all).flatMap(({ isRelated, questions }) =>
    questions.map(({ q, isAskedHereToo }) => {
      const kind = isAskedHereToo ? 'asked here too' : isRelated ? 'of a related set' : 'foreign';
      return { q, relevant: [], kind };
    }),
  );
}

/** Half of it answers to questions, the rest whatever comes. */
function drawFolder({ items, own }, { size, draw }) {
  const chosen = new Set();
  for (const { relevant } of shuffled(own, draw))
    if (chosen.size + relevant.length <= size / 2) for (const id of relevant) chosen.add(id);
  for (const { id } of shuffled(items, draw)) if (chosen.size < size) chosen.add(id);
  const asked = own.filter(({ relevant }) => relevant.some((id) => chosen.has(id)));
  return { folder: items.filter(({ id }) => chosen.has(id)), asked: shuffled(asked, draw).slice(0, ASKED) };
}

/** The same in every run. */
function shuffled(list, draw) {
  const order = new Map(list.map((one) => [one, hashOf(`${draw} ${one.q ?? one.id}`)]));
  return [...list].sort((left, right) => order.get(left) - order.get(right));
}

function hashOf(text) {
  return createHash('sha1').update(text).digest().readUInt32LE(0);
}

async function askAll({ directory, encoder, set }, folder, questions) {
  const index = openLocalIndex({ directory, encoder: () => encoder });
  await index.update(folder.map((item) => sourceOf(memoryOf(item))));
  await index.ready();
  const answers = questions.map(({ q, relevant, kind }) => {
    const hits = index.search(q, { limit: 5 }).map(({ key, why }) => {
      const { evidence, noise, named } = why;
      return { isRight: relevant.includes(key), evidence, noise, isNamed: named.length > 0 };
    });
    // The questions about one pool stay together: they are alike.
    const pool = relevant[0]?.split('/')[0];
    return { set, kind, pool: pool ?? q, fold: 0, q, hits };
  });
  await index.close();
  const isOnePool = new Set(answers.filter(({ kind }) => kind === 'own').map(({ pool }) => pool)).size === 1;
  return answers.map((one) => ({ ...one, fold: hashOf(isOnePool ? one.q : one.pool) % FOLDS }));
}

function certainOf({ hits }, from) {
  const best = Math.max(...hits.map(({ evidence }) => evidence));
  return hits.filter(({ evidence, noise, isNamed }) => {
    return isNamed || evidence >= Math.max(evidenceRequired(noise, from), best - BEHIND_THE_BEST);
  });
}

/** Each answer with the hits that are certain by the rule for it. */
function judged(answers, ruleOf) {
  return answers.map((one) => {
    const certain = certainOf(one, ruleOf(one));
    return { ...one, spoke: certain.length > 0, isRight: certain.some(({ isRight }) => isRight) };
  });
}

function rate(answers, what, { kinds, set }) {
  const asked = answers.filter(({ kind, set: of }) => kinds.includes(kind) && (set === undefined || of === set));
  return asked.length === 0 ? '–' : share(asked.filter((one) => one[what]).length, asked.length);
}

function columnsOf(answers) {
  const names = [...new Set(answers.map(({ set }) => set))];
  const foreign = ['foreign', 'of a related set'];
  return [
    ['own', (given) => rate(given, 'isRight', { kinds: ['own'] })],
    ...names.map((set) => [set, (given) => rate(given, 'isRight', { kinds: ['own'], set })]),
    ['foreign', (given) => rate(given, 'spoke', { kinds: foreign })],
    ['unrelated sets', (given) => rate(given, 'spoke', { kinds: ['foreign'] })],
    ['with asked here too', (given) => rate(given, 'spoke', { kinds: [...foreign, 'asked here too'] })],
  ];
}

function printTable(title, columns, rows) {
  console.log(`\n${title.padEnd(40)}${columns.map(([name]) => name.padEnd(21)).join('')}`);
  for (const [name, given] of rows)
    console.log(`${name.padEnd(40)}${columns.map(([, cell]) => cell(given).padEnd(21)).join('')}`);
}

function printValues(answers) {
  console.log(
    'own: questions with a certain and relevant hit, also by set; foreign: those of other sets with any certain hit, of sets that share no question with this one, and with those that this set asks too',
  );
  const { shareOfNoise } = CERTAIN_FROM;
  const rows = VALUES.map((inSilence) => {
    const name = `${inSilence.toFixed(2)}${inSilence === CERTAIN_FROM.inSilence ? ' (in force)' : ''}`;
    return [name, judged(answers, () => ({ inSilence, shareOfNoise }))];
  });
  printTable(`and ${shareOfNoise} of the noise`, columnsOf(answers), rows);
}

function printRules(answers) {
  const rows = RULES.map(({ title, shareOfNoise, from }) => {
    const fitted = Array.from({ length: FOLDS }, (_, fold) => {
      const others = answers.filter((one) => one.fold !== fold && ['foreign', 'of a related set'].includes(one.kind));
      const speaks = (inSilence) =>
        judged(others, () => ({ inSilence, shareOfNoise })).filter(({ spoke }) => spoke).length;
      let inSilence = from;
      while (speaks(inSilence) > FOREIGN_AT_MOST * others.length) inSilence += STEP;
      return inSilence;
    });
    const [least, most] = [Math.min(...fitted), Math.max(...fitted)].map((value) => value.toFixed(2));
    return [`${title}, ${least}–${most}`, judged(answers, ({ fold }) => ({ inSilence: fitted[fold], shareOfNoise }))];
  });
  printTable('fitted on the others', columnsOf(answers), rows);
}

function printSizes(small) {
  const all = [...small.values()].flat();
  const rows = [...small].map(([size, answers]) => [`${size} memories`, judged(answers, () => CERTAIN_FROM)]);
  printTable('in force', columnsOf(all).slice(0, -1), rows);
}
