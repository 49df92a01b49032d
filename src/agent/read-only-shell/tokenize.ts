/** Cuts a command line into words, operators and the two redirections that are allowed, as bash would; what bash would expand is refused. */

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

// Reads what stands in quotes or behind a backslash, as bash does; what double quotes would still expand is refused.

interface Quoted {
  readonly text: string;
  /** The first position behind it. */
  readonly end: number;
}

/** In double quotes a backslash quotes these and stands for itself before all others. */
const ESCAPED_IN_DOUBLE_QUOTES = '$`"\\';
/** What may follow a dollar sign in double quotes without making it an expansion: the anchors of regular expressions. */
const HARMLESS_AFTER_DOLLAR = ' \t"|)\\';

function readSingleQuoted(command: string, at: number): Quoted {
  const close = command.indexOf("'", at + 1);
  if (close === -1) refuse("a single quote is not closed; close it with '");
  return { text: command.slice(at + 1, close), end: close + 1 };
}

function readDoubleQuoted(command: string, at: number): Quoted {
  let text = '';
  for (let position = at + 1; position < command.length; position += 1) {
    const character = command[position]!;
    const next = command[position + 1] ?? '';
    if (character === '"') return { text, end: position + 1 };
    if (character === '`') refuse('backticks run a command even in double quotes; use single quotes');
    if (character === '$' && !HARMLESS_AFTER_DOLLAR.includes(next)) {
      refuse('$ is expanded even in double quotes; use single quotes, or write the value out');
    }
    if (character === '\\' && next !== '' && ESCAPED_IN_DOUBLE_QUOTES.includes(next)) {
      text += next;
      position += 1;
    } else {
      text += character;
    }
  }
  return refuse('a double quote is not closed; close it with "');
}

/** A backslash before a letter or digit does nothing in bash: it hides a word, or is a Windows path. */
function readEscaped(command: string, at: number): Quoted {
  const code = command.codePointAt(at + 1);
  if (code === undefined) refuse('the command ends in a backslash; leave it out');
  const text = String.fromCodePoint(code);
  if (/[\p{L}\p{M}\p{N}]/u.test(text)) {
    refuse(`a backslash before ${text} means nothing outside quotes; use single quotes, and / in paths`);
  }
  return { text, end: at + 1 + text.length };
}
