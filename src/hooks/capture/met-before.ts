/** Whether an error was met in an earlier session, and what was done about it then. */

import type { LoggedSession, LoggedStep } from '../../disk/work-log/work-log.ts';
import { failureMark } from './failure-mark.ts';

export interface MetError {
  /** The command that failed, when and where. */
  readonly failed: LoggedStep;
  /** What was edited and run after it, oldest first; at most a few. */
  readonly then: readonly LoggedStep[];
  /** Whether the same command passed later in that session. */
  readonly isSolved: boolean;
  /** By which the error is known. */
  readonly mark: string;
}

const SHOWN_STEPS = 4;

/** The newest meeting that ended well; else the newest one. */
export function metBefore(failure: string, sessions: readonly LoggedSession[]): MetError | null {
  const mark = failureMark(failure);
  if (mark === null) return null;
  let unsolved: MetError | null = null;
  for (const { steps } of sessions) {
    const at = steps.findLastIndex((step) => step.failure !== null && failureMark(step.failure) === mark);
    if (at === -1) continue;
    const met = meetingAt(at, steps, mark);
    if (met.isSolved) return met;
    unsolved ??= met;
  }
  return unsolved;
}

function meetingAt(at: number, steps: readonly LoggedStep[], mark: string): MetError {
  const failed = steps[at]!;
  const after = steps.slice(at + 1);
  const passed = after.findIndex(({ what, failure }) => what === failed.what && failure === null);
  const changing = (passed === -1 ? after : after.slice(0, passed)).filter(({ kind }) => kind !== 'read');
  // Of many, those that came right before it passed.
  const then = passed === -1 ? changing.slice(0, SHOWN_STEPS) : changing.slice(-SHOWN_STEPS);
  return { failed, then, isSolved: passed !== -1, mark };
}
