import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoDate } from './calendar-days.ts';
import { withAbsoluteDates } from './relative-dates.ts';

/** Wednesday. */
const now = new Date(2026, 0, 7, 15, 30);

test.each([
  ['The demo is tomorrow.', 'The demo is 2026-01-08.'],
  ['The freeze starts the day after tomorrow.', 'The freeze starts 2026-01-09.'],
  ['Ship it by Friday.', 'Ship it by Friday 2026-01-09.'],
  ['Ada is away until Monday.', 'Ada is away until Monday 2026-01-12.'],
  ['The release is on Wednesday.', 'The release is on Wednesday 2026-01-14.'],
  ['The release is next Wednesday.', 'The release is Wednesday 2026-01-14.'],
  ['The review is this Thursday.', 'The review is Thursday 2026-01-08.'],
  ['We were hacked last Tuesday.', 'We were hacked Tuesday 2026-01-06.'],
  ['Frozen since Monday.', 'Frozen since Monday 2026-01-05.'],
  ['Migration is planned for next week.', 'Migration is planned for the week of 2026-01-12.'],
  ['Ben is on call this week.', 'Ben is on call the week of 2026-01-05.'],
  ['The contract ends next month.', 'The contract ends 2026-02.'],
  ['Done by the end of the month.', 'Done by 2026-01-31.'],
  ['The key expires in two weeks.', 'The key expires on 2026-01-21.'],
  ['The key expires in 3 days.', 'The key expires on 2026-01-10.'],
  ['The key expires in a month.', 'The key expires on 2026-02-07.'],
  ['Node 18 goes next year.', 'Node 18 goes 2027.'],
  ['Abgabe ist morgen.', 'Abgabe ist 2026-01-08.'],
  ['Übermorgen ist Abgabe.', '2026-01-09 ist Abgabe.'],
  ['Bis Freitag muss es fertig sein.', 'Bis Freitag 2026-01-09 muss es fertig sein.'],
  ['Release ist nächste Woche.', 'Release ist in der Woche ab 2026-01-12.'],
  ['Frist endet in zwei Wochen.', 'Frist endet am 2026-01-21.'],
  ['明天发布。', '2026-01-08发布。'],
  ['下周五上线', '下周五（2026-01-16）上线'],
  ['周五之前完成', '周五（2026-01-09）之前完成'],
  ['下周冻结代码', '2026-01-12那一周冻结代码'],
  ['三天后上线', '2026-01-10上线'],
  ['上个月签的合同', '2025-12签的合同'],
  ['来週の金曜日にリリースします', '2026-01-16（金）にリリースします'],
  ['明後日までに', '2026-01-09までに'],
  ['The contract was signed two weeks ago.', 'The contract was signed on 2025-12-24.'],
  ['The move is two weeks from today.', 'The move is on 2026-01-21.'],
  ['The audit is on Friday next week.', 'The audit is on Friday 2026-01-16.'],
  ['No merges after Thursday.', 'No merges after Thursday 2026-01-08.'],
  ['It was moved to Friday.', 'It was moved to Friday 2026-01-09.'],
  ['Nächsten Freitag ist Demo.', 'Freitag 2026-01-16 ist Demo.'],
  ['Letzte Woche war Abnahme.', 'in der Woche ab 2025-12-29 war Abnahme.'],
  ['Der Umzug war vor drei Tagen.', 'Der Umzug war am 2026-01-04.'],
  ['La entrega es pasado mañana.', 'La entrega es 2026-01-09.'],
  ['La entrega es mañana.', 'La entrega es 2026-01-08.'],
  ['Firmaron hace dos semanas.', 'Firmaron el 2025-12-24.'],
  ['La demo es el próximo viernes.', 'La demo es el viernes 2026-01-09.'],
  ['La livraison est demain.', 'La livraison est 2026-01-08.'],
  ['Le contrat a été signé hier.', 'Le contrat a été signé 2026-01-06.'],
  ['La démo est vendredi prochain.', 'La démo est vendredi 2026-01-09.'],
  ['A entrega é amanhã.', 'A entrega é 2026-01-08.'],
  ['Next week on Friday we ship.', 'Friday 2026-01-16 we ship.'],
  ['Done by the end of the quarter.', 'Done by 2026-03-31.'],
  ['Done by the end of this year.', 'Done by 2026-12-31.'],
  ['Fertig bis Ende des Quartals.', 'Fertig bis 2026-03-31.'],
  ['À livrer avant la fin du mois.', 'À livrer avant 2026-01-31.'],
  ['Entrega antes del fin de mes.', 'Entrega antes del 2026-01-31.'],
  ['Consegna entro la fine dell’anno.', 'Consegna entro 2026-12-31.'],
  ['Entrega até o fim do trimestre.', 'Entrega até 2026-03-31.'],
  ['Klaar voor het einde van het jaar.', 'Klaar voor 2026-12-31.'],
  ['Сдать до конца месяца.', 'Сдать до 2026-01-31.'],
  ['本月底上线', '2026-01-31上线'],
  ['今月末までに出す', '2026-01-31までに出す'],
  ['이번 달 말까지 낸다', '2026-01-31까지 낸다'],
  ['À rendre avant vendredi.', 'À rendre avant vendredi 2026-01-09.'],
  ['Hay que entregarlo antes del viernes.', 'Hay que entregarlo antes del viernes 2026-01-09.'],
  ['Da consegnare entro venerdì.', 'Da consegnare entro venerdì 2026-01-09.'],
  ['Entregar até sexta.', 'Entregar até sexta 2026-01-09.'],
  ['Uiterlijk vrijdag inleveren.', 'Uiterlijk vrijdag 2026-01-09 inleveren.'],
  ['Сдать до пятницы.', 'Сдать до пятницы 2026-01-09.'],
  ['金曜日までに出す', '2026-01-09（金）までに出す'],
])('%s', (said, kept) => {
  expect(withAbsoluteDates(said, now)).toBe(kept);
});

