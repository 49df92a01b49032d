/** Days and months that a text names, however it writes them: "16 June 2023", "June 16", "2023-06-16", "Jun 2023". */

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const MONTH = `(?<month>${MONTHS.map((name) => `${name}|${name.slice(0, 3)}`).join('|')}|Sept)\\b\\.?`;
const DAY = '(?<day>[0-3]?\\d)(?:st|nd|rd|th)?';
const YEAR = '(?<year>(?:19|20)\\d\\d)';
/** What is between the parts of a date. */
const GAP = '[\\s,-]{1,3}';
const WRITTEN = [
  new RegExp(`\\b${DAY}${GAP}(?:of )?${MONTH}(?:${GAP}${YEAR}\\b)?`, 'gi'),
  new RegExp(`\\b${MONTH}${GAP}${DAY}\\b(?:${GAP}${YEAR}\\b)?`, 'gi'),
  new RegExp(`\\b${MONTH}${GAP}(?:of )?${YEAR}\\b`, 'gi'),
  /\b(?<year>(?:19|20)\d\d)-(?<number>[01]\d)(?:-(?<day>[0-3]\d))?(?!\d)/g,
];

export interface Dates {
  readonly dates: readonly WrittenDate[];
  /** The text without them. */
  readonly rest: string;
}

export interface WrittenDate {
  /** A day as `2023-06-16`, a day of any year as `-06-16`, a month as `2023-06`, a month of any year as `-06`. */
  readonly spelling: string;
  /** For people. */
  readonly name: string;
}

export function datesIn(text: string): Dates {
  if (!/\d/.test(text)) return { dates: [], rest: text };
  const names = new Map<string, string>();
  let rest = text;
  for (const pattern of WRITTEN) {
    rest = rest.replace(pattern, (...match) => {
      const { year, number, day, month: written } = match.at(-1) as Record<string, string | undefined>;
      const at = number === undefined ? monthOf(written!) : Number(number) - 1;
      const name = MONTHS[at];
      if (name === undefined) return match[0];
      const month = String(at + 1).padStart(2, '0');
      names.set(`-${month}`, name);
      if (day !== undefined) names.set(`-${month}-${day.padStart(2, '0')}`, `${Number(day)} ${name}`);
      if (year !== undefined) names.set(`${year}-${month}`, `${name} ${year}`);
      if (day !== undefined && year !== undefined)
        names.set(`${year}-${month}-${day.padStart(2, '0')}`, `${Number(day)} ${name} ${year}`);
      return ' ';
    });
  }
  return { dates: [...names].map(([spelling, name]) => ({ spelling, name })), rest };
}

function monthOf(written: string): number {
  return MONTHS.findIndex((name) => name.toLowerCase().startsWith(written.slice(0, 3).toLowerCase()));
}
