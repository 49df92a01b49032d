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

/**
 * A word of this kind is in every wording that a rule knows. Most text has none, and is spared a hundred patterns: a day or
 * a stretch of time by name, or today, tomorrow and yesterday in one of the languages.
 */
const TIME_WORD =
  /day|week|month|quarter|year|fortnight|to(?:morrow|night)|last night|this (?:morning|afternoon|evening)|tag|sonnabend|mittwoch|woche|monat|jahr|morgen|gestern|heute|domingo|lunes|martes|jueves|viernes|mi[ée]rcoles|s[áa]bado|ma[ñn]ana|ayer|hoy|d[ií]a|semana|mes|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|demain|hier|aujourd|jour|semaine|mois|amanh|domani|hoje|oggi|ontem|ieri|[\u3040-\u9fff]/i;

/** A date that is absolute already stays as it is. */
export function withAbsoluteDates(text: string, now: Date): string {
  if (!TIME_WORD.test(text)) return text;
  return RULES.reduce(
    (dated, rule) => dated.replace(rule.pattern, (...found) => rule.date(groupsOf(found), now)),
    text,
  );
}

/** What `replace` passes is the match, its groups, the place and the whole text. */
function groupsOf(found: readonly unknown[]): readonly (string | undefined)[] {
  return found.slice(1, -2) as (string | undefined)[];
}
