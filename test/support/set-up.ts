/** Runs before each test file: one seed for property tests, and the file's temporary folders removed when it ends. */

import fc from 'fast-check';
import { afterAll } from 'vitest';
import { AGENT_MARKS } from '../../src/hooks/hosts/who-runs.ts';
import { removeTemporaryFolders } from './temporary-folder.ts';

/** So that a run says something about the change it tests; REVERIE_TEST_SEED draws others. */
const FIXED_SEED = 20_261_115;

const asked = process.env.REVERIE_TEST_SEED;
fc.configureGlobal({ seed: asked === undefined ? FIXED_SEED : asked === 'random' ? Date.now() : Number(asked) });

// Where `CI` is set nothing counts as typed; the tests are about people who type.
delete process.env.CI;
// Nor is anything a person's that an agent runs: the tests may be run by one.
for (const name of AGENT_MARKS) delete process.env[name];

afterAll(removeTemporaryFolders);
