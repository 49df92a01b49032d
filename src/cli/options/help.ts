/** Help, generated from the table: for everything, a group of commands, or one. */

import { inWords } from '../../base/text/nearest.ts';
import { type Command, type CommandRow, GLOBAL_OPTIONS, type OptionSpec, type OptionSpecs } from '../command.ts';
import { alignColumns, type Cell } from '../terminal/columns.ts';
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
    section('Commands', commandLines(rows, style), style),
    section('Options of every command', optionLines(GLOBAL_OPTIONS, style), style),
    section(MODEL_TITLE, modelLines(style), style),
    section('More of one command', ['  reverie COMMAND --help'], style),
  ]);
}

export function groupHelp(words: readonly string[], rows: readonly CommandRow[], style: HelpStyle): string {
  const group = words.join(' ');
  const inside = rows.filter(({ name }) => name.startsWith(`${group} `));
  return sections([
    section('Usage', [`  reverie ${group} COMMAND [options]`], style),
    section('Commands', commandLines(inside, style), style),
    section('Options of every command', optionLines(GLOBAL_OPTIONS, style), style),
    section('More of one command', [`  reverie ${group} COMMAND --help`], style),
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
    section('Options of every command', optionLines(GLOBAL_OPTIONS, style), style),
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

function definitions(list: readonly Definition[], { width }: HelpStyle): string[] {
  if (width === Number.POSITIVE_INFINITY) {
    return alignColumns(
      list.map(({ name, help }) => [name, { text: help }]),
      { indent: INDENT },
    );
  }
  const names = Math.max(...list.map(({ name }) => textWidth(name.text)));
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

const MODEL_TITLE = 'The model: the first that is found';

function modelLines(style: HelpStyle): string[] {
  const ways = [
    ['--model NAME, or settings', 'claude-…, openai/…, ollama/… or lmstudio/…: reverie settings model'],
    [
      'ANTHROPIC_API_KEY',
      'or reverie login; with ANTHROPIC_BASE_URL (anthropicBaseUrl in settings), a server that speaks the same',
    ],
    [
      'OPENAI_API_KEY',
      'or reverie login openai; with OPENAI_BASE_URL (openaiBaseUrl in settings), a server that speaks the same',
    ],
    ['Ollama, LM Studio', 'where one runs on this machine'],
  ] as const;
  return definitions(
    ways.map(([text, help]) => ({ name: { text, paint: style.paint.cyan }, help })),
    style,
  );
}

function commandLines(rows: readonly CommandRow[], style: HelpStyle): string[] {
  const listed = rows.filter(({ sameAs }) => sameAs === undefined);
  const list = listed.map(({ name, summary }) => ({ name: { text: name, paint: style.paint.cyan }, help: summary }));
  return definitions(list, style);
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
