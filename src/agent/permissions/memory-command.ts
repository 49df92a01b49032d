/** Keeps shell lines from changing memory: Write and Edit are judged by the conversation, and a shell would pass that by. */

import { type CheckReadOnly, isHarmlessRedirection, isReadOnlyCommand } from './command-allowed.ts';
import { programName } from './command-rule.ts';
import { type NamesFacts, namedMemory } from './memory-names.ts';
import { fold } from './protected-paths.ts';
import type { ShellCommand, ShellWord } from './shell-commands.ts';
import type { CommandSubject, Subject } from './subject.ts';

export type MemoryCommandFacts = NamesFacts & { readonly checkReadOnly: CheckReadOnly | null };

/** Why not, and what to do instead; null for a line that leaves memory alone, only reads it, or removes files of it. */
export function memoryProblem(subject: Subject, facts: MemoryCommandFacts): string | null {
  const { command } = subject;
  if (command === null) return null;
  if (command.runs.some(isUsersHand)) return USERS_HAND;
  const named = namedMemory(subject, facts);
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

const USERS_COMMANDS = new Set(['memory save', 'memory edit', 'dream approve']);

/** `reverie memory save` and its like, also through npx and paths. */
function isUsersHand(words: readonly ShellWord[]): boolean {
  const program = words.findIndex(({ text }) => programName(text) === 'reverie');
  if (program === -1) return false;
  const rest = words.slice(program + 1).flatMap(({ text }) => (text.startsWith('-') ? [] : [text]));
  return rest.some((topic, at) => USERS_COMMANDS.has(`${topic} ${rest[at + 1]}`));
}

/** Every command of it, since one can hand what it read of the folder to the next: `ls | xargs sed -i`. */
function isReading({ line }: CommandSubject, facts: MemoryCommandFacts): boolean {
  if (line.broken !== null || line.unclear.length > 0) return false;
  return line.commands.every(
    ({ words, assignments, redirections }) =>
      redirections.every(isHarmlessRedirection) &&
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
