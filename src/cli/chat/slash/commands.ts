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
  { name: 'cost', argument: '', summary: 'what this session has cost' },
  { name: 'clear', argument: '', summary: 'begin a new session' },
  { name: 'resume', argument: '[ID]', summary: 'go on with an earlier session' },
  { name: 'rewind', argument: '', summary: 'go back to before one of your messages, or summarise around it' },
  { name: 'compact', argument: '[WISHES]', summary: 'make the conversation shorter' },
  { name: 'expand', argument: '[ID]', summary: 'read again what was summarised' },
  { name: 'model', argument: '[NAME]', summary: 'talk to another model' },
  { name: 'tasks', argument: '[stop ID]', summary: 'what runs in the background' },
  { name: 'status', argument: '', summary: 'session, model, memory, where everything is' },
  { name: 'export', argument: '[FILE]', summary: 'write the conversation into a markdown file' },
  { name: 'quit', argument: '', summary: 'leave; the session can be resumed' },
] as const satisfies readonly SlashCommand[];

export type SlashName = (typeof SLASH_COMMANDS)[number]['name'];

/** Commands that change the conversation, or concern all of it: none while a turn is running, and no turn while one of them is. */
export const NEEDS_SESSION: readonly SlashName[] = [
  'clear',
  'resume',
  'rewind',
  'compact',
  'expand',
  'model',
  'export',
];

export type ReadSlash =
  /** A prompt like any other. */
  | { readonly kind: 'prompt' }
  | { readonly kind: 'command'; readonly name: SlashName; readonly argument: string }
  | { readonly kind: 'unknown'; readonly typed: string; readonly near: readonly string[] };

/** A path or a lone slash is not a command: a name is letters only, and on the first line. */
export function readSlash(prompt: string): ReadSlash {
  const match = /^\/([a-z-]+)(?:[ \t]+([^\n]*))?\s*$/i.exec(prompt.trimStart());
  if (match === null) return { kind: 'prompt' };
  const typed = match[1]!.toLowerCase();
  const name = aliasOf(typed);
  if (name !== undefined) return { kind: 'command', name, argument: match[2]?.trim() ?? '' };
  const names = SLASH_COMMANDS.map((command) => command.name as string);
  return { kind: 'unknown', typed, near: nearestNames(typed, names).map((near) => `/${near}`) };
}

function aliasOf(typed: string): SlashName | undefined {
  const meant = typed === 'exit' ? 'quit' : typed === 'new' ? 'clear' : typed;
  return SLASH_COMMANDS.find(({ name }) => name === meant)?.name;
}

/** In table order, prefix matches first. */
export function matchCommands(typed: string): readonly SlashCommand[] {
  const wanted = typed.replace(/^\//, '').toLowerCase();
  const begin = SLASH_COMMANDS.filter(({ name }) => name.startsWith(wanted));
  const hold = SLASH_COMMANDS.filter(({ name }) => !name.startsWith(wanted) && name.includes(wanted));
  return wanted === '' ? SLASH_COMMANDS : [...begin, ...hold];
}
