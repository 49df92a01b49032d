/** Which key edits how: as in readline and every text field. */

import { type Editor, isEditorEmpty } from './editor.ts';
import { deleteCharacter, insertPaste, insertText, killLine, killWord, yank } from './editor-edit.ts';
import { moveByCharacter, moveByWord, moveToLineEdge, moveToTextEdge } from './editor-move.ts';
import { moveVertically } from './editor-vertical.ts';
import { type CharKey, isNewlineKey, type Key, type NamedKey } from './key.ts';

export interface EditOptions {
  /** Cells of text in a row, from `editorWidth`; up and down then follow the visible rows. */
  readonly width?: number;
}

/** Null for a key that is not the editor's: Enter, Escape, Tab, Ctrl+C, Ctrl+D with nothing typed, and the like. */
export function editKey(editor: Editor, key: Key, options: EditOptions = {}): Editor | null {
  if (key.name === 'paste') return key.isTyped === true ? insertText(editor, key.text) : insertPaste(editor, key.text);
  if (key.name !== 'char') return editByName(editor, key, options);
  if (key.ctrl) return key.alt ? null : editByCtrl(editor, key, options);
  return key.alt ? editByAlt(editor, key) : insertText(editor, key.text);
}

function editByName(editor: Editor, key: NamedKey, { width }: EditOptions): Editor | null {
  const byWord = key.ctrl || key.alt;
  switch (key.name) {
    case 'enter':
      return isNewlineKey(key) ? insertText(editor, '\n') : null;
    case 'backspace':
      return byWord ? killWord(editor, { direction: 'left', kind: 'word' }) : deleteCharacter(editor, 'left');
    case 'delete':
      return byWord ? killWord(editor, { direction: 'right', kind: 'word' }) : deleteCharacter(editor, 'right');
    case 'left':
    case 'right':
      return byWord ? moveByWord(editor, key.name) : moveByCharacter(editor, key.name);
    case 'up':
    case 'down':
      return moveVertically(editor, { direction: key.name, width });
    case 'home':
      return key.ctrl ? moveToTextEdge(editor, 'left') : moveToLineEdge(editor, 'left');
    case 'end':
      return key.ctrl ? moveToTextEdge(editor, 'right') : moveToLineEdge(editor, 'right');
    case 'escape':
    case 'tab':
    case 'insert':
    case 'page-up':
    case 'page-down':
      return null;
  }
}

function editByCtrl(editor: Editor, key: CharKey, { width }: EditOptions): Editor | null {
  if (key.text === 'a') return moveToLineEdge(editor, 'left');
  if (key.text === 'e') return moveToLineEdge(editor, 'right');
  if (key.text === 'b') return moveByCharacter(editor, 'left');
  if (key.text === 'f') return moveByCharacter(editor, 'right');
  if (key.text === 'p') return moveVertically(editor, { direction: 'up', width });
  if (key.text === 'n') return moveVertically(editor, { direction: 'down', width });
  if (key.text === 'w') return killWord(editor, { direction: 'left', kind: 'blank' });
  if (key.text === 'u') return killLine(editor, 'left');
  if (key.text === 'k') return killLine(editor, 'right');
  if (key.text === 'y') return yank(editor);
  if (key.text === 'd' && !isEditorEmpty(editor)) return deleteCharacter(editor, 'right');
  return null;
}

function editByAlt(editor: Editor, key: CharKey): Editor | null {
  const letter = key.text.toLowerCase();
  if (letter === 'b') return moveByWord(editor, 'left');
  if (letter === 'f') return moveByWord(editor, 'right');
  if (letter === 'd') return killWord(editor, { direction: 'right', kind: 'word' });
  return null;
}
