/** Text that a server wrote, fit to be shown: nothing unseen in it, no broken characters, and never longer than it may be. */

import { stripVTControlCharacters } from 'node:util';
import { stripInvisible } from '../../base/text/visible-text.ts';

/** How much more than is kept is looked at: what goes out of sight must not make the rest short. */
const LOOKED_AT = 4;

export function shownText(text: string, characters: number): string {
  const clean = visible(text.slice(0, characters * LOOKED_AT)).trim();
  if (clean.length <= characters && text.length <= characters * LOOKED_AT) return clean;
  return wellFormed(`${clean.slice(0, characters - 1)}…`);
}

/** The same in one line. */
export function shownLine(text: string, characters: number): string {
  return shownText(text.slice(0, characters * LOOKED_AT).replace(/\s+/g, ' '), characters);
}

export function visible(text: string): string {
  return stripInvisible(stripVTControlCharacters(wellFormed(text))).text;
}

/** Values of the environment and of headers are nobody's to read, whoever repeats them. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, '***'), text);
}

/** Half a character would make a whole request invalid. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}
