/** The terminal of the running process. */

import { ReverieError } from '../../errors.ts';
import { TERMINAL_LIMITS } from '../../limits.ts';
import type { Interruption } from './interruption.ts';
import { createPaint, decideColour } from './paint.ts';
import { onlyColours, plainText } from './plain-text.ts';
import { inputKind, readStandardInput } from './standard-input.ts';
import type { Terminal } from './terminal.ts';

export async function createProcessTerminal(
  target: NodeJS.Process,
  options: { interruption: Interruption; refuseColour: boolean },
): Promise<Terminal> {
  const { interruption } = options;
  const { stdin, stdout, stderr } = target;
  const isTerminal = stdout.isTTY === true;
  const { colour } = decideColour({ environment: target.env, isTerminal, refused: options.refuseColour });
  const paint = await createPaint(colour);
  const clean = colour ? onlyColours : plainText;
  const input = inputKind(stdin.isTTY === true);
  let hasStatus = false;

  function throwIfInterrupted(outcome = ''): void {
    if (!interruption.signal.aborted) return;
    status(null);
    if (outcome !== '') stderr.write(`reverie: ${plainText(outcome)}\n`);
    throw new ReverieError({ code: 'interrupted', message: 'Interrupted.' });
  }

  function status(line: string | null): void {
    if (!stderr.isTTY || (line === null && !hasStatus)) return;
    stderr.write(`\r\u001b[2K${line === null ? '' : plainText(line)}`);
    hasStatus = line !== null;
  }

  return {
    paint,
    isTerminal,
    isWatched: stderr.isTTY === true,
    canAsk: isTerminal && input === 'keyboard',
    width: isTerminal ? stdout.columns || TERMINAL_LIMITS.columns : undefined,
    input,
    write(text) {
      status(null);
      stdout.write(clean(text));
    },
    writeExact: (text) => void stdout.write(text),
    writeError(text) {
      status(null);
      stderr.write(stderr.isTTY && colour ? onlyColours(text) : plainText(text));
    },
    status,
    interrupted: interruption.signal,
    flush: () => new Promise((resolve) => void stdout.write('', () => resolve())),
    async readInput(options) {
      if (input === 'none') return '';
      if (input === 'keyboard' && stderr.isTTY) stderr.write('Type the text; Ctrl-D ends it.\n');
      const isSilent = input === 'keyboard';
      const waiting = setTimeout(
        () => isSilent || status('Waiting for standard input to end.'),
        TERMINAL_LIMITS.quietMs,
      );
      const onGivenUp = () => {
        status(null);
        stderr.write('warning: Nothing came on standard input; going on without it. Close it to be quicker.\n');
      };
      try {
        const text = await readStandardInput(stdin, { ...options, signal: interruption.signal, onGivenUp });
        throwIfInterrupted();
        return text;
      } finally {
        clearTimeout(waiting);
        status(null);
      }
    },
    async ask(question) {
      const { createInterface } = await import('node:readline/promises');
      const reader = createInterface({ input: stdin, output: stdout });
      // Readline swallows Ctrl-C on a terminal; hand it on to where it is handled for all commands.
      reader.on('SIGINT', () => target.kill(target.pid, 'SIGINT'));
      try {
        return await reader.question(clean(question), { signal: interruption.signal });
      } finally {
        reader.close();
      }
    },
    runProgram: (program, parameters) =>
      interruption.leaveKeyboardTo(() => runProgram(program, parameters, interruption.signal)),
    atEnd: interruption.atEnd,
    allowAfterInterruption: interruption.allow,
    throwIfInterrupted,
  };
}

async function runProgram(program: string, parameters: readonly string[], signal: AbortSignal) {
  const { spawn } = await import('node:child_process');
  return new Promise<{ exitCode: number | null; signal: string | null }>((resolve, reject) => {
    const child = spawn(program, [...parameters], { stdio: 'inherit', signal });
    child.on('error', reject);
    child.on('exit', (exitCode, killedBy) => resolve({ exitCode, signal: killedBy }));
  });
}
