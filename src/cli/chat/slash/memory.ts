/** /memory: the `reverie memory` commands on the conversation's open memory; plus why it was recalled, and what is new. */

import { didYouMean } from '../../../base/text/nearest.ts';
import { CHAT_LIMITS } from '../../../limits.ts';
import { parseReference } from '../../../memory/find-memory.ts';
import { COMMANDS } from '../../catalog.ts';
import { execute } from '../../execute.ts';
import { placeFlags } from '../../next-command.ts';
import { recalledLines, silenceText } from '../../paint-view/recalled-view.ts';
import { wrapPainted } from '../../paint-view/wrap-painted.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { notice } from '../action.ts';
import type { SlashPorts } from './ports.ts';
import { inSlashWords } from './words.ts';

const GROUP = 'memory ';
/** Their answers are somebody's own text. */
const QUOTING_VERBS = ['show', 'diff', 'daily', 'log'];
/** What only a conversation can say. */
const OWN_VERBS = ['why', 'recent'];

export async function runMemoryCommand(argument: string, ports: SlashPorts): Promise<void> {
  const words = wordsOf(argument);
  const [verb = 'list', ...rest] = words;
  if (verb === 'why') return why(rest[0], ports);
  if (verb === 'recent') return recent(ports);
  const listed = COMMANDS.filter(({ name }) => name.startsWith(GROUP)).map(({ name }) => name.slice(GROUP.length));
  const names = [...listed, ...OWN_VERBS];
  const meant = verb === 'open' ? 'edit' : verb;
  if (!names.includes(meant)) {
    const near = didYouMean(verb, names);
    const known = near === '' ? `. There are: ${names.join(', ')}.` : `; ${near}`;
    ports.dispatch({ kind: 'print', output: notice(`There is no /memory ${verb}${known}`, 'warning') });
    return;
  }
  await show(['memory', meant, ...rest], ports);
}

/** The whole line is the memory, dashes and all; only quotes around it are dropped. */
export async function remember(line: string, ports: SlashPorts): Promise<void> {
  const text = /^"([^"]*)"$/.exec(line)?.[1] ?? line;
  if (text !== '') return show(['memory', 'save', '--', text], ports);
  ports.dispatch({ kind: 'print', output: notice('Say what to remember: /remember TEXT', 'warning') });
}

async function show(argv: readonly string[], ports: SlashPorts): Promise<void> {
  const output = await capture(argv, ports);
  ports.dispatch({ kind: 'print', output: { kind: 'lines', lines: output.trimEnd().split('\n') } });
}

async function why(name: string | undefined, ports: SlashPorts): Promise<void> {
  const { agent, dispatch, width, paint } = ports;
  const account = await agent.recalled();
  const wanted = name === undefined ? null : parseReference(name);
  const isWanted = (key: string) =>
    wanted === null ||
    (wanted.scope === undefined ? key.endsWith(`:${wanted.file}`) : key === `${wanted.scope}:${wanted.file}`);
  const lines = recalledLines({ account, isWanted, isFull: wanted !== null, width, paint });
  const say = (text: string, tone?: 'warning') => dispatch({ kind: 'print', output: notice(text, tone) });
  if (lines.length > 0) dispatch({ kind: 'print', output: { kind: 'lines', lines } });
  else if (wanted !== null) {
    const isThere = (await agent.memory.list()).some(({ scope, file }) => isWanted(`${scope}:${file}`));
    if (!isThere) return say(`There is no memory ${wanted.file}. /memory list shows what there is.`, 'warning');
    say(`${wanted.file} was not recalled in this session.`);
  } else if (account.lastMessage !== null) {
    say('Nothing was recalled in this session, and nothing is near your last message.');
  }
  if (wanted !== null) return;
  const silence = silenceText(account);
  if (silence !== null) say(silence);
  if (account.pickedLocally !== null) say(`Picked without a model for now: ${account.pickedLocally}.`);
}

async function recent(ports: SlashPorts): Promise<void> {
  const limit = CHAT_LIMITS.recentChanges;
  await show(['memory', 'log', '--limit', String(limit)], ports);
  const changes = await ports.agent.memory.log({ limit });
  const newest = changes.find(({ undoes, undoneBy }) => undoes === undefined && undoneBy === undefined);
  if (newest === undefined) return;
  const text = `To see what one changed: /memory diff ${newest.id}; to take it back: /memory undo ${newest.id}`;
  ports.dispatch({ kind: 'print', output: notice(text) });
}

export async function capture(argv: readonly string[], ports: SlashPorts): Promise<string> {
  const { terminal, environment, agent, leaveTo } = ports;
  const verb = argv[1] ?? '';
  let printed = '';
  const take = (text: string) => {
    printed += QUOTING_VERBS.includes(verb) ? text : inSlashWords(text, ports.place);
  };
  const takeError = (text: string) => {
    printed += inSlashWords(text, ports.place);
  };
  const captured: Terminal = {
    ...terminal,
    isTerminal: true,
    width: ports.width,
    input: 'none',
    canAsk: false,
    write: take,
    writeExact: take,
    writeError: takeError,
    status: () => {},
    runProgram: (program, parameters) => leaveTo(() => terminal.runProgram(program, parameters)),
  };
  // The conversation keeps using this memory: the command does not close it.
  const openMemory = async () => ({ ...agent.memory, close: async () => {} });
  const line = [...argv.slice(0, 2), ...placeFlags(ports.place), ...argv.slice(2)];
  await execute(line, { rows: COMMANDS, terminal: captured, environment, now: ports.now(), openMemory });
  return printed
    .split('\n')
    .flatMap((each) => wrapPainted(each, ports.width))
    .join('\n');
}

/** Quotes hold words together, as in a shell. */
export function wordsOf(line: string): readonly string[] {
  return (line.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? []).map((word) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ''),
  );
}
