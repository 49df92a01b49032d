/** Where a memory's body comes from: the command line, or standard input. */

import type { Terminal } from './terminal.ts';
import { usageError } from './usage.ts';

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

export function requireBody(body: string | undefined, topic: string): string {
  if (body !== undefined && body.trim() !== '') return body;
  const message = body === undefined ? 'The memory has no body.' : 'The body is empty.';
  throw usageError(message, topic, 'Give it with --body TEXT, or pipe it in: echo "…" | reverie memory save …');
}
