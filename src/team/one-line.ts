/** A colleague's words on one line, and nothing in them that a terminal or a model would take for more than a name. */

import { escapeMarkup } from '../base/text/visible-text.ts';

const NAME_CHARACTERS = 80;

export function oneLine(text: string, most = NAME_CHARACTERS): string {
  const plain = escapeMarkup(text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim());
  const characters = [...plain];
  return characters.length <= most ? plain : `${characters.slice(0, most).join('')}…`;
}
