/** Help, generated from the table: for everything, a group of commands, or one. */

import { inWords } from '../../base/text/nearest.ts';
import { type Command, type CommandRow, GLOBAL_OPTIONS, type OptionSpec, type OptionSpecs } from '../command.ts';
import type { Cell } from '../terminal/columns.ts';
import type { Paint } from '../terminal/paint.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { padToWidth, textWidth } from '../terminal/text-width.ts';
import { wrapCommand, wrapPieces, wrapWords } from '../terminal/wrap.ts';

export interface HelpStyle {
  readonly paint: Paint;
  /** Cells of a line; infinite when nothing is wrapped. */
  readonly width: number;
}

/** Longer lines are hard to read, however wide the terminal is; a pipe gets every text whole. */
const WIDEST_CELLS = 80;

export function helpStyle({ paint, width }: Pick<Terminal, 'paint' | 'width'>): HelpStyle {
  return { paint, width: width === undefined ? Number.POSITIVE_INFINITY : Math.min(WIDEST_CELLS, width) };
}

export function overviewHelp(rows: readonly CommandRow[], style: HelpStyle): string {
  const usage = [
    ['reverie COMMAND [options]', ''],
    ['reverie -p "PROMPT"', 'ask the agent once and print the answer'],
    ['reverie', 'start a chat; without a model, a short tour'],
    ['reverie "PROMPT"', 'start a chat with a first message'],
  ] as const;
  return sections([
    prose('Reverie: memory for an agent, in markdown files that you own.', style),
    section(
      'Usage',
      definitions(
        usage.map(([line, help]) => ({ name: { text: line }, help })),
        style,
      ),
      style,
    ),
    ...topics(rows).map(({ title, inside }) => section(title, commandLines(inside, rows, style), style)),
    section(GLOBAL_TITLE, optionLines(GLOBAL_OPTIONS, style), style),
    section(MODEL_TITLE, modelLines(style), style),
    prose('`reverie COMMAND --help` explains one command.', style),
  ]);
}

/** By the first word of a command; what is in no list comes last. */
const TOPICS: readonly { readonly title: string; readonly words: readonly string[] }[] = [
  { title: 'Agent', words: ['-p', 'chat', 'tour', 'sessions', 'agents', 'messages'] },
  { title: 'Memory', words: ['remember', 'recall', 'memory', 'import', 'export'] },
  { title: 'Dreams', words: ['dream'] },
  { title: 'Teams', words: ['team'] },
  {
    title: 'Other coding agents',
    words: ['install', 'uninstall', 'learn', 'capture', 'last', 'statusline', 'mcp', 'hook'],
  },
];
const OTHER_TOPIC = 'Overview and set-up';

function topics(rows: readonly CommandRow[]) {
  const firstWord = ({ name }: CommandRow) => name.split(' ', 1)[0]!;
  const known = new Set(TOPICS.flatMap(({ words }) => words));
  const listed = TOPICS.map(({ title, words }) => ({
    title,
    inside: words.flatMap((word) => rows.filter((row) => firstWord(row) === word)),
  }));
  const others = { title: OTHER_TOPIC, inside: rows.filter((row) => !known.has(firstWord(row))) };
  return [...listed, others].filter(({ inside }) => inside.length > 0);
}

export function groupHelp(words: readonly string[], rows: readonly CommandRow[], style: HelpStyle): string {
  const group = words.join(' ');
  const inside = rows.filter(({ name }) => name.startsWith(`${group} `));
  return sections([
    section('Usage', [`  reverie ${group} COMMAND [options]`], style),
    section('Commands', commandLines(inside, inside, style), style),
    section(GLOBAL_TITLE, optionLines(GLOBAL_OPTIONS, style), style),
    prose(`\`reverie ${group} COMMAND --help\` explains one command.`, style),
  ]);
}

export function commandHelp(
  row: CommandRow,
  command: Command,
  { rows = [], ...style }: HelpStyle & { readonly rows?: readonly CommandRow[] },
): string {
  const { paint, width } = style;
  const named = command.arguments.map(({ name, help }) => ({ name: { text: name, paint: paint.cyan }, help }));
  const usage = wrapPieces(usagePieces(row.name, command), { width: width - INDENT.length, hang: 4 });
  const examples = command.examples.flatMap((example) =>
    wrapCommand(example, { width: width - INDENT.length, hang: 4 }),
  );
  const others = rows.filter(({ sameAs }) => sameAs === row.name).map(({ name }) => `reverie ${name}`);
  const also = others.length === 0 ? [] : [prose(`Also: ${inWords(others, 'and')}.`, style)];
  const own = optionLines(command.options, style);
  return sections([
    [prose(`${row.summary}.`, style), ...(command.about ? [prose(command.about, style)] : []), ...also].join('\n'),
    section('Usage', usage.map(indented), style),
    named.length > 0 ? section('Arguments', definitions(named, style), style) : '',
    own.length > 0 ? section('Options', own, style) : '',
    section(GLOBAL_TITLE, optionLines(GLOBAL_OPTIONS, style), style),
    'model' in command.options ? section(MODEL_TITLE, modelLines(style), style) : '',
    examples.length > 0 ? section('Examples', examples.map(indented), style) : '',
  ]);
}

