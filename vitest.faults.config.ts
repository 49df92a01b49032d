import { defineConfig } from 'vitest/config';
import { LongFirst } from './test/support/long-first.ts';

process.env.REVERIE_FAULTS = 'long';

export default defineConfig({
  test: {
    setupFiles: ['test/support/set-up.ts'],
    include: ['test/faults/**/*.test.ts'],
    pool: 'threads',
    isolate: false,
    sequence: { sequencer: LongFirst },
    testTimeout: 600_000,
  },
});
