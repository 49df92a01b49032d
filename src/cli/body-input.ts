/** Where a memory's body comes from: the command line, or standard input. */

import { usageError } from './options/usage.ts';
import type { Terminal } from './terminal/terminal.ts';

export const BODY_OPTION = {
  kind: 'text',
  value: 'TEXT|-',
  help: 'The memory itself, in markdown; - reads standard input',
} as const;

/** Undefined when neither gives one. */
export async function readBody(option: string | undefined, terminal: Terminal): Promise<string | undefined> {
  if (option !== undefined && option !== '-') return option;
  if (option === undefined && terminal.input !== 'piped') return undefined;
  return terminal.readInput();
}

/** `hint` says how to give one to this command. */
export function requireBody(body: string | undefined, { topic, hint }: { topic: string; hint: string }): string {
  if (body !== undefined && body.trim() !== '') return body;
  throw usageError(body === undefined ? 'The memory has no body.' : 'The body is empty.', topic, hint);
}
