/** Loads a package of many small files one at a time: all of them at once would hold the process up for as long as they take. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Steps } from '../../base/async/in-turns.ts';

/** By file: how far it leads back to one that is being looked at; nowhere once it is loaded. */
type Seen = Map<string, number>;

const LOADED = Number.POSITIVE_INFINITY;
const REQUIRED = /\brequire\(["'](\.{1,2}\/[^"']*)["']\)/g;

/** Whatever goes wrong is met again by whoever needs the package, and told there. */
export function* loadingInSteps(name: string, require: NodeJS.Require): Steps<void> {
  try {
    yield* loadFile(require.resolve(name), { require, seen: new Map(), depth: 0 });
  } catch {}
}

/**
 * What it requires comes first, as it would by itself. Files that require each other are loaded as one piece, by the first of
 * them: what each finds of the others must not change.
 */
function* loadFile(
  file: string,
  facts: { readonly require: NodeJS.Require; readonly seen: Seen; readonly depth: number },
): Steps<number> {
  const { require, seen, depth } = facts;
  const known = require.cache[file] === undefined ? seen.get(file) : LOADED;
  if (known !== undefined) return known;
  seen.set(file, depth);
  const own = createRequire(file);
  let lowest = depth;
  for (const [, path] of readFileSync(file, 'utf8').matchAll(REQUIRED)) {
    lowest = Math.min(lowest, yield* loadFile(own.resolve(path!), { ...facts, depth: depth + 1 }));
  }
  seen.set(file, lowest);
  if (lowest < depth) return lowest;
  require(file);
  yield;
  return LOADED;
}
