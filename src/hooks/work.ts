/** What hooks do beyond reading their payload: a file of its own, loaded where an event calls for it. */

export { startHookChild } from './heavy.ts';
export { describeProblem } from './run/describe-problem.ts';
export { runHook } from './run/run.ts';
