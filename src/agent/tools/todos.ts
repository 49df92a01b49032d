/** The list of steps that the agent keeps for work of several parts; the user sees it. */

export const TODO_STATES = ['pending', 'in_progress', 'completed'] as const;

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