/** `reverie memory save --type TYPE --name NAME [--body TEXT|-]`, in the pieces that stay on one line. */
function usagePieces(name: string, command: Pick<Command, 'arguments' | 'options'>): string[] {
  const given = command.arguments.map(({ name: word, required, takesRest }) => {
    const shown = takesRest ? `${word}...` : word;
    return required ? shown : `[${shown}]`;
  });
  // A command called by an option already has it in its name.
  const others = Object.entries(command.options).filter(([, { short }]) => short === undefined || name !== `-${short}`);
  const options = others.map(([option, spec]) => {
    const shown = spec.kind === 'flag' ? `--${option}` : `--${option} ${spec.value}`;
    return spec.kind === 'text' && spec.required ? shown : `[${shown}]`;
  });
  return [`reverie ${name}`, ...given, ...options];
}

interface Definition {
  readonly name: Cell;
  readonly help: string;
}

const INDENT = '  ';
/** If there is less room next to the names, their descriptions go below them. */
const LEAST_HELP_CELLS = 24;

function definitions(list: readonly Definition[], { width }: HelpStyle, leastNameCells = 0): string[] {
  const names = Math.max(leastNameCells, ...list.map(({ name }) => textWidth(name.text)));
  const beside = width - names - 2 * INDENT.length;
  const isBeside = beside >= LEAST_HELP_CELLS;
  return list.flatMap(({ name, help }) => {
    const painted = (text: string) => (name.paint ? name.paint(text) : text);
    const lines = help === '' ? [] : wrapWords(help, isBeside ? beside : width - 3 * INDENT.length);
    if (!isBeside) return [indented(painted(name.text)), ...lines.map((line) => INDENT.repeat(3) + line)];
    const [first = '', ...others] = lines;
    const margin = ' '.repeat(names + 2 * INDENT.length);
    const head = `${INDENT}${painted(padToWidth(name.text, names))}${INDENT}${first}`.trimEnd();
    return [head, ...others.map((line) => margin + line)];
  });
}

function optionLines(specs: OptionSpecs, style: HelpStyle): string[] {
  const list = Object.entries(specs).map(([name, spec]) => {
    return { name: { text: optionName(name, spec), paint: style.paint.cyan }, help: optionHelp(spec) };
  });
  return definitions(list, style);
}

function optionName(name: string, spec: OptionSpec): string {
  const long = spec.kind === 'flag' ? `--${name}` : `--${name} ${spec.value}`;
  return spec.short ? `-${spec.short}, ${long}` : long;
}

function optionHelp(spec: OptionSpec): string {
  const choices = spec.kind === 'text' && spec.choices ? `: ${inWords(spec.choices, 'or')}` : '';
  const required = spec.kind === 'text' && spec.required ? ' (required)' : '';
  const byDefault = spec.kind === 'text' && spec.byDefault ? ` (default: ${spec.byDefault})` : '';
  return `${spec.help}${choices}${required}${byDefault}`;
}

const GLOBAL_TITLE = 'Global options';
const MODEL_TITLE = 'Model: the first one found';

function modelLines(style: HelpStyle): string[] {
  const ways = [
    ['--model NAME, or settings', 'claude-…, openai/…, ollama/… or lmstudio/…: reverie settings model'],
    [
      'ANTHROPIC_API_KEY',
      'or reverie login; with ANTHROPIC_BASE_URL (anthropicBaseUrl in settings), a server that speaks the same API',
    ],
    [
      'OPENAI_API_KEY',
      'or reverie login openai; with OPENAI_BASE_URL (openaiBaseUrl in settings), a server that speaks the same API',
    ],
    ['Ollama, LM Studio', 'if one is running on this machine'],
  ] as const;
  return definitions(
    ways.map(([text, help]) => ({ name: { text, paint: style.paint.cyan }, help })),
    style,
  );
}

/** As wide as the longest name of `all`, so that several lists line up. */
function commandLines(rows: readonly CommandRow[], all: readonly CommandRow[], style: HelpStyle): string[] {
  const isListed = ({ sameAs }: CommandRow) => sameAs === undefined;
  const list = rows
    .filter(isListed)
    .map(({ name, summary }) => ({ name: { text: name, paint: style.paint.cyan }, help: summary }));
  return definitions(list, style, Math.max(...all.filter(isListed).map(({ name }) => textWidth(name))));
}

function prose(text: string, { width }: HelpStyle): string {
  return text
    .split('\n')
    .flatMap((paragraph) => wrapWords(paragraph, width))
    .join('\n');
}

function indented(line: string): string {
  return INDENT + line;
}

function section(title: string, lines: readonly string[], { paint }: HelpStyle): string {
  return [paint.bold(title), ...lines].join('\n');
}

function sections(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}
