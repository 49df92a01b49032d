/** The part of a text around a quote: enough to judge it by, and no more. */

import { normalise } from '../../../memory/gate/normalise.ts';

export interface PassageFacts {
  readonly passageCharacters: number;
  /** The whole text normalised, if known: in a long text that is most of the work. */
  readonly normalised?: () => string;
}

/** The paragraph or line that holds the quote, or the quote alone when both are long; null when it is not there. */
export function passageOf(text: string, quote: string, facts: PassageFacts): string | null {
  const wanted = normalise(quote);
  if (wanted === '') return null;
  return passageAt(text, quote, facts) ?? passageAlike(text, { quote, wanted, facts });
}

/** Most quotes are word for word: then only the text around them is looked at. */
function passageAt(text: string, quote: string, { passageCharacters }: PassageFacts): string | null {
  const at = text.indexOf(quote);
  if (at < 0) return null;
  const end = at + quote.length;
  const before = text.slice(Math.max(0, at - passageCharacters - 1), at);
  const after = text.slice(end, end + passageCharacters + 1);
  for (const gap of [/\n\s*\n/g, /\n/g]) {
    const last = [...before.matchAll(gap)].at(-1);
    const from = at - before.length + (last === undefined ? 0 : last.index + last[0].length);
    const next = after.search(gap);
    const to = end + (next < 0 ? after.length : next);
    if (to - from <= passageCharacters) return text.slice(from, to).trim();
  }
  return quote;
}

function passageAlike(
  text: string,
  { quote, wanted, facts }: { readonly quote: string; readonly wanted: string; readonly facts: PassageFacts },
): string | null {
  const { passageCharacters, normalised = () => normalise(text) } = facts;
  if (!normalised().includes(wanted)) return null;
  const isIn = (part: string) => normalise(part).includes(wanted);
  const paragraph = text.split(/\n\s*\n/).find(isIn) ?? text;
  if (paragraph.length <= passageCharacters) return paragraph.trim();
  const line = paragraph.split('\n').find(isIn);
  return line !== undefined && line.length <= passageCharacters ? line.trim() : quote;
}
