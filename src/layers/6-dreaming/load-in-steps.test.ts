import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { atOnce } from '../../base/async/in-turns.ts';
import { loadingInSteps } from './warm.ts';

const root = temporaryFolder('load');

const require = createRequire(join(root, 'here.js'));

/** A package whose main file is `m0.js`; each file records in `order.js` that it ran, and what it had of the others by then. */
function packageOf(
  requires: readonly (readonly number[])[],
  name = 'one',
): { readonly main: string; order(): readonly string[] } {
  const folder = join(root, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'order.js'), 'module.exports = [];');
  for (const [at, others] of requires.entries()) {
    // Not read but looked for: Node warns of a property that is read before its file has run.
    const had = others.map((other) => `'isDone' in require('./m${other}.js') || 'not yet'`);
    writeFileSync(
      join(folder, `m${at}.js`),
      `const had = [${had.join(', ')}];\nrequire("./order.js").push('m${at} ' + had);\nexports.isDone = true;\n`,
    );
  }
  return { main: join(folder, 'm0.js'), order: () => require(join(folder, 'order.js')) };
}

/** As if nothing of the package had been loaded: forgetting files is faster than writing new ones. */
function forget(main: string): void {
  for (const file of Object.keys(require.cache)) if (dirname(file) === dirname(main)) delete require.cache[file];
}

const FILES = 6;
const graph = fc.array(fc.uniqueArray(fc.nat({ max: FILES - 1 }), { maxLength: 3 }), {
  minLength: FILES,
  maxLength: FILES,
});

describe('a package loaded in steps', () => {
  it('gives each file what it would find when loaded at once, whichever files require each other', () => {
    fc.assert(
      fc.property(graph, (requires) => {
        const { main, order } = packageOf(requires, 'any');
        require(main);
        const whole = order();
        forget(main);
        atOnce(loadingInSteps(main, require));
        const stepped = order();
        forget(main);
        expect(stepped).not.toBe(whole);
        expect(stepped.toSorted()).toEqual(whole.toSorted());
        expect(stepped.at(-1)).toBe(whole.at(-1));
      }),
    );
  });

  it('runs one file per step when none require each other, and none twice', () => {
    const { main, order } = packageOf([[1, 2], [3], [3, 4], [], [5], []]);
    const counts: number[] = [];
    for (const steps = loadingInSteps(main, require); steps.next().done !== true; ) counts.push(order().length);
    expect(counts).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect([...loadingInSteps(main, require)]).toEqual([]);
  });

  it('that is missing, or that throws, is left to the code that needs it', () => {
    const folder = join(root, 'broken');
    mkdirSync(folder);
    writeFileSync(join(folder, 'm0.js'), "throw new Error('broken');");
    expect(() => atOnce(loadingInSteps(join(folder, 'm0.js'), require))).not.toThrow();
    expect(() => atOnce(loadingInSteps('no-such-package-at-all', require))).not.toThrow();
  });
});
