/**
 * One hook as a process. It fails open: whatever breaks, the host gets valid JSON and exit code 0 within the budget, and
 * `reverie status` says what broke. Bad input is answered the same way; where there is no home yet it makes none.
 */

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { reverieHome } from '../disk/home.ts';
import { workLogMark } from '../disk/work-log/work-log.ts';
import { stepOf } from './capture/step.ts';
import type { HookChild } from './heavy.ts';
import type { Host } from './hosts/host.ts';
import { findHost } from './hosts/hosts.ts';
import { LEARNING_MARK } from './hosts/learning-mark.ts';
import { isForgedHook } from './hosts/who-runs.ts';
import type { HookTarget } from './plain-streams.ts';
import { CHILD_MARK, callsForNothing, type HookEvent, type HookReach } from './run/event.ts';
import { recordHookProblem, recordHookRun } from './run/status.ts';

/** How long a hook may keep its host waiting, whatever happens, unless REVERIE_HOOK_BUDGET_MS says otherwise. */
const BUDGET_MS = 2_000;
/** Bytes of a host's payload; a larger one is not read to its end. */
const PAYLOAD_BYTES = 16_777_216;

export interface HookCode {
  /** Called once a hook went well, with the answer already out. */
  keepCode(reach: HookReach): void;
}

export type HookWork = typeof import('./work.ts') & HookCode;

/** `loadWork`: called only for an event that calls for something. */
export async function runHookProcess(
  target: HookTarget,
  loadWork: (kind: HookEvent['kind']) => HookWork,
): Promise<void> {
  const { host: hostName, event: eventName, ...flags } = readWords(target.argv.slice(3));
  const host = findHost(hostName);
  const userHome = target.env.HOME?.trim() ? target.env.HOME : homedir();
  const home = flags.home ?? reverieHome({ env: target.env, userHome });
  // Cursor waits for a word even where there is nothing to say.
  const nothing = host?.answer({ context: null }, eventName ?? '') ?? {};
  const output = answerOnce(target, eventName);
  const note = (problem: string) =>
    recordHookProblem(home, {
      ...{ at: new Date().toISOString(), problem },
      ...{ host: (hostName ?? '').slice(0, NAME_CHARACTERS), event: (eventName ?? '').slice(0, NAME_CHARACTERS) },
    });

  const budgetMs = budgetOf(target.env);
  // Counted from the start of the process, which the host has been waiting for.
  let child: HookChild | null = null;
  const watchdog = setTimeout(
    () => {
      child?.stop();
      note(`It took longer than ${budgetMs} ms and was ended.`);
      output.end(nothing);
    },
    Math.max(1, budgetMs - process.uptime() * 1_000),
  );
  let work: HookWork | null = null;
  const fail = async (error: unknown) => {
    note(await describe(error, () => work ?? loadWork('stop')));
    output.end(nothing);
  };
  const refuse = (problem: string) => {
    target.stderr.write(`reverie: ${problem}\n`);
    // Without a host or an event it was no coding agent that called, and whoever did reads the line above.
    if (hostName !== undefined && eventName !== undefined && existsSync(home)) note(problem);
    output.end(nothing);
  };
  target.on('uncaughtException', (error) => void fail(error));
  target.stdout.on('error', () => target.exit(0));
  target.stderr.on('error', () => undefined);

  try {
    // A coding agent that we asked ourselves: learning must not lead to learning.
    if (target.env[LEARNING_MARK]) return output.end(nothing);
    if (hostName === undefined || eventName === undefined) return refuse(USAGE);
    if (host === null) return refuse(`There is no host of that name. ${USAGE}`);
    const input = await readInput(target.stdin);
    const payload = parsePayload(input);
    if (payload === undefined) return refuse('The payload is not JSON, or longer than a payload is.');
    const reading = host.read(payload, eventName);
    if (reading.kind === 'unreadable') return refuse(`The payload cannot be read: ${reading.reason}.`);
    if (reading.kind === 'ignored' && !host.events.includes(eventName))
      return refuse(`${host.title} has no such event.`);
    if (reading.kind === 'ignored') return output.end(nothing);
    const { event } = reading;
    const step = event.kind === 'tool-result' && existsSync(workLogMark(home)) ? stepOf(payload, event.failure) : null;
    if (callsForNothing(event) && step === null && !hasMail(home)) {
      output.write(nothing);
      recordHookRun(home, { host: host.name, event: eventName });
      return output.end(nothing);
    }
    work = loadWork(event.kind);
    const { runHook, startHookChild, keepCode } = work;
    const run = await runHook(event, {
      host: host.name,
      home,
      ...(flags.directory === undefined ? {} : { directory: flags.directory }),
      environment: target.env,
      projectFolder: projectFolderOf(host, target.env),
      now: new Date(),
      takesContext: host.takesContext(eventName),
      contextBytes: host.contextBytes ?? Number.POSITIVE_INFINITY,
      voice: host,
      userHome,
      isForged: isForgedHook(host.name, target.env),
      isChild: target.env[CHILD_MARK] !== undefined,
      step,
    });
    if (run.isHeavy) {
      child = startHookChild(target, input ?? '');
      output.write(await child.answer);
      clearTimeout(watchdog);
      return output.end(nothing);
    }
    output.write(host.answer(run, eventName));
    await run.finish();
    recordHookRun(home, { host: host.name, event: eventName });
    keepCode(run.reach);
    clearTimeout(watchdog);
    output.end(nothing);
  } catch (error) {
    await fail(error);
  }
}

