/** Temporary folders for tests: made under one folder a run, removed when the file's tests have ended. */

import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made = new Set<string>();

/** A new empty folder by its real path. Nobody has to remove it. */
export function temporaryFolder(label = 'test'): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `reverie-${label}-`)));
  made.add(folder);
  return folder;
}

/** Called by the set-up file after each test file: the files of one worker run one after the other. */
export function removeTemporaryFolders(): void {
  for (const folder of made) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  made.clear();
}
