/** The sentence that words of the user's stand in: "push to main" is a part of "Never push to main", and not what they said. */

import { sentencesOf } from '../../memory/gate/parts.ts';
import { holds, plain } from './terms.ts';

const LIST_MARK = /^\s*(?:[-*•]|\d{1,2}[.)])\s+/;
const LEADS_A_LIST = /[:：]$/;
/** Sentences that one quote may run over. */
const MOST_SENTENCES = 5;
/** Of a longer one this much before and behind the words is kept. */
const CHARACTERS_AROUND = 300;

/** Null where no few sentences hold the words, which are `plain`. */
export function wholeSentence(words: string, text: string): string | null {
  const sentences = sentencesIn(text);
  for (let count = 1; count <= MOST_SENTENCES; count++) {
    for (let at = sentences.length - count; at >= 0; at--) {
      const joined = sentences.slice(at, at + count).join(' ');
      if (holds(joined, words)) return around(words, joined);
    }
  }
  return null;
}

/** A line that is only broken goes on; an entry of a list says what the line above the list says of it. */
function sentencesIn(text: string): readonly string[] {
  const units: string[] = [];
  let lead = '';
  let isOpen = false;
  for (const line of text.split('\n')) {
    const isEntry = LIST_MARK.test(line);
    const said = plain(line.replace(LIST_MARK, ''));
    if (said === '') isOpen = false;
    else if (isEntry) units.push(lead === '' ? said : `${lead} ${said}`);
    else if (isOpen) units.push(`${units.pop()} ${said}`);
    else units.push(said);
    if (said === '') continue;
    isOpen = true;
    if (!isEntry) lead = LEADS_A_LIST.test(units.at(-1)!) ? (sentencesOf(units.at(-1)!).at(-1) ?? '') : '';
  }
  return units.flatMap(sentencesOf);
}

function around(words: string, sentence: string): string {
  if (sentence.length <= words.length + 2 * CHARACTERS_AROUND) return sentence;
  const at = sentence.indexOf(words);
  const [from, to] = [Math.max(0, at - CHARACTERS_AROUND), at + words.length + CHARACTERS_AROUND];
  return `${from > 0 ? '… ' : ''}${sentence.slice(from, to).trim()}${to < sentence.length ? ' …' : ''}`;
}
