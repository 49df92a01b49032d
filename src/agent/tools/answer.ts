/** How tools answer: text, and errors that say what to do next. */

import type { ToolInput, ToolResult } from '../tool.ts';

export function failed(content: string): ToolResult {
  return { content, isError: true };
}

/** Input was checked against the schema before; these only name the types it then has. */
export function textIn(input: ToolInput, name: string): string {
  return String(input[name] ?? '');
}

export function numberIn(input: ToolInput, name: string): number | null {
  const value = input[name];
  return typeof value === 'number' ? value : null;
}

export function isSet(input: ToolInput, name: string): boolean {
  return input[name] === true;
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}
