import { defineConfig } from 'vitest/config';

process.env.REVERIE_FAULTS = 'long';

export default defineConfig({
  test: {
    include: ['test/faults/**/*.test.ts'],
    pool: 'threads',
    isolate: false,
    testTimeout: 600_000,
  },
});
