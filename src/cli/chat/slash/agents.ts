/** /agents: the agents of this session as a tree and what they say to each other, looking into one, telling it something, ending one or all; and which kinds there are. */

import { readFileSync } from 'node:fs';
import type { Entry } from '../../../conversation/entry.ts';
import { type ContentBlock, textOf, toolUsesOf } from '../../../conversation/message.ts';
import { parseRecord } from '../../../disk/transcript/record.ts';
import { ReverieError } from '../../../errors.ts';
import type { AgentView } from '../../../layers/7-agents/index.ts';
import { progressOf } from '../../../layers/7-agents/progress.ts';
import { factLines } from '../../paint-view/facts-view.ts';
import { plainLine } from '../../terminal/plain-text.ts';
import { notice } from '../action.ts';
import type { SlashPorts } from './ports.ts';

/** Newest messages of an agent that are shown. */
const SHOWN_MESSAGES = 12;
const SHOWN_CHARACTERS = 400;

export async function agents(argument: string, ports: SlashPorts): Promise<void> {
  const [verb, ...rest] = argument.split(/\s+/).filter((word) => word !== '');
  const word = rest.join(' ');
  if (verb === 'stop') return stop(word, ports);
  if (verb === 'show') return show(word, ports);
  if (verb === 'types') return types(ports);
  if (verb === 'messages') return wholeMessages(ports);
  const all = ports.agent.agents();
  if (verb === 'tell') return tell(word, ports);
  if (verb !== undefined) return show(argument.trim(), ports);
  const messages = messageLines(ports);
  if (all.length === 0 && messages.length === 0) {
    return say(ports, 'No agent was started in this session. The kinds there are: /agents types');
  }
  ports.dispatch({ kind: 'print', output: { kind: 'lines', lines: [...agentLines(all, ports), ...messages] } });
  const name = all.at(-1)?.name ?? 'NAME';
  say(
    ports,
    `To look into one: /agents ${name}; to tell it something: /agents tell NAME WORDS; to end one: /agents stop NAME, or all`,
  );
}

/** Newest messages between agents that are shown. */
const SHOWN_LINES = 10;

function messageLines({ agent, width, paint }: SlashPorts): string[] {
  const rows = agent.messages().slice(-SHOWN_LINES);
  if (rows.length === 0) return [];
  const said = rows.map(({ from, to, summary, state }) => [`${from} to ${to}`, `${summary} (${state})`] as const);
  return ['', ...factLines({ title: 'Messages', rows: said, width, paint })];
}

/** The same ones, whole. */
function wholeMessages(ports: SlashPorts): void {
  const rows = ports.agent.messages().slice(-SHOWN_LINES);
  if (rows.length === 0) say(ports, 'No agent has written to another in this session.');
  const lines = rows.flatMap(({ from, to, at, message, state }) => [
    ports.paint.bold(`${from} to ${to}, ${at} (${state})`),
    ...message.split('\n').map(plainLine),
    '',
  ]);
  ports.dispatch({ kind: 'print', output: { kind: 'lines', lines } });
}

/** The name may hold spaces; what follows it is the message. */
async function tell(rest: string, ports: SlashPorts): Promise<void> {
  const known = ports.agent.agents().map(({ name }) => name);
  const name = known.find((each) => rest.startsWith(`${each} `)) ?? rest.split(' ')[0] ?? '';
  const words = rest.slice(name.length).trim();
  if (words === '') return say(ports, 'Say whom and what: /agents tell NAME WORDS', 'warning');
  try {
    say(ports, await ports.agent.tellAgent(name, words), 'success');
  } catch (error) {
    if (!(error instanceof ReverieError)) throw error;
    say(ports, [error.message, error.fix].join(' ').trim(), 'warning');
  }
}

