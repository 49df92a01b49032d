/** The options of print mode, and whether a line asks for it: light, because every line is checked. */

import type { OptionSpecs } from '../command.ts';

export const OUTPUT_FORMATS = ['text', 'json', 'stream-json'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

export const PRINT_OPTIONS = {
  print: { kind: 'flag', short: 'p', help: 'Ask once, print the answer and end' },
  'output-format': {
    kind: 'text',
    value: 'FORMAT',
    choices: OUTPUT_FORMATS,
    byDefault: 'text',
    help: 'Output format',
  },
  resume: { kind: 'text', short: 'r', value: 'ID', help: 'Resume this session (see reverie sessions)' },
  continue: { kind: 'flag', short: 'c', help: "Go on with this project's newest session" },
  model: { kind: 'text', value: 'NAME', help: 'Use this model instead of the one in settings' },
  'max-turns': { kind: 'number', value: 'N', help: 'Stop after this many model requests' },
  'permission-mode': {
    kind: 'text',
    value: 'MODE',
    choices: ['ask', 'accept-edits', 'plan', 'bypass', 'default', 'acceptEdits', 'bypassPermissions'],
    byDefault: 'ask; with nobody to ask, only reading is allowed',
    help: 'What tools may do without asking',
  },
  agents: { kind: 'text', value: 'JSON', help: 'Kinds of agents for this run: {"name": {"description", "prompt"}}' },
  teammate: { kind: 'text', value: 'NAME', help: 'The name by which other agents on this machine write to this one' },
  team: { kind: 'text', value: 'TEAM', help: 'Share the task list of this team (with --teammate)' },
  coordinator: { kind: 'flag', help: 'Only direct: start agents, write to them, keep the task list' },
  tools: { kind: 'text', value: 'NAMES', help: 'Use only these tools, such as Read,Grep,SendMessage' },
  stay: { kind: 'flag', help: 'After the answer, wait for messages and answer them (with --teammate)' },
  'no-wait': { kind: 'flag', help: 'Do not wait for agents in the background' },
  'no-transcript': { kind: 'flag', help: 'Do not record this conversation' },
  verbose: { kind: 'flag', help: 'Print tool calls and their failures to stderr' },
  debug: { kind: 'flag', help: 'Print the cost and duration of each request to stderr' },
} as const satisfies OptionSpecs;

/** The name of its row in the table. */
export const PRINT_NAME = '-p';

/** Whether this argument is `-p` or `--print`, alone or together with other short flags. */
export function asksForPrint(argument: string): boolean {
  return argument === '--print' || argument.startsWith('--print=') || /^-c*p/.test(argument);
}

/** Whether only the agent has this option, so that a line with it was meant for the agent. */
export function isPrintOption(argument: string): boolean {
  const [given] = argument.split('=', 1);
  return Object.entries(PRINT_OPTIONS).some(([name, spec]) => {
    return given === `--${name}` || ('short' in spec && given === `-${spec.short}`);
  });
}
