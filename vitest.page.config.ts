import { defineConfig } from 'vitest/config';
import { shared } from './vitest.config.ts';

/** The inspector's page in a real browser: `npm run test:page`. */
export default defineConfig({
  test: { ...shared, include: ['test/page/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 120_000 },
});
