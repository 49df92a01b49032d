/** The parts of a long memory, each found on its own: sections, or windows of paragraphs where there are no headings. */

import { fold } from '../../base/text/fold.ts';
import type { RecallExplanation } from '../explain.ts';
import { STOP_WORDS } from '../stop-words.ts';

export interface Passage {
  /** Of the text, counted from 0. */
  readonly line: number;
  /** The heading it is under; empty where there is none. */
  readonly heading: string;
  readonly text: string;
}

/** A text up to this length is found as a whole. */
const LONG_CHARACTERS = 2_000;
/** A section shorter than this goes on into the next one. */
const LEAST_CHARACTERS = 300;
/** From this length on a part ends with its paragraph, and at twice the length with its line. */
const ENOUGH_CHARACTERS = 1_000;
/** What follows after this many is found by the words of the whole alone. */
const MOST_PASSAGES = 40;

/** None for a text that is short enough. */
export function passagesOf(text: string): readonly Passage[] {
  if (text.length <= LONG_CHARACTERS) return [];
  const passages: Passage[] = [];
  let [from, characters, isCode] = [0, 0, false];
  let [heading, openedUnder] = ['', ''];
  const lines = text.split(/\r?\n/);
  const close = (to: number) => {
    const part = lines.slice(from, to).join('\n');
    if (part.trim() !== '') passages.push({ line: from, heading: openedUnder, text: part });
    [from, characters, openedUnder] = [to, 0, heading];
  };
  for (const [at, line] of lines.entries()) {
    if (passages.length === MOST_PASSAGES) return passages;
    const named = isCode ? null : headingIn(line);
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    const endsParagraph = line.trim() === '' && !isCode && characters >= ENOUGH_CHARACTERS;
    const isTooLong = characters > 0 && characters + line.length > ENOUGH_CHARACTERS * 2;
    if ((named !== null && characters >= LEAST_CHARACTERS) || endsParagraph || isTooLong) close(at);
    if (named !== null) heading = named;
    if (named !== null && lines.slice(from, at).every((before) => before.trim() === '')) openedUnder = named;
    characters += line.length + 1;
  }
  close(lines.length);
  return passages;
}

function headingIn(line: string): string | null {
  return /^#{1,6}\s+(.*?)[\s#]*$/.exec(line)?.[1] ?? null;
}

/** Below it a word of the question and one of the memory only look alike. */
const SAME_THING = 0.5;

/** False where all that the question met is its memory's name, aliases or date, which the other parts have too. */
export function isPartMeant(
  { heading, text }: Pick<Passage, 'heading' | 'text'>,
  { wordsShared, matched }: Pick<RecallExplanation, 'wordsShared' | 'matched'>,
): boolean {
  const own = fold(`${heading}\n${text}`);
  const pairs = matched.filter(({ word, likeness }) => likeness >= SAME_THING && !STOP_WORDS.has(word));
  const met = [...wordsShared, ...pairs.map((pair) => pair.met)];
  return met.length === 0 || met.some((word) => own.includes(fold(word)));
}

// A part has the key of its memory, and its number behind a character that no path can hold.

const SEPARATOR = '\0';

export function passageKey(memoryKey: string, number: number): string {
  return `${memoryKey}${SEPARATOR}${number}`;
}

export function memoryKeyOf(key: string): string {
  const at = key.indexOf(SEPARATOR);
  return at === -1 ? key : key.slice(0, at);
}

/** Null for a memory as a whole. */
export function passageNumberOf(key: string): number | null {
  const at = key.indexOf(SEPARATOR);
  return at === -1 ? null : Number(key.slice(at + 1));
}
