/** What a teammate does now, told by its last message: for `reverie team members`. */

import type { Entry } from '../../conversation/entry.ts';
import { toolUsesOf } from '../../conversation/message.ts';
import { progressOf } from '../../layers/7-agents/progress.ts';
import { noteDoing, type TeamPlace } from '../../mailbox/team-members.ts';

/** How often it is written down at most. */
const EVERY_MS = 1_000;

export function createDoing(place: TeamPlace, name: string) {
  let told = '';
  let toldMs = Number.NEGATIVE_INFINITY;
  return (entry: Entry): void => {
    const next = doingOf(entry);
    const isIdle = next === IDLE;
    if (next === told || (!isIdle && performance.now() - toldMs < EVERY_MS)) return;
    [told, toldMs] = [next, performance.now()];
    try {
      noteDoing(place, name, next);
    } catch {
      // Nobody's work waits for a line on a screen.
    }
  };
}

const IDLE = 'Idle';

function doingOf({ message }: Entry): string {
  if (message.role === 'user') return 'Thinking';
  const last = toolUsesOf(message.content).at(-1);
  return last === undefined ? IDLE : progressOf(last);
}
