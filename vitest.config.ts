import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { LongFirst } from './test/support/long-first.ts';

export const shared: NonNullable<ViteUserConfig['test']> = {
  setupFiles: ['test/support/set-up.ts'],
  // One module graph per worker: no module holds what a test could change, so isolation would only cost time.
  // Processes, not threads: starting a program copies the page tables of the whole process, which takes longer the more it holds.
  pool: 'forks',
  execArgv: [
    // Most of what a test makes is garbage right after it; a larger nursery lets it die there instead of being copied about.
    '--min-semi-space-size=32',
    '--max-semi-space-size=64',
    // What stays is modules, which no collection frees: a worker ends before it has this much.
    '--initial-old-space-size=600',
    // Tests run most code a few times: compiling it for speed takes longer than it saves. Later versions of Node know no such option.
    ...(process.versions.node.startsWith('20.') ? ['--interrupt-budget=4000000'] : []),
  ],
  isolate: false,
  // One more than the cores we count on: a worker often waits for the disk or for a process.
  maxWorkers: 3,
  // Cases that run side by side are mostly processes, which wait as much as they work.
  maxConcurrency: 8,
  sequence: { sequencer: LongFirst },
};

export default defineConfig({
  test: {
    ...shared,
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // The page needs a browser: `npm run test:page`. Attacks, kills, full disks and races take as long as all the rest: `npm run test:all` and `npm run test:faults` have them.
    exclude: ['test/page/**', ...(process.env.REVERIE_TESTS === 'all' ? [] : ['test/attacks/**', 'test/faults/**'])],
    testTimeout: 30_000,
  },
});
