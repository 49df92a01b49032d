/** The slash commands that only show: /help /context /cost /status. */

import { contextLines } from '../../paint-view/context-view.ts';
import { costLines } from '../../paint-view/cost-view.ts';
import { factLines } from '../../paint-view/facts-view.ts';
import { notice } from '../action.ts';
import { SLASH_COMMANDS, type SlashCommand } from './commands.ts';
import type { SlashPorts } from './ports.ts';

function show(ports: SlashPorts, lines: readonly string[]): void {
  ports.dispatch({ kind: 'print', output: { kind: 'lines', lines } });
}

const KEYS: readonly (readonly [string, string])[] = [
  ['Enter', 'send; while the agent works, it waits for its turn'],
  ['Shift+Enter, Alt+Enter, \\ Enter', 'a new line'],
  ['Escape', 'interrupt; twice while nothing runs: go back to an earlier message'],
  ['Ctrl-C', 'clear what is typed (Up brings it back), or interrupt; twice: leave'],
  ['Ctrl-D', 'leave, when nothing is typed'],
  ['Ctrl-O', 'show the last folded output or thought in full'],
  ['Ctrl-B', 'let the agents that are waited for go on in the background'],
  ['Ctrl-R', 'search what you typed here before'],
  ['Ctrl-G', 'write the prompt in your editor ($VISUAL, $EDITOR)'],
  ['Ctrl-L', 'draw the screen again'],
  ['Tab', 'complete a /command, what follows it, or an @file'],
  ['Shift+Tab', 'change what tools may do unasked'],
  ['Up, Down', 'earlier prompts of this project; Up takes a message that waits back to edit it'],
  ['!command', 'run a command in your own shell; the model sees its output with your next message'],
  ['@path', "send the file's text along; a folder's names, an image as an image"],
];

export function help(ports: SlashPorts): void {
  const { width, paint } = ports;
  const rowsOf = (commands: readonly SlashCommand[]) =>
    commands.map(({ name, argument, summary }) => [`/${name} ${argument}`.trim(), summary] as const);
  const own = ports.customCommands;
  show(ports, [
    ...factLines({ title: 'Commands', rows: rowsOf(SLASH_COMMANDS), width, paint }),
    ...(own.length === 0
      ? []
      : ['', ...factLines({ title: 'Your skills and commands', rows: rowsOf(own), width, paint })]),
    '',
    ...factLines({ title: 'Keys', rows: KEYS, width, paint }),
  ]);
}

export function context(ports: SlashPorts): void {
  const { width, paint } = ports;
  const { parts, window, isCounted } = ports.agent.window();
  show(ports, contextLines({ parts, window: window.window, thresholds: window, width, paint, isQuiet: ports.isQuiet }));
  if (!isCounted) ports.dispatch({ kind: 'print', output: notice('Estimated: nothing was sent yet.') });
}

export function cost(ports: SlashPorts): void {
  show(ports, costLines({ totals: ports.agent.totals(), width: ports.width, paint: ports.paint }));
}

export async function status(ports: SlashPorts): Promise<void> {
  const { agent, width, paint } = ports;
  const { memory } = agent;
  const memories = await memory.list();
  const folders = Object.entries(memory.folders).map(([scope, path]) => {
    const count = memories.filter((entry) => entry.scope === scope).length;
    return [`memory, ${scope}`, `${count} in ${path}`] as const;
  });
  const problems = [...agent.warnings, ...memory.problems()];
  const rows = [
    ['session', agent.sessionId],
    ...(agent.forkedFrom === null ? [] : [['forked from', agent.forkedFrom] as const]),
    ['transcript', agent.transcriptFile ?? 'none is kept'],
    ['model', agent.model],
    ['permission', agent.permissionMode],
    ['folder', agent.cwd],
    ...(memory.enabled ? folders : [['memory', memory.offReason ?? 'off'] as const]),
    ['tools', agent.tools.join(', ')],
    ['problems', problems.length === 0 ? 'none' : problems.join(' · ')],
  ] as const;
  show(ports, factLines({ rows, width, paint }));
}
