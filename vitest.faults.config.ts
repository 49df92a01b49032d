import { defineConfig } from 'vitest/config';
import { shared } from './vitest.config.ts';

process.env.REVERIE_FAULTS = 'long';

export default defineConfig({
  test: { ...shared, include: ['test/faults/**/*.test.ts'], testTimeout: 600_000 },
});
