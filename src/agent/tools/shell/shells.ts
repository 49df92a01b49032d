/** The commands of one session: its working directory, what runs in the background, and that nothing outlives it. */

import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { AGENT_MARK } from '../../../base/agent-mark.ts';
import { quoted } from '../../../base/text/shell-words.ts';
import { LIMITS, type Limits } from '../../../limits.ts';
import { realPathOf } from '../../permissions/real-path.ts';
import type { SandboxedStart } from '../../sandbox/sandbox.ts';
import { createDeathWatch } from './death-watch.ts';
import { createOutputBuffer, type OutputBuffer } from './output-buffer.ts';
import { markedProcesses, type ProcessGroup, signalAll, startGroup } from './process-group.ts';

export interface CommandRun {
  readonly timeoutMs: number;
  /** Puts the script into the sandbox; the command runs there, or not at all. */
  readonly confine?: ((script: string, cwd: string) => Promise<ConfinedStart>) | undefined;
  readonly signal: AbortSignal;
  onOutput(bytes: Buffer): void;
}

export interface ConfinedStart extends SandboxedStart {
  /** Whether the session may go on in a folder that the command left behind. */
  isInside(folder: string): boolean;
  /** What the model should do instead, where what it tried cannot work in there. */
  readonly hint?: string | undefined;
  ended(): void;
}

export interface CommandEnd {
  readonly hint?: string | undefined;
  readonly how: 'exited' | 'timed-out' | 'interrupted' | 'not-started';
  readonly code: number | null;
  readonly signal: string | null;
  readonly output: string;
  readonly error: Error | null;
}

export interface BackgroundCommand {
  readonly id: string;
  readonly command: string;
  /** What it wrote since it was last asked. */
  takeOutput(): string;
  state(): 'running' | 'stopped' | { readonly code: number | null; readonly signal: string | null };
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  /** What whoever reads its output should know of it besides. */
  notes(): Promise<readonly string[]>;
}

export interface Shells {
  /** Where the next command runs. */
  cwd(): string;
  run(command: string, run: CommandRun): Promise<CommandEnd>;
  /** Null when too many run already. */
  start(command: string): Promise<BackgroundCommand | null>;
  background(): readonly BackgroundCommand[];
  stop(id: string): Promise<boolean>;
  /** Ends everything that was started, however it was started. */
  close(): Promise<void>;
}

/** No pager, no editor and no question may wait for somebody who is not there, and our own command knows who runs it. */
const UNATTENDED = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'true',
  GIT_TERMINAL_PROMPT: '0',
  // Git would run a program at every look at a work tree, and any folder can name one.
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'core.fsmonitor',
  GIT_CONFIG_VALUE_0: 'false',
  TERM: 'dumb',
  ...AGENT_MARK,
};
const MARK_NAME = 'REVERIE_SHELLS';

interface Running {
  readonly command: BackgroundCommand;
  readonly group: ProcessGroup;
  markStopped(): void;
}

