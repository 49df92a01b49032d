/** What is being completed at the cursor: a command at the start, a file anywhere; and inserting the choice. */

import { SCREEN_LIMITS } from '../../limits.ts';
import type { Editor, Position } from './editor.ts';
import { replaceRange } from './editor-edit.ts';

export type CompletionKind = 'command' | 'file' | 'argument';

export interface Completion {
  readonly kind: CompletionKind;
  /** What was typed so far, without the sign and without quotes. */
  readonly word: string;
  /** From the sign to the end of the word, even if the cursor is in the middle of it. */
  readonly from: Position;
  readonly to: Position;
  /** Of an argument: the command, and the words between it and this one. */
  readonly command?: string;
  readonly before?: readonly string[];
}

const COMMAND = /^\/[^\s/]*$/;
/** An address like `me@example.org` is not a file: the sign must start a word. */
const FILE = /(?:^|[\s("'`])(@(?:"([^"]*)|([^\s"]*)))$/;

export function completionAt(editor: Editor): Completion | null {
  const { row, column } = editor.cursor;
  const line = editor.lines[row]!;
  if (row === 0 && column > 0 && column <= SCREEN_LIMITS.completedCharacters && COMMAND.test(line.slice(0, column))) {
    const to = { row, column: endOfWord(line, column) };
    return { kind: 'command', word: line.slice(1, column), from: { row, column: 0 }, to };
  }
  const argument = argumentAt(editor);
  if (argument !== null) return argument;
  const from = Math.max(0, column - SCREEN_LIMITS.completedCharacters);
  const typed = FILE.exec(line.slice(from, column));
  // Cut at the front, a word may only seem to start with the sign.
  if (typed === null || (from > 0 && typed.index === 0 && typed[0].startsWith('@'))) return null;
  const isQuoted = typed[2] !== undefined;
  const quote = line.indexOf('"', column);
  const end = isQuoted ? (quote === -1 ? line.length : quote + 1) : endOfWord(line, column);
  const start = { row, column: column - typed[1]!.length };
  return { kind: 'file', word: typed[2] ?? typed[3]!, from: start, to: { row, column: end } };
}

/** A word behind a command on the only line; an `@file` is a file there too. */
function argumentAt({ lines, cursor: { row, column } }: Editor): Completion | null {
  const line = lines[0]!;
  if (row !== 0 || lines.length > 1 || column > SCREEN_LIMITS.completedCharacters) return null;
  const [, command, given = ''] = /^\/([a-z-]+)[ \t]+(.*)$/.exec(line.slice(0, column)) ?? [];
  const words = given.split(/[ \t]+/);
  const word = words.at(-1)!;
  if (command === undefined || word.startsWith('@')) return null;
  const from = { row, column: column - word.length };
  return {
    kind: 'argument',
    command,
    before: words.slice(0, -1),
    word,
    from,
    to: { row, column: endOfWord(line, column) },
  };
}

/** A folder stays open for more; anything else is followed by a space. */
export function complete(editor: Editor, choice: { completion: Completion; chosen: string }): Editor {
  const { completion, chosen } = choice;
  const isOpen = completion.kind !== 'command' && chosen.endsWith('/');
  const sign = SIGNS[completion.kind];
  const isQuoted = completion.kind === 'file' && /[\s'"`]/.test(chosen);
  const word = isQuoted ? `${sign}"${chosen}${isOpen ? '' : '"'}` : sign + chosen;
  const isFollowed = editor.lines[completion.to.row]!.startsWith(' ', completion.to.column);
  const done = replaceRange(editor, { ...completion, text: isOpen || isFollowed ? word : `${word} ` });
  if (isOpen || !isFollowed) return done;
  return { ...done, cursor: { row: done.cursor.row, column: done.cursor.column + 1 } };
}

function endOfWord(line: string, from: number): number {
  const space = line.slice(from).search(/\s/);
  return space === -1 ? line.length : from + space;
}

/** What a word of each kind begins with. */
export const SIGNS: Readonly<Record<CompletionKind, string>> = { command: '/', file: '@', argument: '' };
