/** Private keys in their text armour, however their lines were wrapped, quoted or indented. */

import { isTokenBody } from './likeness.ts';
import type { SecretMatch } from './tokens.ts';

/** Characters read after a header to see whether a key follows; the shortest key has more base64 than half of them. */
const LOOK_AHEAD_CHARACTERS = 1_000;
const LEAST_BASE64_CHARACTERS = 40;
/** Filler such as `AAAA…` or `xxxx…` has one or two. */
const LEAST_DISTINCT_CHARACTERS = 12;

/** The second is PuTTY's, which puts the public half in front. */
const HEADER =
  /-{2,5}[ \t]?BEGIN[ \t]+([A-Z0-9 ]{0,40}?)PRIVATE[ \t]+KEY([ \t]+BLOCK)?[ \t]?-{2,5}|\bPrivate-Lines:[ \t]{0,4}\d{1,3}/g;
const HEADER_FIELDS = /^[ \t>|]*[A-Za-z][A-Za-z-]{2,30}:[^\n]*$/gm;
/** White space, escaped line breaks, quotes, and what quoting and source code put around each line. */
const BETWEEN_LINES = /\\[nrt]|[\s"'`>|,;+\\]+/g;

/** `openssh-key-v1` and `-----BEGIN … PRIVATE` in base64: keys that travel without their armour, as in a kubeconfig. */
const BARE_KEY =
  /(?:b3BlbnNzaC1rZXktdjE|LS0tLS1CRUdJTi(?:BQUklW|BSU0Eg|BPUEVO|BFQyBQ|BFTkNS|BEU0Eg))[A-Za-z0-9+/=]{20,}/g;

/** A JSON web key is public without these: `d` of a pair, `k` of a shared key. */
const PRIVATE_MEMBER = /"[dk]"[ \t]{0,4}:\s{0,8}"([\w-]{22,2000})"/g;
const CHARACTERS_OF_WEB_KEY = 2_000;

export function findPrivateKeys(text: string): SecretMatch[] {
  const matches: SecretMatch[] = [];
  for (const match of text.matchAll(HEADER)) {
    const after = match.index + match[0].length;
    const body = text.slice(after, after + LOOK_AHEAD_CHARACTERS).split(/-{2,5}[ \t]?END|Private-MAC/, 1)[0] ?? '';
    if (!isKeyMaterial(body)) continue;
    const label = match[2] === undefined ? 'private key' : 'PGP private key';
    matches.push({ rule: 'private-key', label, start: match.index, end: after + body.length });
  }
  for (const match of text.matchAll(BARE_KEY)) {
    matches.push({ rule: 'private-key', label: 'private key', start: match.index, end: match.index + match[0].length });
  }
  for (const match of text.matchAll(PRIVATE_MEMBER)) {
    const end = match.index + match[0].length;
    const around = text.slice(Math.max(0, match.index - CHARACTERS_OF_WEB_KEY), end + CHARACTERS_OF_WEB_KEY);
    if (!around.includes('"kty"') || !isTokenBody(match[1]!)) continue;
    matches.push({ rule: 'private-key', label: 'private key', start: match.index, end });
  }
  return matches;
}

/** Prose after a header uses the same alphabet once its spaces are gone, but it has few capitals and digits. */
function isKeyMaterial(body: string): boolean {
  const base64 = /^[A-Za-z0-9/=]+/.exec(body.replace(HEADER_FIELDS, '').replace(BETWEEN_LINES, ''))?.[0] ?? '';
  if (base64.length < LEAST_BASE64_CHARACTERS || new Set(base64).size < LEAST_DISTINCT_CHARACTERS) return false;
  return base64.replace(/[^A-Z0-9]/g, '').length > base64.length / 4;
}
