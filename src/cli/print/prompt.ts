/** The prompt of print mode: the words of the line, then what was piped in. */

import type { SpokenPrompt } from '../../conversation/typed-text.ts';
import { TERMINAL_LIMITS } from '../../limits.ts';
import { PRINT_NAME } from '../options/print-options.ts';
import { usageError } from '../options/usage.ts';
import type { Terminal } from '../terminal/terminal.ts';

export async function readPrompt(words: readonly string[], terminal: Terminal): Promise<SpokenPrompt> {
  const said = words.join(' ');
  const options = { mostBytes: TERMINAL_LIMITS.promptBytes, isOptional: said !== '' };
  const piped = terminal.input === 'piped' ? await terminal.readInput(options) : '';
  const cameAlong = piped.trim() === '' ? [] : [{ how: 'piped' as const, text: piped }];
  if (said.trim() !== '' || cameAlong.length > 0) return { typed: said, cameAlong };
  throw usageError(
    'There is no prompt.',
    PRINT_NAME,
    'Write: reverie -p "your question", or pipe one in: echo "your question" | reverie -p',
  );
}
