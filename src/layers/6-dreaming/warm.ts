/** Loads and compiles in small pieces what judging needs; otherwise the first proposal alone took longer than all the others. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Steps } from '../../base/async/in-turns.ts';
import { LIMITS } from '../../limits.ts';
import { parseMemoryFile } from '../../memory/files/memory-file.ts';
import { checkFit } from '../../memory/gate/index.ts';
import { GATE_PIECES } from '../../memory/gate/warm.ts';
import { judging } from './judge.ts';
import type { BaseMemory, Proposal } from './proposal.ts';

const require = createRequire(import.meta.url);

/** A pattern is compiled at its first use and again, optimised, at its second. */
const TIMES = 2;

export function* warming(): Steps<void> {
  // Changed headers are read with it.
  yield* loadingInSteps('yaml', require);
  for (let time = 0; time < TIMES; time += 1) {
    for (const piece of [() => parseMemoryFile(Buffer.from(ODD)), ...GATE_PIECES]) {
      piece();
      yield;
    }
    yield* judging(SAMPLE);
  }
}

/** Only the YAML parser reads such a header. */
const ODD = '---\nname: Kiln\ntags: [cold, slow]\n---\n\nCold.\n';
const TEXT =
  '---\nname: Kiln\ndescription: The kiln cools overnight\ntype: project\n---\n\nThe kiln cools overnight.\n';
const MEMORY: BaseMemory = {
  ...{ file: 'project_kiln.md', text: TEXT, hash: '', type: 'project', name: 'Kiln', source: 'said', pinned: false },
  ...{ description: 'The kiln cools overnight', body: 'The kiln cools overnight.\n', isListed: true },
  ...{ created: null, modified: '2026-05-04T09:00:00.000Z', quotes: [] },
};
const PROPOSAL: Proposal = {
  ...{
    action: 'update',
    file: MEMORY.file,
    reason: 'Shorter.',
    into: [],
    text: TEXT.replace('overnight.', 'at night.'),
  },
  drops: [
    {
      quote: 'The kiln cools overnight.',
      because: 'duplicate',
      of: { file: MEMORY.file, quote: 'The kiln cools at night.' },
    },
  ],
  evidence: [{ from: MEMORY.file, quote: 'The kiln cools overnight.' }],
};
/** Passes every rule, so that none is left cold. */
export const SAMPLE = {
  proposals: [PROPOSAL],
  base: new Map([[MEMORY.file, MEMORY]]),
  evidence: () => ({
    kind: 'found' as const,
    passage: { from: 'user' as const, text: 'The kiln cools overnight.' },
    memory: MEMORY.file,
  }),
  isGone: () => false,
  checkFit,
  now: new Date(0),
  limits: LIMITS.dreaming,
  mode: 'apply' as const,
};

// Loads a package of many small files one at a time: all at once would block the process until they are loaded.

/** By file: how far it leads back to one in progress; nowhere once it is loaded. */
type Seen = Map<string, number>;

const LOADED = Number.POSITIVE_INFINITY;
const REQUIRED = /\brequire\(["'](\.{1,2}\/[^"']*)["']\)/g;

/** An error here comes up again where the package is needed, and is reported there. */
export function* loadingInSteps(name: string, require: NodeJS.Require): Steps<void> {
  try {
    yield* loadFile(require.resolve(name), { require, seen: new Map(), depth: 0 });
  } catch {}
}

/**
 * What a file requires comes first, as usual. Files that require each other are loaded as one piece, by the first of
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
