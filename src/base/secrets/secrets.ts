/** The secret scan that every write passes: which credentials a text holds and where, never what they are. */

import { stripInvisible } from '../text/visible-text.ts';
import { findNamedSecrets } from './in-words.ts';
import { findPrivateKeys } from './keys.ts';
import { findLogins } from './logins.ts';
import { findWithPreset } from './preset.ts';
import { findTokens, type SecretMatch } from './tokens.ts';

/** Names the kind and the place of a secret; contains neither the value nor a part of it. */
export interface SecretFinding {
  readonly rule: string;
  /** For people: `AWS access key`. */
  readonly label: string;
  /** From 1, as editors count. */
  readonly line: number;
  /** From 1, in the visible line: without invisible characters if they hid the secret. */
  readonly column: number;
}

/** One is enough to refuse a text; more would only make the answer long. */
const MOST_FINDINGS = 50;

export async function findSecrets(text: string): Promise<readonly SecretFinding[]> {
  const findings = await scan(text);
  for (const variant of readings(text)) {
    const known = new Set(findings.map((finding) => finding.line));
    findings.push(...(await scan(variant)).filter((finding) => !known.has(finding.line)));
  }
  return findings.sort((one, other) => one.line - other.line || one.column - other.column);
}

/** The part of the scan that loads no package, for text that is only shown: nothing is kept after this look alone. */
export function looksLikeSecret(text: string): boolean {
  return [text, ...readings(text)].some(
    (reading) => findOwn(reading).length > 0 || findNamedSecrets(reading).length > 0,
  );
}

/** For people: what was found and what to do instead. */
export function describeSecrets(findings: readonly SecretFinding[]): string {
  if (findings.length === 0) return 'No secrets found.';
  const places = findings.map((finding) => `line ${finding.line}: ${finding.label} (${finding.rule})`).join('; ');
  return `${places[0]!.toUpperCase()}${places.slice(1)}. Keep it in the environment or a secret manager, and remember where it is instead.`;
}

/** The text as a reader would see it, if that differs: without invisible characters, markdown escapes resolved. */
function readings(text: string): string[] {
  const plain = stripInvisible(text).text.replace(/\\([_*~#+=.!-])/g, '$1');
  return plain === text ? [] : [plain];
}

async function scan(text: string): Promise<SecretFinding[]> {
  // The most specific first: what overlaps an earlier match is the same secret under a vaguer name.
  const matches = [...findOwn(text), ...(await findWithPreset(text)), ...findNamedSecrets(text)];
  const kept: SecretMatch[] = [];
  for (const match of matches) {
    if (kept.length === MOST_FINDINGS) break;
    if (!kept.some((other) => match.start < other.end && other.start < match.end)) kept.push(match);
  }
  const lineStarts = startsOfLines(text);
  return kept.map((match) => ({ rule: match.rule, label: match.label, ...placeOf(match.start, lineStarts) }));
}

function findOwn(text: string): readonly SecretMatch[] {
  return [...findTokens(text), ...findPrivateKeys(text), ...findLogins(text)];
}

function startsOfLines(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function placeOf(offset: number, lineStarts: readonly number[]): { line: number; column: number } {
  let low = 0;
  let high = lineStarts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (lineStarts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - lineStarts[low]! + 1 };
}
