/** Runs one command line against the table and prints its answer; everything except the process itself. */

import { hasAgentMark } from '../base/agent-mark.ts';
import { inWords } from '../base/text/nearest.ts';
import { quoted } from '../base/text/shell-words.ts';
import { messageOf } from '../base/values.ts';
import { ReverieError } from '../errors.ts';
import type { Memory } from '../memory/memory.ts';
import type { Answer, Command, CommandRow, GLOBAL_OPTIONS, Place } from './command.ts';
import { type ParsedLine, parseOptions, routeCommand } from './options/arguments.ts';
import { usageError } from './options/usage.ts';
import { reportError } from './report-error.ts';
import { plainJson, plainLine } from './terminal/plain-text.ts';
import type { Terminal } from './terminal/terminal.ts';

export interface Surroundings {
  readonly rows: readonly CommandRow[];
  readonly terminal: Terminal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly now: Date;
  openMemory(place: Place): Promise<Memory>;
}

/** The command that a bare `reverie` runs. */
const WITHOUT_WORDS = 'chat';

/** What people type elsewhere for `--version`. */
const ASKS_FOR_VERSION: readonly string[] = ['version', '-v', '-V'];

/** Exit code: 0 done, 1 failed, 2 not understood. */
export async function execute(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const { terminal } = surroundings;
  // Read before the line is parsed, so that an invalid line is refused in the format it asked for.
  const isJson = hasFlag(argv, 'json');
  try {
    const answer = await answerLine(argv, surroundings);
    if (answer.isPrinted) return answer.exitCode ?? 0;
    if (isJson) terminal.write(`${plainJson(answer.data)}\n`);
    else if (answer.exact !== undefined && !terminal.isTerminal) terminal.writeExact(answer.exact);
    else if (answer.text !== '') terminal.write(answer.text.endsWith('\n') ? answer.text : `${answer.text}\n`);
    return answer.exitCode ?? 0;
  } catch (error) {
    return reportError(error, { ...surroundings, isJson });
  }
}

/** Whether a flag is given, before the line is parsed. */
export function hasFlag(argv: readonly string[], name: keyof typeof GLOBAL_OPTIONS): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end === -1 ? argv.length : end).includes(`--${name}`);
}

async function answerLine(argv: readonly string[], surroundings: Surroundings): Promise<Answer> {
  const { rows, terminal } = surroundings;
  if (argv.length === 1 && ASKS_FOR_VERSION.includes(argv[0]!)) return versionAnswer();
  const route = routeCommand(argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv, rows);
  if (route.kind === 'group') {
    const { words } = route;
    const { options } = parseOptions(route.rest, { arguments: [], options: {} }, words.join(' '));
    if (options.version) return versionAnswer();
    if (options.help) {
      const { groupHelp, helpStyle, overviewHelp } = await import('./options/help.ts');
      const style = helpStyle(terminal);
      return helpAnswer(words.length === 0 ? overviewHelp(rows, style) : groupHelp(words, rows, style));
    }
    if (words.length > 0) throw missingCommand(words, rows);
  }
  const row = route.kind === 'command' ? route.row : rows.find(({ name }) => name === WITHOUT_WORDS)!;
  const { command } = await row.load();
  const line = parseLine(route.rest, { row, command, terminal });
  if (line.options.version) return versionAnswer();
  if (line.options.help) {
    const { commandHelp, helpStyle } = await import('./options/help.ts');
    return helpAnswer(commandHelp(row, command, { ...helpStyle(terminal), rows }));
  }
  if (command.isForPeople?.(line) && hasAgentMark(surroundings.environment)) throw forPeople(argv);
  return runCommand(command, line, surroundings);
}

function parseLine(
  rest: readonly string[],
  facts: { readonly row: CommandRow; readonly command: Command; readonly terminal: Terminal },
): ParsedLine {
  try {
    return parseOptions(rest, facts.command, facts.row.name);
  } catch (error) {
    facts.command.onMisuse?.({ error, line: rest, terminal: facts.terminal });
    throw error;
  }
}

async function runCommand(command: Command, line: ParsedLine, surroundings: Surroundings): Promise<Answer> {
  const { terminal, environment, now } = surroundings;
  const place = placeOf(line.options);
  const opened: Memory[] = [];
  const openMemory = async () => {
    opened[0] ??= await surroundings.openMemory(place);
    return opened[0];
  };
  try {
    const isJson = line.options.json === true;
    return await command.run({ ...line, place, terminal, environment, now, isJson, openMemory });
  } finally {
    for (const problem of await closeMemory(opened[0])) {
      terminal.writeError(`${terminal.paint.yellow('warning:')} ${plainLine(problem)}\n`);
    }
  }
}

/** The answer stays true when closing fails: that is a warning, not a failure of the command. */
async function closeMemory(memory: Memory | undefined): Promise<readonly string[]> {
  try {
    await memory?.close();
    return memory?.problems() ?? [];
  } catch (error) {
    return [...(memory?.problems() ?? []), messageOf(error)];
  }
}

function placeOf(options: Readonly<Record<string, unknown>>): Place {
  const text = (name: keyof typeof GLOBAL_OPTIONS) => {
    const value = options[name];
    if (value === '') throw usageError(`--${name} is empty.`, '');
    return typeof value === 'string' ? { [name]: value } : {};
  };
  return { ...text('directory'), ...text('cwd'), ...text('home'), ...text('settings'), bare: options.bare === true };
}

function helpAnswer(help: string): Answer {
  return { data: { help }, text: help };
}

async function versionAnswer(): Promise<Answer> {
  const [{ readFileSync }, { packagePath }] = await Promise.all([
    import('node:fs'),
    import('../base/package-files.ts'),
  ]);
  const { version } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as {
    version: string;
  };
  return { data: { version }, text: version };
}

/** Whoever asks for it through an agent gets the line to run. */
function forPeople(argv: readonly string[]): ReverieError {
  return new ReverieError({
    code: 'refused',
    message: 'This is for a person to decide, and an agent runs it. Nothing was changed.',
    fix: `The user can run it in a terminal of their own: ${['reverie', ...argv].map(quoted).join(' ')}`,
  });
}

function missingCommand(words: readonly string[], rows: readonly CommandRow[]): Error {
  const group = words.join(' ');
  const inside = rows
    .filter(({ name, sameAs }) => sameAs === undefined && name.startsWith(`${group} `))
    .map(({ name }) => name.slice(group.length + 1));
  return usageError(`reverie ${group} needs a command: ${inWords(inside, 'or')}.`, group);
}
