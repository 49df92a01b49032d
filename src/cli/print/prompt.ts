/** The prompt of print mode: the words of the line, then what was piped in. */

import { TERMINAL_LIMITS } from '../../limits.ts';
import { PRINT_NAME } from '../print-options.ts';
import type { Terminal } from '../terminal.ts';
import { usageError } from '../usage.ts';

export async function readPrompt(words: readonly string[], terminal: Terminal): Promise<string> {
  const said = words.join(' ');
  const options = { mostBytes: TERMINAL_LIMITS.promptBytes, isOptional: said !== '' };
  const piped = terminal.input === 'piped' ? await terminal.readInput(options) : '';
  const parts = [said, piped].filter((part) => part.trim() !== '');
  if (parts.length > 0) return parts.join('\n\n');
  throw usageError(
    'There is no prompt.',
    PRINT_NAME,
    'Write: reverie -p "your question", or pipe one in: echo "your question" | reverie -p',
  );
}
