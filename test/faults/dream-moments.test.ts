/** What comes in between: the user's own edits at every moment of a dream, models that never answer, and disks that are full or closed. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { readDreamRecords } from '../../src/layers/6-dreaming/records/records.ts';
import type { DreamReport } from '../../src/layers/6-dreaming/session/dream.ts';
import { runDream } from '../../src/session/run-dream.ts';
import { type Plan, scriptedDreamer, servedDreamer } from '../support/dreamers.ts';
import { startMessagesServer } from '../support/messages-server.ts';
import { aftermathOf, beginningOf } from './dream-aftermath.ts';
import { type Attack, attackOf } from './dream-attacks.ts';
import { createSandbox, differences, outsideOf, type Sandbox, visibleFiles } from './dream-sandbox.ts';
import { inTemporaryFolder, inThisRun, say } from './fault-run.ts';

const HONEST = ['honest merge', 'honest date', 'honest line'];
const honest = (sandbox: Sandbox): Attack => attackOf(HONEST, { sandbox, random: () => 0.1 });
const SILENT: Plan = { title: 'silent', steps: [], after: 'silence' };

async function inSandbox<T>(use: (sandbox: Sandbox) => Promise<T>, within?: string): Promise<T> {
  const sandbox = await createSandbox(within);
  try {
    return await use(sandbox);
  } finally {
    sandbox.remove();
  }
}

function recordOf(report: DreamReport) {
  if (report.kind !== 'ended') throw new Error(report.reason);
  return report.record;
}

describe('an edit of the user while a dream goes on', () => {
  const edit = ({ folder }: Sandbox, file = 'project_ledger.md') => {
    const path = join(folder, file);
    const mine = readFileSync(path, 'utf8').replace('by hand.', 'by hand, and I wrote this.');
    writeFileSync(path, mine);
    return mine;
  };

  it.each([0, 1, 2, 3])(
    'wins when it comes before answer %i; what counted on it is held back, the rest lands',
    async (at) => {
      await inSandbox(async (sandbox) => {
        let mine = '';
        const onStep = (step: number) => {
          if (step === at) mine = edit(sandbox);
        };
        const model = scriptedDreamer(honest(sandbox), { onStep });
        const record = recordOf(await runDream({ ...sandbox.place, by: 'hand', model }));
        const files = visibleFiles(sandbox.folder);
        expect(files.get('project_ledger.md')).toBe(mine);
        expect(files.has('project_ledger-copy.md')).toBe(true);
        expect(files.get('project_demo.md')).toContain('2031-05-08');
        const told = new Map(record.changes.map(({ file, state, why }) => [file, `${state} ${why}`]));
        expect(told.get('project_ledger.md')).toMatch(/^waiting .*your edit stays/);
        expect(told.get('project_ledger-copy.md')).toMatch(/^waiting .*project_ledger\.md/);
        expect(told.get('project_demo.md')).toBe('landed ');
      });
    },
  );

  it('wins at any moment around the landing', { timeout: 600_000 }, async () => {
    const delays = inThisRun({ short: [2, 8, 14, 20], long: Array.from({ length: 120 }, (_, at) => at / 2) });
    const tally = { landed: 0, waiting: 0, failed: 0 };
    for (const delayMs of delays) {
      await inSandbox(async (sandbox) => {
        const attack = honest(sandbox);
        const edited: Promise<string>[] = [];
        const onStep = (step: number) => {
          if (step === attack.steps.length) edited.push(pause(delayMs).then(() => edit(sandbox)));
        };
        const model = scriptedDreamer(attack, { onStep });
        const record = recordOf(await runDream({ ...sandbox.place, by: 'hand', model }));
        const mine = await edited[0]!;
        const files = visibleFiles(sandbox.folder);
        expect(files.get('project_ledger.md')).toBe(mine);
        const own = record.changes.find(({ file }) => file === 'project_ledger.md');
        const state = own?.state ?? 'failed';
        if (state === 'landed' || state === 'waiting') tally[state] += 1;
        else tally.failed += 1;
        expect(files.has('project_ledger-copy.md')).toBe(state !== 'landed');
        expect(files.get('project_demo.md')!.includes('2031-05-08')).toBe(record.status === 'completed');
      });
    }
    say(
      `edits around the landing: ${delays.length}; ${tally.waiting} came before it, ${tally.landed} after it, ` +
        `${tally.failed} in its very middle; all of them stayed`,
    );
    expect(tally.failed).toBe(0);
  });
});

describe.concurrent('a model that never answers', () => {
  it.each(['in this process', 'over the wire'])('is left when somebody stops it: %s', async (where) => {
    await inSandbox(async (sandbox) => {
      const beginning = beginningOf(sandbox);
      const stop = new AbortController();
      // Once it is asked, it is waited for.
      const onStep = () => void setImmediate(() => stop.abort());
      const options = {
        ...sandbox.place,
        by: 'hand',
        signal: stop.signal,
        settings: { 'limits.dreaming.stopSeconds': 0.2 },
      } as const;
      const server = await startMessagesServer(servedDreamer(SILENT, { onStep }));
      const env = { ...sandbox.place.env, ANTHROPIC_API_KEY: 'not-a-key', ANTHROPIC_BASE_URL: server.url };
      const chosen = where === 'over the wire' ? { env } : { model: scriptedDreamer(SILENT, { onStep }) };
      const record = recordOf(await runDream({ ...options, ...chosen }));
      await server.close();
      expect(record.status).toBe('killed');
      const attack = { ...honest(sandbox), entries: [] };
      expect((await aftermathOf({ sandbox, attack, beginning })).problems).toEqual([]);
    });
  });
});

const noMounts = process.platform === 'linux' && process.getuid?.() === 0 ? null : 'mounting needs root on Linux';
if (noMounts !== null) say(`disks of dreams SKIPPED: ${noMounts}`);

describe.skipIf(noMounts !== null)('a disk', () => {
  it('that is full at any point of a dream costs nothing', { timeout: 600_000 }, async () => {
    const free = inThisRun({ short: [0, 24, 120], long: Array.from({ length: 40 }, (_, at) => at * 8) });
    const tally = { landed: 0, ended: 0 };
    for (const kilobytes of free) {
      await inTemporaryFolder(async (folder) => {
        const disk = join(folder, 'disk');
        mkdirSync(disk);
        execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m,mode=0700', 'tmpfs', disk]);
        try {
          await inSandbox(async (sandbox) => {
            const beginning = beginningOf(sandbox);
            const ballast = join(disk, 'ballast');
            fillUp({ disk, ballast, kilobytes });
            const attack = honest(sandbox);
            const report = await runDream({ ...sandbox.place, by: 'hand', model: scriptedDreamer(attack) });
            rmSync(ballast);
            const { problems, hasLanded } = await aftermathOf({ sandbox, attack, beginning, wasKilled: true });
            expect(problems, `${kilobytes} KB free`).toEqual([]);
            if (report.kind === 'ended') tally.ended += 1;
            if (hasLanded) tally.landed += 1;
          }, disk);
        } finally {
          execFileSync('umount', ['-l', disk]);
        }
      });
    }
    say(`full disks of dreams: ${free.length}; ${tally.ended} began, ${tally.landed} landed; nothing lost`);
    expect(tally.landed).toBeLessThan(free.length);
  });

  it('that may not be written is left as it is', async () => {
    await inSandbox(async (sandbox) => {
      const { folder } = sandbox;
      const before = { visible: visibleFiles(folder), outside: outsideOf(sandbox) };
      execFileSync('mount', ['--bind', folder, folder]);
      execFileSync('mount', ['-o', 'remount,bind,ro', folder]);
      try {
        const report = await runDream({ ...sandbox.place, by: 'hand', model: scriptedDreamer(honest(sandbox)) });
        expect(report).toMatchObject({ kind: 'not-begun', reason: expect.stringMatching(/read-only|written/) });
      } finally {
        execFileSync('umount', [folder]);
      }
      expect(differences(before.visible, visibleFiles(folder))).toEqual([]);
      expect(differences(before.outside, outsideOf(sandbox))).toEqual([]);
      expect(readDreamRecords(folder).records).toEqual([]);
    });
  });
});

function fillUp({
  disk,
  ballast,
  kilobytes,
}: {
  readonly disk: string;
  readonly ballast: string;
  readonly kilobytes: number;
}): void {
  const lines = execFileSync('df', ['--output=avail', '-k', disk], { encoding: 'utf8' }).trim().split('\n');
  const size = Math.max(0, Number(lines.at(-1)) - kilobytes);
  writeFileSync(ballast, Buffer.alloc(size * 1024));
}
