/** What a sub-agent was started for, by the transcript of the conversation that started it. */

import { readTailLines } from '../../disk/tail.ts';
import type { Host, Subagent } from '../hosts/host.ts';

/** Of the transcript's end, in which the call that started it is looked for. */
const TASK_BYTES = 1_048_576;
/** Hosts write their transcript a tenth of a second behind what they do; the host waits for us, and not for long. */
const WAIT_MS = 500;
const LOOK_MS = 50;

export interface TaskFacts {
  readonly transcriptFile: string;
  readonly find: NonNullable<Host['subagentTask']>;
  /** How the time until the next look passes. */
  readonly pause?: (milliseconds: number) => Promise<void>;
}

/** Null where its call is still not written down after a moment. */
export async function taskOfSubagent(
  agent: Subagent,
  { transcriptFile, find, pause = wait }: TaskFacts,
): Promise<string | null> {
  for (let waited = 0; ; waited += LOOK_MS) {
    const task = find(readTailLines(transcriptFile, TASK_BYTES), agent);
    if (task !== null || waited >= WAIT_MS) return task;
    await pause(LOOK_MS);
  }
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
