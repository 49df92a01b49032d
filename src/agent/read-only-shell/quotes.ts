/** Reads what stands in quotes or behind a backslash, as bash does; what double quotes would still expand is refused. */

import { refuse } from './refuse.ts';

export interface Quoted {
  readonly text: string;
  /** The first position behind it. */
  readonly end: number;
}

/** In double quotes a backslash quotes these and stands for itself before all others. */
const ESCAPED_IN_DOUBLE_QUOTES = '$`"\\';
/** What may follow a dollar sign in double quotes without making it an expansion: the anchors of regular expressions. */
const HARMLESS_AFTER_DOLLAR = ' \t"|)\\';

export function readSingleQuoted(command: string, at: number): Quoted {
  const close = command.indexOf("'", at + 1);
  if (close === -1) refuse("a single quote is not closed; close it with '");
  return { text: command.slice(at + 1, close), end: close + 1 };
}

export function readDoubleQuoted(command: string, at: number): Quoted {
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
export function readEscaped(command: string, at: number): Quoted {
  const code = command.codePointAt(at + 1);
  if (code === undefined) refuse('the command ends in a backslash; leave it out');
  const text = String.fromCodePoint(code);
  if (/[\p{L}\p{M}\p{N}]/u.test(text)) {
    refuse(`a backslash before ${text} means nothing outside quotes; use single quotes, and / in paths`);
  }
  return { text, end: at + 1 + text.length };
}
