/** The read-only shell under fire: what its gate lets through of very many odd lines is run for real, and nothing is written, leaked or hung on. */

import { realpathSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type CommandPlan, planCommand } from '../../src/agent/read-only-shell/check-command.ts';
import { runReadOnly } from '../../src/agent/read-only-shell/run-read-only.ts';
import { ReverieError } from '../../src/errors.ts';
import { LIMITS } from '../../src/limits.ts';
import { inTemporaryFolder, inThisRun, say } from './fault-run.ts';
import { mutatedLine } from './read-only-shell-mutations.ts';
import { factsOfTree, makeShellTree, type ShellTree } from './read-only-shell-tree.ts';
import { seededRandom } from './seeded-random.mjs';

const LINES = Number(process.env.REVERIE_SHELL_LINES ?? inThisRun({ short: 3_000, long: 250_000 }));
const SEED = Number(process.env.REVERIE_SHELL_SEED ?? inThisRun({ short: 11, long: 12 }));
const AT_ONCE = 8;
/** A program that waits for input or follows a file would sit there for ever; reading this tree takes milliseconds. */
const HANG_MS = LIMITS.readOnlyShell.timeoutMs + 20_000;

function planOrNull(command: string, tree: ShellTree): CommandPlan | null {
  try {
    return planCommand(command, tree);
  } catch (error) {
    if (error instanceof ReverieError && error.code === 'refused') return null;
    throw error;
  }
}

/** One line for each different thing that would run. */
function allowedLines(tree: ShellTree): { readonly lines: string[]; readonly allowed: number } {
  const random = seededRandom(SEED);
  const byPlan = new Map<string, string>();
  let allowed = 0;
  for (let count = 0; count < LINES; count += 1) {
    const command = tree.fill(mutatedLine(random));
    const plan = planOrNull(command, tree);
    if (plan === null) continue;
    allowed += 1;
    const key = JSON.stringify(
      plan.pipelines.map(({ runs, stages }) => [runs, stages.map((s) => [s.program, s.words, s.errors])]),
    );
    if (!byPlan.has(key)) byPlan.set(key, command);
  }
  return { lines: [...byPlan.values()], allowed };
}

async function expectHarmless(command: string, tree: ShellTree): Promise<'ended' | 'out-of-time'> {
  const startedMs = Date.now();
  const options = { ...tree, signal: new AbortController().signal, limits: LIMITS.readOnlyShell };
  const run = await runReadOnly(command, options);
  expect(Date.now() - startedMs, command).toBeLessThan(HANG_MS);
  for (const secret of tree.secrets) {
    if (run.output.includes(secret)) expect.fail(`${JSON.stringify(command)} told ${secret}:\n${run.output}`);
  }
  return run.timedOut ? 'out-of-time' : 'ended';
}

describe('the read-only shell', () => {
  it('writes nothing, leaks nothing and hangs on nothing, whatever line passes its gate', {
    timeout: 24 * 3_600_000,
  }, async () => {
    await inTemporaryFolder(async (folder) => {
      const tree = makeShellTree(realpathSync(folder));
      const before = factsOfTree(tree.base);
      const { lines, allowed } = allowedLines(tree);
      expect(factsOfTree(tree.base)).toEqual(before);
      const queue = lines.entries();
      let outOfTime = 0;
      const takeTurns = async () => {
        for (const [, command] of queue) if ((await expectHarmless(command, tree)) === 'out-of-time') outOfTime += 1;
      };
      await Promise.all(Array.from({ length: AT_ONCE }, takeTurns));
      expect(factsOfTree(tree.base)).toEqual(before);
      expect(outOfTime).toBe(0);
      expect(lines.length).toBeGreaterThan(LINES / 50);
      say(
        `read-only shell: ${LINES} changed lines, ${allowed} allowed, ${lines.length} different ones run; tree unchanged`,
      );
    });
  });
});
