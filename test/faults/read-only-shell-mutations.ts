/** Command lines that nobody would think of: the tables' lines with characters, words, quotes and flags changed at random, repeatably. */

import { ALLOWED, DENIED } from './read-only-shell-cases.ts';
import { MORE_ALLOWED, MORE_DENIED } from './read-only-shell-more-cases.ts';

type Random = () => number;
type Mutation = (command: string, random: Random) => string;

const SHORT_ENOUGH = 300;
const linesOf = (...tables: readonly Readonly<Record<string, readonly string[]>>[]) =>
  tables.flatMap((table) => Object.values(table).flat()).filter((line) => line.length < SHORT_ENOUGH);
const ALLOWED_LINES = linesOf(ALLOWED, MORE_ALLOWED);
const DENIED_LINES = linesOf(DENIED, MORE_DENIED);
const WORDS = [...new Set([...ALLOWED_LINES, ...DENIED_LINES].flatMap((line) => line.split(/[ \t]+/)))];
const FLAGS = [
  ...WORDS.filter((word) => word.startsWith('-')),
  '-r',
  '-R',
  '-L',
  '-H',
  '-f',
  '-F',
  '-exec',
  '-ok',
  '-fprintf',
];
const PATHS = [
  'link-out',
  'dirlink',
  'dirlink/',
  'fifo',
  'traps',
  'traps/*',
  './*',
  '../*',
  '<outside>',
  '<home>',
  'traps/up/secret.txt',
  '/',
  '..',
];
const FRAGMENTS = [
  '$(cat dirlink/secret.txt)',
  '`id`',
  '>made.txt',
  '>>victim.txt',
  '<link-out',
  '2>made.txt',
  '&',
  '{a,b}',
  '~',
  '-delete',
  '; rm -r .',
  '| tee made.txt',
];
const CHARACTERS = [
  ...' \t\'"\\`$&|;<>(){}[]*?!#~=-+:,./@%^0123456789abcdefghijklmnopqrstuvwxyzLRFPH\n\r\u00a0\u200b\u2028\u0000日é',
];
const LOOKALIKES: Readonly<Record<string, string>> = {
  a: 'а',
  c: 'с',
  e: 'е',
  l: 'ӏ',
  s: 'ѕ',
  '-': '\u2010',
  ';': '\u037e',
  "'": '\u2019',
  '"': '\u201d',
  ' ': '\u2002',
  '/': '\u2215',
  '|': '\uff5c',
  '.': '\u2024',
  '*': '\u2217',
};

function pick<T>(items: readonly T[], random: Random): T {
  return items[Math.floor(random() * items.length)]!;
}

function at(command: string, random: Random): number {
  return Math.floor(random() * (command.length + 1));
}

function replaceWord(command: string, random: Random, change: (word: string) => string): string {
  const parts = command.split(/([ \t]+)/);
  const position = Math.floor((random() * (parts.length + 1)) / 2) * 2;
  return parts.map((part, index) => (index === position ? change(part) : part)).join('');
}

const MUTATIONS: readonly Mutation[] = [
  function insertCharacter(command, random) {
    const position = at(command, random);
    return command.slice(0, position) + pick(CHARACTERS, random) + command.slice(position);
  },
  function deleteCharacter(command, random) {
    const position = at(command, random);
    return command.slice(0, position) + command.slice(position + 1);
  },
  function swapCharacters(command, random) {
    const position = at(command, random);
    const [one = '', other = ''] = command.slice(position, position + 2);
    return command.slice(0, position) + other + one + command.slice(position + 2);
  },
  function repeatPart(command, random) {
    const [start, end] = [at(command, random), at(command, random)].sort((a, b) => a - b) as [number, number];
    return command.slice(0, end) + command.slice(start);
  },
  function spliceLines(command, random) {
    const other = anyLine(random);
    return command.slice(0, at(command, random)) + other.slice(at(other, random));
  },
  function joinLines(command, random) {
    return command + pick(['|', ' | ', ' && ', '||', ' ; ', ';', ' & ', '\n', ' 2>&1 | '], random) + anyLine(random);
  },
  function quoteWord(command, random) {
    return replaceWord(command, random, (word) =>
      pick([`'${word}'`, `"${word}"`, `\\${word}`, `${word}''`, `"${word}`], random),
    );
  },
  function dropQuotes(command, random) {
    return replaceWord(command, random, (word) => word.replace(/['"\\]/g, ''));
  },
  function otherFlag(command, random) {
    return replaceWord(command, random, (word) =>
      word.startsWith('-') ? pick(FLAGS, random) : `${word} ${pick(FLAGS, random)}`,
    );
  },
  function clusterFlag(command, random) {
    return replaceWord(command, random, (word) => (word.startsWith('-') ? word + pick(FLAGS, random).slice(1) : word));
  },
  function otherWord(command, random) {
    return replaceWord(command, random, () => pick(WORDS, random));
  },
  function otherPath(command, random) {
    return replaceWord(
      command,
      random,
      (word) => pick([word, `${word} `, `${word}/`, `${word}/../`], random) + pick(PATHS, random),
    );
  },
  function insertFragment(command, random) {
    const position = at(command, random);
    return command.slice(0, position) + pick(FRAGMENTS, random) + command.slice(position);
  },
  function lookalike(command, random) {
    const position = at(command, random);
    const character = command[position] ?? '';
    return command.slice(0, position) + (LOOKALIKES[character] ?? character) + command.slice(position + 1);
  },
];

function anyLine(random: Random): string {
  // Lines that are allowed are the better soil: what is changed in them may still pass.
  return pick(random() < 0.7 ? ALLOWED_LINES : DENIED_LINES, random);
}

export function mutatedLine(random: Random): string {
  let command = anyLine(random);
  const changes = 1 + Math.floor(random() * 3);
  for (let change = 0; change < changes; change += 1) command = pick(MUTATIONS, random)(command, random);
  return command;
}
