/** The list of steps that the agent keeps, with a box for each. */

import type { Paint } from '../terminal/paint.ts';
import { cellsOf, cleanLine, type Row, renderRows, span } from './spans.ts';
import { wrapSpans } from './wrap-spans.ts';

export interface ShownTodo {
  readonly content: string;
  readonly status: string;
  readonly activeForm?: string;
}

export function todoLines(facts: {
  readonly todos: readonly ShownTodo[];
  readonly width: number | undefined;
  readonly paint: Paint;
}): string[] {
  return renderRows(todoRows(facts.todos, { width: cellsOf(facts.width), paint: facts.paint }), facts.width);
}

export function todoRows(todos: readonly ShownTodo[], layout: { width: number; paint: Paint }): Row[] {
  return todos.flatMap((todo) => todoRow(todo, layout));
}

/** A model wrote them: what does not look like a list of steps is left out. */
export function todosIn(value: unknown): ShownTodo[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((each) => {
    if (typeof each !== 'object' || each === null) return [];
    const { content, status, activeForm } = each as Record<string, unknown>;
    if (typeof content !== 'string') return [];
    return [{ content, status: String(status), ...(typeof activeForm === 'string' ? { activeForm } : {}) }];
  });
}

function todoRow(todo: ShownTodo, { width, paint }: { width: number; paint: Paint }): Row[] {
  const isDone = todo.status === 'completed';
  const isRunning = todo.status === 'in_progress';
  const text = cleanLine(isRunning ? (todo.activeForm ?? todo.content) : todo.content);
  const box = isDone ? span('☑ ', paint.green) : isRunning ? span('▶ ', paint.cyan) : span('☐ ', paint.dim);
  const look = isDone ? (done: string) => paint.dim(paint.strikethrough(done)) : isRunning ? paint.bold : undefined;
  return wrapSpans([span(text, look)], { width, first: [box], rest: [span('  ')], at: 'words' });
}
