/** A secret in the name of a file: index, journal and ledger would repeat it, so that such a file is left alone until it is renamed. */

import { findNamedSecrets } from '../../base/secrets/in-words.ts';
import { findLogins } from '../../base/secrets/logins.ts';
import { findTokens } from '../../base/secrets/tokens.ts';
import { ReverieError } from '../../errors.ts';

export interface SecretName {
  /** What kind of secret it is, never the secret. */
  readonly label: string;
  /** What is left of the name before, between and behind its secrets. */
  readonly pieces: readonly string[];
  /** Characters of each secret between them. */
  readonly lengths: readonly number[];
}

export function secretInName(file: string): SecretName | null {
  if (isWordy(file)) return null;
  const found = [findTokens, findLogins, findNamedSecrets]
    .flatMap((find) => find(file))
    .sort((one, other) => one.start - other.start);
  const [first] = found;
  if (first === undefined) return null;
  const stretches: { start: number; end: number }[] = [];
  for (const { start, end } of found) {
    const last = stretches.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else stretches.push({ start, end });
  }
  const ends = [0, ...stretches.map(({ end }) => end)];
  const starts = [...stretches.map(({ start }) => start), file.length];
  return {
    label: first.label,
    pieces: starts.map((start, at) => file.slice(ends[at], start)),
    lengths: stretches.map(({ start, end }) => end - start),
  };
}

/** For people: the name without the secret. */
export function shownName(file: string): string {
  const secret = secretInName(file);
  return secret === null ? file : secret.pieces.join('[…]');
}

export function secretNameError({ label, pieces }: Pick<SecretName, 'label' | 'pieces'>): ReverieError {
  return new ReverieError({
    code: 'secret',
    message: `${pieces.join('[…]')}: its name holds a secret (${label}), which index and journal would repeat; nothing was changed`,
    fix: 'Choose another name; of a file that is there, `reverie doctor` says how to rename it.',
  });
}

/** Noise goes to and fro between letters and digits, or is long. Asked of every new file: most names are words, and the rules are many. */
function isWordy(file: string): boolean {
  if (/[A-Z0-9]{8}/.test(file)) return false;
  let changes = 0;
  let before = kindOf(file.charCodeAt(0));
  for (let at = 1; at < file.length && changes < LEAST_CHANGES; at++) {
    const kind = kindOf(file.charCodeAt(at));
    if (kind !== before && kind !== 'other' && before !== 'other') changes += 1;
    before = kind;
  }
  return changes < LEAST_CHANGES;
}

const LEAST_CHANGES = 2;

function kindOf(code: number): 'lower' | 'upper' | 'digit' | 'other' {
  if (code >= 0x61 && code <= 0x7a) return 'lower';
  if (code >= 0x41 && code <= 0x5a) return 'upper';
  return code >= 0x30 && code <= 0x39 ? 'digit' : 'other';
}
