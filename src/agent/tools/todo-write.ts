/** TodoWrite: replaces the list of steps. */

import type { Tool } from '../tool.ts';
import { failed } from './answer.ts';

const DESCRIPTION = `Keeps a list of the steps of a task, which the user sees.
- Use it for work of three steps or more, or when the user names several things; not for a single step or a question.
- Each call gives the whole list again: steps that are left out are gone.
- Exactly one step is "in_progress" while you work: mark it before you begin, and "completed" at once when it is done, not several together.
- A step is completed only when it is really done: with failing tests or open errors it stays in progress, and what is in the way becomes a step.
- \`content\` says what to do ("Run the tests"), \`activeForm\` the same while it is being done ("Running the tests").`;

export function todoWriteTool({ todos }: { readonly todos: Todos }): Tool {
  return {
    name: 'TodoWrite',
    description: DESCRIPTION,
    inputSchema: {
      type: 'object',
      properties: {
        todos: {
          type: 'array',
          description: 'All steps, in order.',
          items: {
            type: 'object',
            properties: {
              content: { type: 'string' },
              status: { type: 'string', enum: [...TODO_STATES] },
              activeForm: { type: 'string' },
            },
            required: ['content', 'status', 'activeForm'],
            additionalProperties: false,
          },
        },
      },
      required: ['todos'],
      additionalProperties: false,
    },
    // Nothing of the user's changes: no permission is needed for it.
    isReadOnly: () => true,
    async run(input) {
      const next = input.todos as readonly Todo[];
      if (next.some(({ content }) => content.trim() === '')) return failed('A step without content says nothing.');
      todos.replace(next);
      const count = (status: Todo['status']) => next.filter((todo) => todo.status === status).length;
      const [open, active, done] = [count('pending'), count('in_progress'), count('completed')];
      const text = `${done} done, ${active} in progress, ${open} to do`;
      const warning = active > 1 ? ' Only one step should be in progress: finish one before you begin the next.' : '';
      return { content: `The list is updated: ${text}.${warning}`, display: { kind: 'summary', text } };
    },
  };
}

// The list of steps that the agent keeps for work of several parts; the user sees it.

const TODO_STATES = ['pending', 'in_progress', 'completed'] as const;

export interface Todo {
  readonly content: string;
  readonly status: (typeof TODO_STATES)[number];
  /** The same while it is being done: "Running the tests". */
  readonly activeForm: string;
}

export interface Todos {
  current(): readonly Todo[];
  replace(todos: readonly Todo[]): void;
}

export function createTodos(initial: readonly Todo[] = []): Todos {
  let todos = initial;
  return {
    current: () => todos,
    replace(next) {
      todos = next;
    },
  };
}
