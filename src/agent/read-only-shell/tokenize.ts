/** Cuts a command line into words, operators and the two redirections that are allowed, as bash would; what bash would expand is refused. */

import { readDoubleQuoted, readEscaped, readSingleQuoted } from './quotes.ts';
import { refuse } from './refuse.ts';
import { makeWord, type Piece, type Word } from './word.ts';

export type Operator = '|' | '&&' | '||' | ';';

export type Token =
  | { readonly kind: 'word'; readonly word: Word; readonly start: number; readonly end: number }
  | { readonly kind: 'operator'; readonly operator: Operator; readonly start: number; readonly end: number }
  /** Where error output goes: nowhere, or where output goes. */
  | { readonly kind: 'errors'; readonly errors: 'dropped' | 'joined'; readonly start: number; readonly end: number };

const BLANKS = /[ \t]*/y;
const OPERATOR = /\|\||&&|[|;]/y;
const ERRORS = /2>(?:(&1)|[ \t]*\/dev\/null)(?=[ \t|&;]|$)/y;
const DASH_LOOKALIKE = /(?!-)[\p{Pd}\u2212]/u;
const REDIRECTION_REASON =
  'only 2>/dev/null and 2>&1 are allowed as redirections; nothing may be written or read by < or >';

export function tokenize(command: string): Token[] {
  const tokens: Token[] = [];
  let at = matchAt(BLANKS, command, 0)![0].length;
  while (at < command.length) {
    const token = readErrors(command, at) ?? readOperator(command, at) ?? readWord(command, at);
    tokens.push(token);
    at = token.end + matchAt(BLANKS, command, token.end)![0].length;
  }
  return tokens;
}

function readErrors(command: string, start: number): Token | null {
  const match = matchAt(ERRORS, command, start);
  if (match === null) return null;
  return { kind: 'errors', errors: match[1] === undefined ? 'dropped' : 'joined', start, end: start + match[0].length };
}

function readOperator(command: string, start: number): Token | null {
  const [first, second] = [command[start], command[start + 1]];
  if (first === '&' && second === '>') refuse(REDIRECTION_REASON);
  if (first === '&' && second !== '&') refuse('& runs a command in the background, which is not allowed; use && or ;');
  if (first === '|' && second === '&') refuse('|& is not allowed; write 2>&1 | instead');
  if (first === ';' && (second === ';' || second === '&')) refuse(`${first}${second} is not allowed`);
  const match = matchAt(OPERATOR, command, start);
  if (match === null) return null;
  return { kind: 'operator', operator: match[0] as Operator, start, end: start + match[0].length };
}

function readWord(command: string, start: number): Token {
  if (command[start] === '#') refuse('comments are not allowed; quote the # if it is meant');
  if (command[start] === '=') refuse('a word may not begin with =, which some shells expand; quote it');
  if (DASH_LOOKALIKE.test(command[start]!)) refuse(`${command[start]} only looks like a dash; options begin with -`);
  const pieces: Piece[] = [];
  let plain = '';
  let at = start;
  const closePlain = () => {
    if (plain !== '') pieces.push({ text: plain, isQuoted: false });
    plain = '';
  };
  while (at < command.length && !/[ \t|&;]/.test(command[at]!)) {
    const quoted = readQuoted(command, at);
    if (quoted === null) {
      requireOrdinary(command, at, start);
      plain += command[at];
      at += 1;
    } else {
      closePlain();
      pieces.push({ text: quoted.text, isQuoted: true });
      at = quoted.end;
    }
  }
  closePlain();
  return { kind: 'word', word: makeWord(pieces), start, end: at };
}

function readQuoted(command: string, at: number): { readonly text: string; readonly end: number } | null {
  if (command[at] === "'") return readSingleQuoted(command, at);
  if (command[at] === '"') return readDoubleQuoted(command, at);
  if (command[at] === '\\') return readEscaped(command, at);
  return null;
}

/** Everything that means more than itself outside quotes, globs aside. */
function requireOrdinary(command: string, at: number, wordStart: number): void {
  const character = command[at]!;
  const before = at === wordStart ? '' : command[at - 1]!;
  const after = command[at + 1] ?? ' ';
  if (character === '<' || character === '>') refuse(REDIRECTION_REASON);
  if (character === '(' || character === ')') refuse('parentheses are not allowed; quote them, as in \\( for find');
  if (character === '{' || character === '}') refuse('braces are not allowed; quote them, or write the words out');
  if (character === '`') refuse('backticks run a command, which is not allowed; quote them with single quotes');
  if (character === '$' && !/[ \t]/.test(after))
    refuse('$ is expanded by shells; write the value out, or use single quotes');
  if (character === '~' && /^[=:]?$/.test(before)) refuse('~ is expanded by shells; write the absolute path');
  if (character === '!' && before !== '[' && !(before === '' && /[ \t]/.test(after))) {
    refuse('! may recall an earlier command; quote it with single quotes');
  }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
