import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runLine } from '../../../../test/support/cli-stub.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('daily');
});

function logged(day: string, text: string): string {
  const path = join(folder, `logs/${day.slice(0, 4)}/${day.slice(5, 7)}/${day}.md`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const daily = (...words: readonly string[]) =>
  runLine(['memory', 'daily', ...words], { memory: { enabled: true, folders: { project: folder } } });

describe('memory daily', () => {
  it('shows the newest day by default, and any other by name', async () => {
    const old = logged('2031-05-07', '- 09:00 +02:00 Old.\n');
    const path = logged('2031-05-08', '- 14:03 +02:00 (said) They like\x1b[31m tabs.\nwords\n- 14:05 Began.\n');
    expect((await daily()).stdout).toMatch(
      /^2031-05-08 {2}.*\n14:03 \+02:00 \(said\) They like.*tabs\.\n14:05 Began\.\n$/,
    );
    expect((await daily()).stdout).not.toContain('\x1b');
    expect((await daily()).stdout).toContain(path);
    expect((await daily('2031-05-07')).stdout).toBe(`2031-05-07  ${old}\n09:00 +02:00 Old.\n`);
    expect((await daily('--days')).stdout).toBe('2031-05-07\n2031-05-08\n');
    expect(JSON.parse((await daily('--json')).stdout)).toMatchObject({
      day: '2031-05-08',
      path,
      lines: [{ mark: 'said' }, {}],
    });
  });

  it('says where there is something when there is nothing, and what a day is', async () => {
    expect((await daily()).stdout).toMatch(/^Nothing was logged yet\. The setting dailyLog/);
    logged('2031-05-07', '- 09:00 +02:00 Old.\n');
    expect((await daily('yesterday')).stdout).toMatch(/Days with a log: 2031-05-07\n$/);
    const wrong = await daily('someday');
    expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining('2031-05-08')]);
  });

  it('says when memory is off', async () => {
    const memory = { enabled: false, offReason: 'Memory is off here.', folders: {} };
    expect((await runLine(['memory', 'daily'], { memory })).stdout).toBe('Memory is off here.\n');
  });
});
