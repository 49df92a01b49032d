/** What a disk that fails is told as: the folder or file that people know, and the command that shows what to fix. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { openFolder } from './folder.ts';
import { storageError, storageReason, unwritableFix } from './storage-error.ts';

const denied = (code: string) => Object.assign(new Error(`${code}: no, open '/x/31-40-ab'`), { code });

it('advises another mode only where one would help', () => {
  const byMode = 'chmod u+w /x';
  expect(unwritableFix(denied('EACCES'), { byMode })).toBe(byMode);
  expect(unwritableFix(denied('EROFS'), { byMode })).toBe('Remount it writable, or set REVERIE_HOME to another place.');
});

describe('a call that the system refused', () => {
  it('is told with what there is to look at, quoted for a shell', () => {
    const root = temporaryFolder('with space');
    const there = storageError({ path: root, doing: 'write to', error: denied('EACCES') });
    expect(there.message).toBe(`Cannot write to ${root}: permission denied`);
    expect(there.fix).toContain(`ls -ld '${root}'`);
    const missing = storageError({ path: join(root, 'a', 'b'), doing: 'make the folder', error: denied('EPERM') });
    expect(missing.fix).toContain(`ls -ld '${root}'`);
    expect(storageReason(missing)).toBe('operation not permitted');
  });

  it('keeps the words of one that nobody foresaw', () => {
    const error = storageError({ path: '/x', doing: 'read', error: denied('EWHAT') });
    expect(error).toMatchObject({ message: "Cannot read /x: EWHAT: no, open '/x/31-40-ab'", fix: '' });
  });
});

// Nobody may make a file there, not even root.
const SYSTEM = '/sys/kernel';

describe.runIf(existsSync(SYSTEM))('a folder that takes no file', () => {
  it('is named itself, not the name of a file on its way', async () => {
    const folder = openFolder(SYSTEM)!;
    const error = await folder.stage(Buffer.from('x')).catch((thrown: Error) => thrown);
    folder.close();
    expect((error as Error).message).toMatch(/^Cannot write to \/sys\/kernel: [^/]+$/);
  });
});
