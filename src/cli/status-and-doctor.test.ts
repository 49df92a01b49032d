/** Whatever is broken in a home, `status` and `doctor` agree on whether something is. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runLine } from '../../test/support/cli-stub.ts';
import { runs } from '../../test/support/property-runs.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { openMemory } from '../session/open-memory.ts';
import { projectSlug } from '../settings/project.ts';
import type { Place } from './command.ts';
import { openPlace } from './open-place.ts';

/** Below the home; `PROJECT` stands for the folder of the project. */
const PLACES = [
  'settings.json',
  'trusted.json',
  'credentials.json',
  'memory',
  'memory/user_role.md',
  'memory/MEMORY.md',
  'memory/.reverie',
  'memory/.reverie/lock',
  'memory/.reverie/journal',
  'memory/.reverie/journal/changes.jsonl',
  'memory/.reverie/journal/contents',
  'memory/.reverie/temporary',
  'ledger',
  'ledger/lock',
  'status',
  'status/hooks.jsonl',
  'cache',
  'cache/index',
  'projects',
  'PROJECT',
  'PROJECT/project.json',
  'PROJECT/memory',
  'PROJECT/memory/project_freeze.md',
  'PROJECT/memory/MEMORY.md',
  'PROJECT/memory/.reverie/journal/changes.jsonl',
  'PROJECT/memory/.reverie/dreams',
] as const;

const DAMAGE = {
  gone: (path: string) => rmSync(path, { recursive: true, force: true }),
  folder: (path: string) => replace(path, () => mkdirSync(path)),
  empty: (path: string) => replace(path, () => writeFileSync(path, '')),
  nonsense: (path: string) => replace(path, () => writeFileSync(path, '{"hooks": [nonsense\n\u0000')),
  'other form': (path: string) =>
    replace(path, () => writeFileSync(path, '{"projects": 7, "keys": 7, "economy": 7}\n')),
  'link to nothing': (path: string) => replace(path, () => symlinkSync('/nowhere/at/all', path)),
  pipe: (path: string) => replace(path, () => execFileSync('mkfifo', [path])),
} as const;

function replace(path: string, make: () => void): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  make();
}

type Breakage = readonly [(typeof PLACES)[number], keyof typeof DAMAGE];

/** A home with a memory in each scope, and then what is broken in it. */
async function brokenHome(breakages: readonly Breakage[]) {
  const root = temporaryFolder('broken');
  const [cwd, home] = [join(root, 'project'), join(root, 'home')];
  mkdirSync(cwd);
  const environment = { HOME: root, PATH: process.env.PATH ?? '' };
  const memory = await openMemory({ cwd, home, env: environment });
  await memory.save({ type: 'user', name: 'Role', description: 'Data scientist', body: 'Knows SQL.' });
  await memory.save({ type: 'project', name: 'Freeze', description: 'Until May', body: 'No merges until May.' });
  await memory.close();
  for (const [place, how] of breakages) {
    const path = join(home, place.replace('PROJECT', join('projects', projectSlug(cwd))));
    try {
      DAMAGE[how](path);
    } catch {
      // What is above it is no folder any more.
    }
  }
  const line = (name: string) => [name, '--json', '--cwd', cwd, '--home', home];
  const options = { environment, openMemory: (place: Place) => openPlace(place, environment) };
  return { root, line, options };
}

async function run(name: 'status' | 'doctor', breakages: readonly Breakage[]) {
  const { line, options } = await brokenHome(breakages);
  const { exitCode, stdout, stderr } = await runLine(line(name), options);
  return { exitCode, stderr, data: stdout === '' ? null : JSON.parse(stdout) };
}

async function verdicts(breakages: readonly Breakage[]) {
  const [status, doctor] = [await run('status', breakages), await run('doctor', breakages)];
  expect(`${status.stderr}${doctor.stderr}`).not.toContain('bug in Reverie');
  const ofStatus: boolean = status.data?.problems === undefined || status.data.problems.length > 0;
  const ofDoctor: boolean = doctor.data.some(({ severity }: { severity: string }) => severity !== 'note');
  return { status: ofStatus, doctor: ofDoctor, said: [status.data?.problems ?? status.stderr, doctor.data] };
}

it('agree where nothing is broken', async () => {
  expect(await verdicts([])).toMatchObject({ status: false, doctor: false });
});

it('agree whatever is broken, and however', { timeout: 120_000 }, async () => {
  const breakage = fc.tuple(fc.constantFrom(...PLACES), fc.constantFrom(...(Object.keys(DAMAGE) as Breakage[1][])));
  await fc.assert(
    fc.asyncProperty(fc.array(breakage, { minLength: 1, maxLength: 3 }), async (breakages) => {
      const { status, doctor, said } = await verdicts(breakages);
      expect({ trouble: status, breakages, said }).toEqual({ trouble: doctor, breakages, said });
    }),
    { numRuns: runs(40) },
  );
});
