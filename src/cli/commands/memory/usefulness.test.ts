/** `memory usefulness` and what `stats` says about the memory, over a real one and a ledger as sessions write it. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runLine, type StubOptions } from '../../../../test/support/cli-stub.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { NO_USAGE } from '../../../conversation/message.ts';
import { openLedger } from '../../../disk/ledger/ledger.ts';
import type { MemoryFacts } from '../../../disk/ledger/line.ts';
import type { Memory } from '../../../memory/memory.ts';
import { openMemory } from '../../../session/open-memory.ts';
import { findPlace } from '../../../settings/place.ts';

let root: string;
let memory: Memory;
beforeEach(async () => {
  root = temporaryFolder('usefulness');
  mkdirSync(join(root, 'project'));
  writeFileSync(join(root, 'project', 'there.ts'), '');
  memory = await openMemory(place());
});
afterEach(async () => {
  await memory.close();
});

const place = () => ({ home: join(root, 'home'), cwd: join(root, 'project'), env: { HOME: root } });

function run(line: readonly string[], options: StubOptions = {}) {
  const flags = ['--home', join(root, 'home'), '--cwd', join(root, 'project')];
  const environment = { HOME: root };
  const given = { memory: { ...memory, close: async () => {} }, environment, now: new Date() };
  return runLine([...line, ...flags], { ...given, ...options });
}

async function save(name: string, body = `${name} is so.`): Promise<string> {
  return (await memory.save({ type: 'project', name, description: name, body })).file;
}

function tell(file: string, told: readonly Partial<MemoryFacts>[]): void {
  const { slug, home } = findPlace(place());
  const onProblem = (problem: Error) => {
    throw problem;
  };
  const ledger = openLedger({ home, session: 's1', project: slug, now: () => new Date(), onProblem });
  for (const facts of told) ledger.memory({ what: 'recalled', scope: 'project', file, watched: true, ...facts });
  ledger.close();
}

describe('memory usefulness', () => {
  it('has a row per memory, those that never helped first, and counts those never recalled', async () => {
    const [useless, useful, seen] = [await save('Useless'), await save('Useful'), await save('Seen')];
    await save('Alone');
    tell(useful, [{}, { what: 'used' }]);
    tell(useless, [{}, {}, {}]);
    tell(seen, [{ watched: false }]);
    const { stdout, exitCode } = await run(['memory', 'usefulness']);
    expect(exitCode).toBe(0);
    const today = new Date().toISOString().slice(0, 10);
    expect(stdout.split('\n')).toEqual([
      'recalled  used  contradicted  last recalled  memory',
      `3         0     0             ${today}     ${useless}`,
      `1         -     0             ${today}     ${seen}`,
      `1         1     0             ${today}     ${useful}`,
      '',
      '1 memory was not recalled.',
      '- where a memory was recalled by a hook or in another loop: what came of it is not seen there.',
      '',
    ]);
    expect(JSON.parse((await run(['memory', 'usefulness', '--json'])).stdout)).toMatchObject({
      rows: [{ file: useless, verdict: 'never-used' }, { file: seen }, { file: useful, used: 1 }],
      neverRecalled: 1,
    });
  });

  it.each([[['memory', 'usefulness']], [['stats']]])(
    'takes more days than a calendar has as all days: %s',
    async (line) => {
      tell(await save('Old'), [{}]);
      const ran = await run([...line, '--days', '999999999', '--json']);
      expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
      const { rows, memory: here } = JSON.parse(ran.stdout);
      expect(rows?.length ?? here.memories).toBe(1);
    },
  );

  it.each<[string, () => Promise<unknown>, RegExp]>([
    ['nothing is remembered', async () => {}, /^Nothing is remembered here yet\.$/m],
    ['nothing was recalled', () => save('Alone'), /^None of 1 memory was recalled in the last 90 days\.\n.*hooks/m],
  ])('explains that %s', async (_, prepare, words) => {
    await prepare();
    expect((await run(['memory', 'usefulness'])).stdout).toMatch(words);
  });

  it('says that memory is off', async () => {
    const off = { ...memory, enabled: false, offReason: 'It is off.', close: async () => {} };
    expect((await run(['memory', 'usefulness'], { memory: off })).stdout).toBe('It is off.\n');
  });

  it('refuses invalid days', async () => {
    const ran = await run(['memory', 'usefulness', '--days', '0']);
    expect(ran.exitCode).toBe(2);
    expect(ran.stderr).toContain('--days');
  });
});

describe('stats', () => {
  it('starts with how much of the memory is pollution, and how much is stale', async () => {
    const [useless, refuted, undone] = [await save('Useless'), await save('Refuted'), await save('Undone')];
    await save('Fine', 'It is in there.ts, as you know.');
    await save('Stale', 'It is in src/gone/away.ts, as you know.');
    tell(useless, [{}, {}, {}]);
    await memory.update(refuted, { refuted: 'it never was' });
    await memory.undo((await memory.log({ file: undone }))[0]!.id);
    const { slug, home } = findPlace(place());
    const ledger = openLedger({ home, session: 's1', project: slug, now: () => new Date(), onProblem: () => {} });
    ledger.record({
      ...{ id: 'c', at: new Date().toISOString(), purpose: 'main', background: false, model: 'm', usage: NO_USAGE },
      ...{ equivalentTokens: 1, money: 1, milliseconds: 1, outcome: 'done' },
    });
    ledger.close();
    const { stdout } = await run(['stats']);
    expect(stdout).toMatch(/^pollution rate +60\.0% \(1 undone, 1 refuted, 1 never used of 5 here\)$/m);
    expect(stdout).toMatch(/^stale share +25\.0% \(1 of 4 here names what is gone\)$/m);
    expect(JSON.parse((await run(['stats', '--json'])).stdout).memory).toEqual({
      ...{ memories: 5, undone: 1, refuted: 1, neverUsed: 1, pollutionRate: 0.6 },
      ...{ checked: 4, stale: 1, staleShare: 0.25 },
    });
  });
});
