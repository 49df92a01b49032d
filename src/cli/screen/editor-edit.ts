/** Changing the text: typing, deleting, cutting and pasting back. */

import { SCREEN_LIMITS } from '../../limits.ts';
import { plainText } from '../terminal/plain-text.ts';
import { type Editor, type Position, placeCursor } from './editor.ts';
import { besideCursor, type Direction, lineEdge, type WordKind, wordBesideCursor } from './editor-move.ts';
import { type Attachment, imageAttachment, isLongPaste, type PastedImage, textAttachment } from './placeholders.ts';

/** Typed or inserted by a completion; what a terminal would act on is left out. */
export function insertText(editor: Editor, text: string): Editor {
  return replaceRange(editor, { from: editor.cursor, to: editor.cursor, text });
}

/** A long text becomes a placeholder, the path of an image an image, anything else is typed. */
export function insertPaste(editor: Editor, pasted: string): Editor {
  const text = pasted.replace(/\r\n?/g, '\n');
  const path = imagePathOf(text);
  if (path !== null) return insertImage(editor, { path });
  if (!isLongPaste(text)) return { ...insertText(editor, text), pasted: [...editor.pasted, text.trim()] };
  return attach(editor, textAttachment(text, editor.attachments));
}

export function insertImage(editor: Editor, image: PastedImage): Editor {
  const { row, column } = editor.cursor;
  const before = editor.lines[row]!.slice(0, column);
  const spaced = before === '' || /\s$/.test(before) ? editor : insertText(editor, ' ');
  return insertText(attach(spaced, imageAttachment(image, editor.attachments)), ' ');
}

export function deleteCharacter(editor: Editor, direction: Direction): Editor {
  return removeTo(editor, besideCursor(editor, direction));
}

export function killWord(editor: Editor, facts: { direction: Direction; kind: WordKind }): Editor {
  return killTo(editor, wordBesideCursor(editor, facts));
}

/** To the edge of the line; at the edge, removes the line break. */
export function killLine(editor: Editor, direction: Direction): Editor {
  const edge = lineEdge(editor, direction);
  return killTo(editor, edge.column === editor.cursor.column ? besideCursor(editor, direction) : edge);
}

/** Pastes back what was last cut. */
export function yank(editor: Editor): Editor {
  return insertText(editor, editor.killed);
}

/** A backslash right before the cursor makes Enter a new line; null when there is none. */
export function breakAfterBackslash(editor: Editor): Editor | null {
  const { row, column } = editor.cursor;
  if (editor.lines[row]![column - 1] !== '\\') return null;
  return replaceRange(editor, { from: { row, column: column - 1 }, to: editor.cursor, text: '\n' });
}

/** Replaces everything between two positions with a text, and puts the cursor after it. */
export function replaceRange(editor: Editor, change: { from: Position; to: Position; text: string }): Editor {
  const { from, to } = change;
  const inserted = plainText(change.text).split('\n');
  const head = editor.lines[from.row]!.slice(0, from.column);
  const tail = editor.lines[to.row]!.slice(to.column);
  const last = inserted.length - 1;
  const column = (last === 0 ? head.length : 0) + inserted[last]!.length;
  inserted[0] = head + inserted[0];
  inserted[last] += tail;
  const lines = [...editor.lines.slice(0, from.row), ...inserted, ...editor.lines.slice(to.row + 1)];
  return placeCursor({ ...editor, lines }, { row: from.row + last, column });
}

function attach(editor: Editor, attachment: Attachment): Editor {
  return insertText({ ...editor, attachments: [...editor.attachments, attachment] }, attachment.label);
}

function removeTo(editor: Editor, place: Position): Editor {
  const [from, to] = isBefore(place, editor.cursor) ? [place, editor.cursor] : [editor.cursor, place];
  return replaceRange(editor, { from, to, text: '' });
}

function killTo(editor: Editor, place: Position): Editor {
  const isBack = isBefore(place, editor.cursor);
  const [from, to] = isBack ? [place, editor.cursor] : [editor.cursor, place];
  const cut = textBetween(editor.lines, { from, to });
  if (cut === '') return editor;
  const before = editor.isKilling ? editor.killed : '';
  const killed = isBack ? cut + before : before + cut;
  return { ...removeTo(editor, place), killed: killed.slice(-SCREEN_LIMITS.killedCharacters), isKilling: true };
}

function textBetween(lines: readonly string[], range: { from: Position; to: Position }): string {
  const { from, to } = range;
  if (from.row === to.row) return lines[from.row]!.slice(from.column, to.column);
  const between = lines.slice(from.row + 1, to.row);
  return [lines[from.row]!.slice(from.column), ...between, lines[to.row]!.slice(0, to.column)].join('\n');
}

function isBefore(one: Position, other: Position): boolean {
  return one.row < other.row || (one.row === other.row && one.column < other.column);
}

// Files dropped on a terminal arrive as their path, quoted or escaped; this detects images.

const IMAGE = /\.(?:png|jpe?g|gif|webp)$/i;
/** A path that says where it starts: a bare word is a word, not a dropped file. */
const ROOTED = /^(?:\/|~\/|\.{1,2}\/|[A-Za-z]:[\\/]|\\\\)/;
const WINDOWS = /^(?:[A-Za-z]:\\|\\\\)/;

/** The path, as the file system knows it; null for anything else that was pasted. */
export function imagePathOf(pasted: string): string | null {
  if (pasted.length > SCREEN_LIMITS.pathCharacters) return null;
  const text = pasted.trim();
  if (!IMAGE.test(text.replace(/["']$/, '')) || /[\n\0]/.test(text)) return null;
  const path = unquoted(text);
  return path !== null && IMAGE.test(path) && ROOTED.test(path) ? path : null;
}

/** Null when quotes do not match, or when there are several words. */
function unquoted(text: string): string | null {
  const quoted = /^(["'])(.*)\1$/s.exec(text);
  if (quoted) return quoted[2]!.includes(quoted[1]!) ? null : quoted[2]!;
  if (/^file:\/\//i.test(text)) return filePathOf(text);
  if (WINDOWS.test(text)) return /["\s]/.test(text) ? null : text;
  if (/(?<!\\)(?:\\\\)*["'\s]/.test(text)) return null;
  return text.replace(/\\(.)/gs, '$1');
}

function filePathOf(address: string): string | null {
  const path = /^file:\/\/(?:localhost)?(\/[^\s?#]*)$/i.exec(address)?.[1];
  if (path === undefined) return null;
  try {
    return decodeURIComponent(path).replace(/^\/(?=[A-Za-z]:)/, '');
  } catch {
    return null;
  }
}
