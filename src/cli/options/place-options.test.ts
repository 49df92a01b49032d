/** Numbers that settings change: every command uses those of its place. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { LIMITS } from '../../limits.ts';
import { placeLimits } from './place-options.ts';

const COMMANDS = fileURLToPath(new URL('../commands', import.meta.url));
const sources = readdirSync(COMMANDS, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
);

it('are the defaults except for those that are set', () => {
  const settings = JSON.stringify({ 'limits.lock.waitMs': 7 });
  const limits = placeLimits({ bare: false, cwd: '/', settings }, { HOME: '/nobody' });
  expect(limits.lock).toEqual({ ...LIMITS.lock, waitMs: 7 });
  expect(limits.recall).toEqual(LIMITS.recall);
});

it.each(sources)('%s takes none that a setting could not change', (name) => {
  expect(readFileSync(join(COMMANDS, name), 'utf8')).not.toMatch(/(?<![A-Z_])LIMITS\b/);
});
