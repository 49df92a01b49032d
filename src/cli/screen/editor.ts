/** The text being typed, as plain data: lines, a cursor that is never inside a character, and what was pasted. */

import { withBorder } from '../../conversation/typed-text.ts';
import { plainText } from '../terminal/plain-text.ts';
import { boundaryFrom } from './graphemes.ts';
import { type Attachment, expandPlaceholders, type PastedImage, placeholdersIn } from './placeholders.ts';

export interface Position {
  readonly row: number;
  /** In the line's string; always between two visible characters, never within a placeholder. */
  readonly column: number;
}

export interface Editor {
  /** At least one; without their newlines. */
  readonly lines: readonly string[];
  readonly cursor: Position;
  /** The cell that moving up and down keeps to, across shorter lines. */
  readonly goalCells: number | null;
  /** What was last cut, for Ctrl+Y; cutting again at once adds to it. */
  readonly killed: string;
  readonly isKilling: boolean;
  readonly attachments: readonly Attachment[];
  /** Short texts pasted among what was typed. */
  readonly pasted: readonly string[];
  /** Oldest first. */
  readonly history: readonly string[];
  /** Position in the history; its length means the draft. */
  readonly historyAt: number;
  /** What was left behind while browsing the history: the draft, and edited entries. */
  readonly visited: Readonly<Record<number, Visited>>;
}

export interface Visited {
  readonly lines: readonly string[];
  readonly cursor: Position;
}

export interface Submission {
  /** With pasted text in its place; images stay as `[Image #1]`. */
  readonly text: string;
  /** As it looked while typing. */
  readonly shown: string;
  /** In the order in which the text names them. */
  readonly images: readonly PastedImage[];
  /** As it was typed, for one that waits and may be taken back. */
  readonly draft?: Pick<Editor, 'lines' | 'attachments' | 'pasted'>;
}

export function createEditor(options: { readonly history?: readonly string[] } = {}): Editor {
  const history = options.history ?? [];
  return {
    lines: [''],
    cursor: { row: 0, column: 0 },
    goalCells: null,
    killed: '',
    isKilling: false,
    attachments: [],
    pasted: [],
    history,
    historyAt: history.length,
    visited: {},
  };
}

/** Nothing typed and nothing attached; what was cut can still be pasted back. */
export function clearEditor(editor: Editor, options: { readonly history?: readonly string[] } = {}): Editor {
  return { ...createEditor({ history: options.history ?? editor.history }), killed: editor.killed };
}

export function editorText(editor: Editor): string {
  return editor.lines.join('\n');
}

export function isEditorEmpty(editor: Editor): boolean {
  return editor.lines.length === 1 && editor.lines[0] === '';
}

/** Replaces the text, with the cursor at its end. */
export function setEditorText(editor: Editor, text: string): Editor {
  const lines = plainText(text).split('\n');
  return placeCursor({ ...editor, lines }, { row: lines.length - 1, column: lines.at(-1)!.length });
}

export function submissionOf(editor: Editor): Submission {
  const shown = editorText(editor);
  const marked = markPasted(shown, editor.pasted);
  return { ...expandPlaceholders(marked, editor.attachments), shown };
}

/** Every move and edit ends here: the cursor is put between characters and out of placeholders. */
export function placeCursor(editor: Editor, wanted: Position): Editor {
  const row = Math.max(0, Math.min(wanted.row, editor.lines.length - 1));
  const line = editor.lines[row]!;
  const column = boundaryFrom(line, wanted.column);
  const inside = placeholdersIn(line, { attachments: editor.attachments, near: column }).find(
    ({ start, end }) => start < column && column < end,
  );
  return { ...editor, cursor: { row, column: inside?.end ?? column }, goalCells: null, isKilling: false };
}

/** A name or a path pasted into a sentence is part of it; anything longer was not typed. */
const NAME_CHARACTERS = 40;

function markPasted(text: string, pasted: readonly string[]): string {
  return pasted
    .filter((piece) => piece.length > NAME_CHARACTERS || /\s\S+\s/.test(piece))
    .reduce((marked, piece) => marked.replace(piece, () => withBorder('pasted', piece)), text);
}
