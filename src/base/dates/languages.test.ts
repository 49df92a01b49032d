import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isoDate } from './calendar-days.ts';
import { withAbsoluteDates } from './relative-dates.ts';

/** Wednesday. */
const NOW = new Date(2026, 0, 7, 15, 30);

/** The same small grid in every language: a sentence with a slot for the words, then the words and the date they mean. */
const GRID: Readonly<Record<string, readonly [sentence: string, ...(readonly [words: string, date: string])[]]>> = {
  English: [
    'The inspection is _.',
    ['the day before yesterday', '2026-01-05'],
    ['yesterday', '2026-01-06'],
    ['today', '2026-01-07'],
    ['tomorrow', '2026-01-08'],
    ['the day after tomorrow', '2026-01-09'],
    ['in three days', '2026-01-10'],
    ['in twelve weeks', '2026-04-01'],
    ['in two months', '2026-03-07'],
    ["in two weeks' time", '2026-01-21'],
    ['eleven days ago', '2025-12-27'],
    ['a week ago', '2025-12-31'],
    ['two years ago', '2024-01-07'],
    ['next week', '2026-01-12'],
    ['last week', '2025-12-29'],
    ['next month', '2026-02'],
    ['last month', '2025-12'],
    ['next Friday', '2026-01-16'],
    ['last Friday', '2026-01-02'],
  ],
  German: [
    'Die Abnahme ist _.',
    ['vorgestern', '2026-01-05'],
    ['gestern', '2026-01-06'],
    ['heute', '2026-01-07'],
    ['morgen', '2026-01-08'],
    ['übermorgen', '2026-01-09'],
    ['in drei Tagen', '2026-01-10'],
    ['in zwölf Wochen', '2026-04-01'],
    ['in zwei Monaten', '2026-03-07'],
    ['heute in einer Woche', '2026-01-14'],
    ['vor elf Tagen', '2025-12-27'],
    ['vor einer Woche', '2025-12-31'],
    ['nächste Woche', '2026-01-12'],
    ['letzte Woche', '2025-12-29'],
    ['nächsten Monat', '2026-02'],
    ['im letzten Monat', '2025-12'],
    ['nächsten Freitag', '2026-01-16'],
    ['kommenden Freitag', '2026-01-09'],
    ['nächste Woche Freitag', '2026-01-16'],
    ['letzten Freitag', '2026-01-02'],
  ],
  Dutch: [
    'De keuring is _.',
    ['eergisteren', '2026-01-05'],
    ['gisteren', '2026-01-06'],
    ['vandaag', '2026-01-07'],
    ['morgen', '2026-01-08'],
    ['morgenavond', '2026-01-08'],
    ['overmorgen', '2026-01-09'],
    ['over drie dagen', '2026-01-10'],
    ['over twaalf weken', '2026-04-01'],
    ['over twee maanden', '2026-03-07'],
    ['elf dagen geleden', '2025-12-27'],
    ['een week geleden', '2025-12-31'],
    ['volgende week', '2026-01-12'],
    ['vorige week', '2025-12-29'],
    ['volgende maand', '2026-02'],
    ['vorige maand', '2025-12'],
    ['komende vrijdag', '2026-01-09'],
    ['volgende week vrijdag', '2026-01-16'],
    ['afgelopen vrijdag', '2026-01-02'],
  ],
  French: [
    "L'audience est _.",
    ['avant-hier', '2026-01-05'],
    ['hier soir', '2026-01-06'],
    ["aujourd'hui", '2026-01-07'],
    ['demain', '2026-01-08'],
    ['après-demain', '2026-01-09'],
    ['dans trois jours', '2026-01-10'],
    ['dans douze semaines', '2026-04-01'],
    ['dans deux mois', '2026-03-07'],
    ['il y a onze jours', '2025-12-27'],
    ['il y a une semaine', '2025-12-31'],
    ['la semaine prochaine', '2026-01-12'],
    ['la semaine dernière', '2025-12-29'],
    ['le mois prochain', '2026-02'],
    ['le mois dernier', '2025-12'],
    ['vendredi prochain', '2026-01-09'],
    ['vendredi dernier', '2026-01-02'],
  ],
  Spanish: [
    'La audiencia es _.',
    ['anteayer', '2026-01-05'],
    ['ayer', '2026-01-06'],
    ['hoy', '2026-01-07'],
    ['mañana', '2026-01-08'],
    ['pasado mañana', '2026-01-09'],
    ['dentro de tres días', '2026-01-10'],
    ['de aquí a doce semanas', '2026-04-01'],
    ['en dos meses', '2026-03-07'],
    ['hace once días', '2025-12-27'],
    ['hace una semana', '2025-12-31'],
    ['la próxima semana', '2026-01-12'],
    ['la semana pasada', '2025-12-29'],
    ['el mes que viene', '2026-02'],
    ['el mes pasado', '2025-12'],
    ['el próximo viernes', '2026-01-09'],
    ['el viernes pasado', '2026-01-02'],
  ],
  Italian: [
    "L'udienza è _.",
    ["l'altro ieri", '2026-01-05'],
    ['ieri', '2026-01-06'],
    ['oggi', '2026-01-07'],
    ['domani', '2026-01-08'],
    ['dopodomani', '2026-01-09'],
    ['fra tre giorni', '2026-01-10'],
    ['tra dodici settimane', '2026-04-01'],
    ['tra due mesi', '2026-03-07'],
    ['undici giorni fa', '2025-12-27'],
    ['una settimana fa', '2025-12-31'],
    ['la settimana prossima', '2026-01-12'],
    ['la settimana scorsa', '2025-12-29'],
    ['il mese prossimo', '2026-02'],
    ['il mese scorso', '2025-12'],
    ['venerdì prossimo', '2026-01-09'],
    ['venerdì scorso', '2026-01-02'],
  ],
  Portuguese: [
    'A audiência é _.',
    ['anteontem', '2026-01-05'],
    ['ontem', '2026-01-06'],
    ['hoje', '2026-01-07'],
    ['amanhã', '2026-01-08'],
    ['depois de amanhã', '2026-01-09'],
    ['daqui a três dias', '2026-01-10'],
    ['daqui a doze semanas', '2026-04-01'],
    ['em dois meses', '2026-03-07'],
    ['há onze dias', '2025-12-27'],
    ['uma semana atrás', '2025-12-31'],
    ['na próxima semana', '2026-01-12'],
    ['na semana passada', '2025-12-29'],
    ['no mês que vem', '2026-02'],
    ['no mês passado', '2025-12'],
    ['na próxima sexta-feira', '2026-01-09'],
    ['na sexta passada', '2026-01-02'],
  ],
  Russian: [
    'Проверка будет _.',
    ['позавчера', '2026-01-05'],
    ['вчера', '2026-01-06'],
    ['сегодня', '2026-01-07'],
    ['завтра', '2026-01-08'],
    ['послезавтра', '2026-01-09'],
    ['через три дня', '2026-01-10'],
    ['через двенадцать недель', '2026-04-01'],
    ['через два месяца', '2026-03-07'],
    ['через неделю', '2026-01-14'],
    ['одиннадцать дней назад', '2025-12-27'],
    ['неделю назад', '2025-12-31'],
    ['на следующей неделе', '2026-01-12'],
    ['на прошлой неделе', '2025-12-29'],
    ['в следующем месяце', '2026-02'],
    ['в прошлом месяце', '2025-12'],
    ['в следующую пятницу', '2026-01-16'],
    ['в эту пятницу', '2026-01-09'],
    ['в прошлую пятницу', '2026-01-02'],
  ],
  Chinese: [
    '家长会在_举行。',
    ['前天', '2026-01-05'],
    ['昨天', '2026-01-06'],
    ['今天', '2026-01-07'],
    ['明天', '2026-01-08'],
    ['后天', '2026-01-09'],
    ['大后天', '2026-01-10'],
    ['三天后', '2026-01-10'],
    ['十二周后', '2026-04-01'],
    ['两个月后', '2026-03-07'],
    ['十一天前', '2025-12-27'],
    ['一个星期之前', '2025-12-31'],
    ['下周', '2026-01-12'],
    ['上周', '2025-12-29'],
    ['下个月', '2026-02'],
    ['上个月', '2025-12'],
    ['下周五', '2026-01-16'],
    ['上周五', '2026-01-02'],
  ],
  Japanese: [
    '発表会は_です。',
    ['一昨日', '2026-01-05'],
    ['昨日', '2026-01-06'],
    ['今日', '2026-01-07'],
    ['明日', '2026-01-08'],
    ['明後日', '2026-01-09'],
    ['3日後', '2026-01-10'],
    ['十二週間後', '2026-04-01'],
    ['二か月後', '2026-03-07'],
    ['十一日前', '2025-12-27'],
    ['1週間前', '2025-12-31'],
    ['来週', '2026-01-12'],
    ['先週', '2025-12-29'],
    ['来月', '2026-02'],
    ['先月', '2025-12'],
    ['来週の金曜日', '2026-01-16'],
    ['先週の金曜日', '2026-01-02'],
  ],
  Korean: [
    '발표회는 _ 있다.',
    ['그저께', '2026-01-05'],
    ['어제', '2026-01-06'],
    ['오늘', '2026-01-07'],
    ['내일', '2026-01-08'],
    ['모레', '2026-01-09'],
    ['3일 뒤', '2026-01-10'],
    ['열흘 후에', '2026-01-17'],
    ['12주 후에', '2026-04-01'],
    ['두 달 뒤에', '2026-03-07'],
    ['11일 전에', '2025-12-27'],
    ['일주일 전에', '2025-12-31'],
    ['다음 주에', '2026-01-12'],
    ['지난주에', '2025-12-29'],
    ['다음 달에', '2026-02'],
    ['지난달에', '2025-12'],
    ['다음 주 금요일에', '2026-01-16'],
    ['지난주 금요일에', '2026-01-02'],
  ],
};

