/** Normalises text for comparing quotes: case, width, white space and the shape of quotation marks and dashes do not count. */

import { stripInvisible } from './visible-text.ts';

const QUOTES =
  /[\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a\u300c\u300d\u300e\u300f\u0060\u00b4"]/g;
const DASHES = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g;

const BESIDE_UNSPACED =
  /\s+(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3001-\u303f\uff00-\uffef])|(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3001-\u303f\uff00-\uffef])\s+/gu;

export function fold(text: string): string {
  const isAscii = /^[\t\n\r\x20-\x7e]*$/.test(text);
  const plain = isAscii ? text : stripInvisible(text).text.normalize('NFKC').replace(BESIDE_UNSPACED, '');
  return plain.toLowerCase().replace(QUOTES, "'").replace(DASHES, '-').replace(/\s+/g, ' ').trim();
}
