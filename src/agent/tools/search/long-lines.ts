/** Lines too long to show whole: ripgrep shows their beginning, this shows what is around each match. */

import { runRipgrep, type Search } from './ripgrep.ts';

/** Characters of a line that is shown whole, and on each side of a match in a longer one. */
export const LINE_COLUMNS = 500;
const AROUND = 150;
/** Matches shown of one line, and files that are looked at again. */
const MATCHES = 2;
const FILES = 20;

/** Path, NUL, number of the line, a colon for a match, text. */
const MATCH = /^([^\0]*)\0(\d+):(.*)$/s;

/** The same lines, with the long ones among the matches replaced. */
export async function showMatches(
  lines: readonly string[],
  facts: { readonly pattern: string; readonly flags: readonly string[]; readonly search: Omit<Search, 'words'> },
): Promise<readonly string[]> {
  const long = lines.flatMap((line) => {
    const [, path = '', , text = ''] = MATCH.exec(line) ?? [];
    return Buffer.byteLength(text) > LINE_COLUMNS ? [path] : [];
  });
  const paths = [...new Set(long)].slice(0, FILES);
  if (paths.length === 0) return lines;
  const around = `.{0,${AROUND}}`;
  const outcome = await runRipgrep({
    ...facts.search,
    words: [
      ...['--only-matching', '--no-heading', '--null', '--line-number', '--with-filename', ...facts.flags],
      ...[`--regexp=${around}(?:${facts.pattern})${around}`, '--', ...paths],
    ],
  });
  return outcome.kind === 'found' ? withMatches(lines, outcome.text.split('\n')) : lines;
}

function withMatches(lines: readonly string[], found: readonly string[]): readonly string[] {
  const matches = new Map<string, string[]>();
  for (const line of found) {
    const [, path, number, text] = MATCH.exec(line) ?? [];
    if (text === undefined) continue;
    const key = `${path}\0${number}`;
    matches.set(key, [...(matches.get(key) ?? []), text]);
  }
  return lines.map((line) => {
    const [, path, number, text = ''] = MATCH.exec(line) ?? [];
    const there = matches.get(`${path}\0${number}`);
    if (there === undefined || Buffer.byteLength(text) <= LINE_COLUMNS) return line;
    const shown = there.slice(0, MATCHES).map((match) => match.slice(0, LINE_COLUMNS).trim());
    const more = there.length > MATCHES ? ` [${there.length - MATCHES} more in this line]` : '';
    return `${path}\0${number}:… ${shown.join(' … ')} …${more}`;
  });
}
