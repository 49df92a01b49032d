/** What is said where no sandbox works, and that the system is asked once. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { type SandboxFacts, sandboxFinder } from './find-sandbox.ts';

/** A program in the place of bubblewrap that writes down each start. */
function fakeProgram(body: string) {
  const folder = temporaryFolder('fake');
  const path = join(folder, 'bwrap');
  const starts = join(folder, 'starts');
  writeFileSync(path, `#!/bin/sh\necho start >>${starts}\n${body}\n`, { mode: 0o755 });
  return { path, starts: () => (existsSync(starts) ? readFileSync(starts, 'utf8').trim().split('\n').length : 0) };
}

function finder(facts: Partial<SandboxFacts>) {
  return sandboxFinder({
    ...{ platform: 'linux', bubblewrapPaths: [], seatbeltPath: '/no/such/program', isRoot: false, release: '6.1.0' },
    ...facts,
  });
}

describe('findSandbox', () => {
  it('says what to install where bubblewrap is missing', async () => {
    const found = await finder({ bubblewrapPaths: ['/no/such/bwrap'] })();
    expect(found).toMatchObject({ sandbox: null, why: expect.stringContaining('sudo apt install bubblewrap') });
  });

  it('repeats what bubblewrap says where it may not work', async () => {
    const { path } = fakeProgram('echo "bwrap: No permissions to create new namespace" >&2; exit 1');
    const found = await finder({ bubblewrapPaths: [path] })();
    expect(found).toMatchObject({
      sandbox: null,
      why: expect.stringMatching(/No permissions to create.*user namespaces/),
    });
  });

  it('does not believe a program that runs without confining', async () => {
    const { path } = fakeProgram('exit 0');
    expect(await finder({ bubblewrapPaths: [path] })()).toMatchObject({ sandbox: null });
  });

  it('does without an option that an older bubblewrap lacks, and gives up on one that is too old', async () => {
    const older = fakeProgram(
      'case "$*" in *--disable-userns*) echo "bwrap: Unknown option --disable-userns" >&2; exit 1;; esac; echo sandboxed',
    );
    const found = await finder({ bubblewrapPaths: ['/no/such/bwrap', older.path] })();
    expect(found.sandbox?.kind).toBe('bubblewrap');
    const oldest = fakeProgram('echo "bwrap: Unknown option --size" >&2; exit 1');
    expect(await finder({ bubblewrapPaths: [oldest.path] })()).toMatchObject({
      why: expect.stringContaining('too old'),
    });
  });

  it('asks the system once', async () => {
    const { path, starts } = fakeProgram('echo sandboxed');
    const find = finder({ bubblewrapPaths: [path] });
    expect(starts()).toBe(0);
    await Promise.all([find(), find()]);
    await find();
    expect(starts()).toBe(1);
  });

  it('has none elsewhere', async () => {
    expect(await finder({ platform: 'win32' })()).toMatchObject({ why: expect.stringContaining('no sandbox') });
    expect(await finder({ platform: 'darwin' })()).toMatchObject({ why: expect.stringContaining('/no/such/program') });
  });
});
