import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    setupFiles: ['test/support/seed.ts'],
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['test/faults/long/**'],
    // One module graph for all files: no module holds mutable state, so isolation would only cost time.
    pool: 'threads',
    isolate: false,
    testTimeout: 30_000,
  },
});
