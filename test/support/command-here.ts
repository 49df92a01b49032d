/** A command line in this process: everything but the start of the program, which takes longer than the work of most commands. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { withAgentMark } from '../../src/base/agent-mark.ts';
import { openPlace } from '../../src/cli/open-place.ts';
import { whoRuns } from '../../src/hooks/hosts/who-runs.ts';
import type { Ended } from './agent-process.ts';
import { runLine } from './cli-stub.ts';

export interface Here {
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  /** What is piped in; nothing unless given. */
  readonly input?: string;
}

/** A worker has one working folder, and cases run side by side: each command sees its own. */
const folders = new AsyncLocalStorage<string>();
const folderOfProcess = process.cwd;
process.cwd = () => folders.getStore() ?? folderOfProcess();

/** As `reverie` does it without a terminal; not for what starts programs on the terminal, or is about the process itself. */
export async function runCommandHere(words: readonly string[], { cwd, environment, input }: Here): Promise<Ended> {
  const isByAgent = whoRuns({ environment, hasTerminal: false }) === 'agent';
  const marked = isByAgent ? withAgentMark(environment) : environment;
  const { exitCode, stdout, stderr } = await folders.run(cwd, () =>
    runLine(words, {
      environment: marked as Readonly<Record<string, string>>,
      now: new Date(),
      openMemory: (place) => openPlace(place, marked),
      terminal: { isWatched: false, input: input === undefined ? 'none' : 'piped', readInput: async () => input ?? '' },
    }),
  );
  return { code: exitCode, stdout, stderr };
}
