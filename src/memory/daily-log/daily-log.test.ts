/** The daily log on a real disk: the right file, one line after another, nothing of what stood there changed. */

import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { DAILY_LOG_LIMITS, LIMITS } from '../../limits.ts';
import { appendToLog, type DailyLogFacts } from './daily-log.ts';
import { dayOfLogFile, isDay, isInLogs } from './place.ts';
import { loggedDays, logsSince, readLog } from './read.ts';

function place(at = '2031-05-08T12:00:00Z', zone = 'UTC') {
  const folder = temporaryFolder('log');
  const clock = { at: Date.parse(at), zone };
  const facts: DailyLogFacts = {
    folder,
    clock: { now: () => new Date(clock.at), timeZone: () => clock.zone },
    secrets: { describeSecretsIn: async (text) => (text.includes('hunter2') ? 'A password was found.' : null) },
    limits: LIMITS,
  };
  return {
    folder,
    facts,
    set: (instant: string, timeZone = clock.zone) => Object.assign(clock, { at: Date.parse(instant), zone: timeZone }),
    log: (text: string, mark: 'said' | 'seen' | null = null) => appendToLog({ text, mark }, facts),
    text: (day: string) =>
      fs.readFileSync(join(folder, `logs/${day.slice(0, 4)}/${day.slice(5, 7)}/${day}.md`), 'utf8'),
  };
}

