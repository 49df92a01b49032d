/**
 * Standard input and output of a hook by their descriptors. Node's streams take a hook longer to load than most of its work takes; they are
 * loaded where a payload comes in pieces or a reader is slow.
 */

import { fstatSync, read, writeSync } from 'node:fs';
import { errnoOf } from '../errors.ts';

export interface HookWriter {
  readonly writableLength: number;
  write(text: string, written?: () => void): unknown;
  on(event: 'error', listener: (error: unknown) => void): unknown;
}

/** What a hook needs of its process. */
export interface HookTarget extends Pick<NodeJS.Process, 'argv' | 'env' | 'execPath'> {
  readonly stdin: AsyncIterable<string | Uint8Array> & { readonly isTTY?: boolean };
  readonly stdout: HookWriter;
  readonly stderr: HookWriter;
  on(event: 'uncaughtException', listener: (error: Error) => void): unknown;
  exit(code: number): void;
}

export function plainTarget(target: NodeJS.Process): HookTarget {
  const input = plainInput(target);
  return {
    ...{ argv: target.argv, env: target.env, execPath: target.execPath },
    stdin: input,
    stdout: plainWriter(1, () => target.stdout),
    stderr: plainWriter(2, () => target.stderr),
    on: (event, listener) => target.on(event, listener),
    exit(code) {
      if (!input.isWaiting()) target.exit(code);
      // An ordinary exit waits for the thread that reads: a moment on a busy machine, for ever where nobody writes.
      input.onRead(() => target.exit(code));
      setTimeout(() => target.kill(target.pid, 'SIGKILL'), NOBODY_WRITES_MS);
    },
  };
}

/** Since the answer is out. */
const NOBODY_WRITES_MS = 1_000;
/** More than most payloads have; the rest of a longer one comes as a stream. */
const FIRST_BYTES = 262_144;

function plainInput(target: NodeJS.Process) {
  let isWaiting = false;
  let whenRead = () => {};
  const firstPiece = () =>
    new Promise<Uint8Array | null>((resolve) => {
      const buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
      isWaiting = true;
      withOneThread(target.env, () =>
        read(0, buffer, 0, FIRST_BYTES, null, (error, count) => {
          isWaiting = false;
          whenRead();
          resolve(error === null ? buffer.subarray(0, count) : null);
        }),
      );
    });
  async function* pieces(): AsyncGenerator<string | Uint8Array> {
    const first = await firstPiece();
    if (first?.length === 0) return;
    if (first !== null) yield first;
    // A host may leave its end open: a payload that is whole is not waited for any longer.
    if (first === null || !isWhole(first)) yield* target.stdin;
  }
  const onRead = (then: () => void) => {
    whenRead = then;
  };
  return { isTTY: isDevice(), isWaiting: () => isWaiting, onRead, [Symbol.asyncIterator]: pieces };
}

/** One is enough to wait with, and Node would start four; the variable is read when the first is started, and is for nobody else. */
function withOneThread(environment: NodeJS.ProcessEnv, start: () => void): void {
  const isChosen = environment.UV_THREADPOOL_SIZE !== undefined;
  if (!isChosen) environment.UV_THREADPOOL_SIZE = '1';
  start();
  if (!isChosen) delete environment.UV_THREADPOOL_SIZE;
}

/** A terminal, where a person would have to type; or one that gives nothing. */
function isDevice(): boolean {
  try {
    return fstatSync(0).isCharacterDevice();
  } catch {
    return true;
  }
}

function isWhole(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8').trim();
  if (!text.endsWith('}')) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function plainWriter(descriptor: number, stream: () => NodeJS.WriteStream): HookWriter {
  let rest: NodeJS.WriteStream | null = null;
  const listeners: ((error: unknown) => void)[] = [];
  function writeRest(text: string | Uint8Array, written?: () => void): void {
    if (rest === null) {
      rest = stream();
      for (const listener of listeners) rest.on('error', listener);
    }
    rest.write(text, written);
  }
  return {
    get writableLength() {
      return rest?.writableLength ?? 0;
    },
    on: (_event, listener) => listeners.push(listener),
    write(text, written) {
      if (rest !== null) return writeRest(text, written);
      const bytes = Buffer.from(text);
      let at = 0;
      try {
        while (at < bytes.length) at += writeSync(descriptor, bytes, at);
        written?.();
      } catch (error) {
        // A pipe that is full and does not wait.
        if (errnoOf(error) === 'EAGAIN') writeRest(bytes.subarray(at), written);
        else for (const listener of listeners) listener(error);
      }
    },
  };
}
