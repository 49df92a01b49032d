/** Keeps shell lines from changing memory: Write and Edit are judged by the conversation, and a shell would pass that by. */

import { dirname } from 'node:path';
import { isWithin } from '../../base/paths.ts';
import { type CheckReadOnly, isReadOnlyCommand, leadsNowhere } from './command-allowed.ts';
import { programName } from './command-rule.ts';
import { expandBraces, wildcardMatches } from './path-pattern.ts';
import { fromFolder } from './path-problem.ts';
import { fold } from './protected-paths.ts';
import type { ShellCommand, ShellWord } from './shell-commands.ts';
import type { CommandSubject, PermissionPlace, Subject } from './subject.ts';

export type MemoryCommandFacts = NamesFacts & { readonly checkReadOnly: CheckReadOnly | null };

/** Why not, and what to do instead; null for a line that leaves memory alone, only reads it, or removes files of it. */
export function memoryProblem(subject: Subject, facts: MemoryCommandFacts): string | null {
  const { command } = subject;
  if (command === null) return null;
  if (command.runs.some(isUsersHand)) return USERS_HAND;
  const named = namedFolder(subject, facts.place.memoryFolders, facts);
  if (named === null || facts.checkReadOnly?.(command.text).verdict === 'allow') return null;
  if (isReading(command, facts) && !reachesJournal(subject, [named.folder, facts.realPath(named.folder)])) return null;
  return `${named.how === 'named' ? namedReason(named.folder) : standingReason(named.folder)} ${WHY}`;
}

const WHY =
  'Use Write and Edit there: they check that what is kept rests on what the user said, which a command does not. ' +
  'To look, use Read and Grep, or a line of ls, cat, grep, head and tail alone; to forget a memory, the Forget tool.';

const USERS_HAND =
  'This command keeps memories as the user’s own, without a check of who said them: it is for the user to run. Use Write and Edit in the memory folder.';

function namedReason(folder: string): string {
  return `${folder} is memory, and this line may change it or feed it to something that does.`;
}

function standingReason(folder: string): string {
  return `The shell stands in ${folder}, which is memory: leave it with \`cd\` in a call of its own before anything else is run.`;
}

const USERS_COMMANDS = new Set(['memory save', 'memory add', 'memory edit', 'dream approve']);

/** `reverie memory save` and its like, also through npx and paths. */
function isUsersHand(words: readonly ShellWord[]): boolean {
  const program = words.findIndex(({ text }) => programName(text) === 'reverie');
  if (program === -1) return false;
  const rest = words.slice(program + 1).flatMap(({ text }) => (text.startsWith('-') ? [] : [text]));
  return rest.includes('remember') || rest.some((topic, at) => USERS_COMMANDS.has(`${topic} ${rest[at + 1]}`));
}

/** Every command of it, since one can hand what it read of the folder to the next: `ls | xargs sed -i`. */
function isReading({ line }: CommandSubject, facts: MemoryCommandFacts): boolean {
  if (line.broken !== null || line.unclear.length > 0) return false;
  return line.commands.every(
    ({ words, assignments, redirections }) =>
      redirections.every((each) => leadsNowhere(each) || /^<(?:<[<-]?)?$/.test(each.operator)) &&
      (words.length === 0 ||
        (assignments.length === 0 && (isIdle(words) || isRemoval(words) || isReadOnlyCommand(words, facts)))),
  );
}

const IDLE = new Set(['cd', 'pwd', 'echo', 'printf', 'true', 'false', ':']);

function isIdle([program]: ShellCommand['words']): boolean {
  return program?.isLiteral === true && IDLE.has(program.text);
}

/** Of memories by their names: what is removed so is journalled, and `undo` brings it back. */
function isRemoval([program, ...operands]: ShellCommand['words']): boolean {
  if (program?.isLiteral !== true || program.text !== 'rm') return false;
  return operands.every(({ text }) => /^(?:-[fiIv]+|--(?:force|verbose)?)$/.test(text) || /^[^-].*\.md$/s.test(text));
}

function reachesJournal({ paths }: Subject, folders: readonly string[]): boolean {
  const written = paths.flatMap(({ given, real, use }) => (use === 'write' ? [given, real] : [])).map(fold);
  return written.some((path) => folders.some((folder) => path.startsWith(`${fold(folder)}/.`)));
}

// Whether a shell line names a memory folder, however it is spelt: as a word, inside a script, by variables, globs, links, or by standing
// in it.

interface NamesFacts {
  readonly place: PermissionPlace;
  readonly realPath: (path: string) => string;
}

