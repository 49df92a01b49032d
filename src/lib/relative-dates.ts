/** Turns "by Friday" and "tomorrow" into dates, because a memory is read long after the day on which it was said. */

import { EAST_ASIAN_DATES } from './relative-dates-east-asian.ts';
import { ENGLISH_DATES } from './relative-dates-english.ts';
import { EUROPEAN_DATES } from './relative-dates-european.ts';

export { isoDate } from './calendar-days.ts';

export interface DateRule {
  readonly pattern: RegExp;
  readonly date: (groups: readonly (string | undefined)[], now: Date) => string;
}

const RULES: readonly DateRule[] = [...ENGLISH_DATES, ...EUROPEAN_DATES, ...EAST_ASIAN_DATES];

/** A date that is absolute already stays as it is. */
export function withAbsoluteDates(text: string, now: Date): string {
  return RULES.reduce(
    (dated, rule) => dated.replace(rule.pattern, (...found) => rule.date(groupsOf(found), now)),
    text,
  );
}

/** What `replace` passes is the match, its groups, the place and the whole text. */
function groupsOf(found: readonly unknown[]): readonly (string | undefined)[] {
  return found.slice(1, -2) as (string | undefined)[];
}
