/** How days are named relative to today in German, Spanish, French, Portuguese and Italian. */

import {
  type DateUnit,
  daysToWeekday,
  isoDate,
  isoOf,
  lastOfMonth,
  mondayOf,
  monthOf,
  shifted,
  type WhichWeek,
  yearOf,
} from '../calendar-days.ts';
import type { DayRule } from './day-words.ts';

const GERMAN_DAYS = 'sonntag|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend';
const SPANISH_DAYS = 'domingo|lunes|martes|miércoles|jueves|viernes|sábado';
const FRENCH_DAYS = 'dimanche|lundi|mardi|mercredi|jeudi|vendredi|samedi';
const GERMAN_COUNT = '\\d{1,3}|eine[mnr]?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn';
const SPANISH_COUNT = '\\d{1,3}|un[ao]?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez';
const FRENCH_COUNT = '\\d{1,3}|une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix';

export const EUROPEAN_DATES: readonly DayRule[] = [
  { pattern: /(?<!\p{L})[Üü]bermorgen\b/gu, date: (_groups, now) => isoDate(now, 2) },
  { pattern: /\bvorgestern\b/gi, date: (_groups, now) => isoDate(now, -2) },
  // "am Morgen" and "jeden Morgen" are the morning; as a day it is written small, or stands first.
  { pattern: /(?<!\p{L}|guten |jeden |am )morgen\b|^Morgen\b/gu, date: (_groups, now) => isoDate(now, 1) },
  { pattern: /\bheute\b/gi, date: (_groups, now) => isoDate(now, 0) },
  { pattern: /\bgestern\b/gi, date: (_groups, now) => isoDate(now, -1) },
  {
    pattern: new RegExp(`\\bin (${GERMAN_COUNT}) (Tag|Woche|Monat|Jahr)e?n?\\b`, 'gi'),
    date: ([count, unit], now) => `am ${shifted(now, amount(count!, unit!))}`,
  },
  {
    pattern: new RegExp(`\\bvor (${GERMAN_COUNT}) (Tag|Woche|Monat)e?n?\\b`, 'gi'),
    date: ([count, unit], now) => `am ${shifted(now, ago(amount(count!, unit!)))}`,
  },
  {
    pattern: new RegExp(
      `\\b(bis|am|ab|vor|seit)( zum)? (?:(?:kommenden|nächsten) )?(${GERMAN_DAYS})\\b(?! \\d{4}-)`,
      'gi',
    ),
    date: ([word, article, day], now) =>
      `${word}${article ?? ''} ${withDate(now, { day: day!, week: word!.toLowerCase() === 'seit' ? 'last' : 'coming' })}`,
  },
  {
    pattern: new RegExp(
      `\\b(nächste[nr]?|kommende[nr]?|diese[nr]?|letzte[nr]?|vergangene[nr]?) (${GERMAN_DAYS})\\b(?! \\d{4}-)`,
      'gi',
    ),
    date: ([which, day], now) =>
      withDate(now, { day: day!, week: /^n/i.test(which!) ? 'next' : /^[lv]/i.test(which!) ? 'last' : 'coming' }),
  },
  { pattern: /\bnächste[rn]? Woche\b/gi, date: (_groups, now) => `in der Woche ab ${mondayOf(now, 1)}` },
  { pattern: /\bdiese[rn]? Woche\b/gi, date: (_groups, now) => `in der Woche ab ${mondayOf(now, 0)}` },
  { pattern: /\b(?:letzte|vorige)[rn]? Woche\b/gi, date: (_groups, now) => `in der Woche ab ${mondayOf(now, -1)}` },
  { pattern: /\bEnde (?:des|dieses) Monats\b/gi, date: (_groups, now) => isoOf(lastOfMonth(now, 0)) },
  { pattern: /\bnächste[rn] Monats?\b/gi, date: (_groups, now) => monthOf(now, 1) },
  { pattern: /\bletzte[rn] Monats?\b/gi, date: (_groups, now) => monthOf(now, -1) },
  { pattern: /\bnächste[sn] Jahr(?:es)?\b/gi, date: (_groups, now) => yearOf(now, 1) },

  { pattern: /\bpasado mañana\b/gi, date: (_groups, now) => isoDate(now, 2) },
  { pattern: /\banteayer\b/gi, date: (_groups, now) => isoDate(now, -2) },
  // "por la mañana" is the morning.
  { pattern: /(?<!\b(?:la|las|una|cada|esta|media) )\bmañana\b/gi, date: (_groups, now) => isoDate(now, 1) },
  { pattern: /\bhoy\b/gi, date: (_groups, now) => isoDate(now, 0) },
  { pattern: /\bayer\b/gi, date: (_groups, now) => isoDate(now, -1) },
  {
    pattern: new RegExp(`\\b(?:dentro de|en) (${SPANISH_COUNT}) (d[ií]a|semana|mes)(?:e?s)?\\b`, 'gi'),
    date: ([count, unit], now) => `el ${shifted(now, amount(count!, unit!))}`,
  },
  {
    pattern: new RegExp(`\\bhace (${SPANISH_COUNT}) (d[ií]a|semana|mes)(?:e?s)?\\b`, 'gi'),
    date: ([count, unit], now) => `el ${shifted(now, ago(amount(count!, unit!)))}`,
  },
  {
    pattern: new RegExp(
      `\\b(?:el )?(?:próximo|este) (${SPANISH_DAYS})(?!\\p{L})|\\b(?:el )?(${SPANISH_DAYS}) que viene\\b`,
      'giu',
    ),
    date: ([day, other], now) => `el ${withDate(now, { day: (day ?? other)!, week: 'coming' })}`,
  },
  {
    pattern: new RegExp(`\\b(?:el )?(${SPANISH_DAYS}) pasado\\b|\\bel pasado (${SPANISH_DAYS})(?!\\p{L})`, 'giu'),
    date: ([day, other], now) => `el ${withDate(now, { day: (day ?? other)!, week: 'last' })}`,
  },
  {
    pattern: /\bla (?:próxima semana|semana que viene)\b/gi,
    date: (_groups, now) => `la semana del ${mondayOf(now, 1)}`,
  },
  { pattern: /\besta semana\b/gi, date: (_groups, now) => `la semana del ${mondayOf(now, 0)}` },
  { pattern: /\bla semana pasada\b/gi, date: (_groups, now) => `la semana del ${mondayOf(now, -1)}` },
  { pattern: /\bel (?:próximo mes|mes que viene)\b/gi, date: (_groups, now) => monthOf(now, 1) },

  { pattern: /\baprès-demain\b/gi, date: (_groups, now) => isoDate(now, 2) },
  { pattern: /\bavant-hier\b/gi, date: (_groups, now) => isoDate(now, -2) },
  { pattern: /\bdemain(?: (?:matin|soir))?\b/gi, date: (_groups, now) => isoDate(now, 1) },
  { pattern: /\baujourd['\u2019]hui\b/gi, date: (_groups, now) => isoDate(now, 0) },
  // In German "hier" means here: it is French behind a participle, or before a time of day.
  { pattern: /(?<=\p{L}ée?s? )hier\b|\bhier(?= (?:soir|matin)\b)/gu, date: (_groups, now) => isoDate(now, -1) },
  {
    pattern: new RegExp(`\\bdans (${FRENCH_COUNT}) (jour|semaine|mois)s?\\b`, 'gi'),
    date: ([count, unit], now) => `le ${shifted(now, amount(count!, unit!))}`,
  },
  {
    pattern: new RegExp(`\\bil y a (${FRENCH_COUNT}) (jour|semaine|mois)s?\\b`, 'gi'),
    date: ([count, unit], now) => `le ${shifted(now, ago(amount(count!, unit!)))}`,
  },
  {
    pattern: new RegExp(`\\b(${FRENCH_DAYS}) (prochain|dernier)\\b`, 'gi'),
    date: ([day, which], now) =>
      withDate(now, { day: day!, week: which!.toLowerCase() === 'dernier' ? 'last' : 'coming' }),
  },
  { pattern: /\bla semaine prochaine\b/gi, date: (_groups, now) => `la semaine du ${mondayOf(now, 1)}` },
  { pattern: /\ble mois prochain\b/gi, date: (_groups, now) => monthOf(now, 1) },

  { pattern: /\bdepois de amanhã(?!\p{L})|\bdopodomani\b/giu, date: (_groups, now) => isoDate(now, 2) },
  { pattern: /\bamanhã(?!\p{L})|\bdomani\b/giu, date: (_groups, now) => isoDate(now, 1) },
  { pattern: /\bhoje\b|\boggi\b/gi, date: (_groups, now) => isoDate(now, 0) },
  { pattern: /\bontem\b|\bieri\b/gi, date: (_groups, now) => isoDate(now, -1) },
];

const DAY_NAMES: readonly (readonly string[])[] = [GERMAN_DAYS, SPANISH_DAYS, FRENCH_DAYS].map((days) =>
  days.split('|'),
);

function withDate(now: Date, wanted: { day: string; week: WhichWeek }): string {
  const name = wanted.day.toLowerCase().replace('sonnabend', 'samstag');
  const weekday = Math.max(...DAY_NAMES.map((days) => days.indexOf(name)));
  return `${wanted.day} ${isoDate(now, daysToWeekday(now, { weekday, week: wanted.week }))}`;
}

const NUMBERS: readonly RegExp[] = [
  /^(?:un|una|uno|une|ein\w*)$/,
  /^(?:zwei|dos|deux)$/,
  /^(?:drei|tres|trois)$/,
  /^(?:vier|cuatro|quatre)$/,
  /^(?:fünf|cinco|cinq)$/,
  /^(?:sechs|seis|six)$/,
  /^(?:sieben|siete|sept)$/,
  /^(?:acht|ocho|huit)$/,
  /^(?:neun|nueve|neuf)$/,
  /^(?:zehn|diez|dix)$/,
];

/** The first letter tells the unit in all of them: Tag, día, jour; Woche, semana; Monat, mes; Jahr. */
function amount(count: string, unit: string): { count: number; unit: DateUnit } {
  const word = NUMBERS.findIndex((number) => number.test(count.toLowerCase()));
  const units: Record<string, DateUnit> = { t: 'day', d: 'day', w: 'week', s: 'week', m: 'month' };
  const name = unit.toLowerCase();
  return {
    count: word < 0 ? Number(count) : word + 1,
    unit: name === 'jour' ? 'day' : name === 'jahr' ? 'year' : units[name[0]!]!,
  };
}

function ago(by: { count: number; unit: DateUnit }): { count: number; unit: DateUnit } {
  return { count: -by.count, unit: by.unit };
}
