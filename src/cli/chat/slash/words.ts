/** Renames shell commands to what is typed in the chat, so that what a command or a note recommends can be done here. */

import { quoted } from '../../../base/text/shell-words.ts';
import type { Place } from '../../command.ts';
import { placeFlags } from '../../next-command.ts';

/** The chat knows its place: flags that lead to it are removed, and so are line breaks that only a shell takes. */
export function inSlashWords(text: string, place?: Place): string {
  const flags = place === undefined ? [] : placeFlags(place);
  const tail = flags.length === 0 ? '' : ` ${flags.map(quoted).join(' ')}`;
  const bare = tail === '' ? text : text.replaceAll(tail, '');
  return bare
    .replace(/ \\\n\s*/g, ' ')
    .replace(/\breverie (memory|dream) (?=[a-z]|--help)/g, '/$1 ')
    .replace(/\breverie remember "/g, '/remember "');
}
