/** Starts the programs of one pipeline without a shell, each writing into the next, and tells how the last one ended. */

import { statSync } from 'node:fs';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { type ChildProcess, startProgram } from '../../disk/programs.ts';
import { errnoOf } from '../../errors.ts';
import type { PlannedStage } from './plan-stage.ts';
import { refuse } from './refuse.ts';

export interface RunningPipeline {
  /** The exit code of the last program, once all have ended. */
  readonly ended: Promise<number>;
  kill(): void;
}

/** What shells answer when a program cannot be started. */
const NOT_STARTED = 126;
const KILLED_BY_SIGNAL = 128;

export function runPipeline(
  stages: readonly PlannedStage[],
  ports: { readonly cwd: string; onOutput(chunk: Buffer): void },
): RunningPipeline {
  const children = startAll(stages, ports.cwd);
  const ends = children.map((child, position) =>
    endOf(child, (message) => ports.onOutput(Buffer.from(`${stages[position]!.program}: ${message}\n`))),
  );
  for (const [position, stage] of stages.entries()) {
    const { stdout, stderr } = children[position]!;
    const next = children[position + 1]?.stdin;
    const output = [stdout, stage.errors === 'joined' ? stderr : null].filter((stream) => stream != null);
    if (next == null) for (const stream of output) stream.on('data', ports.onOutput);
    else flowInto(output, next);
    if (stage.errors === 'shown') stderr?.on('data', (bytes: Buffer) => ports.onOutput(withoutBrokenPipe(bytes)));
  }
  return { ended: Promise.all(ends).then((codes) => codes.at(-1)!), kill: () => killAll(children) };
}

function startAll(stages: readonly PlannedStage[], cwd: string): ChildProcess[] {
  const programs = stages.map((stage) => stage.start?.program ?? findProgram(stage.program));
  const children: ChildProcess[] = [];
  try {
    for (const [position, stage] of stages.entries()) {
      const input = position === 0 ? 'ignore' : 'pipe';
      const errors = stage.errors === 'dropped' ? 'ignore' : 'pipe';
      const start = { argv0: stage.program, cwd, environment: stage.start?.environment ?? PROGRAM_ENVIRONMENT };
      children.push(startProgram(programs[position]!, stage.words, { ...start, stdio: [input, 'pipe', errors] }));
    }
  } catch (error) {
    killAll(children);
    refuse(`the command cannot be started (${errnoOf(error)}); name fewer files`);
  }
  return children;
}

function killAll(children: readonly ChildProcess[]): void {
  for (const child of children) child.kill('SIGKILL');
}

function endOf(child: ChildProcess, onError: (message: string) => void): Promise<number> {
  return new Promise((resolve) => {
    child.on('error', (error) => {
      if (child.pid !== undefined) return;
      onError(error.message);
      resolve(NOT_STARTED);
    });
    child.on('close', (code, signal) => {
      resolve(code ?? KILLED_BY_SIGNAL + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

/** When the reader ends first, the writers' pipes are closed, so that they end as they would in a shell. */
function flowInto(sources: readonly Readable[], sink: Writable): void {
  let open = sources.length;
  for (const source of sources) {
    source.pipe(sink, { end: false });
    source.on('close', () => {
      open -= 1;
      if (open === 0) sink.end();
    });
  }
  const closeSources = () => {
    for (const source of sources) source.destroy();
  };
  sink.on('error', closeSources);
  sink.on('close', closeSources);
}

/**
 * Node's pipes are sockets: a writer whose reader ended may be told so by an error where a shell's pipe would end it
 * silently. That line is about our pipe, not about the command.
 */
function withoutBrokenPipe(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  if (!text.includes('write error')) return bytes;
  return Buffer.from(text.replace(/^\w+: write error: (?:Connection reset by peer|Broken pipe)\n/gm, ''), 'latin1');
}

// Where a program is, in the system's own folders: what a project or a user's PATH holds never runs.

const FOLDERS = ['/usr/bin', '/bin'] as const;

/** All that a program learns of its surroundings; the locale makes ranges, order and errors the same everywhere. */
const PROGRAM_ENVIRONMENT = { PATH: FOLDERS.join(':'), LC_ALL: 'C.UTF-8' } as const;

function findProgram(name: string): string {
  const path = FOLDERS.map((folder) => `${folder}/${name}`).find(
    (candidate) => statSync(candidate, { throwIfNoEntry: false })?.isFile() === true,
  );
  return path ?? refuse(`${name} is neither in ${FOLDERS.join(' nor in ')}; use Read, Grep and Glob instead`);
}
