/** /memory: the commands of `reverie memory`, run as they are, on the memory that the conversation has open. */

import { COMMANDS } from '../catalog.ts';
import { execute } from '../execute.ts';
import { didYouMean } from '../nearest.ts';
import type { Terminal } from '../terminal.ts';
import { notice } from './action.ts';
import type { SlashPorts } from './slash-ports.ts';

const GROUP = 'memory ';

export async function runMemoryCommand(argument: string, ports: SlashPorts): Promise<void> {
  const words = wordsOf(argument);
  const [verb = 'list', ...rest] = words;
  const names = COMMANDS.filter(({ name }) => name.startsWith(GROUP)).map(({ name }) => name.slice(GROUP.length));
  const meant = verb === 'open' ? 'edit' : verb;
  if (!names.includes(meant)) {
    const near = didYouMean(verb, names);
    const known = near === '' ? `There are: ${names.join(', ')}.` : near;
    ports.dispatch({ kind: 'print', output: notice(`There is no /memory ${verb}; ${known}`, 'warning') });
    return;
  }
  const output = await capture(['memory', meant, ...rest], ports);
  ports.dispatch({ kind: 'print', output: { kind: 'lines', lines: output.trimEnd().split('\n') } });
}

export async function capture(argv: readonly string[], ports: SlashPorts): Promise<string> {
  const { terminal, environment, agent, leaveTo } = ports;
  let printed = '';
  const take = (text: string) => {
    printed += text;
  };
  const captured: Terminal = {
    ...terminal,
    isTerminal: true,
    width: ports.width,
    input: 'none',
    canAsk: false,
    write: take,
    writeExact: take,
    writeError: take,
    status: () => {},
    runProgram: (program, parameters) => leaveTo(() => terminal.runProgram(program, parameters)),
  };
  // The conversation goes on with this memory: the command does not close it.
  const openMemory = async () => ({ ...agent.memory, close: async () => {} });
  await execute(argv, { rows: COMMANDS, terminal: captured, environment, now: ports.now(), openMemory });
  return printed;
}

/** Quotes hold words together, as in a shell. */
export function wordsOf(line: string): readonly string[] {
  return (line.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? []).map((word) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ''),
  );
}
