import { expect, it } from 'vitest';
import { datesIn } from './dates.ts';

it.each([
  ['8 May, 2023', ['-05', '-05-08', '2023-05', '2023-05-08']],
  ['March-15-2024', ['-03', '-03-15', '2024-03', '2024-03-15']],
  ['the 3rd of Sept. 2021', ['-09', '-09-03', '2021-09', '2021-09-03']],
  ['2023-06-16T10:00', ['-06', '-06-16', '2023-06', '2023-06-16']],
  ['June 16th', ['-06', '-06-16']],
  ['December 2022', ['-12', '2022-12']],
  ['build 2023-13', []],
  ['port 8080 on mars 12, node 16, marching 3 times', []],
  ['in june', []],
])('%s', (text, dates) => {
  expect(datesIn(text).dates.map(({ spelling }) => spelling)).toEqual(dates);
});

it('leaves the rest of the text', () => {
  expect(datesIn('what did Maria plan for 7 July, 2023 with node 16?').rest).toMatch(
    /^what did Maria plan for +with node 16\?$/,
  );
});

it('names them for people', () => {
  expect(datesIn('2026-12-03').dates.map(({ name }) => name)).toEqual([
    'December',
    '3 December',
    'December 2026',
    '3 December 2026',
  ]);
});
