/** Files dropped on a terminal arrive as their path, quoted or escaped; this tells when one is an image. */

import { SCREEN_LIMITS } from '../../limits.ts';

const IMAGE = /\.(?:png|jpe?g|gif|webp)$/i;
/** A path that says where it starts: a bare word is a word, not a file somebody dropped. */
const ROOTED = /^(?:\/|~\/|\.{1,2}\/|[A-Za-z]:[\\/]|\\\\)/;
const WINDOWS = /^(?:[A-Za-z]:\\|\\\\)/;

/** The path, as the file system knows it; null for anything else that was pasted. */
export function imagePathOf(pasted: string): string | null {
  if (pasted.length > SCREEN_LIMITS.pathCharacters) return null;
  const text = pasted.trim();
  if (!IMAGE.test(text.replace(/["']$/, '')) || /[\n\0]/.test(text)) return null;
  const path = unquoted(text);
  return path !== null && IMAGE.test(path) && ROOTED.test(path) ? path : null;
}

/** Null where quotes do not match, or where several words are. */
function unquoted(text: string): string | null {
  const quoted = /^(["'])(.*)\1$/s.exec(text);
  if (quoted) return quoted[2]!.includes(quoted[1]!) ? null : quoted[2]!;
  if (/^file:\/\//i.test(text)) return filePathOf(text);
  if (WINDOWS.test(text)) return /["\s]/.test(text) ? null : text;
  if (/(?<!\\)(?:\\\\)*["'\s]/.test(text)) return null;
  return text.replace(/\\(.)/gs, '$1');
}

function filePathOf(address: string): string | null {
  const path = /^file:\/\/(?:localhost)?(\/[^\s?#]*)$/i.exec(address)?.[1];
  if (path === undefined) return null;
  try {
    return decodeURIComponent(path).replace(/^\/(?=[A-Za-z]:)/, '');
  } catch {
    return null;
  }
}
