/** Splits a shell line into its simple commands, wherever they stand: chains, groups, loops, substitutions. Tolerant; says what it did not follow. */

import { PERMISSION_LIMITS } from '../../limits.ts';
import { readArray, readKeyword } from './shell-compounds.ts';
import { readHereDocuments, readRedirection } from './shell-redirections.ts';
import {
  giveUp,
  goDeeper,
  isAtEnd,
  type ShellCommand,
  type ShellFound,
  type ShellText,
  type ShellWord,
  skipBlanks,
  skipComment,
} from './shell-text.ts';
import { readWord } from './shell-words.ts';

/** Characters of a shell line above which no rule allows it: it is not read. */
const COMMAND_CHARACTERS = 65_536;
/** Words of a shell line above which no rule allows it: each may be a file that has to be looked at. */
const COMMAND_WORDS = 2_000;

export type { ShellCommand, ShellWord } from './shell-text.ts';

export interface ShellLine {
  readonly commands: readonly ShellCommand[];
  /** Why it is no shell that we can read; null when it is. */
  readonly broken: string | null;
  /** Constructs that were read past without following what they do: functions, arithmetic. */
  readonly unclear: readonly string[];
}

export function parseShell(text: string): ShellLine {
  const found: ShellFound = { commands: [], broken: null, unclear: [] };
  // Blanks and control characters beyond these are read differently by different shells.
  if (/[^\t\n\P{Cc}]|[\u0085\u2028\u2029]/u.test(text)) found.broken = 'it holds control characters';
  if (text.length > COMMAND_CHARACTERS) found.broken = 'it is too long';
  readText(text, 0, found);
  const words = found.commands.reduce((sum, command) => sum + command.words.length + command.redirections.length, 0);
  if (words > COMMAND_WORDS) found.broken ??= 'it has too many words';
  return found;
}

function readText(text: string, depth: number, found: ShellFound): void {
  const shell: ShellText = {
    text,
    at: 0,
    depth,
    found,
    hereDocuments: [],
    readNested: (inner) => goDeeper(inner, () => readList(inner, 'nested')),
    readText: (inner, innerDepth) => readText(inner, innerDepth, found),
  };
  if (depth > PERMISSION_LIMITS.shellDepth) {
    giveUp(shell, 'it is nested too deeply');
    return;
  }
  readList(shell, 'whole');
  if (shell.hereDocuments.length > 0) giveUp(shell, 'a here-document is not closed');
}

/** Commands up to the end of the text, the closing parenthesis, or, in a `case`, the end of one of its branches. */
function readList(shell: ShellText, where: 'whole' | 'nested' | 'branch'): void {
  while (!isAtEnd(shell)) {
    skipBlanks(shell);
    if (isAtEnd(shell)) break;
    const character = shell.text[shell.at]!;
    if (character === '\n') {
      shell.at += 1;
      readHereDocuments(shell);
    } else if (character === '#') {
      skipComment(shell);
    } else if (character === ')') {
      if (where === 'nested') shell.at += 1;
      else giveUp(shell, 'a parenthesis is closed that was not opened');
      return;
    } else if (shell.text.startsWith(';;', shell.at) || shell.text.startsWith(';&', shell.at)) {
      if (where === 'branch') shell.at += shell.text.startsWith(';;&', shell.at) ? 3 : 2;
      else giveUp(shell, 'a `;;` stands outside of a case');
      return;
    } else if (character === '(') {
      if (shell.text[shell.at + 1] === '(') shell.found.unclear.push('arithmetic');
      shell.at += 1;
      goDeeper(shell, () => readList(shell, 'nested'));
    } else if (';|'.includes(character) || (character === '&' && shell.text[shell.at + 1] !== '>')) {
      shell.at += 1;
    } else if (readCommand(shell) === 'end-of-case') {
      if (where !== 'branch') giveUp(shell, 'an esac stands outside of a case');
      return;
    }
  }
  if (where !== 'whole') giveUp(shell, 'something is opened and not closed');
}

const ASSIGNMENT = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?\+?=/;

function readCommand(shell: ShellText): 'read' | 'end-of-case' {
  const words: ShellWord[] = [];
  const assignments: { name: string; value: string; isLiteral: boolean }[] = [];
  const redirections: { operator: string; target: ShellWord }[] = [];
  for (;;) {
    skipBlanks(shell);
    if (isAtEnd(shell)) break;
    const character = shell.text[shell.at]!;
    const redirection = readRedirection(shell);
    if (redirection !== null) {
      redirections.push(redirection);
      continue;
    }
    if ('\n;&|)'.includes(character)) break;
    if (character === '#') {
      skipComment(shell);
      break;
    }
    if (character === '(') {
      // Behind a keyword it opens a group, which the list reads.
      if (words.length + assignments.length + redirections.length === 0) return 'read';
      if (words.length !== 1) giveUp(shell, 'a parenthesis stands where none can');
      shell.found.unclear.push('a function');
      shell.at += 1;
      skipBlanks(shell);
      if (shell.text[shell.at] !== ')') giveUp(shell, 'a parenthesis stands where none can');
      shell.at += 1;
      return 'read';
    }
    const start = shell.at;
    const word = readWord(shell);
    const isKeywordPlace = words.length === 0 && assignments.length === 0 && word.unquoted === word.text;
    if (isKeywordPlace && redirections.length === 0) {
      if (word.text === 'esac') {
        shell.at = start;
        return 'end-of-case';
      }
      if (readKeyword(word.text, shell, () => readList(shell, 'branch'))) continue;
    }
    const assignment = words.length === 0 ? ASSIGNMENT.exec(word.unquoted) : null;
    if (assignment === null) words.push(word);
    else {
      const isList = word.text === assignment[0] && shell.text[shell.at] === '(';
      if (isList) readArray(shell);
      const value = word.text.slice(assignment[0].length);
      assignments.push({ name: assignment[1]!, value, isLiteral: word.isLiteral && !isList });
    }
  }
  if (words.length + assignments.length + redirections.length > 0) {
    shell.found.commands.push({ words, assignments, redirections });
  }
  return 'read';
}
