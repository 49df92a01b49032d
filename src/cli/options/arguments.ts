/** Parses a command line against the table: which command is meant, then its options, strictly. */

import { parseArgs } from 'node:util';
import { didYouMean, inWords } from '../../base/text/nearest.ts';
import { quoted } from '../../base/text/shell-words.ts';
import { SLASH_COMMANDS } from '../chat/slash/commands.ts';
import { type Command, type CommandRow, GLOBAL_OPTIONS, type OptionSpec, type OptionSpecs } from '../command.ts';
import { CHAT_NAME, isChatOption, withOpenResume } from './chat-options.ts';
import { asksForPrint, isPrintOption, PRINT_NAME, PRINT_OPTIONS } from './print-options.ts';
import { usageError } from './usage.ts';

export type Route =
  | { readonly kind: 'command'; readonly row: CommandRow; readonly rest: readonly string[] }
  /** The words name a group of commands, or nothing at all. */
  | { readonly kind: 'group'; readonly words: readonly string[]; readonly rest: readonly string[] };

/**
 * Global flags may come before the command's words: `reverie --json memory list`. With `-p` in their place the words
 * are a prompt, wherever they are.
 */
export function routeCommand(argv: readonly string[], rows: readonly CommandRow[]): Route {
  const print = rows.find(({ name }) => name === PRINT_NAME);
  const words: string[] = [];
  const rest: string[] = [];
  for (let at = 0; at < argv.length; at++) {
    const argument = argv[at]!;
    if (argument === '--') {
      rest.push(...argv.slice(at));
      break;
    }
    if (argument.startsWith('-')) {
      if (print && asksForPrint(argument)) return { kind: 'command', row: print, rest: argv };
      rest.push(argument);
      if (takesNext(argument) && at + 1 < argv.length) rest.push(argv[++at]!);
      continue;
    }
    words.push(argument);
    const name = words.join(' ');
    const row = rows.find((candidate) => candidate.name === name);
    const next = row && hasCommandsBelow(name, rows) ? nextWord(argv.slice(at + 1)) : undefined;
    // A command with subcommands takes no words of its own: the next word names one of them.
    if (row && next === undefined) {
      return { kind: 'command', row, rest: restOf(row, [...rest, ...argv.slice(at + 1)]) };
    }
    if (hasCommandsBelow(name, rows)) continue;
    if (print && optionsOf(argv).some(asksForPrint)) return { kind: 'command', row: print, rest: argv };
    if (rest.some((option) => isPrintOption(option) && !isChatOption(option))) throw printIsMissing(argv);
    const talk = rows.find((candidate) => candidate.name === CHAT_NAME);
    if (talk && words.length === 1 && isPrompt(argument, rows)) {
      return { kind: 'command', row: talk, rest: restOf(talk, [...rest, ...argv.slice(at)]) };
    }
    throw unknownCommand(argv.slice(at), words, rows);
  }
  const chat = words.length === 0 ? rows.find(({ name }) => name === CHAT_NAME) : undefined;
  if (chat && rest.some(isChatOption)) return { kind: 'command', row: chat, rest: restOf(chat, rest) };
  if (words.length === 0 && rest.some(isPrintOption)) throw printIsMissing(argv);
  return { kind: 'group', words, rest };
}

/** Text that is no command; one word that is nearly a command, or one of the chat, was more likely meant as one. */
function isPrompt(text: string, rows: readonly CommandRow[]): boolean {
  return /\s/.test(text) || (nearCommands([text], rows) === '' && !isSlashCommand(text));
}

