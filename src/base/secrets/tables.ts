/** Passwords in a table column that a heading names, in markdown or separated by commas. */

import { isGivenPassword } from './likeness.ts';
import type { SecretMatch } from './tokens.ts';

/** Rows read below a heading; one password among them is enough. */
const MOST_ROWS = 40;
const HEADING = /^[^\n]{0,400}(?<![\w-])(?:pass(?:word|wort|wd|code)|pwd|pw|kennwort)(?![\w-])[^\n]{0,400}$/gim;
const HEADING_CELL = /^(?:\w{1,20}[ _-])?(?:pass(?:word|wort|wd|code)|pwd|pw|kennwort)$/i;
const SEPARATORS = ['|', '\t', ';', ','] as const;

export function findInTables(text: string): SecretMatch[] {
  const matches: SecretMatch[] = [];
  let readTo = 0;
  for (const heading of text.matchAll(HEADING)) {
    if (heading.index < readTo) continue;
    const separator = SEPARATORS.find((sign) => heading[0].includes(sign));
    if (separator === undefined) continue;
    const titles = cells(heading[0], separator);
    const column = titles.findIndex((title) => HEADING_CELL.test(title));
    if (column === -1 || titles.length < 2) continue;
    for (const row of rowsBelow(text, heading.index + heading[0].length + 1)) {
      const values = cells(row.line, separator);
      if (values.length !== titles.length) break;
      readTo = row.at + row.line.length;
      if (!isGivenPassword(values[column]!)) continue;
      matches.push({ rule: 'password-column', label: 'password in a table', start: row.at, end: readTo });
      break;
    }
  }
  return matches;
}

function cells(line: string, separator: string): string[] {
  return line.split(separator).map((cell) => cell.trim().replace(/^[*"'`]+|[*"'`]+$/g, ''));
}

function* rowsBelow(text: string, start: number): Generator<{ at: number; line: string }> {
  let at = start;
  for (let row = 0; row < MOST_ROWS && at < text.length; row++) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end === -1 ? text.length : end);
    yield { at, line };
    at += line.length + 1;
  }
}
