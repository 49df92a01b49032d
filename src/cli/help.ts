/** Help, made from the table: of everything, of a group of commands, of one. */

import { alignColumns } from './columns.ts';
import { type Command, type CommandRow, GLOBAL_OPTIONS, type OptionSpec, type OptionSpecs } from './command.ts';
import { inWords } from './nearest.ts';
import type { Paint } from './paint.ts';

export function overviewHelp(rows: readonly CommandRow[], paint: Paint): string {
  return sections([
    'Reverie: memory for an agent, in markdown files that you own.',
    section(
      'Usage',
      ['  reverie COMMAND [options]', '  reverie              a short tour, in a temporary folder'],
      paint,
    ),
    section('Commands', commandLines(rows, paint), paint),
    section('Options of every command', optionLines(GLOBAL_OPTIONS, paint), paint),
    `${paint.dim('More of one command:')} reverie COMMAND --help`,
  ]);
}

export function groupHelp(words: readonly string[], rows: readonly CommandRow[], paint: Paint): string {
  const group = words.join(' ');
  const inside = rows.filter(({ name }) => name.startsWith(`${group} `));
  return sections([
    section('Usage', [`  reverie ${group} COMMAND [options]`], paint),
    section('Commands', commandLines(inside, paint), paint),
    section('Options of every command', optionLines(GLOBAL_OPTIONS, paint), paint),
    `${paint.dim('More of one command:')} reverie ${group} COMMAND --help`,
  ]);
}

export function commandHelp(row: CommandRow, command: Command, paint: Paint): string {
  const named = command.arguments.map((argument) => [
    { text: argument.name, paint: paint.cyan },
    { text: argument.help },
  ]);
  const own =
    Object.keys(command.options).length > 0 ? section('Options', optionLines(command.options, paint), paint) : '';
  const examples = command.examples.map((example) => `  ${example}`);
  return sections([
    `${row.summary}.${command.about ? `\n${command.about}` : ''}`,
    section('Usage', [`  ${usageLine(row.name, command)}`], paint),
    named.length > 0 ? section('Arguments', alignColumns(named, { indent: '  ' }), paint) : '',
    own,
    section('Options of every command', optionLines(GLOBAL_OPTIONS, paint), paint),
    examples.length > 0 ? section('Examples', examples, paint) : '',
  ]);
}

/** `reverie memory save --type TYPE --name NAME [--body TEXT|-]` */
export function usageLine(name: string, command: Pick<Command, 'arguments' | 'options'>): string {
  const given = command.arguments.map((argument) => (argument.required ? argument.name : `[${argument.name}]`));
  const options = Object.entries(command.options).map(([option, spec]) => {
    const shown = spec.kind === 'flag' ? `--${option}` : `--${option} ${spec.value}`;
    return spec.kind === 'text' && spec.required ? shown : `[${shown}]`;
  });
  return ['reverie', name, ...given, ...options].join(' ');
}

function optionLines(specs: OptionSpecs, paint: Paint): string[] {
  const rows = Object.entries(specs).map(([name, spec]) => [
    { text: optionName(name, spec), paint: paint.cyan },
    { text: optionHelp(spec) },
  ]);
  return alignColumns(rows, { indent: '  ' });
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

function commandLines(rows: readonly CommandRow[], paint: Paint): string[] {
  return alignColumns(
    rows.map(({ name, summary }) => [{ text: name, paint: paint.cyan }, { text: summary }]),
    { indent: '  ' },
  );
}

function section(title: string, lines: readonly string[], paint: Paint): string {
  return [paint.bold(title), ...lines].join('\n');
}

function sections(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}
