/** Redirections of a shell line, and the here-documents that follow it. */

import { giveUp, type ShellCommand, type ShellText, skipBlanks, skipComment } from './shell-text.ts';
import { readDouble, readWord } from './shell-words.ts';

export function readRedirection(shell: ShellText): ShellCommand['redirections'][number] | null {
  const sign = /(?:\d+|\{[A-Za-z_]\w*\})?(<<<|<<-|<<|<>|<&|<(?!\()|>>|>&|>\||>(?!\()|&>>|&>)/y;
  sign.lastIndex = shell.at;
  const found = sign.exec(shell.text);
  if (found === null) return null;
  shell.at += found[0].length;
  const operator = found[1]!;
  skipBlanks(shell);
  const start = shell.at;
  const target = readWord(shell);
  if (shell.at === start) giveUp(shell, 'a redirection leads nowhere');
  if (operator === '<<' || operator === '<<-') {
    const isQuoted = target.unquoted !== target.text || shell.text.slice(start, shell.at) !== target.text;
    shell.hereDocuments.push({ delimiter: target.text, isQuoted, isIndented: operator === '<<-' });
  }
  return { operator, target };
}

export function readHereDocuments(shell: ShellText): void {
  for (const { delimiter, isQuoted, isIndented } of shell.hereDocuments.splice(0)) {
    const start = shell.at;
    for (;;) {
      if (shell.at >= shell.text.length) {
        giveUp(shell, 'a here-document is not closed');
        return;
      }
      const newline = shell.text.indexOf('\n', shell.at);
      const end = newline === -1 ? shell.text.length : newline;
      const line = shell.text.slice(shell.at, end);
      const isLast = (isIndented ? line.replace(/^\t+/, '') : line) === delimiter;
      const body = shell.text.slice(start, shell.at);
      shell.at = newline === -1 ? end : end + 1;
      if (!isLast) continue;
      if (!isQuoted) readBody(shell, body);
      break;
    }
  }
}

function readBody(shell: ShellText, body: string): void {
  const inner: ShellText = { ...shell, text: body, at: 0, hereDocuments: [] };
  readDouble(inner, null);
  if (inner.hereDocuments.length > 0) giveUp(shell, 'a here-document is not closed');
}

/** Blanks, newlines and comments, where a construct goes on behind them. */
export function skipSpace(shell: ShellText): void {
  for (;;) {
    skipBlanks(shell);
    const character = shell.text[shell.at];
    if (character === '\n') {
      shell.at += 1;
      readHereDocuments(shell);
    } else if (character === '#') skipComment(shell);
    else return;
  }
}
