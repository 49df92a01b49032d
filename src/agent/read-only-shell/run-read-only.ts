/** Runs a command line that the gate lets through: no shell, no input, hardly an environment, bounded in time and output. */

import type { Limits } from '../../limits.ts';
import { type CommandPlan, type PlannedPipeline, planCommand } from './check-command.ts';
import { locate } from './place.ts';
import { refuse } from './refuse.ts';
import { type RunningPipeline, runPipeline } from './run-pipeline.ts';

/** How long a killed program is waited for. */
const KILL_GRACE_MS = 1_000;

export interface ReadOnlyRun {
  /** Output and errors as they came. */
  readonly output: string;
  /** Of the last program that ran, as a shell would tell it; 130 when interrupted, 124 when out of time. */
  readonly exitCode: number;
  /** The output was cut, and the programs ended with it. */
  readonly isTruncated: boolean;
  readonly timedOut: boolean;
}

type StopReason = 'interrupted' | 'out-of-time' | 'too-much-output';

const INTERRUPTED = 130;
const OUT_OF_TIME = 124;

/**
 * Throws a ReverieError, code `refused`, for a line that is denied. A file that is swapped for a link after the check could
 * still be followed by a program: paths are therefore checked again at the end, and output that may come from outside is
 * thrown away. Who swaps it back in time is not noticed.
 */
export async function runReadOnly(
  command: string,
  options: {
    readonly cwd: string;
    readonly roots: readonly string[];
    readonly signal: AbortSignal;
    readonly limits: Limits['readOnlyShell'];
  },
): Promise<ReadOnlyRun> {
  const plan = planCommand(command, options);
  const { signal, limits } = options;
  const halt = new AbortController();
  const stop = (why: StopReason) => halt.abort(why);
  const kept = createKeptOutput(limits, () => stop('too-much-output'));
  const timer = setTimeout(() => stop('out-of-time'), limits.timeoutMs);
  const interrupt = () => stop('interrupted');
  signal.addEventListener('abort', interrupt, { once: true });
  if (signal.aborted) interrupt();
  try {
    const code = await runList(plan.pipelines, async (pipeline) => {
      if (halt.signal.aborted) return null;
      const running = runPipeline(pipeline.stages, { cwd: plan.places.cwd, onOutput: kept.add });
      return await endedOrHalted(running, { signal: halt.signal, graceMs: KILL_GRACE_MS });
    });
    requireStillInside(plan);
    const stopped = halt.signal.reason as StopReason | undefined;
    return {
      output: kept.text(),
      exitCode: exitCodeOf(stopped, code),
      isTruncated: kept.isFull(),
      timedOut: stopped === 'out-of-time',
    };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', interrupt);
  }
}

/** A program that does not die of a kill, on a dead network disk for example, is not waited for. */
async function endedOrHalted(
  running: RunningPipeline,
  halt: { readonly signal: AbortSignal; readonly graceMs: number },
): Promise<number | null> {
  return await new Promise((resolve) => {
    const kill = () => {
      running.kill();
      setTimeout(() => resolve(null), halt.graceMs).unref();
    };
    halt.signal.addEventListener('abort', kill, { once: true });
    running.ended.then((code) => {
      halt.signal.removeEventListener('abort', kill);
      resolve(code);
    });
  });
}

/** The list's own logic: which pipelines run, by how the one before ended. Null from `run` ends the list. */
export async function runList<T extends Pick<PlannedPipeline, 'runs'>>(
  pipelines: readonly T[],
  run: (pipeline: T) => Promise<number | null>,
): Promise<number> {
  let code = 0;
  for (const pipeline of pipelines) {
    const isSkipped =
      (pipeline.runs === 'after-success' && code !== 0) || (pipeline.runs === 'after-failure' && code === 0);
    if (isSkipped) continue;
    const ended = await run(pipeline);
    if (ended === null) break;
    code = ended;
  }
  return code;
}

function exitCodeOf(stopped: StopReason | undefined, code: number): number {
  if (stopped === 'interrupted') return INTERRUPTED;
  return stopped === 'out-of-time' ? OUT_OF_TIME : code;
}

function requireStillInside(plan: CommandPlan): void {
  const places = plan.pipelines.flatMap((pipeline) => pipeline.stages.flatMap((stage) => stage.places));
  for (const { path, real } of places) {
    try {
      locate(path, plan.places);
      locate(real, plan.places);
    } catch {
      refuse(`${path} came to lead outside the folders that may be read while the command ran; its output was dropped`);
    }
  }
}

// Output up to a number of bytes; the first byte too many is told at once, so that whoever writes can be stopped.

interface KeptOutput {
  add(chunk: Buffer): void;
  isFull(): boolean;
  text(): string;
}

export function createKeptOutput(limits: { readonly outputBytes: number }, onFull: () => void): KeptOutput {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let isFull = false;
  return {
    add(chunk) {
      if (isFull) return;
      const room = limits.outputBytes - bytes;
      chunks.push(chunk.subarray(0, room));
      bytes += Math.min(chunk.length, room);
      if (chunk.length <= room) return;
      isFull = true;
      onFull();
    },
    isFull: () => isFull,
    // A character that the cut went through is left out rather than shown as damage.
    text: () => new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(chunks), { stream: isFull }),
  };
}
