// Texts designed to be slow to read, at one size and at twice that size: the ratio of the two times is about 2 when the
// work is linear, and about 4 when it is quadratic. Nothing here fails a build.

import { readHeader } from '../dist/base/front-matter/read-header.js';
import { findSecrets } from '../dist/base/secrets/secrets.js';
import { termsIn } from '../dist/layers/4-compaction/terms.js';
import { extractExplicit, hasCue } from '../dist/layers/5-extraction/explicit.js';
import { readTyped } from '../dist/memory/gate/typed.js';
import { dropIndexLine, putIndexLineAt, setIndexLine } from '../dist/memory/index/edit.js';
import { indexWarnings, parseIndex } from '../dist/memory/index/index-file.js';
import { termsOf } from '../dist/search/terms.js';

const SCALE = process.argv.includes('--short') ? 1 : 4;
const ROUNDS = 5;

/** The unit repeated, to about this many characters. */
const again = (unit) => (characters) => unit.repeat(Math.ceil(characters / unit.length));

const unitCases = (units) => units.map((unit) => [JSON.stringify(unit), again(unit)]);

const SECRET_UNITS = [
  ...['a', ' ', '\n', '/', '-', '=', ':', '"', '$', 'password: ', 'password is ', 'token=', 'https://', 'https://a:'],
  ...['https://a:b@', '-----BEGIN ', `-----${'BEGIN'} PRIVATE KEY-----`, 'eyJ-', 'eyJa.', 'SG.', 'sk-', 'xoxb-'],
  ...['mysql -p ', 'Bearer ', 'seed: ', 'seed phrase: ab ', 'abc ', '12345678:', 'M.', 'postgres://', 'パスワードは'],
  ...['\u200b', '\\_', 'A3-', '4', '4539 ', '4539-5787-6362-'],
];
const WISH_UNITS = [
  ...['<a>', '</a>', '<!--', '"', 'a, ', '`', 'remember that ', 'if when ', '- x\n', '以后', 'x\n\n', "don't "],
];

const TYPED_UNITS = ['“', '‘', " 'a", '。', 'yes. ', '1. x\n', '"one two three four five" he said. '];
const NAME_UNITS = ['.', '1.', '“', 'a-', 'a@', '/a', 'src/a.ts '];
const WORD_UNITS = ['年', '明日', 'a', 'a_', 'если '];

const HEADERS = {
  brackets: (size) => `description: ${'['.repeat(size)}\n`,
  braces: (size) => `x: ${'{'.repeat(size)}\n`,
  dashes: (size) => `x:\n  ${'- '.repeat(size / 2)}\n`,
  'question marks': (size) => `${'? '.repeat(size / 2)}\n`,
  /** Each step is further in than the one before, so that twice the text is not twice the steps. */
  'a staircase of keys': (size) =>
    Array.from({ length: Math.sqrt(2 * size) }, (_, depth) => `${' '.repeat(depth)}name: a: b\n`).join(''),
  blanks: (size) => `name:${' '.repeat(size)}x\n`,
  'blanks between': (size) => `name: a${' '.repeat(size)}b: c\n`,
  quotes: (size) => `name: ${'"'.repeat(size)}\n`,
  'bad lines': (size) => 'name: a: b\n'.repeat(size / 11),
  aliases: (size) => `a: &a x\n${'b: *a\n'.repeat(size / 6)}`,
};

const INDEXES = {
  brackets: (size) => '['.repeat(size),
  'blanks in a link': (size) => `- [A](${' '.repeat(size)}x)`,
  backticks: (size) => `<!-- ${'` `` ``` '.repeat(size / 9)}`,
  'lines that open comments': (size) => 'x <!-- y\n'.repeat(size / 9),
  'lines that open fences': (size) => '```a`\n'.repeat(size / 6),
};

function indexOf(lines) {
  const rows = Array.from({ length: lines }, (_, at) => `- [User ${at}](user_${at}.md) — something about ${at}\n`);
  return { text: rows.join(''), file: `user_${Math.floor(lines / 2)}.md` };
}

function editIndex({ text, file }) {
  const dropped = dropIndexLine(text, file);
  putIndexLineAt(dropped.text, dropped.before);
  setIndexLine(text, 'new.md', '- [New](new.md) — a new one');
}

const header = (text) => readHeader(text, { known: new Set(['name', 'description', 'type']) });
const now = new Date();
function wishes(text) {
  extractExplicit(text, { now });
  hasCue(text);
}

const GROUPS = [
  {
    name: 'secret scan',
    size: 125_000 * SCALE,
    work: findSecrets,
    cases: unitCases(SECRET_UNITS),
  },
  { name: 'front matter', size: 4_000 * SCALE, work: header, cases: Object.entries(HEADERS) },
  { name: 'index file', size: 50_000 * SCALE, work: parseIndex, cases: Object.entries(INDEXES) },
  {
    name: 'index size',
    size: 50_000 * SCALE,
    work: (text) => indexWarnings(text, { lines: 200, bytes: 25_000 }),
    cases: [['comments that never close', again('<!--')]],
  },
  { name: 'sentences of a message', size: 50_000 * SCALE, work: readTyped, cases: unitCases(TYPED_UNITS) },
  {
    name: 'names in a message',
    size: 50_000 * SCALE,
    work: (text) => termsIn(text, 80),
    cases: unitCases(NAME_UNITS),
  },
  {
    name: 'search terms',
    size: 50_000 * SCALE,
    work: (text) => termsOf(text, () => false),
    cases: unitCases(WORD_UNITS),
  },
  {
    name: 'index edit',
    size: 5_000 * SCALE,
    work: editIndex,
    cases: [['a line taken out, put back and added', indexOf]],
  },
  {
    name: 'wishes said outright',
    size: 100_000 * SCALE,
    work: wishes,
    cases: unitCases(WISH_UNITS),
  },
];

async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The fastest of several rounds, in turns: a slow moment of the machine says nothing about the text. */
async function fastest(works) {
  const best = works.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [position, work] of works.entries()) best[position] = Math.min(best[position], await timed(work));
  }
  return best;
}

const shown = (ms) => `${ms < 10 ? ms.toFixed(2) : ms.toFixed(0)} ms`.padStart(10);

for (const { name, size, work, cases } of GROUPS) {
  console.log(`\n${name.padEnd(44)}${`n = ${size}`.padStart(12)}${'2n'.padStart(10)}     2n/n`);
  for (const [label, textOf] of cases) {
    const [once, twice] = [textOf(size), textOf(2 * size)];
    const [first, second] = await fastest([() => work(once), () => work(twice)]);
    // Anything faster than this is noise.
    const ratio = second < 1 ? '    –' : `${(second / first).toFixed(2)}×`;
    console.log(`  ${label.padEnd(42)}${shown(first).padStart(12)}${shown(second)}   ${ratio}`);
  }
}
