/** A home that cannot be written to: reported by familiar names, with a way forward, and not only by the doctor. */

import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { applyChanges } from '../hooks/install/install.ts';
import { writeExport } from '../memory/transfer/export-memories.ts';
import { findPlace } from '../settings/place.ts';
import { openSessionLog } from '../toolbox/session-log.ts';
import { findingLine } from './finding.ts';
import { findUnwritable } from './write-access.ts';

let root: string;
beforeEach(() => {
  root = temporaryFolder('access');
});

const placeIn = (home: string) => findPlace({ home, cwd: root, env: { HOME: root } });

it('is what status reports, and nothing when everything can be written', async () => {
  const place = placeIn(join(root, 'home'));
  expect(await findUnwritable(place)).toEqual([]);
  const [project] = place.folders;
  mkdirSync(join(project!.path, '..'), { recursive: true });
  writeFileSync(project!.path, '', { mode: 0o600 });
  expect((await findUnwritable(place)).map(findingLine)).toEqual([
    `A memory folder cannot be written to (${project!.path}). To fix it: chmod u+rwx ${project!.path}`,
  ]);
  rmSync(join(root, 'home'), { recursive: true });
  writeFileSync(join(root, 'home'), '');
  expect((await findUnwritable({ ...place, folders: [] })).map(({ what }) => what)).toEqual([
    'The home is not a folder',
  ]);
});

it('does not stop a conversation without a transcript', async () => {
  const place = placeIn(join(root, 'home'));
  mkdirSync(join(root, 'home', 'projects'), { recursive: true });
  writeFileSync(join(root, 'home', 'projects', place.slug), '');
  const open = (keepsTranscript: boolean) => openSessionLog({ place, keepsTranscript, onProblem: () => {} });
  await expect(open(true)).rejects.toMatchObject({
    message: expect.stringMatching(/^This conversation cannot be kept\./),
    fix: expect.stringContaining('--no-transcript'),
  });
  await (await open(false)).close();
});

it("is named when a host's settings are to be changed", () => {
  writeFileSync(join(root, 'home'), '');
  const install = () => ({ kind: 'text', text: '{}' }) as const;
  const file = { path: join(root, 'settings.json'), what: 'hooks', install, uninstall: install };
  const plan = { title: 'A host', files: [file], notes: [] };
  expect(() => applyChanges(plan, { action: 'install', home: join(root, 'home') })).toThrow(
    expect.objectContaining({ code: 'storage', message: expect.stringContaining('Cannot make the folder') }),
  );
  expect(existsSync(file.path)).toBe(false);
});

// Nobody can create a file there, not even root.
const SYSTEM = '/sys/kernel';

it.runIf(existsSync(SYSTEM))('names the requested export', async () => {
  const asked = /^Cannot write \/sys\/kernel\/all\.reverie: [^/]+$/;
  await expect(writeExport(join(SYSTEM, 'all.reverie'), 'x')).rejects.toThrow(asked);
});
