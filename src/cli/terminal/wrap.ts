/** Breaks text into lines that fit: prose between words, commands so that they can still be copied. */

import { textWidth } from './text-width.ts';

/** A word wider than a line gets its own line. */
export function wrapWords(text: string, width: number): string[] {
  return wrapPieces(text.split(' '), { width, hang: 0 });
}

/** Pieces stay whole; every line but the first is indented by `hang`. */
export function wrapPieces(pieces: readonly string[], layout: { width: number; hang: number }): string[] {
  const lines: string[] = [];
  let line = '';
  for (const piece of pieces) {
    const isFirst = line === '' || line.trim() === '';
    if (!isFirst && textWidth(line) + 1 + textWidth(piece) > layout.width) {
      lines.push(line);
      line = ' '.repeat(layout.hang) + piece;
    } else line = isFirst ? line + piece : `${line} ${piece}`;
  }
  return [...lines, line];
}

/** With a backslash where it continues, as a shell reads it; never inside quotes. */
export function wrapCommand(command: string, layout: { width: number; hang: number }): string[] {
  if (textWidth(command) <= layout.width) return [command];
  const words = command.match(/(?:[^\s"]|"[^"]*")+/g) ?? [];
  // An option stays with its value.
  const pieces: string[] = [];
  for (const word of words) {
    const isValue = /^--[a-z-]+$/.test(pieces.at(-1) ?? '') && !word.startsWith('-');
    if (isValue) pieces.push(`${pieces.pop()} ${word}`);
    else pieces.push(word);
  }
  const lines = wrapPieces(pieces, { ...layout, width: layout.width - 2 });
  return lines.map((line, at) => (at === lines.length - 1 ? line : `${line} \\`));
}
