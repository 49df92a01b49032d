/** What a memory says, sentence by sentence, and which sentences a new text leaves out or adds. */

import { normalise } from '../../memory/gate/normalise.ts';
import { type PartKind, partsOf } from '../../memory/gate/parts.ts';
import { keysOf, overlap, termsOf } from '../../memory/gate/terms.ts';

export interface MemoryText {
  readonly name: string;
  readonly description: string;
  readonly body: string;
}

export interface Sentence {
  readonly kind: PartKind;
  readonly text: string;
  /** Normalised. */
  readonly key: string;
}

/** Includes name and description; a line without a letter or a digit says nothing. */
export function sentencesIn(memory: MemoryText): readonly Sentence[] {
  const all = new Map<string, Sentence>();
  for (const { kind, text } of partsOf({ ...memory, type: '' })) {
    const key = normalise(text);
    if (/[\p{L}\p{N}]/u.test(key) && !all.has(key)) all.set(key, { kind, text, key });
  }
  return [...all.values()];
}

/** The same for text that is not a memory, such as a quote of several sentences. */
export function sentenceKeys(text: string): ReadonlySet<string> {
  const sentences = sentencesIn({ name: '', description: '', body: text });
  return new Set([normalise(text), ...sentences.map(({ key }) => key)]);
}

/** Those of `memory` that are in none of the texts. A name whose every word is in its memory's own text is only a label. */
export function missingFrom(texts: readonly MemoryText[], memory: MemoryText): readonly Sentence[] {
  const known = texts.flatMap(sentencesIn).map(({ key }) => key);
  const exact = new Set(known);
  const isLabel = ({ kind, text }: Sentence) =>
    kind === 'name' && overlap(termsOf(text), keysOf(`${memory.description}\n${memory.body}`)).share === 1;
  return sentencesIn(memory).filter(
    (sentence) =>
      !exact.has(sentence.key) && !known.some((each) => isClauseOf(sentence.key, each)) && !isLabel(sentence),
  );
}

/** Whether a normalised sentence is a clause of another, between punctuation: "push" is not a clause in "never push". */
export function isClauseOf(key: string, other: string): boolean {
  for (let at = other.indexOf(key); at >= 0; at = other.indexOf(key, at + 1)) {
    const [before, behind] = [other.slice(0, at), other.slice(at + key.length)];
    if (CLAUSE_START.test(before) && CLAUSE_END.test(behind)) return true;
  }
  return false;
}

const CLAUSE_START = /(?:^|[,;:.!?(，；。]\s*|\s-\s)$/;
const CLAUSE_END = /^(?:$|[,;:.!?)，；。](?:\s|$)|\s-\s)/;

/** A quote that could be anywhere proves nothing. */
const SHORTEST_QUOTE = 12;

/** Whether a quote is in a text, word for word: all of a sentence, or a good part of one. */
export function isQuotedIn(quote: string, text: MemoryText | string): boolean {
  const wanted = normalise(quote);
  if (!/[\p{L}\p{N}]/u.test(wanted)) return false;
  const memory = typeof text === 'string' ? { name: '', description: '', body: text } : text;
  if (sentencesIn(memory).some(({ key }) => key === wanted)) return true;
  if (wanted.length < SHORTEST_QUOTE) return false;
  return [memory.name, memory.description, memory.body].some((part) => hasWords(normalise(part), wanted));
}

function hasWords(text: string, wanted: string): boolean {
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const [before, behind] = [text.slice(at - 1, at + 1), text.slice(at + wanted.length - 1, at + wanted.length + 1)];
    if (!(at > 0 && INSIDE_WORD.test(before)) && !INSIDE_WORD.test(behind)) return true;
  }
  return false;
}

const INSIDE_WORD = /^[a-z0-9]{2}$/;
