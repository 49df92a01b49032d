/** Whether every command of a shell line may run without asking: by a rule, because it only reads, or because it does nothing. */

import { quoted } from '../../base/text/shell-words.ts';
import { allowsCommand } from './command-rule.ts';
import type { SourcedRule } from './rule.ts';
import type { ShellCommand, ShellWord } from './shell-commands.ts';
import type { Subject } from './subject.ts';

export type CheckReadOnly = (command: string) => { readonly verdict: 'allow' | 'deny'; readonly reason: string };

export interface LineFacts {
  readonly rules: readonly SourcedRule[];
  readonly checkReadOnly: CheckReadOnly | null;
  /** Whether a folder may be entered without a question. */
  readonly isInside: (path: string) => boolean;
}

export type LineVerdict =
  /** `isAllByRule`: no file is read that no rule speaks of. */
  | { readonly kind: 'allowed'; readonly rule: string | null; readonly isAllByRule: boolean }
  | { readonly kind: 'open'; readonly reason: string };

export function allowedLine(subject: Subject, facts: LineFacts): LineVerdict {
  const command = subject.command;
  if (command === null) return { kind: 'open', reason: 'It is no shell command.' };
  const { line } = command;
  if (line.broken !== null) return { kind: 'open', reason: `The command cannot be read: ${line.broken}.` };
  const all = facts.rules.find(({ rule }) => rule.kind === 'tool' && rule.tool === 'Bash');
  if (all !== undefined) return { kind: 'allowed', rule: all.rule.text, isAllByRule: true };
  const exact = facts.rules.find(({ rule }) => rule.kind === 'line' && rule.line === command.text.trim());
  if (exact !== undefined) return { kind: 'allowed', rule: exact.rule.text, isAllByRule: true };
  if (line.unclear.length > 0) return { kind: 'open', reason: `No rule covers ${line.unclear[0]}.` };
  if (line.commands.length === 0) return { kind: 'open', reason: 'There is no command in it.' };
  let rule: string | null = null;
  let isAllByRule = true;
  for (const each of line.commands) {
    const verdict = allowedCommand(each, line.commands, facts);
    if (verdict.kind === 'open') return verdict;
    rule ??= verdict.rule;
    isAllByRule &&= verdict.isAllByRule;
  }
  return { kind: 'allowed', rule, isAllByRule };
}

function allowedCommand(command: ShellCommand, all: readonly ShellCommand[], facts: LineFacts): LineVerdict {
  const open = (reason: string): LineVerdict => ({ kind: 'open', reason });
  const idle: LineVerdict = { kind: 'allowed', rule: null, isAllByRule: true };
  const variable = command.assignments.find((each) => !isHarmlessVariable(each));
  if (variable !== undefined) return open(`No rule covers setting the variable ${variable.name}.`);
  const file = command.redirections.find((redirection) => !leadsNowhere(redirection));
  if (file !== undefined) return open(`No rule covers the redirection ${file.operator} ${file.target.text}.`);
  const expanded = command.words.find((word) => word.expands);
  if (expanded !== undefined) return open(`No rule covers \`${expanded.text}\`, which the shell replaces.`);
  const words = withoutPlainWrapper(command.words);
  if (words.length === 0) return idle;
  const subscript = runInSubscript(words) ?? runInSubscript(command.words);
  if (subscript !== null) return open(`No rule covers \`${subscript}\`, in which the shell runs commands.`);
  const found = facts.rules.find(
    ({ rule }) => rule.kind === 'command' && (allowsCommand(rule, words) || allowsCommand(rule, command.words)),
  );
  if (found !== undefined) return { kind: 'allowed', rule: found.rule.text, isAllByRule: true };
  if (isHarmless(words, facts)) return idle;
  // Behind a `cd` the paths of a command mean something else than what the gate would look at.
  const isSteady = !all.some((each) => ['cd', 'pushd', 'popd'].includes(each.words[0]?.text ?? ''));
  if (isSteady && isReadOnlyCommand(words, facts)) return { ...idle, isAllByRule: false };
  return open(`No rule allows \`${words.map((word) => word.text).join(' ')}\`.`);
}

/** Parts of the shell itself that take the name of a variable, and so run what is in its subscript, quoted or not. */
const NAMING = new Set([
  ...['printf', 'test', '[', 'read', 'mapfile', 'readarray', 'unset', 'wait', 'getopts', 'let', 'declare', 'typeset'],
  ...['local', 'export', 'readonly', 'builtin', 'command'],
]);

