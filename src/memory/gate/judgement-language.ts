/** The tables of words that judge people, made ready to be looked up, and sentences taken apart into words. */

import { formsOf } from '../../lib/word-forms.ts';
import { DUTCH_JUDGEMENTS, ENGLISH_JUDGEMENTS, GERMAN_JUDGEMENTS } from './judgement-germanic.ts';
import {
  FRENCH_JUDGEMENTS,
  ITALIAN_JUDGEMENTS,
  PORTUGUESE_JUDGEMENTS,
  SPANISH_JUDGEMENTS,
} from './judgement-romance.ts';
import { RUSSIAN_JUDGEMENTS } from './judgement-russian.ts';
import type { JudgementClass, JudgementWords } from './judgement-words.ts';

export interface Language {
  readonly people: ReadonlySet<string>;
  readonly user: ReadonlySet<string>;
  readonly be: ReadonlySet<string>;
  readonly between: ReadonlySet<string>;
  readonly not: ReadonlySet<string>;
  readonly tail: ReadonlySet<string>;
  readonly isBeLeftOut: boolean;
  readonly isKindLast: boolean;
  readonly isNounFirst: boolean;
  readonly areNounsCapital: boolean;
}

export interface Meaning {
  readonly language: Language;
  readonly kind: JudgementClass;
}

/** One word of a sentence. */
export interface Token {
  /** Small, without the marks around it. */
  readonly word: string;
  readonly isCapital: boolean;
  /** A comma or the like behind it ends a clause. */
  readonly endsClause: boolean;
  /** A colon or a dash behind it, which may stand for "is". */
  readonly isEquated: boolean;
}

export const ENGLISH = languageOf(ENGLISH_JUDGEMENTS);
const TABLES = [
  GERMAN_JUDGEMENTS,
  DUTCH_JUDGEMENTS,
  FRENCH_JUDGEMENTS,
  SPANISH_JUDGEMENTS,
  ITALIAN_JUDGEMENTS,
  PORTUGUESE_JUDGEMENTS,
  RUSSIAN_JUDGEMENTS,
];

/** One word may judge in several languages. */
const MEANINGS: ReadonlyMap<string, readonly Meaning[]> = meaningsOf([
  [ENGLISH_JUDGEMENTS, ENGLISH],
  ...TABLES.map((words): [JudgementWords, Language] => [words, languageOf(words)]),
]);

export function meaningsIn(word: string): readonly Meaning[] {
  return MEANINGS.get(word) ?? [];
}

function meaningsOf(tables: readonly (readonly [JudgementWords, Language])[]): ReadonlyMap<string, readonly Meaning[]> {
  const meanings = new Map<string, Meaning[]>();
  for (const [words, language] of tables) {
    for (const kind of ['traits', 'loose', 'faults', 'skills'] as const) {
      for (const form of formsOf(words[kind])) {
        meanings.set(form, [...(meanings.get(form) ?? []), { language, kind }]);
      }
    }
  }
  return meanings;
}

function languageOf(words: JudgementWords): Language {
  const {
    people,
    user,
    be,
    between,
    not,
    tail,
    isBeLeftOut = false,
    isKindLast = false,
    isNounFirst = false,
    areNounsCapital = false,
  } = words;
  return {
    people: formsOf(people),
    user: formsOf(user),
    be: formsOf(be),
    between: formsOf(between),
    not: formsOf(not),
    tail: formsOf(tail),
    isBeLeftOut,
    isKindLast,
    isNounFirst,
    areNounsCapital,
  };
}

const EDGES = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}']+$/gu;

export function tokensOf(sentence: string): readonly Token[] {
  const tokens: Token[] = [];
  for (const written of apart(sentence).split(/\s+/)) {
    const text = written.replace(EDGES, '');
    const last = tokens.at(-1);
    if (text !== '') {
      tokens.push({
        word: text.toLowerCase(),
        isCapital: /^\p{Lu}/u.test(text),
        endsClause: /[,;:)]$/.test(written),
        isEquated: written.endsWith(':'),
      });
    } else if (last !== undefined && /^[—–-]$/.test(written)) {
      tokens[tokens.length - 1] = { ...last, isEquated: true };
    }
  }
  return tokens;
}

/** "He's", "isn't" and "l'utente" in two words each. */
function apart(sentence: string): string {
  return sentence
    .replaceAll('\u2019', "'")
    .replace(/\b(he|she|they|it|that|who|i|we|you)'(?:s|re|m)(?=\s)/gi, '$1 is')
    .replace(/\bcan't\b/gi, 'cannot')
    .replace(/n't(?=\s)/g, ' not')
    .replace(/(?<!\p{L})((?:[cdjlmnst]|qu|dell|un)')(?=\p{L}{2})/giu, '$1 ');
}
