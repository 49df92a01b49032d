/**
 * Whether a recalled memory was used: an answer or a call contains names, numbers or words from it that nobody else had
 * said. By words alone, without a model: it may miss a paraphrase, and should hardly ever report a use that was none.
 */

import { isCode, isNumber, isUnheardOf } from '../search/telling-terms.ts';
import { knownShare, type Term, termsOf } from '../search/terms.ts';

/** Plain words of a memory that one passage must contain to have used it: this many, and this share of those nobody else said. */
const LEAST_WORDS = 2;
const WORDS_SHARE = 0.25;
/** Above this weight a word is as telling as a name; one name is enough if a passage has no more terms than this. */
const TELLING_WEIGHT = 1.1;
const RARE_LETTERS = 3;
const SHORT_PASSAGE_TERMS = 8;

/** The words of the language we know, and how much each counts. */
export interface KnownWords {
  knows(word: string): boolean;
  weightOf(word: string): number | null;
}

/** A text prepared for comparison: its terms, and itself for what must be there as written. */
export interface ReadText {
  readonly hashes: ReadonlySet<number>;
  readonly text: string;
}

/** What a memory can be recognised by. */
export interface MemoryMarks {
  /** As written: paths, and anything in backquotes. */
  readonly phrases: readonly string[];
  /** Numbers and identifiers: like a phrase, one is enough. */
  readonly codes: ReadonlyMap<number, string>;
  /** Names and rare words. */
  readonly names: ReadonlyMap<number, string>;
  readonly words: ReadonlyMap<number, string>;
}

export type UseDecision =
  | { readonly isUsed: true; readonly by: 'names' | 'words'; readonly found: readonly string[] }
  | { readonly isUsed: false; readonly reason: 'nothing-of-its-own' | 'not-there' | 'too-little' };

export interface UseFacts {
  readonly marks: MemoryMarks;
  /** What others had said: the user, the message or error that triggered the recall, tool results. */
  readonly known: readonly ReadText[];
  /** Passages of answers, values of calls. */
  readonly passages: readonly ReadText[];
}

export function decideUse({ marks, known, passages }: UseFacts): UseDecision {
  const own = (terms: ReadonlyMap<number, string>) =>
    [...terms].filter(([hash]) => !known.some(({ hashes }) => hashes.has(hash)));
  const phrases = marks.phrases.filter((phrase) => !known.some(({ text }) => text.includes(phrase)));
  const [codes, names, words] = [own(marks.codes), own(marks.names), own(marks.words)];
  if (phrases.length + codes.length + names.length + words.length === 0) {
    return { isUsed: false, reason: 'nothing-of-its-own' };
  }
  const enough = Math.max(LEAST_WORDS, Math.ceil(words.length * WORDS_SHARE));
  let isAnythingThere = false;
  for (const { hashes, text } of passages) {
    const there = (terms: readonly (readonly [number, string])[]) =>
      terms.filter(([hash]) => hashes.has(hash)).map(([, word]) => word);
    const written = [...phrases.filter((phrase) => text.includes(phrase)), ...there(codes)];
    if (written.length > 0) return { isUsed: true, by: 'names', found: written };
    const [named, found] = [there(names), there(words)];
    // In a long passage a single name may be there by chance.
    const isNamed = named.length > 0 && (hashes.size <= SHORT_PASSAGE_TERMS || named.length + found.length > 1);
    if (isNamed) return { isUsed: true, by: 'names', found: [...named, ...found] };
    if (found.length >= enough) return { isUsed: true, by: 'words', found };
    isAnythingThere ||= named.length + found.length > 0;
  }
  return { isUsed: false, reason: isAnythingThere ? 'too-little' : 'not-there' };
}

/** Sentences and lines: what belongs together is close together. */
export function passagesOf(text: string): readonly string[] {
  return text.split(/\n+|(?<=[.!?])\s+|(?<=[。！？])/).filter((passage) => passage.trim() !== '');
}

export function readText(text: string, { knows }: KnownWords): ReadText {
  return { hashes: new Set(termsOf(text, knows).map(({ hash }) => hash)), text };
}

/** Headings that come from the form of a memory. */
const FORM = /\*\*(?:Why|How to apply):\*\*/g;
const QUOTED = /`([^`\n]{3,80})`/g;
const PATH = /(?:[\w.@-]+\/)+[\w.@-]*\w|\b[\w-]+\.[a-z]{1,5}\b/gi;
/** Shorter ones match by chance. */
const PHRASE_CHARACTERS = 5;
/** A language counts as known when this many of its words are: in any other, an unknown word means nothing. */
const KNOWN_LANGUAGE_SHARE = 0.45;

export function readMarks(memory: string, facts: { readonly words: KnownWords }): MemoryMarks {
  const text = memory.replace(FORM, ' ');
  const terms = termsOf(text, facts.words.knows);
  const isKnownLanguage = knownShare(terms) >= KNOWN_LANGUAGE_SHARE;
  const capitals = isKnownLanguage ? capitalsIn(text) : new Set<string>();
  const isName = (term: Term) => isKnownLanguage && (capitals.has(term.word) || isRare(term, facts.words));
  const found = { code: new Map<number, string>(), name: new Map<number, string>(), word: new Map<number, string>() };
  for (const term of terms) {
    const kind = kindOf(term, isName);
    if (kind !== null) found[kind].set(term.hash, term.word);
  }
  const quoted = [...text.matchAll(QUOTED)].map(([, phrase]) => phrase!.trim());
  const phrases = [...new Set([...quoted, ...(text.match(PATH) ?? [])])];
  return {
    phrases: phrases.filter(({ length }) => length >= PHRASE_CHARACTERS),
    codes: found.code,
    names: found.name,
    words: found.word,
  };
}

/** Shorter words hold sentences together, in any language with spaces. */
const WORD_LETTERS = 4;
const UNSPACED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Character pairs of scripts without spaces, and word beginnings, exist for searching: they would count a word twice. */
function kindOf(term: Term, isName: (term: Term) => boolean): 'code' | 'name' | 'word' | null {
  const { word, known } = term;
  if (isNumber(term) || known === null) return isCode(term) ? 'code' : null;
  if (isName(term)) return 'name';
  return word.length >= WORD_LETTERS || UNSPACED.test(word) ? 'word' : null;
}

function isRare(term: Term, words: KnownWords): boolean {
  const plain = term.word.toLowerCase();
  if (term.known) return plain.length >= RARE_LETTERS && (words.weightOf(plain) ?? 0) >= TELLING_WEIGHT;
  return isUnheardOf(term, words.knows);
}

/** Words with a capital within a sentence. */
function capitalsIn(text: string): ReadonlySet<string> {
  const inside = /(?<=[\p{Ll}\p{N},;)] )["'(]?(\p{Lu}[\p{L}\p{N}]+)/gu;
  return new Set([...text.matchAll(inside)].map(([, word]) => word!));
}