/** `printf -v 'a[$(rm x)]'`, `test -v 'a[$(rm x)]'`. */
function runInSubscript(words: readonly ShellWord[]): string | null {
  if (!NAMING.has(words[0]?.text ?? '')) return null;
  return words.slice(1).find(({ text }) => /\[.*(?:\$|`)/s.test(text))?.text ?? null;
}

export function isReadOnlyCommand(
  words: readonly ShellWord[],
  { checkReadOnly }: Pick<LineFacts, 'checkReadOnly'>,
): boolean {
  // What is quoted for the gate is not quoted for the shell, which takes `~` for a home folder.
  if (checkReadOnly === null || words.some((word) => !word.isLiteral || word.text.includes('~'))) return false;
  const command = words.map((word) => quoted(word.text)).join(' ');
  // The gate wants to see where a filter's input comes from; here it comes from a command that is judged by itself.
  return [command, `ls | ${command}`].some((each) => checkReadOnly(each).verdict === 'allow');
}

function isHarmless(words: readonly ShellWord[], facts: LineFacts): boolean {
  const [program, ...operands] = words;
  // `echo $TOKEN` would tell what is in the environment, `echo ~/.ssh/*` what is in a folder.
  if (program === undefined || words.some((word) => !word.isLiteral)) return false;
  switch (program.text) {
    case 'true':
    case 'false':
    case ':':
    case 'pwd':
    case 'echo':
      return true;
    case 'cd':
      // `cd -` goes back to a folder that nobody can tell from the line.
      return operands.length === 1 && !operands[0]!.text.startsWith('-') && facts.isInside(operands[0]!.text);
  }
  return false;
}

/** `timeout 60 npm test` is still `npm test`; with options of its own a wrapper needs a rule that names it. */
function withoutPlainWrapper(words: readonly ShellWord[]): readonly ShellWord[] {
  const [first, second] = words;
  if (first === undefined || !first.isLiteral || second === undefined || !second.isLiteral) return words;
  if (first.text === 'timeout' && /^\d+(?:\.\d+)?[smhd]?$/.test(second.text)) return words.slice(2);
  return (first.text === 'nohup' || first.text === 'nice') && !second.text.startsWith('-') ? words.slice(1) : words;
}

/** Variables that change how something is shown, not what is run, with a value that is only a value. */
function isHarmlessVariable({ name, value, isLiteral }: ShellCommand['assignments'][number]): boolean {
  const isShown = /^(?:CI|NO_COLOR|FORCE_COLOR|COLUMNS|LINES|TZ|LANG|LC_[A-Z]+|RUST_BACKTRACE|PYTHONUNBUFFERED)$/;
  return isLiteral && isShown.test(name) && /^[\w.@+-]*$/.test(value);
}

/** `2>&1`, `>/dev/null`: no file is read or written. */
export function leadsNowhere({ operator, target }: ShellCommand['redirections'][number]): boolean {
  if (!target.isLiteral || operator.startsWith('<<')) return false;
  return target.text === '/dev/null' || (operator.endsWith('&') && /^(?:\d+|-)$/.test(target.text));
}

const FILE_COMMANDS: Readonly<Record<string, RegExp>> = {
  mkdir: /^(?:-[pv]+|--parents|--verbose)$/,
  touch: /^-[acm]+$/,
  rmdir: /^(?:-[pv]+|--parents|--verbose)$/,
  cp: /^-[finpuv]+$/,
  mv: /^-[finuv]+$/,
};

/** Only commands that make, copy or move single files, with every name written out. Where they lead is checked elsewhere. */
export function isFileWork(subject: Subject): boolean {
  const line = subject.command?.line;
  if (line === undefined || line.broken !== null || line.unclear.length > 0 || line.commands.length === 0) return false;
  return line.commands.every(({ words, assignments, redirections }) => {
    const [program, ...operands] = words;
    if (program === undefined || assignments.length + redirections.length > 0) return false;
    if (!words.every((word) => word.isLiteral) || !Object.hasOwn(FILE_COMMANDS, program.text)) return false;
    const options = operands.filter(({ text }) => text.startsWith('-') && text !== '--');
    return options.length < operands.length && options.every(({ text }) => FILE_COMMANDS[program.text]!.test(text));
  });
}