describe.each(Object.entries(GRID))('%s', (_language, [sentence, ...rows]) => {
  test.each(rows)('%s', (words, date) => {
    const said = sentence.replace('_', words);
    const dated = withAbsoluteDates(said, NOW);
    // One date, and nothing left of the words that would count again.
    expect(dated.match(/\d{4}-\d\d(?:-\d\d)?/g)).toEqual([date]);
    expect(withAbsoluteDates(dated, NOW)).toBe(dated);
  });
});

const IN_DAYS = [
  'in _ days',
  'in _ Tagen',
  'over _ dagen',
  'dans _ jours',
  'dentro de _ días',
  'fra _ giorni',
  'daqui a _ dias',
  'через _ дней',
  '_天后',
  '_日後',
  '_일 뒤',
];

test('from any day, any number of days ahead is that day, and a second pass changes nothing', () => {
  const facts = {
    wording: fc.constantFrom(...IN_DAYS),
    count: fc.integer({ min: 2, max: 99 }),
    offset: fc.integer({ min: 0, max: 9_000 }),
  };
  fc.assert(
    fc.property(fc.record(facts), ({ wording, count, offset }) => {
      const today = new Date(2020, 0, 1 + offset, 12);
      const dated = withAbsoluteDates(wording.replace('_', String(count)), today);
      expect(dated).toContain(isoDate(today, count));
      expect(withAbsoluteDates(dated, today)).toBe(dated);
    }),
  );
});

test('whatever surrounds them, dates are the only change', () => {
  const words = Object.values(GRID).flatMap(([, ...rows]) => rows.map(([wording]) => wording));
  const piece = fc.oneof(
    fc.constantFrom(...words),
    fc.string({ maxLength: 12 }),
    fc.constantFrom('"', '«', '\n', '. '),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join(' ');
      const dated = withAbsoluteDates(text, NOW);
      expect(dated === text || /\d{4}/.test(dated)).toBe(true);
    }),
  );
});
