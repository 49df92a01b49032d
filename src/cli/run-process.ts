/** Runs the command line of this process, and ends it: the only place for signals, broken pipes and exit codes. */

import { withAgentMark } from '../base/agent-mark.ts';
import { errnoOf } from '../errors.ts';
import { whoRuns } from '../hooks/hosts/who-runs.ts';
import type { CommandRow } from './command.ts';
import { execute, hasFlag } from './execute.ts';
import { reportError } from './report-error.ts';
import { type Interruption, watchInterruption } from './terminal/interruption.ts';
import { createProcessTerminal } from './terminal/process-terminal.ts';

export async function runProcess(target: NodeJS.Process, rows: readonly CommandRow[]): Promise<void> {
  const argv = target.argv.slice(2);
  const isByAgent = whoRuns({ environment: target.env, hasTerminal: target.stdin.isTTY }) === 'agent';
  // Whichever agent it is, what is run from here has one mark to go by.
  const environment = isByAgent ? withAgentMark(target.env) : target.env;
  const interruption = watchInterruption(target);
  endOnBrokenOutput(target, interruption);
  const refuseColour = hasFlag(argv, 'no-color');
  const terminal = await createProcessTerminal(target, { interruption, refuseColour });
  // Something nobody awaited can still fail; the rest of the command is then not to be trusted.
  target.on('uncaughtException', (error) => {
    const code = reportError(error, { terminal, environment, isJson: hasFlag(argv, 'json') });
    interruption.runCleanups();
    target.exit(code);
  });
  const code = await execute(argv, {
    rows,
    terminal: { ...terminal, writeError: (text) => interruption.signal.aborted || terminal.writeError(text) },
    environment,
    now: new Date(),
    openMemory: async (place) => (await import('./open-place.ts')).openPlace(place, environment),
  });
  interruption.runCleanups();
  await Promise.all([flushed(target.stdout), flushed(target.stderr)]);
  target.exit(interruption.exitCode() ?? code);
}

/**
 * `reverie memory list | head -1`: the reader has what it wanted. A full disk is different. A terminal that takes no more output
 * was closed, and what an interrupted command still has to save matters more than where it could have said so.
 */
function endOnBrokenOutput(target: NodeJS.Process, interruption: Interruption): void {
  target.stdout.on('error', (error) => {
    if (target.stdout.isTTY) interruption.hangUp();
    if (interruption.signal.aborted) return;
    interruption.runCleanups();
    if (errnoOf(error) === 'EPIPE') target.exit(0);
    target.stderr.write(`reverie: The output could not be written: ${error.message}\n`, () => target.exit(1));
  });
  target.stderr.on('error', () => {
    if (target.stderr.isTTY) interruption.hangUp();
    if (interruption.signal.aborted) return;
    interruption.runCleanups();
    target.exit(1);
  });
}

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => void stream.write('', () => resolve()));
}
