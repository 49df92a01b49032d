/** The shared list of tasks as tools of a session. */

import type { Tool } from '../../agent/tool.ts';
import { ReverieError } from '../../errors.ts';
import { openTaskList, type TaskList, type TaskListOptions } from '../../mailbox/tasks/task-list.ts';
import { type TaskTool, taskCreate, taskList, taskUpdate } from '../../mailbox/tasks/task-tools.ts';

export interface TaskTools {
  readonly tools: readonly Tool[];
  /** Subjects of tasks that nobody works on and that can be begun. */
  free(): Promise<readonly string[]>;
  close(): void;
}

export function openTaskTools(options: TaskListOptions): TaskTools {
  const list = openTaskList(options);
  const inTurn = createTurns();
  return {
    tools: [toolOf(taskCreate, list, inTurn), toolOf(taskUpdate, list, inTurn), toolOf(taskList, list, inTurn)],
    async free() {
      const open = (await list.list()).filter(({ state, blockedBy }) => state === 'pending' && blockedBy.length === 0);
      return open.map(({ id, subject }) => `#${id} ${subject}`);
    },
    close: list.close,
  };
}

type InTurn = <T>(run: () => Promise<T>) => Promise<T>;

/** Calls of one answer run side by side; on the list they run in their order, so that a look after a claim shows the claim. */
function createTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const next = last.then(run);
    last = next.catch(() => {});
    return next;
  };
}

function toolOf<Input>({ name, description, input, run }: TaskTool<Input>, list: TaskList, inTurn: InTurn): Tool {
  return {
    name,
    description,
    inputSchema: input as Tool['inputSchema'],
    // The list is the team's own, and a change of it changes nothing else: nobody is asked.
    isReadOnly: () => true,
    async run(given) {
      try {
        return { content: await inTurn(() => run(given as Input, list)) };
      } catch (error) {
        if (!(error instanceof ReverieError)) throw error;
        return { content: [error.message, error.fix].filter((part) => part !== '').join('. '), isError: true };
      }
    },
  };
}
