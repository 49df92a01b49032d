/** What only one memory may know: its names, numbers, identifiers, addresses, days and its no. One of them lost is a fact lost, whatever share remains. */

import { eachWord, isNegation, type Word } from '../../memory/gate/words.ts';
import { keysOf } from './coverage.ts';

/** What a text is compared with, read once. */
export interface Standing {
  readonly text: string;
  readonly keys: ReadonlySet<string>;
  /** Of the days that are written out in it, as `Date.getUTCDay` counts them. */
  readonly weekdays: ReadonlySet<number>;
}

/** `isNo`: a negation, which nothing but a negation makes up for. */
export interface Particular {
  readonly written: string;
  readonly isNo: boolean;
  readonly standsIn: (standing: Standing) => boolean;
}

const TOKEN = /[\p{L}\p{N}\p{M}_]+(?:['\u2019]\p{L}+)?/gu;
/** Dots, slashes and the like with no blank beside them. */
const JOINED = /(?:[a-z][a-z+.-]*:\/\/)?[\p{L}\p{N}_~#%+-]*(?:[./:@\\][\p{L}\p{N}_~#%?=&+-]+)+/giu;
const CODE = /`([^`\n]+)`/g;
const CAPITAL = /^\p{Lu}/u;
const SMALL = /^\p{Ll}[\p{Ll}\p{M}]*$/u;
/** `parseHeader`, `v2`; what is all capitals may be a name or a raised voice. */
const IDENTIFIER = /\p{N}|\p{Ll}\p{Lu}/u;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const NUMBER = /^\p{N}/u;
const MONTH = /^month-/;
/** Where a capital is no sign of a name. */
const SENTENCE_START = /(?:^|[.!?:;。！？]["')\]*_]*\s|\n)[\s"'“‘(*_>#•-]*$/u;
/** What advice begins with; no name is one of these. */
const OPENERS = new Set(
  'add ask avoid begin call check choose copy create delete find follow give go keep leave look make merge move name note open pass prefer put read remember remove reply run save see send set show skip start stick take tell test treat try turn update use wait work write'.split(
    ' ',
  ),
);
/** Number words that mostly count nothing. */
const LOOSE = new Set(['one', 'null']);
const AFTERNOON = /\b(\d{1,2})(?=(?:[:.]\d\d)? ?p\.?m\b)/gi;
const THOUSANDS = /(\d)[,.'\u2019](?=\d{3}(?!\d))/g;
const DATE = /\b(\d{4})-(\d{2})-(\d{2})\b/g;
const WEEKDAYS: readonly (readonly string[])[] = [
  ['sunday', 'sun', 'sonntag'],
  ['monday', 'mon', 'montag'],
  ['tuesday', 'tue', 'dienstag'],
  ['wednesday', 'wed', 'mittwoch'],
  ['thursday', 'thu', 'donnerstag'],
  ['friday', 'fri', 'freitag'],
  ['saturday', 'sat', 'samstag'],
];

/** `small`: words that some memory writes in small letters. */
export function particularsOf(text: string, small: ReadonlySet<string>): readonly Particular[] {
  const found = new Map<string, Particular>();
  const add = (particular: Particular) => {
    const key = particular.written.toLowerCase();
    if (!found.has(key)) found.set(key, particular);
  };
  const timed = text.normalize('NFKC').replace(AFTERNOON, (hour) => String((Number(hour) % 12) + 12));
  const words = timed.replace(JOINED, (joined) => {
    if (!isAddress(joined)) return joined;
    add(literal(joined.replace(/^[a-z][a-z+.-]*:\/\//i, '')));
    return ' ';
  });
  const rest = words.replace(THOUSANDS, '$1');
  const own = new Set([...rest.matchAll(TOKEN)].flatMap(([token]) => (SMALL.test(token) ? [token] : [])));
  const inCode = new Set([...rest.matchAll(CODE)].flatMap(([, code]) => code!.match(TOKEN) ?? []));
  for (const { 0: token, index } of rest.matchAll(TOKEN)) {
    if (/[^_]_[^_]/.test(token)) {
      add(literal(token));
      continue;
    }
    const plain = token.toLowerCase();
    const isStart = () => SENTENCE_START.test(rest.slice(Math.max(0, index - LOOK_BACK), index));
    const isName = CAPITAL.test(token) && !own.has(plain) && !((small.has(plain) || OPENERS.has(plain)) && isStart());
    const isTold = isName || inCode.has(token) || (IDENTIFIER.test(token) && !UNSPACED.test(token));
    eachWord(token, new Map(), (word) => {
      if (isNegation(word)) return;
      if (MONTH.test(word.keys[0]!) ? CAPITAL.test(token) : isTold || isNumber(word, plain)) add(worded(token, word));
    });
  }
  const no = negationIn(timed);
  if (no !== null) add(no);
  return [...found.values()];
}

/** How far back a mark that ends a sentence is looked for. */
const LOOK_BACK = 8;

export function standingIn(texts: readonly string[]): Standing {
  const text = texts.join('\n').normalize('NFKC').toLowerCase();
  const days = [...text.matchAll(DATE)].map(([day]) => new Date(`${day}T00:00:00Z`).getUTCDay());
  return { text, keys: keysOf(texts), weekdays: new Set(days) };
}

/** In the order in which they stand. */
export function lostOf(particulars: readonly Particular[], standing: Standing): readonly Particular[] {
  return particulars.filter(({ standsIn }) => !standsIn(standing));
}

const NAMED = 6;
const NAMED_CHARACTERS = 60;

/** For a reason: the first of them, each cut short. */
export function namesOf(lost: readonly Particular[]): string {
  const names = lost.slice(0, NAMED).map(({ written }) => `“${[...written].slice(0, NAMED_CHARACTERS).join('')}”`);
  const more = lost.length - names.length;
  return [...names, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

function isNumber({ keys }: Word, plain: string): boolean {
  return NUMBER.test(keys[0]!) || (keys.some((key) => NUMBER.test(key)) && !LOOSE.has(plain));
}

/** A name is met by itself alone, not by what begins like it. A weekday is met by its date: that is how it is mended. */
function worded(token: string, { keys }: Word): Particular {
  const met = keys.filter((key) => !key.endsWith('-'));
  const day = token.toLowerCase().replace(/s$/, '');
  const weekday = WEEKDAYS.findIndex((names) => names.includes(day));
  return {
    written: token,
    isNo: false,
    standsIn: (standing) => met.some((key) => standing.keys.has(key)) || standing.weekdays.has(weekday),
  };
}

/** Letter by letter, and not as a piece of something longer. */
function literal(written: string): Particular {
  const escaped = written.toLowerCase().replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const whole = new RegExp(
    `(?<![\\p{L}\\p{N}_]|[\\p{L}\\p{N}_][-./@:])${escaped}(?![\\p{L}\\p{N}_]|[-./@:][\\p{L}\\p{N}_])`,
    'u',
  );
  return { written, isNo: false, standsIn: ({ text }) => whole.test(text) };
}

/** `db7.internal`, `wiki.corp/x`, `ilse@acme.test`, `10.0.0.1`; not `and/or`, `e.g` or a number, a time or a day. */
function isAddress(joined: string): boolean {
  if (/:\/\/|@/.test(joined)) return true;
  const parts = joined.split(/[./\\]/);
  if (parts.every((part) => /^[\d:-]*$/.test(part))) return parts.length > 2 && !DAY.test(joined);
  if (parts.length > 2) return parts.some((part) => part.length > 1);
  return joined.includes('.') && parts.every((part) => part.length > 1);
}

const DAY = /^(?:\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{4}[./]\d{1,2}[./]\d{1,2})$/;

function negationIn(text: string): Particular | null {
  let key: string | null = null;
  eachWord(text, new Map(), (word) => {
    if (isNegation(word)) key = word.keys[0]!;
  });
  if (key === null) return null;
  const no: string = key;
  const words = text.match(/[\p{L}\p{M}]+(?:['\u2019]\p{L}+)?/gu) ?? [];
  const written = words.find((each) => {
    let isNo = false;
    eachWord(each, new Map(), (word) => {
      isNo ||= isNegation(word);
    });
    return isNo && !UNSPACED.test(each);
  });
  return { written: written ?? 'a negation', isNo: true, standsIn: ({ keys }) => keys.has(no) };
}
