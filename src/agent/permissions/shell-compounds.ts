/** What shell keywords take with them: the words of a loop, the branches of a case, the inside of `[[ … ]]`, lists. */

import { skipSpace } from './shell-redirections.ts';
import { giveUp, goDeeper, isAtEnd, type ShellText, skipBlanks } from './shell-text.ts';
import { readWord } from './shell-words.ts';

const PASSED_OVER = new Set([
  'if',
  'then',
  'elif',
  'else',
  'fi',
  'while',
  'until',
  'do',
  'done',
  '{',
  '}',
  '!',
  'time',
]);

/** True when the word was grammar and not a command. What it takes with it is read here. */
export function readKeyword(word: string, shell: ShellText, readBranch: () => void): boolean {
  if (PASSED_OVER.has(word)) {
    skipBlanks(shell);
    if (word === 'time' && /^-p[ \t]/.test(shell.text.slice(shell.at, shell.at + 3))) shell.at += 2;
    return true;
  }
  switch (word) {
    case 'for':
    case 'select':
      return readWordsOfLoop(shell);
    case 'case':
      return readCase(shell, readBranch);
    case 'function':
      shell.found.unclear.push('a function');
      skipBlanks(shell);
      readWord(shell);
      skipBlanks(shell);
      if (/^\(\s*\)/.test(shell.text.slice(shell.at))) shell.at = shell.text.indexOf(')', shell.at) + 1;
      return true;
    case 'coproc':
      shell.found.unclear.push('a coprocess');
      return true;
    case '[[':
      return readTest(shell);
  }
  return false;
}

function readWordsOfLoop(shell: ShellText): true {
  for (;;) {
    skipBlanks(shell);
    if (isAtEnd(shell) || '\n;'.includes(shell.text[shell.at]!)) return true;
    if ('&|()<>'.includes(shell.text[shell.at]!)) {
      // `for ((…))`, or no loop at all.
      shell.found.unclear.push('arithmetic');
      return true;
    }
    readWord(shell);
  }
}

function readCase(shell: ShellText, readBranch: () => void): true {
  skipBlanks(shell);
  readWord(shell);
  skipSpace(shell);
  if (readWord(shell).text !== 'in') giveUp(shell, 'a case has no `in`');
  for (;;) {
    skipSpace(shell);
    if (isAtEnd(shell)) {
      giveUp(shell, 'a case is not closed');
      return true;
    }
    if (/^esac(?![\w-])/.test(shell.text.slice(shell.at, shell.at + 5))) {
      shell.at += 'esac'.length;
      return true;
    }
    readPattern(shell);
    goDeeper(shell, readBranch);
  }
}

function readPattern(shell: ShellText): void {
  if (shell.text[shell.at] === '(') shell.at += 1;
  for (;;) {
    skipBlanks(shell);
    const character = shell.text[shell.at];
    if (isAtEnd(shell) || (character !== undefined && '\n;&<>('.includes(character))) {
      giveUp(shell, 'a branch of a case has no `)`');
      return;
    }
    if (character === ')') {
      shell.at += 1;
      return;
    }
    if (character === '|') shell.at += 1;
    else readWord(shell);
  }
}

/** Nothing runs in `[[ … ]]` but substitutions; yet numbers in it can hide some, so it counts as not followed. */
function readTest(shell: ShellText): true {
  shell.found.unclear.push('a test in [[ ]]');
  for (;;) {
    skipSpace(shell);
    if (isAtEnd(shell)) {
      giveUp(shell, 'a [[ is not closed');
      return true;
    }
    if ('&|()<>;'.includes(shell.text[shell.at]!) && !/^[<>]\(/.test(shell.text.slice(shell.at, shell.at + 2)))
      shell.at += 1;
    else if (readWord(shell).text === ']]') return true;
  }
}

export function readArray(shell: ShellText): void {
  shell.at += 1;
  for (;;) {
    skipSpace(shell);
    if (isAtEnd(shell)) {
      giveUp(shell, 'a list is not closed');
      return;
    }
    if (shell.text[shell.at] === ')') {
      shell.at += 1;
      return;
    }
    if (';&|(<>'.includes(shell.text[shell.at]!)) {
      giveUp(shell, 'a list holds what it cannot');
      return;
    }
    readWord(shell);
  }
}
