/** Reads a program's options the way GNU getopt does, against a list of the exact ones that are allowed. */

import { refuse } from './refuse.ts';

/** What an option's value may be: anything, a number of lines or bytes, a file that is read, or one of a few words. */
export type ValueRule = 'text' | 'count' | 'file' | readonly string[];

export interface OptionRules {
  /** Letters without a value. */
  readonly flags: string;
  /** Letters with one. */
  readonly valued: Readonly<Record<string, ValueRule>>;
  /** `null`: takes no value. `optional`: takes one behind = only. */
  readonly long: Readonly<Record<string, ValueRule | null | { readonly optional: ValueRule }>>;
  /** Whether `-20` is a count of its own. */
  readonly hasBareCount?: boolean;
  /** Letters that BSD programs read differently, so that a value could turn into an operand there. */
  readonly linuxOnly?: string;
}

export interface ReadOptions {
  /** Letters and long names without their dashes; an option with a choice of words as `name=word` as well. */
  readonly given: ReadonlySet<string>;
  /** Files named by options. */
  readonly files: readonly string[];
  readonly operands: readonly string[];
}

interface Reading {
  readonly program: string;
  readonly rules: OptionRules;
  readonly isLinux: boolean;
  readonly words: readonly string[];
  readonly given: Set<string>;
  readonly files: string[];
  at: number;
}

/** A count with GNU's suffixes; a sign means "from" or "all but". */
const COUNT = /^[+-]?\d{1,18}(?:b|[kKMGTPEZYRQ](?:iB|B)?)?$/;

export function readOptions(facts: {
  readonly program: string;
  readonly rules: OptionRules;
  readonly words: readonly string[];
  readonly isLinux: boolean;
}): ReadOptions {
  const reading: Reading = { ...facts, given: new Set(), files: [], at: 0 };
  const operands: string[] = [];
  while (reading.at < reading.words.length) {
    const word = reading.words[reading.at]!;
    reading.at += 1;
    if (word === '--') {
      operands.push(...reading.words.slice(reading.at));
      break;
    }
    if (word.startsWith('--')) readLong(reading, word);
    else if (word.startsWith('-') && word !== '-') readLetters(reading, word);
    else operands.push(word);
  }
  return { given: reading.given, files: reading.files, operands };
}

function readLong(reading: Reading, word: string): void {
  const equals = word.indexOf('=');
  const name = equals === -1 ? word.slice(2) : word.slice(2, equals);
  const value = equals === -1 ? null : word.slice(equals + 1);
  const rule = Object.hasOwn(reading.rules.long, name) ? reading.rules.long[name] : undefined;
  if (rule === undefined) refuseOption(reading, `--${name}`);
  if (rule === null) {
    if (value !== null) refuse(`${reading.program} --${name} takes no value`);
    reading.given.add(name);
  } else if (typeof rule === 'object' && 'optional' in rule) {
    if (value === null) reading.given.add(name);
    else takeValue(reading, { name, value, rule: rule.optional });
  } else {
    takeValue(reading, { name, value: value ?? nextWord(reading, `--${name}`), rule });
  }
}

function readLetters(reading: Reading, word: string): void {
  if (reading.rules.hasBareCount === true && /^-\d{1,18}$/.test(word)) return;
  const letters = [...word];
  for (const [position, letter] of letters.entries()) {
    if (position === 0) continue;
    if (!reading.isLinux && reading.rules.linuxOnly?.includes(letter)) refuseOption(reading, `-${letter}`);
    if (reading.rules.flags.includes(letter)) {
      reading.given.add(letter);
      continue;
    }
    const rule = Object.hasOwn(reading.rules.valued, letter) ? reading.rules.valued[letter] : undefined;
    if (rule === undefined) refuseOption(reading, `-${letter}`);
    const rest = letters.slice(position + 1).join('');
    takeValue(reading, { name: letter, value: rest === '' ? nextWord(reading, `-${letter}`) : rest, rule });
    return;
  }
}

function nextWord(reading: Reading, option: string): string {
  const word = reading.words[reading.at];
  if (word === undefined) refuse(`${reading.program} ${option} needs a value`);
  reading.at += 1;
  return word;
}

function takeValue(
  reading: Reading,
  option: { readonly name: string; readonly value: string; readonly rule: ValueRule },
): void {
  const { name, value, rule } = option;
  const shown = name.length === 1 ? `-${name}` : `--${name}`;
  if (rule === 'count' && !COUNT.test(value)) refuse(`${reading.program} ${shown} needs a number, not ${value}`);
  if (rule === 'file') reading.files.push(value);
  if (typeof rule === 'object') {
    if (!rule.includes(value)) refuse(`${reading.program} ${shown} may only be ${rule.join(', ')}`);
    reading.given.add(`${name}=${value}`);
  }
  reading.given.add(name);
}

function refuseOption(reading: Reading, option: string): never {
  const { flags, valued, long } = reading.rules;
  const allowed = option.startsWith('--')
    ? `in full ${Object.keys(long)
        .map((name) => `--${name}`)
        .join(' ')}`
    : `the letters ${flags}${Object.keys(valued).join('')}`;
  return refuse(`${reading.program} ${option} is not on the list of options that only read; allowed are ${allowed}`);
}