function isSlashCommand(word: string): boolean {
  const bare = word.replace(/^\//, '');
  return SLASH_COMMANDS.some(({ name }) => name === bare);
}

function hasCommandsBelow(name: string, rows: readonly CommandRow[]): boolean {
  return rows.some((candidate) => candidate.name.startsWith(`${name} `));
}

/** The next word, skipping global options; after one of the command's own it may be that option's value. */
function nextWord(argv: readonly string[]): string | undefined {
  for (let at = 0; at < argv.length; at++) {
    const argument = argv[at]!;
    if (!argument.startsWith('-')) return argument;
    if (!/^--[^=]/.test(argument) || !Object.hasOwn(GLOBAL_OPTIONS, argument.slice(2).split('=')[0]!)) return undefined;
    if (takesNext(argument)) at++;
  }
  return undefined;
}

function restOf(row: CommandRow, rest: readonly string[]): readonly string[] {
  return row.name === CHAT_NAME ? withOpenResume(rest) : rest;
}

export interface ParsedLine {
  readonly arguments: readonly string[];
  readonly options: Readonly<Record<string, string | number | boolean | undefined>>;
}

type ParsedCommand = Pick<Command, 'options' | 'arguments'> & Partial<Pick<Command, 'examples'>>;

/** `rest` is the line without the command's words; throws a usage error that names what is wrong with it. */
export function parseOptions(rest: readonly string[], command: ParsedCommand, topic: string): ParsedLine {
  const specs: OptionSpecs = { ...command.options, ...GLOBAL_OPTIONS };
  const { tokens } = parseArgs({
    args: [...rest],
    options: asParseArgs(specs),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const options: Record<string, string | number | boolean | undefined> = {};
  const positionals: string[] = [];
  for (const [name, spec] of Object.entries(specs)) if (spec.kind === 'flag') options[name] = false;
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const spec = Object.hasOwn(specs, token.name) ? specs[token.name] : undefined;
    if (!spec) throw unknownOption(token.rawName, specs, topic);
    // `--body "- a list"` is taken as is; a known option was more likely meant as one.
    if (token.inlineValue === false && isOption(token.value, specs)) {
      throw usageError(
        `${token.rawName} needs a value, and ${token.value} is an option.`,
        topic,
        `To mean it: ${token.rawName}=${token.value}`,
      );
    }
    // We do not guess which of two values was meant.
    if (spec.kind !== 'flag' && options[token.name] !== undefined)
      throw usageError(`${token.rawName} is given more than once; it takes one value.`, topic);
    options[token.name] = readValue({ spec, rawName: token.rawName, value: token.value, topic });
  }
  if (options.help !== true && options.version !== true) checkComplete({ options, positionals, command, topic });
  return { arguments: positionals, options };
}

function isOption(value: string, specs: OptionSpecs): boolean {
  return Object.entries(specs).some(([name, { short }]) => {
    return value === `--${name}` || value.startsWith(`--${name}=`) || (short !== undefined && value === `-${short}`);
  });
}

function readValue(option: { spec: OptionSpec; rawName: string; value: string | undefined; topic: string }) {
  const { spec, rawName, value, topic } = option;
  if (spec.kind === 'flag') {
    if (value !== undefined) throw usageError(`${rawName} takes no value.`, topic);
    return true;
  }
  if (value === undefined) throw usageError(`${rawName} needs a value: ${rawName} ${spec.value}.`, topic);
  if (spec.kind === 'number') {
    const amount = Number(value);
    if (!/^\d+$/.test(value) || amount < 1)
      throw usageError(`${rawName} must be a whole number from 1, not ${value}.`, topic);
    return amount;
  }
  if (spec.choices && !spec.choices.includes(value)) {
    const hint = didYouMean(value, spec.choices);
    throw usageError(
      `${rawName} must be ${inWords(spec.choices, 'or')}, not ${value}${hint === '' ? '.' : `; ${hint}`}`,
      topic,
    );
  }
  return value;
}

function checkComplete(line: {
  options: Readonly<Record<string, unknown>>;
  positionals: readonly string[];
  command: ParsedCommand;
  topic: string;
}): void {
  const { options, positionals, command, topic } = line;
  const [example] = command.examples ?? [];
  const complete = example === undefined ? '' : `For example: ${example}`;
  const missing = Object.entries(command.options)
    .filter(([name, spec]) => spec.kind === 'text' && spec.required && options[name] === undefined)
    .map(([name]) => `--${name}`);
  if (missing.length > 0)
    throw usageError(`${inWords(missing, 'and')} ${missing.length === 1 ? 'is' : 'are'} missing.`, topic, complete);
  const absent = command.arguments.filter((argument, at) => argument.required && positionals[at] === undefined);
  if (absent.length > 0)
    throw usageError(
      `${inWords(
        absent.map(({ name }) => name),
        'and',
      )} ${absent.length === 1 ? 'is' : 'are'} missing.`,
      topic,
      complete,
    );
  const empty = command.arguments.find((_, at) => positionals[at]?.trim() === '');
  if (empty !== undefined) throw usageError(`${empty.name} is empty.`, topic);
  const surplus = positionals[command.arguments.length];
  if (surplus !== undefined && !command.arguments.at(-1)?.takesRest)
    throw usageError(`${surplus} is one argument too many.`, topic, inQuotes({ positionals, command, topic }));
}

/** Most often a title, a path or a question with blanks in it. */
function inQuotes(line: { positionals: readonly string[]; command: ParsedCommand; topic: string }): string {
  const { positionals, command, topic } = line;
  const last = command.arguments.length - 1;
  if (last < 0) return '';
  const words = [...positionals.slice(0, last), positionals.slice(last).join(' ')];
  return `To give several words as ${command.arguments[last]!.name}: reverie ${topic} ${words.map(quoted).join(' ')}`;
}

function asParseArgs(specs: OptionSpecs) {
  const options: Record<string, { type: 'string' | 'boolean'; short?: string }> = {};
  for (const [name, spec] of Object.entries(specs)) {
    options[name] = { type: spec.kind === 'flag' ? 'boolean' : 'string', ...(spec.short ? { short: spec.short } : {}) };
  }
  return options;
}

/** Of the options that may come before a command's words. */
function takesNext(argument: string): boolean {
  const specs: OptionSpecs = { ...PRINT_OPTIONS, ...GLOBAL_OPTIONS };
  const named = Object.entries(specs).find(([name, { short }]) => {
    return argument === `--${name}` || (short !== undefined && argument === `-${short}`);
  });
  return named !== undefined && named[1].kind !== 'flag';
}

function optionsOf(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return argv.slice(0, end === -1 ? argv.length : end);
}

function printIsMissing(argv: readonly string[]): Error {
  const option = argv.find(isPrintOption)!;
  return usageError(
    `${option} is an option of the agent, which runs with -p.`,
    PRINT_NAME,
    `Write: reverie -p ${argv.map(quoted).join(' ')}`,
  );
}

function unknownOption(rawName: string, specs: OptionSpecs, topic: string): Error {
  const hint = didYouMean(rawName.replace(/^-+/, ''), Object.keys(specs)).replaceAll(/mean |, | or /g, '$&--');
  const isText = !/^--?[\w-]+$/.test(rawName);
  const advice = isText ? 'Text that begins with a dash goes last, after --' : '';
  return usageError(`There is no option ${rawName}${hint === '' ? '.' : `; ${hint}`}`, topic, advice);
}

function unknownCommand(line: readonly string[], words: readonly string[], rows: readonly CommandRow[]): Error {
  const typed = words.join(' ');
  const group = words.slice(0, -1).join(' ');
  if (isSlashCommand(typed)) return onlyInChat(typed.replace(/^\//, ''));
  const hint = nearCommands(words, rows);
  const text = line.filter((word) => !word.startsWith('-')).join(' ');
  const advice = group === '' ? `To ask the agent: reverie chat ${quoted(text)}` : '';
  return usageError(`There is no command ${typed}${hint === '' ? '.' : `; ${hint}`}`, group, advice);
}

function onlyInChat(name: string): Error {
  return usageError(
    `/${name} is a command of the chat.`,
    CHAT_NAME,
    `Start the chat with reverie, then type /${name}. To ask the agent: reverie chat ${name}`,
  );
}

/** `did you mean …?`, or nothing. */
function nearCommands(words: readonly string[], rows: readonly CommandRow[]): string {
  const typed = words.join(' ');
  // Someone who types `reverie save` means the one command that ends like that.
  const sameEnd = rows.filter(({ name }) => name.endsWith(` ${words.at(-1)}`)).map(({ name }) => name);
  const level = rows.map(({ name }) => name.split(' ').slice(0, words.length).join(' '));
  return sameEnd.length > 0 ? `did you mean ${inWords(sameEnd, 'or')}?` : didYouMean(typed, level);
}