/** Where agents write to each other, something may wait for this one. */
function hasMail(home: string): boolean {
  return existsSync(join(home, 'mail'));
}

async function describe(error: unknown, loadWork: () => HookWork): Promise<string> {
  try {
    return await loadWork().describeProblem(error);
  } catch {
    return 'An error that could not be described.';
  }
}

interface Words {
  readonly host: string | undefined;
  readonly event: string | undefined;
  readonly home?: string;
  readonly directory?: string;
}

function readWords(words: readonly string[]): Words {
  const named: { home?: string; directory?: string } = {};
  const rest: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const value = words[at + 1];
    if ((word === '--home' || word === '--directory') && value !== undefined) {
      named[word === '--home' ? 'home' : 'directory'] = value;
      at += 1;
    } else if (!word.startsWith('--')) rest.push(word);
  }
  return { host: rest[0], event: rest[1], ...named };
}

function budgetOf(environment: NodeJS.ProcessEnv): number {
  const chosen = Number(environment.REVERIE_HOOK_BUDGET_MS);
  return Number.isFinite(chosen) && chosen > 0 ? chosen : BUDGET_MS;
}

function projectFolderOf(host: Host, environment: NodeJS.ProcessEnv): string | null {
  return host.projectVariable === null ? null : environment[host.projectVariable] || null;
}

interface Output {
  write(answer: Readonly<Record<string, unknown>>): void;
  /** Ends the process; what was written before stands. */
  end(answer: Readonly<Record<string, unknown>>): void;
}

/** Of what a line calls a host or an event. */
const NAME_CHARACTERS = 60;
const USAGE = 'Coding agents call this: reverie hook HOST EVENT < payload.json. To connect one: reverie install';

const SLOW_READER_MS = 500;

/** Claude Code puts whatever a hook prints here into the request for its summary. */
const PRINTS_NOTHING = 'PreCompact';

function answerOnce(target: HookTarget, eventName: string | undefined): Output {
  let isAnswered = false;
  function write(answer: Readonly<Record<string, unknown>>): void {
    if (isAnswered) return;
    isAnswered = true;
    if (eventName === PRINTS_NOTHING && Object.keys(answer).length === 0) return;
    target.stdout.write(`${JSON.stringify(answer)}\n`);
  }
  return {
    write,
    end(answer) {
      write(answer);
      if (target.stdout.writableLength === 0) target.exit(0);
      // What a slow reader has not taken yet is still on its way; one that never reads is not waited for.
      target.stdout.write('', () => target.exit(0));
      setTimeout(() => target.exit(0), SLOW_READER_MS);
    },
  };
}

/** Null when it is longer than a payload may be; a person at a keyboard gives none. */
async function readInput(input: HookTarget['stdin']): Promise<string | null> {
  if (input.isTTY) return '';
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    const piece = Buffer.from(chunk as Buffer);
    bytes += piece.length;
    // Read on to its end all the same: a host that cannot write it out would report an error.
    if (bytes <= PAYLOAD_BYTES) chunks.push(piece);
  }
  if (bytes > PAYLOAD_BYTES) return null;
  return Buffer.concat(chunks).toString('utf8');
}

/** Undefined when it is not JSON. */
function parsePayload(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text) as unknown;
  } catch {
    return undefined;
  }
}
