/** One seed for all property tests, so that a run says something about the change it tests; REVERIE_TEST_SEED draws others. */

import fc from 'fast-check';

const FIXED_SEED = 20_261_115;

const asked = process.env.REVERIE_TEST_SEED;
fc.configureGlobal({ seed: asked === undefined ? FIXED_SEED : asked === 'random' ? Date.now() : Number(asked) });
