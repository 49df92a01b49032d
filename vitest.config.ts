import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { LongFirst } from './test/support/long-first.ts';

/** Fault tests that take longest: `npm run test:all` and `npm run test:faults` run them, `npm test` does not. */
const SLOW_FAULTS = [
  'dream-hostile',
  'dream-kill',
  'dream-kill-points',
  'dream-lock',
  'dream-moments',
  'failing-disk',
  'kill-points',
  'many-processes',
  'no-orphans',
  'read-only-shell',
  'undo-property',
];

export const shared: NonNullable<ViteUserConfig['test']> = {
  setupFiles: ['test/support/set-up.ts'],
  // One module graph per worker: no module holds mutable state, so isolation would only cost time.
  pool: 'threads',
  isolate: false,
  // Vitest would leave one of two cores idle.
  maxWorkers: 2,
  // Cases that run side by side are mostly processes, which share the cores.
  maxConcurrency: 4,
  sequence: { sequencer: LongFirst },
};

export default defineConfig({
  test: {
    ...shared,
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: process.env.REVERIE_TESTS === 'all' ? [] : SLOW_FAULTS.map((name) => `test/faults/${name}.test.ts`),
    testTimeout: 30_000,
  },
});
