/** Runs the command line of this process, and ends it: signals, broken pipes and exit codes are met here and nowhere else. */

import { errnoOf } from '../errors.ts';
import type { CommandRow } from './command.ts';
import { execute } from './execute.ts';
import { watchInterruption } from './interruption.ts';
import { createProcessTerminal } from './process-terminal.ts';

export async function runProcess(target: NodeJS.Process, rows: readonly CommandRow[]): Promise<void> {
  const interruption = watchInterruption(target);
  for (const stream of [target.stdout, target.stderr]) {
    // `reverie memory list | head -1`: the reader has what it wanted.
    stream.on('error', (error) => {
      interruption.runCleanups();
      target.exit(errnoOf(error) === 'EPIPE' ? 0 : 1);
    });
  }
  const argv = target.argv.slice(2);
  const terminal = await createProcessTerminal(target, { interruption, refuseColour: argv.includes('--no-color') });
  const code = await execute(argv, {
    rows,
    terminal: { ...terminal, writeError: (text) => interruption.signal.aborted || terminal.writeError(text) },
    environment: target.env,
    now: new Date(),
    openMemory: async (place) => (await import('./open-place.ts')).openPlace(place, target.env),
  });
  interruption.runCleanups();
  await Promise.all([flushed(target.stdout), flushed(target.stderr)]);
  target.exit(interruption.exitCode() ?? code);
}

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => void stream.write('', () => resolve()));
}
