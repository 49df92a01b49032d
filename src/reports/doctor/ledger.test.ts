/** A ledger that is not a valid file: commands keep working and say so, the doctor names it, and its advice fixes it. */

import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runLine } from '../../../test/support/cli-stub.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { NO_USAGE } from '../../conversation/message.ts';
import { openLedger } from '../../disk/ledger/ledger.ts';
import { openMemory } from '../../session/open-memory.ts';
import { findPlace } from '../../settings/place.ts';
import { examine } from './doctor.ts';

let root: string;
const place = () => ({ cwd: join(root, 'project'), home: join(root, 'home'), env: { HOME: root } });
const ledgerPath = (...names: string[]) => join(root, 'home', 'ledger', ...names);

beforeEach(() => {
  root = temporaryFolder('doctor-ledger');
  fs.mkdirSync(join(root, 'project'));
});

function ledger() {
  const { slug, home } = findPlace(place());
  return openLedger({ home, session: 's', project: slug, now: () => new Date(), onProblem: () => {} });
}

const at = () => new Date().toISOString();
const want = () => ({ id: 'w', at: at(), purpose: 'extraction', model: 'm', equivalentTokens: 1 });

/** One call, so that there is something to count. */
async function spend(): Promise<void> {
  const opened = ledger();
  await opened.reserve(want());
  const facts = { id: 'w', at: at(), purpose: 'extraction', background: true, model: 'm', usage: NO_USAGE };
  opened.record({ ...facts, equivalentTokens: 1, money: 1, milliseconds: 1, outcome: 'done' });
  opened.close();
}

async function run(line: readonly string[]) {
  const memory = await openMemory(place());
  try {
    const flags = ['--home', join(root, 'home'), '--cwd', join(root, 'project')];
    const given = { memory: { ...memory, close: async () => {} }, environment: { HOME: root }, now: new Date() };
    return await runLine([...line, ...flags], given);
  } finally {
    await memory.close();
  }
}

function replace(path: string, put: (path: string) => void): void {
  fs.rmSync(path, { recursive: true, force: true });
  put(path);
}

const CASES: readonly (readonly [string, string, () => void])[] = [
  ['a file', '', () => replace(ledgerPath(), (path) => fs.writeFileSync(path, 'x'))],
  ['a link to nothing', '', () => replace(ledgerPath(), (path) => fs.symlinkSync(join(root, 'nowhere'), path))],
  [
    'a link to a folder',
    '',
    () => {
      fs.renameSync(ledgerPath(), join(root, 'elsewhere'));
      fs.symlinkSync(join(root, 'elsewhere'), ledgerPath());
    },
  ],
  ['one with a file as its lock', 'lock', () => replace(ledgerPath('lock'), (path) => fs.writeFileSync(path, 'x'))],
  ['one with a folder as a day', '2026-01-02.jsonl', () => fs.mkdirSync(ledgerPath('2026-01-02.jsonl'))],
];

describe.each(CASES)('a ledger that is %s', (_what, name, breakIt) => {
  beforeEach(async () => {
    await spend();
    breakIt();
  });

  it('is found by the doctor, and fixed by its advice', async () => {
    const findings = await examine(place());
    expect(findings).toMatchObject([{ severity: 'error', where: name === '' ? ledgerPath() : ledgerPath(name) }]);
    execFileSync('sh', ['-c', findings[0]!.fix]);
    expect(await examine(place())).toEqual([]);
    const opened = ledger();
    expect(await opened.reserve(want())).toEqual({ kind: 'reserved' });
    opened.close();
  });

  it.each([[['status']], [['memory', 'usefulness']], [['stats']], [['stats', 'cache']]])(
    'leaves %s working, which says what is wrong',
    async (line) => {
      const ran = await run(line);
      expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
      expect(ran.stdout).toMatch(/\nProblems:\n {2}.* is not a .*\. To fix it: mv /);
      expect(JSON.parse((await run([...line, '--json'])).stdout).problems).toHaveLength(1);
    },
  );
});

it('is fine when there is none yet', async () => {
  expect(await examine(place())).toEqual([]);
  fs.mkdirSync(join(root, 'home'));
  expect(await examine(place())).toEqual([]);
});