export function createShells(options: {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly limits?: Limits;
}): Shells {
  const limits = (options.limits ?? LIMITS).shell;
  const mark = randomBytes(12).toString('hex');
  const environment = { ...options.environment, ...UNATTENDED, [MARK_NAME]: mark };
  /** Every group that may still have members. */
  const groups = new Set<ProcessGroup>();
  const deathWatch = createDeathWatch(`${MARK_NAME}=${mark}`);
  const background = new Map<string, Running>();
  let cwd = options.cwd;
  let privateFolder: string | null = null;
  let isMarked = false;

  /** A folder that a command was left in may be gone by now, or be a link that a later one put in its place. */
  function stayPut(): void {
    if (cwd !== options.cwd && (!isFolder(cwd) || realPathOf(cwd) !== cwd)) cwd = options.cwd;
  }

  /** The last resort, for a process that ends without closing. */
  function killAll(): void {
    for (const group of groups) group.kill();
    if (isMarked) signalAll(markedProcesses(`${MARK_NAME}=${mark}`), 'SIGKILL');
    if (privateFolder !== null) rmSync(privateFolder, { recursive: true, force: true });
  }

  function launch(script: string, onOutput: (bytes: Buffer) => void, sandbox?: SandboxedStart): ProcessGroup {
    if (!isMarked) process.once('exit', killAll);
    isMarked = true;
    stayPut();
    deathWatch.open();
    const group = startGroup({ script, cwd, environment, onOutput, sandbox }, limits);
    groups.add(group);
    if (group.id !== undefined) deathWatch.add(group.id);
    group.ended.then(() => {
      if (group.isRunning()) return;
      groups.delete(group);
      if (group.id !== undefined) deathWatch.remove(group.id);
    });
    return group;
  }

  /** The shell itself writes down where it ended, into a file that only this session knows. */
  function tracked(command: string): { script: string; place: string; prologue: string } {
    privateFolder ??= mkdtempSync(join(tmpdir(), 'reverie-shell-'));
    const place = join(privateFolder, randomBytes(6).toString('hex'));
    const prologue = `trap ${quoted(`pwd -P >| ${quoted(place)}`)} EXIT; `;
    return { script: prologue + command, place, prologue };
  }

  function followTo(place: string): void {
    try {
      const folder = readFileSync(place, 'utf8').replace(/\n$/, '');
      if (isFolder(folder)) cwd = realPathOf(folder);
    } catch {}
    rmSync(place, { force: true });
  }

  /**
   * Nothing but its output leaves the sandbox, so the folder where the command ended comes at the end of that, behind a word that
   * nobody else knows.
   */
  async function runConfined(command: string, run: CommandRun, confine: NonNullable<CommandRun['confine']>) {
    const word = randomBytes(12).toString('hex');
    stayPut();
    const started = await confine(`trap 'printf %s%s%s ${word} "$(pwd -P)" ${word}' EXIT; ${command}`, cwd);
    const buffer = createOutputBuffer(limits.outputCharacters);
    try {
      const onOutput = (bytes: Buffer) => {
        buffer.add(bytes);
        if (!bytes.includes(word)) run.onOutput(bytes);
      };
      const group = launch(command, onOutput, started);
      const how = await endOrStop(group, run, limits.killGraceMs);
      const end = await Promise.race([group.ended, wait(2 * limits.mostDrainMs, NOT_ENDED, { ref: false })]);
      const [output = '', folder = '', after = ''] = buffer.text().split(word);
      if (how === 'exited' && isFolder(folder) && started.isInside(folder)) cwd = realPathOf(folder);
      return {
        ...end,
        how: end.error === null ? how : ('not-started' as const),
        output: output + after,
        hint: started.hint,
      };
    } finally {
      started.ended();
    }
  }

  return {
    cwd() {
      stayPut();
      return cwd;
    },
    async run(command, run) {
      if (run.confine !== undefined) return runConfined(command, run, run.confine);
      const buffer = createOutputBuffer(limits.outputCharacters);
      const { script, place, prologue } = tracked(command);
      const group = launch(script, (bytes) => {
        buffer.add(bytes);
        run.onOutput(bytes);
      });
      const how = await endOrStop(group, run, limits.killGraceMs);
      const end = await Promise.race([group.ended, wait(2 * limits.mostDrainMs, NOT_ENDED, { ref: false })]);
      if (how === 'exited') followTo(place);
      // A shell that cannot parse the line quotes all of it.
      const output = buffer.text().replaceAll(prologue, '');
      return { ...end, how: end.error === null ? how : 'not-started', output };
    },
    async start(command) {
      const running = [...background.values()].filter(({ command }) => command.state() === 'running');
      if (running.length >= limits.backgroundCommands) return null;
      const id = `bash_${background.size + 1}`;
      const buffer = createOutputBuffer(limits.outputCharacters);
      const group = launch(command, (bytes) => buffer.add(bytes));
      const entry = watch({ id, command, buffer, group });
      background.set(id, entry);
      return entry.command;
    },
    background: () => [...background.values()].map(({ command }) => command),
    async stop(id) {
      const entry = background.get(id);
      if (entry === undefined) return false;
      if (entry.command.state() === 'running') entry.markStopped();
      await entry.group.stop(limits.killGraceMs);
      return true;
    },
    async close() {
      await Promise.all([...groups].map((group) => group.stop(limits.killGraceMs)));
      await endMarked(isMarked ? `${MARK_NAME}=${mark}` : null, limits.killGraceMs);
      if (privateFolder !== null) rmSync(privateFolder, { recursive: true, force: true });
      privateFolder = null;
      process.removeListener('exit', killAll);
      deathWatch.close();
      isMarked = false;
    },
  };
}

const NOT_ENDED = { code: null, signal: 'SIGKILL', error: null };

function watch(facts: { id: string; command: string; buffer: OutputBuffer; group: ProcessGroup }): Running {
  let state: ReturnType<BackgroundCommand['state']> = 'running';
  const ended = facts.group.ended.then(({ code, signal }) => {
    if (state === 'running') state = { code, signal };
  });
  return {
    group: facts.group,
    markStopped() {
      state = 'stopped';
    },
    command: {
      ...{ id: facts.id, command: facts.command, ended },
      takeOutput: () => facts.buffer.take(),
      state: () => state,
      notes: async () => [],
    },
  };
}

/** Waits for the command, its time limit or an interruption, whichever is first; the last two end the whole group. */
async function endOrStop(
  group: ProcessGroup,
  run: CommandRun,
  graceMs: number,
): Promise<'exited' | 'timed-out' | 'interrupted'> {
  const timer = new AbortController();
  const interrupted = new Promise<'interrupted'>((resolve) => {
    if (run.signal.aborted) resolve('interrupted');
    run.signal.addEventListener('abort', () => resolve('interrupted'), { once: true, signal: timer.signal });
  });
  const timedOut = wait(run.timeoutMs, 'timed-out' as const, { signal: timer.signal }).catch(
    () => 'timed-out' as const,
  );
  const how = await Promise.race([group.ended.then(() => 'exited' as const), interrupted, timedOut]);
  timer.abort();
  if (how !== 'exited') await group.stop(graceMs);
  return how;
}

async function endMarked(mark: string | null, graceMs: number): Promise<void> {
  if (mark === null) return;
  const left = markedProcesses(mark);
  if (left.length === 0) return;
  signalAll(left, 'SIGTERM');
  for (const until = Date.now() + graceMs; Date.now() < until && markedProcesses(mark).length > 0; ) await wait(50);
  signalAll(markedProcesses(mark), 'SIGKILL');
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
