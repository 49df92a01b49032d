/** When two texts are the same text: only what never carries meaning is evened out, since a correction is most like what it corrects. */

import { stripInvisible } from '../../base/text/visible-text.ts';

const QUOTES =
  /[\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a\u300c\u300d\u300e\u300f\u0060\u00b4"]/g;
const DASHES = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g;
/** Signs stay: `-5` is not `5`, `C#` not `C`. A dash at the edge goes only where it is a bullet. */
const EDGE_START = /^(?:[\s.,;:!?'()\u2026\u3001\u3002\u00bf\u00a1]|-(?=\s\S))+/;
const EDGE_END = /[\s.,;:!?'()\u2026\u3001\u3002]+$/;

/** NFKC would make `10²` the number 102 and `1½` the number 11⁄2. */
const RAISED = /[\u00b2\u00b3\u00b9\u2070-\u2079\u2080-\u2089]/g;
const FRACTIONS = /[\u00bc-\u00be\u2150-\u215f\u2189]/g;

export function normalise(text: string): string {
  return folded(text)
    .replace(QUOTES, "'")
    .replace(DASHES, '-')
    .replace(/--+/g, '-')
    .replace(/\s+/g, ' ')
    .replace(EDGE_END, '')
    .replace(EDGE_START, '');
}

/** Whether a text is, once normalised, this one. Its beginning is looked at first: most others differ there. */
export function isSameText(text: string, normalised: string): boolean {
  const start = normalise(text.trimStart().slice(0, BEGINNING)).slice(0, TELLING);
  if (start.length === TELLING && !normalised.startsWith(start)) return false;
  return normalise(text) === normalised;
}

/** So much shorter than the beginning that what the cut does at its end is not in it. */
const BEGINNING = 100;
const TELLING = 16;

/** Most memories are plain ASCII, and there may be thousands to compare with. */
function folded(text: string): string {
  if (/^[\t\n\r\x20-\x7e]*$/.test(text)) return text.toLowerCase();
  return stripInvisible(text)
    .text.replace(RAISED, '^$&')
    .replace(FRACTIONS, ' $&')
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKC');
}
