/** Asks a coding agent's own model one question through its program, in an empty folder. */

import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram, type ProgramStart, startProgram } from '../../disk/programs.ts';
import type { HostName } from '../hosts/host.ts';
import { LEARNING_MARK } from '../hosts/learning-mark.ts';
import { HEADLESS, type Headless, type HeadlessAnswer } from './headless.ts';

const ASK_MS = 180_000;
/** A question, with a command of the program's before it and one after it. */
export const LONGEST_ASK_MS = 3 * ASK_MS;
/** A long session that is written out has many. */
const MOST_BYTES = 67_108_864;
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
  readonly signal?: AbortSignal;
}

export async function askHost(question: string, { model, ...facts }: AskFacts): Promise<Asked> {
  const opened = openProgram(facts);
  if (typeof opened === 'string') return { kind: 'failed', problem: opened };
  const { headless, run } = opened;
  // Their tools are not for a model that reads a conversation which anybody may have written in.
  const list = headless.servers;
  const servers = list === undefined ? [] : list.read((await run(list.words, '')).output);
  if (servers === null)
    return { kind: 'failed', problem: `${headless.program} could not be told to leave its MCP servers out` };
  const { status, output, errors } = await run(
    headless.words(model, { servers, rulesFile: rulesFile(headless, facts.home) }),
    question,
  );
  const removal = headless.removalWords?.(output) ?? null;
  if (removal !== null) await run(removal, '');
  const answer = headless.read(output);
  if (answer !== null) return { kind: 'answered', ...answer };
  return { kind: 'failed', problem: `${headless.program} gave no answer${endText(status, errors.trim() || output)}` };
}

/** Written whole, since another question may be on its way. */
function rulesFile({ program, rules = '' }: Headless, home: string): string {
  const path = join(home, 'cache', `no-tools-${program}.toml`);
  if (rules === '') return path;
  writeFileSync(`${path}.${process.pid}`, rules, { mode: 0o600 });
  renameSync(`${path}.${process.pid}`, path);
  return path;
}

export type Exported =
  | { readonly kind: 'exported'; readonly text: string }
  | { readonly kind: 'failed'; readonly problem: string };

/** A session of a host that keeps them in no file that can be read, as its own program writes it out. */
export async function exportedSession(sessionId: string, facts: Omit<AskFacts, 'model'>): Promise<Exported> {
  const opened = openProgram(facts);
  if (typeof opened === 'string') return { kind: 'failed', problem: opened };
  const { headless, run } = opened;
  const words = headless.exportWords?.(sessionId) ?? [];
  if (words.length === 0) return { kind: 'failed', problem: `${headless.program} has no session of that name` };
  const { status, output, errors } = await run(words, '');
  if (status === 0) return { kind: 'exported', text: output };
  return { kind: 'failed', problem: `${headless.program} did not write the session out${endText(status, errors)}` };
}

/** Or why it cannot be started. */
function openProgram({ host, home, cwd, environment, signal }: Omit<AskFacts, 'model'>) {
  const headless = HEADLESS[host];
  if (headless === undefined) return `${host} cannot be asked without a conversation`;
  const program = findProgram(headless.program, { cwd, environment });
  if (program === null)
    return `${headless.program} is not on the PATH; folders of a project and node_modules/.bin do not count`;
  // Always the same one: programs keep something for every folder that they ever worked in.
  const folder = join(home, 'cache', 'empty');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const start = {
    ...{ cwd: folder, ...(signal === undefined ? {} : { signal }) },
    environment: { ...environment, ...headless.environment?.(environment), [LEARNING_MARK]: '1' },
  };
  return {
    headless,
    run: (words: readonly string[], input: string) => runProgram(program, words, { ...start, input }),
  };
}

/** How it ended, and the last of what it said. */
function endText(status: number | null, output: string): string {
  const said = output.trim().slice(-PROBLEM_CHARACTERS);
  return ` (${status === null ? 'it was ended' : `exit code ${status}`})${said && `: ${said}`}`;
}

interface Run {
  readonly status: number | null;
  readonly output: string;
  readonly errors: string;
}

function runProgram(
  program: string,
  words: readonly string[],
  start: Pick<ProgramStart, 'cwd' | 'environment' | 'signal'> & { readonly input: string },
): Promise<Run> {
  const { input, ...options } = start;
  const child = startProgram(program, words, {
    ...{ ...options, timeoutMs: ASK_MS },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  return new Promise((resolve) => {
    const [output, errors] = [gather(child.stdout!), gather(child.stderr!)];
    child.stdin!.on('error', () => undefined);
    child.stdin!.end(input);
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