describe('appending to the log', () => {
  it('states the offset once and then only lines', async () => {
    const { log, set, text } = place('2031-05-08T12:03:59Z', 'Europe/Berlin');
    await log('Began.');
    set('2031-05-08T12:04:00Z');
    await log('They like tabs.', 'said');
    expect(text('2031-05-08')).toBe('- 14:03 +02:00 Began.\n- 14:04 (said) They like tabs.\n');
  });

  it('is for this user alone', async () => {
    const { log, folder } = place();
    await log('x');
    const mode = (path: string) => fs.statSync(join(folder, path)).mode & 0o777;
    expect(['logs', 'logs/2031', 'logs/2031/05'].map(mode)).toEqual([0o700, 0o700, 0o700]);
    expect(mode('logs/2031/05/2031-05-08.md')).toBe(0o600);
  });

  it('turns to the next file at midnight, and to the day where the user is', async () => {
    const { log, set, text, folder } = place('2031-05-08T21:59:59Z', 'Europe/Berlin');
    await log('late');
    set('2031-05-08T22:00:00Z');
    await log('early');
    set('2031-05-09T03:00:00Z', 'America/Los_Angeles');
    await log('flown west, and it is yesterday again');
    expect(text('2031-05-08')).toBe('- 23:59 +02:00 late\n- 20:00 -07:00 flown west, and it is yesterday again\n');
    expect(text('2031-05-09')).toBe('- 00:00 +02:00 early\n');
    expect(loggedDays(folder)).toEqual(['2031-05-08', '2031-05-09']);
  });

  it('says the offset again when summer time ends or the clock is set back', async () => {
    const { log, set, text } = place('2026-10-25T00:40:00Z', 'Europe/Berlin');
    await log('one');
    set('2026-10-25T01:20:00Z');
    await log('two');
    set('2026-10-25T01:10:00Z');
    await log('three');
    set('2026-10-25T01:30:00Z');
    await log('four');
    const lines = ['- 02:40 +02:00 one', '- 02:20 +01:00 two', '- 02:10 +01:00 three', '- 02:30 four'];
    expect(text('2026-10-25')).toBe(`${lines.join('\n')}\n`);
  });

  it('begins a line of its own after a torn one, and keeps what a person wrote', async () => {
    const { log, text, folder } = place();
    const file = join(folder, 'logs/2031/05/2031-05-08.md');
    fs.mkdirSync(dirname(file), { recursive: true });
    fs.writeFileSync(file, '# My day\n- 11:00 +00:00 torn of');
    await log('whole');
    expect(text('2031-05-08')).toBe('# My day\n- 11:00 +00:00 torn of\n- 12:00 whole\n');
  });

  it('states the offset where the end of a long file does not', async () => {
    const { log, text, facts, set } = place();
    await log('first');
    for (let index = 0; index < 4; index++) await appendToLog({ text: 'x'.repeat(900), mark: null }, facts);
    set('2031-05-08T12:01:00Z');
    await appendToLog(
      { text: 'last', mark: null },
      { ...facts, limits: { ...LIMITS, dailyLog: { ...LIMITS.dailyLog, tailBytes: 1_000 } } },
    );
    expect(text('2031-05-08').endsWith('\n- 12:01 +00:00 last\n')).toBe(true);
  });

  it('refuses secrets, nothing, and too much, and then writes nothing', async () => {
    const { log, folder } = place();
    for (const text of ['the password is hunter2', ' \n\0', 'x'.repeat(DAILY_LOG_LIMITS.lineCharacters + 1)]) {
      expect(await log(text)).toMatchObject({ kind: 'refused', reason: expect.not.stringContaining('hunter2') });
    }
    expect(fs.existsSync(join(folder, 'logs'))).toBe(false);
  });

  it.each(['logs', 'logs/2031', 'logs/2031/05', 'logs/2031/05/2031-05-08.md'])(
    'does not follow a link at %s',
    async (at) => {
      const { log, folder } = place();
      const outside = temporaryFolder('outside');
      const target = at.endsWith('.md') ? join(outside, 'file.md') : outside;
      if (at.endsWith('.md')) fs.writeFileSync(target, '');
      fs.mkdirSync(dirname(join(folder, at)), { recursive: true });
      fs.symlinkSync(target, join(folder, at));
      await expect(log('x')).rejects.toMatchObject({ code: 'refused' });
      expect(fs.readdirSync(outside)).toEqual(at.endsWith('.md') ? ['file.md'] : []);
      if (at.endsWith('.md')) expect(fs.readFileSync(target, 'utf8')).toBe('');
    },
  );

  it('does not wait for a pipe in its place', async () => {
    const { log, folder } = place();
    fs.mkdirSync(join(folder, 'logs/2031/05'), { recursive: true });
    const { status } = spawnSync('mkfifo', [join(folder, 'logs/2031/05/2031-05-08.md')]);
    if (status !== 0) return;
    await expect(log('x')).rejects.toMatchObject({ code: 'refused' });
  });

  it('loses and reorders nothing when several write at once', async () => {
    const { log, text } = place();
    await Promise.all(Array.from({ length: 20 }, (_, index) => log(`line ${index}`)));
    const lines = text('2031-05-08').trimEnd().split('\n');
    expect(lines.map((line) => Number(line.split(' ').at(-1))).sort((one, other) => one - other)).toEqual(
      Array.from({ length: 20 }, (_, index) => index),
    );
    expect(lines.filter((line) => line.includes('+00:00'))).toHaveLength(1);
  });

  it('only ever grows, and each line tells its minute, however zones and clocks jump', async () => {
    const zones = ['UTC', 'Asia/Tokyo', 'America/St_Johns', 'Europe/Berlin'];
    const step = fc.record({ minutes: fc.integer({ min: -90, max: 700 }), zone: fc.nat({ max: zones.length - 1 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const { folder, log, set } = place();
        const before = new Map<string, string>();
        const moments: number[] = [];
        let at = Date.parse('2026-10-24T20:00:00Z');
        for (const [index, { minutes, zone }] of steps.entries()) {
          at += minutes * 60_000;
          set(new Date(at).toISOString(), zones[zone]!);
          const logged = await log(`line ${index}`);
          if (logged.kind !== 'logged') throw new Error(logged.reason);
          const now = fs.readFileSync(join(folder, logged.file), 'utf8');
          expect(now.startsWith(before.get(logged.file) ?? '')).toBe(true);
          before.set(logged.file, now);
          moments.push(at);
        }
        const read = loggedDays(folder).flatMap((day) => readLog(folder, { day, limits: LIMITS.dailyLog })!.lines);
        expect(read).toHaveLength(steps.length);
        for (const { text, atMs } of read) expect(atMs).toBe(moments[Number(text.split(' ')[1])]);
      }),
      { numRuns: 15 },
    );
  });
});

describe('reading logs', () => {
  it('gives what was logged since a moment, oldest first', async () => {
    const { log, set, folder } = place('2031-05-06T12:00:00Z', 'Asia/Tokyo');
    await log('old');
    set('2031-05-07T16:00:00Z');
    await log('one', 'said');
    set('2031-05-08T01:00:00Z', 'America/Los_Angeles');
    await log('two', 'seen');
    const since = logsSince(folder, { sinceMs: Date.parse('2031-05-07T15:59:30Z'), limits: LIMITS.dailyLog });
    expect(since.map(({ day, lines }) => [day, lines.map(({ text, mark, atMs }) => [text, mark, atMs])])).toEqual([
      ['2031-05-07', [['two', 'seen', Date.parse('2031-05-08T01:00:00Z')]]],
      ['2031-05-08', [['one', 'said', Date.parse('2031-05-07T16:00:00Z')]]],
    ]);
    expect(since[1]!.lines[0]).toMatchObject({ number: 1, line: '- 01:00 +09:00 (said) one' });
    expect(
      logsSince(folder, { sinceMs: Date.parse('2031-05-08T01:00:59.999Z'), limits: LIMITS.dailyLog }),
    ).toMatchObject([{ lines: [{ text: 'two' }] }]);
    expect(logsSince(folder, { sinceMs: 0, limits: LIMITS.dailyLog }).flatMap(({ lines }) => lines)).toHaveLength(3);
    expect(logsSince(folder, { sinceMs: Date.parse('2031-05-08T01:01:00Z'), limits: LIMITS.dailyLog })).toEqual([]);
  });

  it('keeps a line whose moment nobody stated, and passes over what is no log', async () => {
    const { folder } = place();
    fs.mkdirSync(join(folder, 'logs/2031/05'), { recursive: true });
    fs.writeFileSync(join(folder, 'logs/2031/05/2031-05-08.md'), 'words\n- 10:00 by hand\r\n');
    fs.writeFileSync(join(folder, 'logs/2031/05/2031-06-08.md'), '- 10:00 in the wrong month\n');
    fs.symlinkSync('/etc', join(folder, 'logs/2031/06'));
    expect(logsSince(folder, { sinceMs: Date.parse('2031-05-08T20:00:00Z'), limits: LIMITS.dailyLog })).toMatchObject([
      { day: '2031-05-08', lines: [{ number: 2, line: '- 10:00 by hand', atMs: null }] },
    ]);
    expect(readLog(folder, { day: '2031-05-09', limits: LIMITS.dailyLog })).toBeNull();
    expect(readLog(folder, { day: '../../../../etc/passwd', limits: LIMITS.dailyLog })).toBeNull();
  });

  it('reads as much of a day as it is told to, the newest of it', () => {
    const { folder } = place();
    const day = '2031-05-08';
    fs.mkdirSync(join(folder, 'logs/2031/05'), { recursive: true });
    fs.writeFileSync(join(folder, 'logs/2031/05/2031-05-08.md'), '- 10:00 +00:00 one\n- 11:00 +00:00 two\n');
    const asked = { day, limits: { readBytes: 25 } };
    expect(readLog(folder, asked)).toMatchObject({ isCut: true, lines: [{ text: 'two' }] });
    expect(logsSince(folder, { ...asked, sinceMs: 0 })).toMatchObject([{ isCut: true }]);
  });
});

describe('the place of logs', () => {
  it.each([
    ['logs/2031/05/2031-05-08.md', '2031-05-08'],
    ['logs/2031/06/2031-05-08.md', null],
    ['logs/2031/02/2031-02-30.md', null],
    ['x/logs/2031/05/2031-05-08.md', null],
    ['2031-05-08.md', null],
  ])('%s', (file, day) => expect(dayOfLogFile(file)).toBe(day));

  it('leaves other files below logs to memory', () => {
    expect(['logs/2031', 'logs/2031/x.md', 'logs/notes.md', 'logs/20311/x.md', 'logs'].map(isInLogs)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    expect([isDay('2031-02-29'), isDay('2032-02-29'), isDay('today')]).toEqual([false, true, false]);
  });
});
