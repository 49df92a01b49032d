/** The part of a text that stands behind a quote: enough to judge it by, and no more. */

import { normalise } from '../memory/gate/normalise.ts';

/** The paragraph or line that holds the quote, or the quote alone where both are long; null when it is not there. */
export function passageOf(
  text: string,
  quote: string,
  { passageCharacters }: { readonly passageCharacters: number },
): string | null {
  const wanted = normalise(quote);
  const isIn = (part: string) => wanted !== '' && normalise(part).includes(wanted);
  if (!isIn(text)) return null;
  const paragraph = text.split(/\n\s*\n/).find(isIn) ?? text;
  if (paragraph.length <= passageCharacters) return paragraph.trim();
  const line = paragraph.split('\n').find(isIn);
  return line !== undefined && line.length <= passageCharacters ? line.trim() : quote;
}
