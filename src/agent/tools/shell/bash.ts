/** Bash: one shell command in the session's working directory, with a time limit, or in the background. */

import type { Confinement } from '../../permission.ts';
import type { Tool, ToolResult, ToolRun } from '../../tool.ts';
import { failed, isSet, numberIn, textIn } from '../answer.ts';
import { type BuiltInPorts, limitsOf } from '../ports.ts';
import { headAndTail, readable } from './output-buffer.ts';
import type { CommandEnd, Shells } from './shells.ts';

/** How often output is shown while a command runs. */
const PROGRESS_EVERY_MS = 100;

const describeBash = (limits: { timeoutMs: number; mostTimeoutMs: number }) => `Runs a command with bash.
- A command starts in the folder where the last one left off; variables, functions and aliases do not stay. Other tools count relative paths from the session's folder.
- Nobody can answer questions: standard input is closed. Use flags such as --yes, and no editors or pagers.
- Ends after ${limits.timeoutMs / 1_000} seconds unless \`timeout\` (milliseconds, at most ${limits.mostTimeoutMs}) says otherwise; then all it started is ended.
- For servers, watchers and long builds set \`run_in_background\`: you get an id at once, BashOutput shows what it wrote, KillShell ends it. Do not put & at the end.
- Read files with Read, search with Grep, find files with Glob, change files with Edit and Write: they are safer, and the user sees what changes.
- Where the system has a sandbox, a command runs in it without a question: it can read the project, it has an empty home and no network, and it changes nothing unless the user accepts edits. For a command that has to write, install or reach the network, set \`outside_sandbox\`: the user is asked, unless a rule allows it.
- Quote paths that hold blanks. Commands that depend on each other go into one call, joined by &&; independent ones into calls of their own.
- \`description\`: what it does, in five to ten words, for the user who is asked to allow it.`;

const SHOWN_PROGRESS_CHARACTERS = 2_000;

export function bashTool(ports: BuiltInPorts & { readonly shells: Shells }): Tool {
  const limits = limitsOf(ports).shell;
  const { shells } = ports;

  async function runNow(command: string, timeoutMs: number, run: ToolRun): Promise<ToolResult> {
    const before = shells.cwd();
    const progress = showProgress(run, PROGRESS_EVERY_MS);
    const { sandbox } = ports;
    const { confined } = run;
    // Permission for the sandbox is none for anywhere else.
    if (confined !== undefined && sandbox === undefined) return failed('There is no sandbox to run this in.');
    const confine =
      confined === undefined ? undefined : (script: string, cwd: string) => sandbox!.start(script, { cwd, confined });
    const end = await shells.run(command, { timeoutMs, signal: run.signal, onOutput: progress.add, confine });
    progress.end();
    const isFailed = end.how !== 'exited' || end.code !== 0;
    const output = isFailed ? headAndTail(end.output, limits.failedCharacters) : end.output;
    const moved = shells.cwd() === before ? [] : [movedLine(shells.cwd(), ports.cwd)];
    const held = confined !== undefined && isFailed && HELD.test(end.output) ? [heldLine(confined, end.hint)] : [];
    const lines = [output.trimEnd(), ...describeEnd(end, timeoutMs), ...held, ...moved].filter((line) => line !== '');
    const content = lines.length === 0 ? '(no output)' : lines.join('\n');
    return isFailed ? failed(content) : { content };
  }

  function isProvenReadOnly(command: string): boolean {
    return ports.readOnlyShell?.check(command).verdict === 'allow';
  }

  /** Just as it was checked, word for word: a shell would read aliases, the environment and the line once more. */
  async function runReading(command: string, run: ToolRun): Promise<ToolResult> {
    const { output, exitCode, isTruncated, timedOut } = await ports.readOnlyShell!.run(command, run.signal);
    const isFailed = exitCode !== 0 && !isTruncated;
    const shown = headAndTail(readable(output), isFailed ? limits.failedCharacters : limits.outputCharacters).trimEnd();
    const notes = [
      ...(isTruncated ? ['[there was more output; it was ended there]'] : []),
      ...(timedOut ? ['[timed out]'] : isFailed ? [`[exit code ${exitCode}]`] : []),
    ];
    const content = [shown, ...notes].filter((line) => line !== '').join('\n') || '(no output)';
    return isFailed ? failed(content) : { content };
  }

  async function startLater(command: string): Promise<ToolResult> {
    const started = await shells.start(command);
    if (started === null)
      return failed(
        `${limits.backgroundCommands} commands run in the background already. End one with KillShell first.`,
      );
    return {
      content: `Runs in the background as ${started.id}. See its output with BashOutput, end it with KillShell.`,
    };
  }

  return {
    name: 'Bash',
    description: describeBash(limits),
    inputSchema: {
      type: 'object',
      properties: {
        command: { type: 'string', description: 'The command to run.' },
        timeout: { type: 'number', minimum: 1, description: 'Milliseconds after which it is ended.' },
        description: { type: 'string', description: 'What it does, in five to ten words.' },
        run_in_background: { type: 'boolean', description: 'Answer at once and let it run.' },
        outside_sandbox: { type: 'boolean', description: 'It has to write, install or reach the network.' },
      },
      required: ['command'],
      additionalProperties: false,
    },
    isReadOnly(input) {
      if (isSet(input, 'run_in_background')) return false;
      return isProvenReadOnly(textIn(input, 'command'));
    },
    async run(input, run) {
      const command = textIn(input, 'command');
      if (command.trim() === '') return failed('The command is empty.');
      if (command.includes('\0')) return failed('The command holds a NUL character, which no shell takes.');
      if (run.signal.aborted) return failed('[interrupted by the user before it began]');
      if (isSet(input, 'run_in_background')) return startLater(command);
      if (run.confined === undefined && isProvenReadOnly(command)) return runReading(command, run);
      return runNow(command, Math.min(numberIn(input, 'timeout') ?? limits.timeoutMs, limits.mostTimeoutMs), run);
    },
  };
}

