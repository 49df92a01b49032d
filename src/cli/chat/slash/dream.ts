/** /dream: starts one alongside the conversation; waiting changes are shown and decided by the `reverie dream` commands. */

import { didYouMean } from '../../../base/text/nearest.ts';
import { COMMANDS } from '../../catalog.ts';
import { notice } from '../action.ts';
import { capture, wordsOf } from './memory.ts';
import type { SlashPorts } from './ports.ts';
import { inSlashWords } from './words.ts';

const GROUP = 'dream ';
/** What `show` recommends at its end. What it quotes from memories is indented, or marked as a diff, and stays as it is. */
const ADVICE = /^(?:\u001b\[\d+m)*(?:To |Changes? \d|What landed )/;
const NEEDS_ID: readonly string[] = ['show', 'approve', 'reject'];

export async function dream(argument: string, ports: SlashPorts): Promise<void> {
  const [verb, ...rest] = wordsOf(argument);
  if (verb === undefined || (verb === 'review' && rest.length === 0)) return start(ports, verb);
  if (verb === 'stop' && (await ports.agent.dream.stop())) return;
  const names = COMMANDS.filter(({ name }) => name.startsWith(GROUP)).map(({ name }) => name.slice(GROUP.length));
  if (!names.includes(verb)) {
    const near = didYouMean(verb, ['review', ...names]);
    const known = near === '' ? `. There are: review, ${names.join(', ')}.` : `; ${near}`;
    ports.dispatch({ kind: 'print', output: notice(`There is no /dream ${verb}${known}`, 'warning') });
    return;
  }
  if (NEEDS_ID.includes(verb) && rest.length === 0) {
    const text = `Which dream? /dream inbox names those with something that waits; then: /dream ${verb} ID`;
    ports.dispatch({ kind: 'print', output: notice(text, 'warning') });
    return;
  }
  const output = await capture(['dream', verb, ...rest], ports);
  const lines = output.trimEnd().split('\n');
  const told = lines.map((line) => (ADVICE.test(line) ? inSlashWords(line, ports.place) : line));
  ports.dispatch({ kind: 'print', output: { kind: 'lines', lines: told } });
}

async function start({ agent, dispatch }: SlashPorts, verb: 'review' | undefined): Promise<void> {
  const { begun, line } = await agent.dream.start(verb);
  // One that is already over was reported like every end.
  if (begun && agent.dream.progress()?.status !== 'running') return;
  dispatch({
    kind: 'print',
    output: notice(begun ? `${line}\n/dream stop ends it.` : line, begun ? 'success' : 'warning'),
  });
}
