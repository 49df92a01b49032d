/** What a teammate does now, told by its last message: for `reverie team members`. */

import type { Entry } from '../../conversation/entry.ts';
import { type ToolUseBlock, toolUsesOf } from '../../conversation/message.ts';
import { progressOf } from '../../layers/7-agents/progress.ts';
import { noteDoing, type TeamPlace } from '../../mailbox/team-members.ts';

/** How often it is written down at most. */
const EVERY_MS = 1_000;

export interface Doing {
  entered(entry: Entry): void;
  close(): void;
}

export function createDoing(place: TeamPlace, name: string): Doing {
  let [now, told] = ['Idle', 'Idle'];
  let timer: NodeJS.Timeout | null = null;

  function write(): void {
    timer = null;
    if (now === told) return;
    told = now;
    try {
      noteDoing(place, name, now);
    } catch {
      // Nobody's work waits for a line on a screen.
    }
  }

  return {
    entered(entry) {
      now = doingOf(entry);
      timer ??= setTimeout(write, EVERY_MS).unref();
    },
    close() {
      if (timer !== null) clearTimeout(timer);
    },
  };
}

function doingOf({ message }: Entry): string {
  const last = message.role === 'user' ? undefined : toolUsesOf(message.content).at(-1);
  if (last !== undefined) return callOf(last);
  return message.role === 'user' ? 'Thinking' : 'Idle';
}

function callOf(call: ToolUseBlock): string {
  const { name, input } = call;
  if (name === 'TaskList' || name === 'TaskCreate') return 'Looking after the tasks';
  if (name === 'TaskUpdate') return `Updating task ${String(input.taskId).slice(0, 10)}`;
  return name === 'SendMessage' ? 'Writing to another agent' : progressOf(call);
}