/** How programs say that they were not let: whoever reads it should know by whom. */
const HELD =
  /read-only file system|permission denied|operation not permitted|no such file|not found|unreachable|resolve|EROFS|EACCES|EPERM|ENOENT|ENETUNREACH|EAI_AGAIN/i;

function heldLine(
  confined: Confinement,
  hint = 'If that is why it failed, set outside_sandbox: the user is asked',
): string {
  const writes = confined === 'editing' ? 'it can change only the project' : 'it can change nothing';
  return `[this ran in the sandbox, where ${writes}, sees little outside of the project, and has no network. ${hint}]`;
}

function movedLine(cwd: string, sessionCwd: string): string {
  const others = cwd === sessionCwd ? '' : `; relative paths in other tools still start at ${sessionCwd}`;
  return `[commands now run in ${cwd}${others}]`;
}

function describeEnd(end: CommandEnd, timeoutMs: number): readonly string[] {
  switch (end.how) {
    case 'exited':
      if (end.signal !== null) return [`[ended by ${end.signal}]`];
      return end.code === 0 ? [] : [`[exit code ${end.code}]`];
    case 'timed-out':
      return [
        `[timed out after ${timeoutMs} ms; it and all it started were ended. Give a longer timeout, or run_in_background]`,
      ];
    case 'interrupted':
      return ['[interrupted by the user; it and all it started were ended]'];
    case 'not-started':
      return [`[the shell could not be started: ${end.error?.message ?? 'unknown'}]`];
  }
}

/** The newest lines now and then: who watches reads no flood. */
function showProgress(run: ToolRun, everyMs: number): { add(bytes: Buffer): void; end(): void } {
  let waiting = '';
  let timer: NodeJS.Timeout | null = null;
  const show = () => {
    timer = null;
    const text = readable(waiting);
    waiting = '';
    if (text.trim() !== '') run.onProgress(text);
  };
  return {
    add(bytes) {
      waiting = (waiting + bytes.toString('utf8')).slice(-SHOWN_PROGRESS_CHARACTERS);
      timer ??= setTimeout(show, everyMs);
    },
    end() {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
