import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { applyChanges } from './install.ts';
import type { InstallPlan } from './settings.ts';

/** A file that can be read and, whoever runs this, not removed. */
const FIXED = '/proc/self/comm';

it.runIf(existsSync(FIXED))('says what cannot be removed, and what to do about it', () => {
  const gone = () => ({ kind: 'text', text: null }) as const;
  const file = { path: FIXED, what: 'plugin', install: gone, uninstall: gone };
  const plan: InstallPlan = { title: 'opencode', files: [file], notes: [] };
  expect(() => applyChanges(plan, { action: 'uninstall', home: temporaryFolder('install') })).toThrow(
    expect.objectContaining({ code: 'storage', message: expect.stringMatching(`^Cannot remove ${FIXED}: `) }),
  );
});