test.each([
  'We deploy on Fridays.',
  'Every Friday there is a demo.',
  'The demo is on Friday 2026-01-09.',
  'On Friday afternoons nobody reviews.',
  'It can be built in a day.',
  'Jeden Morgen läuft der Import, am morgen nie.',
  '每周五部署，一周一次。',
  'The Friday build is slow.',
  'Revisamos los correos por la mañana.',
  'Die Abnahme ist hier im Haus.',
  'Long ago we used Perl.',
  'We shipped it on Friday.',
  'The books are closed at the end of the month.',
  '周一到周五上班。',
  'We meet on Monday, Wednesday and Friday.',
  'The report covers the last month of the year.',
  'Wir sehen uns in zwei Wochen am Freitag.',
  'The API returns today() and reads date.today, tomorrow_at and today.md.',
  'Am Ende des Monats wird abgerechnet.',
  'La facture part à la fin du mois.',
  'Счёт приходит в конце месяца.',
  'It was decided on 2026-01-05, see the notes of May 2025.',
  'We always answer tomorrow at the latest.',
])('stays as it is: %s', (text) => {
  expect(withAbsoluteDates(text, now)).toBe(text);
});

test('the last day of a short month', () => {
  expect(withAbsoluteDates('due in a month', new Date(2026, 0, 31))).toBe('due on 2026-02-28');
});

test('every weekday said on any day is within the next week, and a second pass changes nothing', () => {
  const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
  const said = fc.constantFrom(
    ...days.map((day) => `by ${day}`),
    'tomorrow',
    'next week',
    'bis Montag',
    '周五',
    '下周二',
    'in two weeks',
  );
  fc.assert(
    fc.property(said, fc.integer({ min: 0, max: 4_000 }), (words, offset) => {
      const today = new Date(2020, 0, 1 + offset, 12);
      const dated = withAbsoluteDates(`It is ${words}.`, today);
      expect(withAbsoluteDates(dated, today)).toBe(dated);
      const date = /\d{4}-\d\d-\d\d/.exec(dated)?.[0];
      expect(date).toBeDefined();
      expect(date! > isoDate(today)).toBe(true);
      expect(date! <= isoDate(today, 14)).toBe(true);
      const name = words.startsWith('by ') ? words.slice(3) : null;
      if (name !== null) {
        const [year, month, day] = date!.split('-').map(Number);
        expect(days[(new Date(year!, month! - 1, day).getDay() + 6) % 7]).toBe(name);
        expect(date! <= isoDate(today, 7)).toBe(true);
      }
    }),
  );
});
