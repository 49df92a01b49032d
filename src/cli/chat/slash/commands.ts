/** The slash commands: their names, for completion and help, and which one a line means. */

import { nearestNames } from '../../../base/text/nearest.ts';

export interface SlashCommand {
  readonly name: string;
  /** How help names the arguments; empty when there are none. */
  readonly argument: string;
  readonly summary: string;
}

export const SLASH_COMMANDS = [
  { name: 'help', argument: '', summary: 'keys and commands' },
  { name: 'remember', argument: 'TEXT', summary: 'save a memory' },
  {
    name: 'memory',
    argument: '[list|search|show|save|edit|pin|forget|purge|undo|diff|log|why|recent …]',
    summary: 'what is remembered, and changing it; why it was told, what is new',
  },
  {
    name: 'dream',
    argument: '[review|inbox|show|approve|reject|stop …]',
    summary: 'tidy the memory up in the background; what waits for you',
  },
  { name: 'context', argument: '', summary: 'what fills the context window' },
  { name: 'inspect', argument: '', summary: 'open a page with the window, memories, dreams and costs' },
  { name: 'cost', argument: '', summary: 'what this session has cost' },
  { name: 'clear', argument: '', summary: 'begin a new session' },
  { name: 'resume', argument: '[ID]', summary: 'go on with an earlier session' },
  { name: 'rewind', argument: '', summary: 'go back to before one of your messages, or summarise around it' },
  { name: 'compact', argument: '[WISHES]', summary: 'make the conversation shorter' },
  { name: 'expand', argument: '[ID]', summary: 'read again what was summarised' },
  { name: 'snip', argument: '', summary: 'take one of your messages and its answer out of the conversation' },
  { name: 'unfold', argument: '[all]', summary: 'show finished work whole again that was folded into a line' },
  { name: 'plan', argument: '[edit|drop]', summary: 'the plan of this session, and changing it' },
  { name: 'model', argument: '[NAME]', summary: 'talk to another model' },
  {
    name: 'agents',
    argument: '[NAME|tell NAME WORDS|stop NAME|types]',
    summary: 'the agents of this session, what each does and says',
  },
  { name: 'tasks', argument: '[stop ID]', summary: 'what runs in the background' },
  {
    name: 'permissions',
    argument: '[list|allow|ask|deny|remove RULE]',
    summary: 'what tools may do unasked; rules are kept for this project',
  },
  { name: 'config', argument: '[KEY [VALUE|unset]]', summary: 'the settings, and setting one' },
  { name: 'mcp', argument: '', summary: 'tool servers, their state and their tools' },
  { name: 'init', argument: '[WISHES]', summary: 'let the model write an AGENTS.md for this project' },
  { name: 'copy', argument: '', summary: 'copy the last answer to the clipboard' },
  { name: 'status', argument: '', summary: 'session, model, memory, where everything is' },
  { name: 'export', argument: '[FILE]', summary: 'write the conversation into a markdown file' },
  { name: 'quit', argument: '', summary: 'leave; the session can be resumed' },
] as const satisfies readonly SlashCommand[];

export type SlashName = (typeof SLASH_COMMANDS)[number]['name'];

/** Commands that are carried out beside the conversation; `init` is a prompt, `quit` the chat's own. */
export type RunName = Exclude<SlashName, 'quit' | 'init'>;

/** Commands that change the conversation, or concern all of it: none while a turn is running, and no turn while one of them is. */
export const NEEDS_SESSION: readonly SlashName[] = [
  'clear',
  'resume',
  'rewind',
  'compact',
  'expand',
  'snip',
  'unfold',
  'model',
  'export',
];

export type ReadSlash =
  /** A prompt like any other. */
  | { readonly kind: 'prompt' }
  | { readonly kind: 'command'; readonly name: Exclude<SlashName, 'init'>; readonly argument: string }
  /** A prompt that stands in a file: a skill, a command of the user's own, `/init`. */
  | { readonly kind: 'custom'; readonly name: string; readonly argument: string }
  /** `!ls`: for the user's own shell. */
  | { readonly kind: 'shell'; readonly command: string }
  | { readonly kind: 'unknown'; readonly typed: string; readonly near: readonly string[] };

/** A path or a lone slash is not a command: a name is letters only, and on the first line. */
export function readSlash(
  prompt: string,
  { customs = [], isPiped = false }: { readonly customs?: readonly SlashCommand[]; readonly isPiped?: boolean } = {},
): ReadSlash {
  // Whoever pipes a file in did not ask for its lines to be run.
  const shell = isPiped ? undefined : /^!\s*(\S[\s\S]*)$/.exec(prompt)?.[1];
  if (shell !== undefined) return { kind: 'shell', command: shell.trimEnd() };
  const custom = readCustom(prompt, customs);
  if (custom !== null) return custom;
  const match = /^\/([a-z-]+)(?:[ \t]+([^\n]*))?\s*$/i.exec(prompt.trimStart());
  if (match === null) return { kind: 'prompt' };
  const typed = match[1]!.toLowerCase();
  const name = aliasOf(typed);
  const argument = match[2]?.trim() ?? '';
  if (name === 'init') return { kind: 'custom', name, argument };
  if (name !== undefined) return { kind: 'command', name, argument };
  const names = [...SLASH_COMMANDS, ...customs].map((command) => command.name as string);
  return { kind: 'unknown', typed, near: nearestNames(typed, names).map((near) => `/${near}`) };
}

/** What comes with the program keeps its name. */
export function readCustom(
  prompt: string,
  customs: readonly Pick<SlashCommand, 'name'>[],
): Extract<ReadSlash, { readonly kind: 'custom' }> | null {
  const [, name, argument = ''] =
    /^\/([\p{L}\p{N}][\p{L}\p{N}._:-]*)(?:\s+([\s\S]*))?$/u.exec(prompt.trimStart()) ?? [];
  if (name === undefined || aliasOf(name.toLowerCase()) !== undefined) return null;
  return customs.some((each) => each.name === name) ? { kind: 'custom', name, argument: argument.trim() } : null;
}

function aliasOf(typed: string): SlashName | undefined {
  const meant = typed === 'exit' ? 'quit' : typed === 'new' ? 'clear' : typed;
  return SLASH_COMMANDS.find(({ name }) => name === meant)?.name;
}

/** In table order, prefix matches first; the user's own behind those that come with the program. */
export function matchCommands(typed: string, customs: readonly SlashCommand[] = []): readonly SlashCommand[] {
  const all: readonly SlashCommand[] = [...SLASH_COMMANDS, ...customs];
  const wanted = typed.replace(/^\//, '').toLowerCase();
  const begin = all.filter(({ name }) => name.toLowerCase().startsWith(wanted));
  const hold = all.filter((command) => !begin.includes(command) && command.name.toLowerCase().includes(wanted));
  return wanted === '' ? all : [...begin, ...hold];
}
