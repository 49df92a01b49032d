/** The wall clock in named zones: summer time, half hours, and days that differ from UTC's. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayBefore, instantOf, localTime } from './local-time.ts';

describe('the wall clock', () => {
  it.each([
    ['2026-03-29T00:59:59Z', 'Europe/Berlin', '2026-03-29', '01:59', '+01:00'],
    ['2026-03-29T01:00:00Z', 'Europe/Berlin', '2026-03-29', '03:00', '+02:00'],
    ['2026-10-25T00:30:00Z', 'Europe/Berlin', '2026-10-25', '02:30', '+02:00'],
    ['2026-10-25T01:30:00Z', 'Europe/Berlin', '2026-10-25', '02:30', '+01:00'],
    ['2026-01-01T03:29:00Z', 'America/St_Johns', '2025-12-31', '23:59', '-03:30'],
    ['2026-01-01T15:00:00Z', 'Asia/Tokyo', '2026-01-02', '00:00', '+09:00'],
    ['2026-01-01T00:00:00Z', 'UTC', '2026-01-01', '00:00', '+00:00'],
    ['2026-06-30T11:00:00Z', 'Pacific/Kiritimati', '2026-07-01', '01:00', '+14:00'],
  ])('%s in %s', (instant, zone, day, time, offset) => {
    const weekday = new Date(`${day}T12:00:00Z`).getUTCDay();
    expect(localTime(new Date(instant), zone)).toEqual({ day, time, offset, weekday });
  });

  it("in the process's zone is what a Date says", () => {
    fc.assert(
      fc.property(fc.date({ min: new Date('2000-01-01'), max: new Date('2050-01-01'), noInvalidDate: true }), (now) => {
        const { day, time, weekday } = localTime(now);
        expect(day.split('-').map(Number)).toEqual([now.getFullYear(), now.getMonth() + 1, now.getDate()]);
        expect(time.split(':').map(Number)).toEqual([now.getHours(), now.getMinutes()]);
        expect(weekday).toBe(now.getDay());
      }),
    );
  });

  it('converts back to the same minute', () => {
    const zones = fc.constantFrom('Europe/Berlin', 'Asia/Kathmandu', 'America/New_York', 'Australia/Lord_Howe', 'UTC');
    const minutes = fc.integer({ min: 15_000_000, max: 35_000_000 });
    fc.assert(
      fc.property(minutes, zones, (minute, zone) => {
        expect(instantOf(localTime(new Date(minute * 60_000 + 31_000), zone))).toBe(minute * 60_000);
      }),
    );
  });

  it('knows the day before', () => {
    expect(['2026-03-01', '2024-03-01', '2026-01-01'].map(dayBefore)).toEqual([
      '2026-02-28',
      '2024-02-29',
      '2025-12-31',
    ]);
  });
});
