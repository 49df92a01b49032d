/** How days are named relative to today in English, German and Dutch, beyond what `lib/relative-dates.ts` knows. */

import { isoDate } from '../calendar-days.ts';
import type { DayRule, DayWords } from './day-words.ts';

/** The rest of English is in lib. */
export const ENGLISH_DAYS: DayWords = {
  mark: /day|week|month|year|fortnight/i,
  days: [],
  counts: 'an?|one,two,three,four,five,six,seven,eight,nine,ten,eleven,twelve'.split(','),
  units: { day: 'days?', week: 'weeks?', month: 'months?', year: 'years?' },
  later: ["in COUNT UNIT['\u2019]?s? time", 'in (eleven|twelve) UNIT', 'COUNT UNIT from (?:today|now)'],
  ago: ['COUNT UNIT ago'],
  notBefore: 'of|after|before',
  on: 'on ',
  weekdays: 'Sunday,Monday,Tuesday,Wednesday,Thursday,Friday,Saturday'.split(','),
  weekdayOf: { coming: [], next: [], last: ["last week['\u2019]s DAY", 'DAY (?:of )?last week'] },
  week: (monday) => `the week of ${monday}`,
  weeks: [],
  months: [],
  years: [],
};

export const GERMAN_DAYS: DayWords = {
  mark: /tage?n?\b|mittwoch|sonnabend|woche|monat|jahr|gestern|heute|morgen/i,
  days: [
    ['heute in (?:einer Woche|acht Tagen)', 7],
    ['heute in (?:zwei Wochen|vierzehn Tagen)', 14],
    ['morgen in einer Woche', 8],
    ['vorvorgestern', -3],
    ['überübermorgen', 3],
  ],
  counts: 'ein(?:e[mnr]?)?,zwei,drei,vier,f(?:ü|ue)nf,sechs,sieben,acht,neun,zehn,elf,zw(?:ö|oe)lf'.split(','),
  units: { day: 'Tag(?:en?)?', week: 'Wochen?', month: 'Monat(?:en?)?', year: 'Jahr(?:en?)?' },
  later: ['in COUNT UNIT'],
  ago: ['vor COUNT UNIT'],
  notBefore: 'nach|vor|Urlaub|Ferien',
  on: 'am ',
  weekdays: 'Sonntag,Montag,Dienstag,Mittwoch,Donnerstag,Freitag,Samstag|Sonnabend'.split(','),
  weekdayOf: {
    coming: [],
    next: ['DAY (?:in )?(?:der )?(?:nächste[rn]|kommende[rn]) Woche', '(?:nächste|kommende) Woche (?:am )?DAY'],
    last: ['letzte[nr]? DAY', 'vergangene[nr]? DAY', 'vorige[nr]? DAY', '(?:letzte|vorige) Woche (?:am )?DAY'],
  },
  week: (monday) => `in der Woche ab ${monday}`,
  weeks: [
    ['(?:in der )?übernächste[rn]? Woche', 2],
    ['(?:in der )?(?:nächste|kommende)[rn]? Woche', 1],
    ['in dieser Woche', 0],
    ['(?:in der )?(?:letzte|vorige|vergangene)[rn]? Woche', -1],
  ],
  months: [
    ['(?:im )?(?:nächste|kommende)[rnms]+ Monats?', 1],
    ['(?:in )?diese[mns] Monats?', 0],
    ['(?:im )?(?:letzte|vorige|vergangene)[rnms]+ Monats?', -1],
  ],
  years: [
    ['(?:im )?(?:nächste|kommende)[ns] Jahr(?:es)?', 1],
    ['(?:im )?(?:letzte|vorige|vergangene)[ns] Jahr(?:es)?', -1],
  ],
};

export const DUTCH_DAYS: DayWords = {
  mark: /dag|week|weken|maand|van(?:daag|avond|nacht|m|ochtend)|jaar|morgen|gister/i,
  days: [
    ['overmorgen', 2],
    ['eergisteren', -2],
    ['gister(?:en|avond|ochtend|middag|nacht)', -1],
    ['vandaag|vanavond|vanmorgen|vanochtend|vanmiddag|vannacht', 0],
    ['morgen(?:avond|ochtend|middag|vroeg)', 1],
  ],
  counts: '(?:ee|éé)n,twee,drie,vier,vijf,zes,zeven,acht,negen,tien,elf,twaalf'.split(','),
  units: { day: 'dag(?:en)?', week: 'we(?:ek|ken)', month: 'maand(?:en)?', year: 'ja(?:ar|ren)' },
  later: ['over COUNT UNIT'],
  ago: ['COUNT UNIT geleden'],
  notBefore: 'na|voor|vakantie',
  on: 'op ',
  weekdays: 'zondag,maandag,dinsdag,woensdag,donderdag,vrijdag,zaterdag'.split(','),
  weekdayOf: {
    coming: ['(?:komende|aanstaande|deze) DAY', 'DAY aanstaande'],
    next: ['volgende week (?:op )?DAY', 'DAY (?:van )?volgende week', 'volgende DAY'],
    last: ['vorige week (?:op )?DAY', 'DAY (?:van )?vorige week', '(?:afgelopen|vorige) DAY', 'DAY jongstleden'],
  },
  week: (monday) => `de week van ${monday}`,
  weeks: [
    ['(?:de )?(?:volgende|komende) week', 1],
    ['deze week', 0],
    ['(?:de )?(?:vorige|afgelopen) week', -1],
  ],
  months: [
    ['(?:de )?(?:volgende|komende) maand', 1],
    ['deze maand', 0],
    ['(?:de )?(?:vorige|afgelopen) maand', -1],
  ],
  years: [
    ['volgend jaar', 1],
    ['vorig jaar', -1],
  ],
};

/** As a day it is written small in both languages, which lib knows, or begins a sentence; elsewhere a capital makes it the morning. */
export const MORGEN: DayRule = {
  pattern: /(?<=[.!?:;]\s|\n)Morgen(?![\p{L}-])/gu,
  date: (_groups, now) => isoDate(now, 1),
};
