import { defineConfig } from 'vitest/config';
import { LongFirst } from './test/support/long-first.ts';

export default defineConfig({
  test: {
    setupFiles: ['test/support/set-up.ts'],
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['test/faults/long/**'],
    // One module graph per worker: no module holds mutable state, so isolation would only cost time.
    pool: 'threads',
    isolate: false,
    // Vitest would leave one of two cores idle.
    maxWorkers: 2,
    // Cases that run side by side are mostly processes, which wait for one another on two cores.
    maxConcurrency: 4,
    sequence: { sequencer: LongFirst },
    testTimeout: 30_000,
  },
});
