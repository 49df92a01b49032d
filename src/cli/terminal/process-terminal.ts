/** The terminal of the running process. */

import { fstatSync } from 'node:fs';
import { findProgram, startProgram, userEnvironment } from '../../disk/programs.ts';
import { errnoOf, ReverieError } from '../../errors.ts';
import { TERMINAL_LIMITS } from '../../limits.ts';
import type { Interruption } from './interruption.ts';
import { createPaint, decideColour } from './paint.ts';
import { onlyColours, plainText } from './plain-text.ts';
import type { InputOptions, Terminal } from './terminal.ts';

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
      // Readline swallows Ctrl-C on a terminal; pass it on to the handler for all commands.
      reader.on('SIGINT', () => target.kill(target.pid, 'SIGINT'));
      try {
        return await reader.question(clean(question), { signal: interruption.signal });
      } finally {
        reader.close();
      }
    },
    async askSecret(question) {
      const [{ createInterface }, { Writable }] = await Promise.all([
        import('node:readline/promises'),
        import('node:stream'),
      ]);
      stderr.write(clean(question));
      const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
      const reader = createInterface({ input: stdin, output: nowhere, terminal: true });
      reader.on('SIGINT', () => target.kill(target.pid, 'SIGINT'));
      try {
        return await reader.question('', { signal: interruption.signal });
      } finally {
        reader.close();
        stderr.write('\n');
      }
    },
    runProgram: (program, parameters) =>
      interruption.leaveKeyboardTo(() => runProgram(program, parameters, interruption.signal)),
    hearInterrupts: interruption.hearKeyboard,
    atEnd: interruption.atEnd,
    allowAfterInterruption: interruption.allow,
    throwIfInterrupted,
  };
}

/** The user's own program, but never one that lies in the project: `npx` puts the programs of a project first. */
async function runProgram(name: string, parameters: readonly string[], signal: AbortSignal) {
  const search = { cwd: process.cwd(), environment: process.env };
  const program = findProgram(name, search);
  if (program === null) throw Object.assign(new Error(`There is no program ${name}.`), { code: 'ENOENT' });
  return new Promise<{ exitCode: number | null; signal: string | null }>((resolve, reject) => {
    const environment = userEnvironment(search);
    const child = startProgram(program, parameters, { cwd: search.cwd, environment, stdio: 'inherit', signal });
    child.on('error', reject);
    child.on('exit', (exitCode, killedBy) => resolve({ exitCode, signal: killedBy }));
  });
}

// Standard input, read to its end: as text, within limits, and not forever if nobody will write to it.

/** `/dev/null` and a closed descriptor are nothing; only a pipe, a file or a socket has something to say. */
function inputKind(isKeyboard: boolean): Terminal['input'] {
  if (isKeyboard) return 'keyboard';
  const stats = inputStats();
  return stats?.isFIFO() || stats?.isFile() || stats?.isSocket() ? 'piped' : 'none';
}

interface InputReading extends InputOptions {
  readonly signal: AbortSignal;
  onGivenUp(): void;
}

/** Empty when it was aborted, or given up. */
async function readStandardInput(stdin: NodeJS.ReadStream, reading: InputReading): Promise<string> {
  const { signal, mostBytes = Number.POSITIVE_INFINITY, onGivenUp } = reading;
  const stop = () => void stdin.destroy();
  const giveUp = () => {
    onGivenUp();
    stop();
  };
  signal.addEventListener('abort', stop);
  // A shell gives a pipe, however slow; a socket is another program's, and many never close it.
  const mayBeLeftOpen = reading.isOptional === true && inputStats()?.isSocket() === true;
  const patience = mayBeLeftOpen ? setTimeout(giveUp, TERMINAL_LIMITS.silentInputMs) : undefined;
  try {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of stdin) {
      clearTimeout(patience);
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (bytes > mostBytes) throw tooMuchInput(mostBytes);
    }
    return decodeInput(Buffer.concat(chunks));
  } catch (error) {
    // We closed it ourselves.
    if (errnoOf(error) === 'ERR_STREAM_PREMATURE_CLOSE') return '';
    throw error;
  } finally {
    clearTimeout(patience);
    signal.removeEventListener('abort', stop);
  }
}

function inputStats() {
  try {
    return fstatSync(0);
  } catch {
    return undefined;
  }
}

function tooMuchInput(mostBytes: number): Error {
  return new ReverieError({
    code: 'usage',
    message: `Standard input holds more than ${mostBytes / 1_048_576} MiB.`,
    fix: 'Give the part that matters, or name the file in the prompt so that the agent reads what it needs.',
  });
}

function decodeInput(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ReverieError({
      code: 'usage',
      message: 'Standard input is not UTF-8 text.',
      fix: 'Convert it first, with iconv for example.',
    });
  }
}
