/** Reads one word of a shell line: quotes and escapes are taken off, and commands inside of it are handed to whoever reads commands. */

import { giveUp, isAtEnd, type ShellText, type ShellWord } from './shell-text.ts';

const ENDS_WORD = new Set([' ', '\t', '\n', ';', '&', '|', '(', ')', '<', '>']);

export function readWord(shell: ShellText): ShellWord {
  const word = { text: '', isLiteral: true, unquoted: '', isPlainSoFar: true };
  const addQuoted = (text: string) => {
    word.text += text;
    word.isPlainSoFar = false;
  };
  while (!isAtEnd(shell)) {
    const character = shell.text[shell.at]!;
    const next = shell.text[shell.at + 1];
    if ((character === '<' || character === '>') && next === '(') {
      const start = shell.at;
      shell.at += 2;
      shell.readNested(shell);
      addQuoted(shell.text.slice(start, shell.at));
      word.isLiteral = false;
    } else if (ENDS_WORD.has(character)) {
      break;
    } else if (character === '\\') {
      shell.at += 2;
      if (next !== '\n') addQuoted(next ?? '\\');
    } else if (character === "'") {
      addQuoted(readSingle(shell));
    } else if (character === '"') {
      shell.at += 1;
      const inner = readDouble(shell, '"');
      addQuoted(inner.text);
      word.isLiteral &&= inner.isLiteral;
    } else if (character === '$' || character === '`') {
      const inner = readExpansion(shell, 'outside');
      addQuoted(inner.text);
      word.isLiteral &&= inner.isLiteral;
    } else {
      if ('*?['.includes(character)) word.isLiteral = false;
      word.text += character;
      if (word.isPlainSoFar) word.unquoted += character;
      shell.at += 1;
    }
  }
  const mayBeBraces = word.unquoted.includes('{') && word.text !== '{' && word.text !== '{}';
  const isOthersHome = /^~[^/]/.test(word.unquoted);
  const isLiteral = word.isLiteral && !mayBeBraces && !isOthersHome;
  return { text: word.text, isLiteral, unquoted: word.unquoted };
}

interface Piece {
  readonly text: string;
  readonly isLiteral: boolean;
}

function readSingle(shell: ShellText): string {
  const end = shell.text.indexOf("'", shell.at + 1);
  if (end === -1) {
    giveUp(shell, 'a quote is not closed');
    return '';
  }
  const text = shell.text.slice(shell.at + 1, end);
  shell.at = end + 1;
  return text;
}

/** What stands in double quotes, or, with no end, in a here-document: only `$`, backquotes and some escapes mean anything. */
export function readDouble(shell: ShellText, end: '"' | null): Piece {
  let text = '';
  let isLiteral = true;
  while (!isAtEnd(shell)) {
    const character = shell.text[shell.at]!;
    if (character === end) {
      shell.at += 1;
      return { text, isLiteral };
    }
    if (character === '\\') {
      const next = shell.text[shell.at + 1] ?? '';
      text += next === '\n' ? '' : '$`"\\'.includes(next) ? next : `\\${next}`;
      shell.at += 2;
    } else if (character === '$' || character === '`') {
      const inner = readExpansion(shell, 'quoted');
      text += inner.text;
      isLiteral &&= inner.isLiteral;
    } else {
      text += character;
      shell.at += 1;
    }
  }
  if (end !== null) giveUp(shell, 'a double quote is not closed');
  return { text, isLiteral };
}

function readExpansion(shell: ShellText, where: 'outside' | 'quoted'): Piece {
  const start = shell.at;
  const expanded = (): Piece => ({ text: shell.text.slice(start, shell.at), isLiteral: false });
  if (shell.text[shell.at] === '`') {
    readBackquotes(shell);
    return expanded();
  }
  const next = shell.text[shell.at + 1] ?? '';
  if (next === '(') {
    if (shell.text[shell.at + 2] === '(') shell.found.unclear.push('arithmetic');
    shell.at += 2;
    shell.readNested(shell);
    return expanded();
  }
  if (next === '{') {
    shell.at += 2;
    readParameter(shell, where);
    if (/@P\}$/.test(expanded().text)) shell.found.unclear.push('a variable that is run as a prompt');
    return expanded();
  }
  if (where === 'outside' && next === "'") {
    shell.at += 1;
    return { text: readAnsi(shell), isLiteral: true };
  }
  if (where === 'outside' && next === '"') {
    shell.at += 2;
    return readDouble(shell, '"');
  }
  if (next === '[') shell.found.unclear.push('arithmetic');
  const name = /[A-Za-z_]\w*|[\d@*#?$!-]/y;
  name.lastIndex = shell.at + 1;
  const found = name.exec(shell.text);
  shell.at += 1 + (found?.[0].length ?? 0);
  return found === null ? { text: '$', isLiteral: true } : expanded();
}

function readBackquotes(shell: ShellText): void {
  let inner = '';
  for (shell.at += 1; !isAtEnd(shell); shell.at += 1) {
    const character = shell.text[shell.at]!;
    if (character === '`') {
      shell.at += 1;
      shell.readText(inner, shell.depth + 1);
      return;
    }
    const next = shell.text[shell.at + 1];
    const isEscape = character === '\\' && next !== undefined && '$`\\'.includes(next);
    if (isEscape) shell.at += 1;
    inner += isEscape ? next : character;
  }
  giveUp(shell, 'a backquote is not closed');
}

/** `${name:-…}`: what is in there can hold commands again. */
function readParameter(shell: ShellText, where: 'outside' | 'quoted'): void {
  while (!isAtEnd(shell)) {
    const character = shell.text[shell.at]!;
    if (character === '}') {
      shell.at += 1;
      return;
    }
    if (character === '\\') shell.at += 2;
    else if (character === "'" && where === 'outside') readSingle(shell);
    else if (character === '"') {
      shell.at += 1;
      readDouble(shell, '"');
    } else if (character === '$' || character === '`') readExpansion(shell, where);
    else shell.at += 1;
  }
  giveUp(shell, 'a ${ is not closed');
}

const ANSI_LETTERS: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** `$'\x72m'` is a word like any other, and a way to hide one. */
function readAnsi(shell: ShellText): string {
  let text = '';
  for (shell.at += 1; !isAtEnd(shell); ) {
    const character = shell.text[shell.at]!;
    if (character === "'") {
      shell.at += 1;
      return text;
    }
    if (character !== '\\') {
      text += character;
      shell.at += 1;
      continue;
    }
    const escaped = /\\(?:x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8})|([0-7]{1,3})|c([\s\S])|([\s\S]))/y;
    escaped.lastIndex = shell.at;
    const [whole, hex, short, long, octal, control, letter] = escaped.exec(shell.text) ?? ['\\'];
    shell.at += whole.length;
    const code = hex ?? short ?? long;
    if (code !== undefined) text += String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff));
    else if (octal !== undefined) text += String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
    else if (control !== undefined) text += String.fromCharCode(control.charCodeAt(0) & 0x1f);
    else text += ANSI_LETTERS[letter ?? ''] ?? (letter !== undefined && '\\\'"?'.includes(letter) ? letter : whole);
  }
  giveUp(shell, 'a quote is not closed');
  return text;
}
