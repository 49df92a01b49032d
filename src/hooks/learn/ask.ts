/** Asks a coding agent's own model one question through its program, in an empty folder. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram, startProgram } from '../../disk/programs.ts';
import type { HostName } from '../hosts/host.ts';
import { LEARNING_MARK } from '../hosts/learning-mark.ts';
import { HEADLESS, type HeadlessAnswer } from './headless.ts';

const ASK_MS = 180_000;
const MOST_BYTES = 4_194_304;
/** Of what a program said as it failed. */
const PROBLEM_CHARACTERS = 300;

export type Asked =
  | ({ readonly kind: 'answered' } & HeadlessAnswer)
  | { readonly kind: 'failed'; readonly problem: string };

export interface AskFacts {
  readonly host: HostName;
  readonly model: string | null;
  readonly home: string;
  /** Where the conversation was: its project brings no programs. */
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
}

export async function askHost(question: string, { host, model, home, cwd, environment }: AskFacts): Promise<Asked> {
  const headless = HEADLESS[host];
  if (headless === undefined) return { kind: 'failed', problem: `${host} cannot be asked without a conversation` };
  const program = findProgram(headless.program, { cwd, environment });
  if (program === null) return { kind: 'failed', problem: `${headless.program} is not on the PATH` };
  // Always the same one: programs keep something for every folder that they ever worked in.
  const folder = join(home, 'cache', 'empty');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { status, output, errors } = await run(program, headless.words(model), {
    ...{ cwd: folder, input: question },
    environment: { ...environment, ...headless.environment, [LEARNING_MARK]: '1' },
  });
  const answer = headless.read(output);
  if (answer !== null) return { kind: 'answered', ...answer };
  const said = (errors.trim() || output.trim()).slice(-PROBLEM_CHARACTERS);
  return { kind: 'failed', problem: `${headless.program} gave no answer (${endOf(status)})${said && `: ${said}`}` };
}

function endOf(status: number | null): string {
  return status === null ? 'it was ended' : `exit code ${status}`;
}

interface Run {
  readonly status: number | null;
  readonly output: string;
  readonly errors: string;
}

function run(
  program: string,
  words: readonly string[],
  start: { readonly cwd: string; readonly input: string; readonly environment: NodeJS.ProcessEnv },
): Promise<Run> {
  const { cwd, environment } = start;
  const child = startProgram(program, words, {
    ...{ cwd, environment, timeoutMs: ASK_MS },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  return new Promise((resolve) => {
    const [output, errors] = [gather(child.stdout!), gather(child.stderr!)];
    child.stdin!.on('error', () => undefined);
    child.stdin!.end(start.input);
    child.on('error', (error) => resolve({ status: null, output: '', errors: error.message }));
    child.on('close', (status) => resolve({ status, output: output(), errors: errors() }));
  });
}

function gather(stream: NodeJS.ReadableStream): () => string {
  const pieces: Buffer[] = [];
  let bytes = 0;
  stream.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (bytes <= MOST_BYTES) pieces.push(piece);
  });
  return () => Buffer.concat(pieces).toString('utf8');
}
