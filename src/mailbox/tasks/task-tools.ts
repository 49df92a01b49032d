/** The task list as tools for a model: their definitions as data, and what each call does. */

import { TASK_LIMITS, TASK_STATES, type TaskState } from './task.ts';
import type { ListedTask, TaskList } from './task-list.ts';

export interface TaskTool<Input> {
  readonly name: string;
  readonly description: string;
  readonly isReadOnly: boolean;
  /** JSON schema. */
  readonly input: Readonly<Record<string, unknown>>;
  /** What the model reads. A mistake is a ReverieError whose message says what to do. */
  run(input: Input, list: TaskList): Promise<string>;
}

const ID = { type: 'string', description: 'The task’s number, as TaskList shows it' };
const BLOCKERS = {
  type: 'array',
  items: { type: 'string' },
  description: 'Numbers of tasks that must be completed first',
};

export interface TaskCreateInput {
  readonly subject: string;
  readonly description?: string;
  readonly blockedBy?: readonly string[];
}

export const taskCreate: TaskTool<TaskCreateInput> = {
  name: 'TaskCreate',
  description: [
    'Add a task to the list that your team shares.',
    'One task is one piece of work that one agent can finish alone: split what two could do at once.',
    'Say in the description what done means, since whoever claims it has not read this conversation.',
  ].join('\n'),
  isReadOnly: false,
  input: {
    type: 'object',
    properties: {
      subject: {
        type: 'string',
        minLength: 1,
        maxLength: TASK_LIMITS.subjectCharacters,
        description: 'What to do, in one line',
      },
      description: {
        type: 'string',
        maxLength: TASK_LIMITS.descriptionCharacters,
        description: 'What is needed to do it, and what done means',
      },
      blockedBy: BLOCKERS,
    },
    required: ['subject'],
    additionalProperties: false,
  },
  run: async (input, list) => `Created ${lineOf(await list.create(input))}`,
};

export interface TaskUpdateInput {
  readonly taskId: string;
  readonly status?: TaskState;
  readonly subject?: string;
  readonly description?: string;
  readonly addBlockedBy?: readonly string[];
}

export const taskUpdate: TaskTool<TaskUpdateInput> = {
  name: 'TaskUpdate',
  description: [
    'Change a task of the shared list.',
    'Set in_progress before you begin: that claims it, and fails when somebody else has it. Then choose another.',
    'Set completed only when it is done and checked; set pending to give it back.',
  ].join('\n'),
  isReadOnly: false,
  input: {
    type: 'object',
    properties: {
      taskId: ID,
      status: { type: 'string', enum: [...TASK_STATES], description: 'in_progress claims it, pending gives it back' },
      subject: { type: 'string', minLength: 1, maxLength: TASK_LIMITS.subjectCharacters },
      description: { type: 'string', maxLength: TASK_LIMITS.descriptionCharacters },
      addBlockedBy: BLOCKERS,
    },
    required: ['taskId'],
    additionalProperties: false,
  },
  async run({ taskId, status, ...rest }, list) {
    const task = await list.update({ id: taskId, ...(status === undefined ? {} : { state: status }), ...rest });
    return task.state === 'deleted' ? `Deleted task ${task.id}.` : `Now ${lineOf(task)}\n${task.description}`.trimEnd();
  },
};

export const taskList: TaskTool<Record<string, never>> = {
  name: 'TaskList',
  description: 'Show the tasks of the team: who works on which, what each waits for, and what is free to be claimed.',
  isReadOnly: true,
  input: { type: 'object', properties: {}, additionalProperties: false },
  async run(_input, list) {
    const tasks = await list.list();
    if (tasks.length === 0) return 'The list is empty.';
    const done = tasks.filter(({ state }) => state === 'completed').length;
    return [`${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'}, ${done} completed:`, ...tasks.map(lineOf)].join(
      '\n',
    );
  },
};

function lineOf({ id, subject, state, owner, blockedBy }: ListedTask): string {
  const waits = blockedBy.length === 0 ? '' : `, waits for ${blockedBy.join(', ')}`;
  return `#${id} [${state}${owner === null ? '' : `, ${owner}`}${waits}] ${subject}`;
}
