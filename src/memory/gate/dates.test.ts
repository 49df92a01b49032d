import { describe } from 'vitest';
import { assistant, memory, reasoned, testCases, user, web } from '../../../test/support/gate-cases.ts';

/** Wednesday. */
const at = '2026-01-07';
const project = (fact: string) => memory('project', reasoned(fact, 'Said by the user.', 'When planning.'));

describe('relative dates are counted from the day they were said', () => {
  testCases([
    {
      title: 'next Friday',
      span: [user('The audit is next Friday.', at)],
      write: project('The audit is next Friday.'),
      verdict: 'accept',
      reason: 'relative-date',
      holds: '2026-01-16',
    },
    {
      title: 'in two weeks',
      span: [user('The lease of the office ends in two weeks.', at), assistant('Noted.', at)],
      write: project('The lease of the office ends in two weeks.'),
      verdict: 'accept',
      holds: '2026-01-21',
    },
    {
      title: 'yesterday, with a time',
      span: [user('The pilot customer signed yesterday.', '2026-03-01T08:30:00Z')],
      write: project('The pilot customer signed yesterday.'),
      verdict: 'accept',
      holds: '2026-02-28',
    },
    {
      title: 'three days ago, in German',
      span: [user('Vor drei Tagen kam die Zusage der Stiftung.', at)],
      write: project('Die Zusage der Stiftung kam vor drei Tagen.'),
      verdict: 'accept',
      holds: '2026-01-04',
    },
    {
      title: 'tomorrow, in Spanish',
      span: [user('La auditoría empieza mañana.', at)],
      write: project('La auditoría empieza mañana.'),
      verdict: 'accept',
      holds: '2026-01-08',
    },
    {
      title: 'tomorrow, in French',
      span: [user('La livraison du mobilier est demain.', at)],
      write: project('La livraison du mobilier est demain.'),
      verdict: 'accept',
      holds: '2026-01-08',
    },
    {
      title: 'next Monday, in Chinese',
      span: [user('新版本下周一发布。', at)],
      write: project('新版本下周一发布。'),
      verdict: 'accept',
      holds: '2026-01-12',
    },
    {
      title: 'the day of the message behind it, not of the first or last one',
      span: [
        user('Good morning, what is open?', '2026-01-02'),
        user('The freeze starts tomorrow.', '2026-01-05'),
        user('Show the calendar.', at),
      ],
      write: project('The freeze starts tomorrow.'),
      verdict: 'accept',
      holds: '2026-01-06',
    },
    {
      title: 'the writer counted already',
      span: [user('The investors visit us the day after tomorrow.', at)],
      write: project('The investors visit on 2026-01-09.'),
      verdict: 'accept',
      holds: '2026-01-09',
    },
    {
      title: 'the writer counted wrong',
      span: [user('The investors visit us the day after tomorrow.', at)],
      write: project('The investors visit on 2026-01-19.'),
      verdict: 'reject',
      reason: 'unsupported',
    },
    {
      title: 'a month by name becomes a number',
      span: [user('Enrolment closes on 14 October.', at)],
      write: project('Enrolment closes on 2026-10-14.'),
      verdict: 'accept',
    },
    {
      title: 'an hour of the afternoon',
      span: [user('Stand-up moves to 4 pm for good.', at)],
      write: project('Stand-up is at 16:00.'),
      verdict: 'accept',
    },
    {
      title: 'an end of a rule',
      span: [user('Do not merge to main until Friday, the auditors are looking.', at)],
      write: memory('feedback', reasoned('Do not merge to main until Friday.', 'The auditors are looking.', 'Merges.')),
      verdict: 'accept',
      holds: 'Friday 2026-01-09',
    },
    {
      title: 'a habit that speaks of today',
      span: [user("Put today's date on top of every report you write.", at)],
      write: memory('feedback', "Put today's date on top of every report."),
      verdict: 'accept',
      holds: "today's date",
    },
    {
      title: 'a weekly habit',
      span: [user('Backups run on Sundays, nobody deploys then.', at)],
      write: project('Backups run on Sundays; nobody deploys then.'),
      verdict: 'accept',
      holds: 'on Sundays',
    },
    {
      title: 'a day that nobody knows',
      span: [user('The contract with the printer ends next month.')],
      write: project('The contract with the printer ends next month.'),
      verdict: 'reject',
      reason: 'relative-date',
    },
    {
      title: 'a page counts from its own day',
      span: [user('When does the shop move?', at), web('The shop moves next week to Elm Street.')],
      write: project('The shop moves next week to Elm Street.'),
      verdict: 'reject',
      reason: 'relative-date',
    },
  ]);
});
