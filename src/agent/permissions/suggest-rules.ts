/** Rules that would spare this question next time, as narrow as they are still of use. */

import { dirname, relative } from 'node:path';
import { isWithin } from '../../base/paths.ts';
import { quoted } from '../../base/text/shell-words.ts';
import { programName } from './command-rule.ts';
import { parseRule } from './rule.ts';
import type { ShellCommand } from './shell-commands.ts';
import type { PermissionPlace, Subject } from './subject.ts';
import { isWrapper } from './wrapped-commands.ts';

/** Programs that run what they find in a file or in their words; those that run other programs are known already. */
const INTERPRETERS = /^(?:node|deno|bun|bunx|npx|python[\d.]*|perl|ruby|php|lua|[gmn]?awk|osascript|source|\.)$/;

/** They need no rule. */
const HARMLESS = new Set(['echo', 'true', 'false', ':', 'pwd', 'cd']);

/** Programs whose first word says what they do. */
const WITH_SUBCOMMANDS = /^(?:git|npm|pnpm|yarn|cargo|go|make|gh|pip|uv|poetry|dotnet|mvn|gradle)$/;

/** What might spare it; whether it does is for the decision to say. Empty when no rule could. */
export function suggestRules(subject: Subject, place: PermissionPlace): readonly string[] {
  const texts = subject.command === null ? toolRules(subject, place) : commandRules(subject.command.line.commands);
  return [...new Set(texts)].filter((text) => !('wrong' in parseRule(text)));
}

/** The whole line to the letter, for loops, variables and redirections; null where what it runs is not all in the line. */
export function lineRule({ command }: Subject): string | null {
  if (command === null || command.isUnknown || command.line.broken !== null) return null;
  if (command.runs.some((words) => words[0]?.isLiteral !== true || startsOthers(words.map(({ text }) => text))))
    return null;
  const text = `Bash(=${command.text.trim()})`;
  return 'wrong' in parseRule(text) ? null : text;
}

function commandRules(commands: readonly ShellCommand[]): readonly string[] {
  const needed = commands.filter(({ words }) => !HARMLESS.has(words[0]?.text ?? ''));
  const rules = needed.map(commandRule);
  return rules.every((rule) => rule !== null) ? rules : [];
}

/** The command as it is; or all that a program does under one of its subcommands. */
function commandRule({ words }: ShellCommand): string | null {
  const texts = words.map(({ text }) => text);
  const [program = '', subcommand = ''] = texts;
  if (texts.some((text) => text.includes('\n')) || startsOthers(texts)) return null;
  const line = (some: readonly string[]) => some.map(quoted).join(' ');
  if (WITH_SUBCOMMANDS.test(program) && /^[a-z][\w:-]*$/.test(subcommand)) {
    return `Bash(${line(texts.slice(0, RUN.test(subcommand) ? 3 : 2))}:*)`;
  }
  // A star would be read as any text.
  return texts.some((text) => text.includes('*')) ? null : `Bash(${line(texts)})`;
}

const RUN = /^run(?:-script)?$/;

/** What the command does is up to another program, or to a file. */
function startsOthers([program = '', subcommand = '', script = '']: readonly string[]): boolean {
  if (runsOthers(program) || (RUN.test(subcommand) && runsOthers(script))) return true;
  return WITH_SUBCOMMANDS.test(program) && /^(?:exec|x|dlx)$/.test(subcommand);
}

function runsOthers(program: string): boolean {
  const name = programName(program);
  return INTERPRETERS.test(name) || isWrapper(name);
}

function toolRules({ name, input, paths }: Subject, place: PermissionPlace): readonly string[] {
  if (name === 'WebFetch' && typeof input.url === 'string' && URL.canParse(input.url)) {
    return [`WebFetch(domain:${new URL(input.url).hostname})`];
  }
  if (name === 'Skill' && typeof input.skill === 'string') return [`Skill(${input.skill})`];
  if (paths.length === 0) return [name];
  const tool = name === 'Grep' || name === 'Glob' ? 'Read' : name === 'Write' ? 'Edit' : name;
  return paths.flatMap(({ given, real }) =>
    [given, real].map((path) => `${tool}(${folderPattern(path, name, place)})`),
  );
}

function folderPattern(path: string, name: string, { roots }: PermissionPlace): string {
  const folder = name === 'Grep' || name === 'Glob' ? path : dirname(path);
  const root = roots.find((each) => isWithin(folder, each));
  const below = root === undefined ? `/${folder}` : `/${relative(root, folder)}`;
  // Names may hold what a pattern means otherwise.
  return `${below.replace(/[*?[\]{}\\]/g, '\\$&').replace(/\/$/, '')}/**`;
}