/** Each below the one that started it. */
export function agentLines(all: readonly AgentView[], { width, paint }: SlashPorts): string[] {
  const known = new Set(all.map(({ id }) => id));
  const below = (parentId: string | null): readonly AgentView[] =>
    all
      .filter((each) => (known.has(each.parentId ?? '') ? each.parentId : null) === parentId)
      .flatMap((each) => [each, ...below(each.id)]);
  return factLines({ rows: below(null).map(agentRow), width, paint });
}

function agentRow({ name, type, depth, state, doing, tokens, money, milliseconds, isBackground, receipt }: AgentView) {
  const cost = money === null ? 'price unknown' : `$${money.toFixed(4)}`;
  const facts = [
    state === 'running' ? doing : state,
    type,
    ...(isBackground ? ['background'] : []),
    ...(receipt === null ? [] : [`result ${receipt}`]),
    `${tokens.toLocaleString('en-US')} tokens`,
    cost,
    `${(milliseconds / 1_000).toFixed(0)} s`,
  ];
  return [`${'> '.repeat(depth - 1)}${name}`, facts.join(' · ')] as const;
}

function stop(word: string, ports: SlashPorts): void {
  const { agent } = ports;
  const running = agent.agents().filter(({ state }) => state === 'running');
  const wanted = word === 'all' ? running.map(({ id }) => id) : [word];
  const stopped = wanted.filter((each) => agent.stopAgent(each));
  if (stopped.length === 0) say(ports, `No agent ${word} is running.`, 'warning');
  else say(ports, stopped.length === 1 ? `${word} is stopped.` : `${stopped.length} agents are stopped.`, 'success');
}

function show(word: string, ports: SlashPorts): void {
  const found = ports.agent.agents().findLast(({ id, name }) => id === word || name === word);
  if (found === undefined) say(ports, `There is no agent ${word}.`, 'warning');
  else ports.dispatch({ kind: 'print', output: { kind: 'lines', lines: insideOf(found, ports) } });
}

function insideOf(found: AgentView, { width, paint }: SlashPorts): string[] {
  const rows = found.transcript === null ? [] : messagesIn(found.transcript);
  const title = `${found.name}: ${found.description}`;
  return [...factLines({ title, rows: [agentRow(found)], width, paint }), ...factLines({ rows, width, paint })];
}

function messagesIn(file: string): readonly (readonly [string, string])[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  const rows = lines.flatMap((line): readonly (readonly [string, string])[] => {
    const parsed = line === '' ? null : parseRecord(line);
    if (parsed?.kind !== 'record' || parsed.record.type !== 'message') return [];
    const { role, content } = parsed.record.message;
    const text = textOf(withoutRecalled(parsed.record)).trim().slice(0, SHOWN_CHARACTERS);
    const called = toolUsesOf(content).map((call) => ['does', progressOf(call)] as const);
    return [...(text === '' ? [] : [[role === 'user' ? 'is told' : 'says', text] as const]), ...called];
  });
  return rows.slice(-SHOWN_MESSAGES);
}

/** What an agent is told, without the memories that came along. */
function withoutRecalled({ message, injected = [] }: Entry): readonly ContentBlock[] {
  const recalled = new Set(injected.flatMap(({ block, source }) => (source === 'recall' ? [block] : [])));
  return message.content.filter((_, at) => !recalled.has(at));
}

function types(ports: SlashPorts): void {
  const { definitions, untrusted } = ports.agent.agentTypes();
  const rows = [
    ...definitions.map(({ name, description, from }) => [name, `${description} (${from})`] as const),
    ...untrusted.map(({ name, description }) => [name, `${description} (project, not trusted: not run)`] as const),
  ];
  const { width, paint } = ports;
  ports.dispatch({ kind: 'print', output: { kind: 'lines', lines: factLines({ rows, width, paint }) } });
}

function say(ports: SlashPorts, text: string, tone?: 'success' | 'warning'): void {
  ports.dispatch({ kind: 'print', output: notice(text, tone) });
}