interface NamedFolder {
  readonly folder: string;
  /** `stands-there`: whatever the line says, it runs in that folder. */
  readonly how: 'named' | 'stands-there';
}

/** Which of these folders a shell line names, or stands in. */
export function namedFolder(subject: Subject, folders: readonly string[], facts: NamesFacts): NamedFolder | null {
  const { command } = subject;
  if (command === null) return null;
  const { place, realPath } = facts;
  const texts = textsOf(command, place);
  const tokens = texts.flatMap((text) => text.split(BETWEEN_PATHS)).filter((token) => token.includes('/'));
  const paths = [
    ...subject.paths.flatMap(({ given, real }) => [given, real]),
    ...tokens.map((token) => fromFolder(token, place)),
  ].map(fold);
  const written = subject.paths.flatMap(({ given, real, use }) => (use === 'write' ? [given, real] : [])).map(fold);
  const here = [place.cwd, realPath(place.cwd)].map(fold);
  const text = fold(texts.join('\n')).replace(/\/(?:\.?\/)+/g, '/');
  for (const folder of folders) {
    const spelt = [folder, realPath(folder)].map(fold);
    const isIn = (path: string) => spelt.some((each) => isWithin(path, each));
    if (here.some(isIn)) return { folder, how: 'stands-there' };
    const isNamed =
      paths.some((path) => isIn(path) || spelt.some((each) => isPatternFor(path, each))) ||
      written.some((path) => spelt.some((each) => isAbove(path, each, place))) ||
      spellingsOf(spelt, facts).some((spelling) => holds(text, spelling));
    if (isNamed) return { folder, how: 'named' };
  }
  return null;
}

/** Where a path ends inside of a script that another program reads. */
const BETWEEN_PATHS = /[\s"'`=,;()[\]|&<>]+/;

/** All that the line says, as it is written and as a shell would read it. */
function textsOf({ text, line, runs }: CommandSubject, place: PermissionPlace): readonly string[] {
  const words = [...line.commands, ...runs.map((each) => ({ words: each, assignments: [], redirections: [] }))].flatMap(
    (command) => [
      ...command.assignments.map(({ name, value }) => `${name}=${value}`),
      ...command.words.map((word) => word.text),
      ...command.redirections.map(({ target }) => target.text),
    ],
  );
  const known = new Map([
    ['HOME', place.userHome],
    ['PWD', place.cwd],
    ['REVERIE_HOME', place.home],
  ]);
  const expanded = words.map((word) => {
    const whole = expand(word, known);
    const assignment = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(whole);
    if (assignment !== null) known.set(assignment[1]!, assignment[2]!);
    return whole;
  });
  return [...new Set([text, expand(text, known), ...words, ...expanded])];
}

function expand(text: string, known: ReadonlyMap<string, string>): string {
  return text.replace(/\$(?:(\w+)|\{(\w+)[^}]*\})/g, (whole, name, braced) => known.get(name ?? braced) ?? whole);
}

/** `~/.rev*` may be the folder above it, and `{a,b}` either. */
function isPatternFor(path: string, folder: string): boolean {
  if (!/[*?[{]/.test(path)) return false;
  const wanted = folder.split('/');
  return (expandBraces(path) ?? []).some((choice) => {
    const parts = choice.split('/');
    return wanted.every((name, at) => parts[at] !== undefined && wildcardMatches(parts[at], name));
  });
}

/** Who copies into Reverie's home, or removes it, means what is below. */
function isAbove(path: string, folder: string, { home }: PermissionPlace): boolean {
  return isWithin(folder, path) && isWithin(path, fold(home));
}

/** Whole, and from the folders that scripts begin with: `Path.home() / ".reverie/memory"`. One name alone means nothing. */
function spellingsOf(spelt: readonly string[], { place, realPath }: NamesFacts): readonly string[] {
  const bases = [dirname(place.home), place.home, place.userHome, ...place.roots];
  const known = [...new Set(bases.flatMap((base) => [base, realPath(base)]).map(fold))].filter((base) => base !== '/');
  const below = known.flatMap((base) =>
    spelt.flatMap((path) => (isWithin(path, base) ? [path.slice(base.length + 1)] : [])),
  );
  return [...spelt, ...below.filter((part) => part.includes('/'))];
}

/** Not as part of a longer name: `memory-old` is another folder. */
function holds(text: string, spelling: string): boolean {
  for (let at = text.indexOf(spelling); at !== -1; at = text.indexOf(spelling, at + 1)) {
    const isBegun = !/[\w.-]/.test(text[at - 1] ?? ' ');
    if (isBegun && !/[\w.-]/.test(text[at + spelling.length] ?? ' ')) return true;
  }
  return false;
}
