/** What tools of servers are called for the model: `mcp__server__tool`, of letters that every provider takes, the same in every session. */

import { createHash } from 'node:crypto';

/** Characters of a tool's name as the model sees it, and of the part that names the server. */
const NAME_CHARACTERS = 64;
const SERVER_NAME_CHARACTERS = 32;

const PREFIX = 'mcp__';
const BETWEEN = '__';
const HASH_CHARACTERS = 8;

/**
 * The part that names the server. It holds no double underscore and ends with none, so that a permission rule for one server
 * can never match another one's tools.
 */
export function serverPart(name: string): string {
  const letters = name
    .replace(/[^A-Za-z0-9_-]/g, '_')
    .replace(/_{2,}/g, '_')
    .replace(/^_+|_+$/g, '');
  return bounded(letters === '' ? `server-${hashOf(name)}` : letters, SERVER_NAME_CHARACTERS);
}

export function toolName(server: string, tool: string): string {
  const letters = tool.replace(/[^A-Za-z0-9_-]/g, '_');
  const room = NAME_CHARACTERS - PREFIX.length - server.length - BETWEEN.length;
  return `${PREFIX}${server}${BETWEEN}${bounded(/[A-Za-z0-9]/.test(letters) ? letters : hashOf(tool), room)}`;
}

/** Two long names that begin alike stay apart. */
function bounded(text: string, characters: number): string {
  if (text.length <= characters) return text;
  return `${text.slice(0, Math.max(0, characters - HASH_CHARACTERS - 1))}-${hashOf(text)}`;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, HASH_CHARACTERS);
}
