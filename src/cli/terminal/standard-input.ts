/** Standard input, read to its end: as text, within bounds, and not for ever where nobody will write to it. */

import { fstatSync } from 'node:fs';
import { errnoOf, ReverieError } from '../../errors.ts';
import { TERMINAL_LIMITS } from '../../limits.ts';
import type { InputOptions, Terminal } from './terminal.ts';

/** `/dev/null` and a closed descriptor are nothing; only a pipe, a file or a socket has something to say. */
export function inputKind(isKeyboard: boolean): Terminal['input'] {
  if (isKeyboard) return 'keyboard';
  const stats = inputStats();
  return stats?.isFIFO() || stats?.isFile() || stats?.isSocket() ? 'piped' : 'none';
}

export interface InputReading extends InputOptions {
  readonly signal: AbortSignal;
  onGivenUp(): void;
}

/** Empty when it was aborted, or given up. */
export async function readStandardInput(stdin: NodeJS.ReadStream, reading: InputReading): Promise<string> {
  const { signal, mostBytes = Number.POSITIVE_INFINITY, onGivenUp } = reading;
  const stop = () => void stdin.destroy();
  const giveUp = () => {
    onGivenUp();
    stop();
  };
  signal.addEventListener('abort', stop);
  // A shell gives a pipe, however slow; a socket is another program's, and many of them never close it.
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
