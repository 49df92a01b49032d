/** What a person did at the keyboard, in our own terms: terminals encode the same key in many ways. */

export interface Modifiers {
  readonly ctrl: boolean;
  readonly alt: boolean;
  /** Known only if the terminal says so; a capital letter comes as its text. */
  readonly shift: boolean;
}

/** One code point of text, or a letter held with Ctrl (always lower case) or Alt. */
export interface CharKey extends Modifiers {
  readonly name: 'char';
  readonly text: string;
}

export type KeyName =
  | 'enter'
  | 'escape'
  | 'tab'
  | 'backspace'
  | 'delete'
  | 'insert'
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'home'
  | 'end'
  | 'page-up'
  | 'page-down';

export interface NamedKey extends Modifiers {
  readonly name: KeyName;
}

/** Text that came in one piece: lines end in \n, everything else is kept. */
export interface PasteKey {
  readonly name: 'paste';
  readonly text: string;
  /** A whole line from a terminal that does not send single keys. */
  readonly isTyped?: true;
}

export type Key = CharKey | NamedKey | PasteKey;

const NONE: Modifiers = { ctrl: false, alt: false, shift: false };

export function charKey(text: string, held: Partial<Modifiers> = {}): CharKey {
  return { name: 'char', text, ...NONE, ...held };
}

export function namedKey(name: KeyName, held: Partial<Modifiers> = {}): NamedKey {
  return { name, ...NONE, ...held };
}

export function pasteKey(text: string): PasteKey {
  return { name: 'paste', text: text.replace(/\r\n?/g, '\n') };
}

/** Shift+Enter, Alt+Enter or Ctrl+J: a new line in the text rather than its end. */
export function isNewlineKey(key: Key): boolean {
  return key.name === 'enter' && (key.shift || key.alt || key.ctrl);
}

/** True for one letter held with Ctrl alone: `isCtrl(key, 'c')`. */
export function isCtrl(key: Key, letter: string): boolean {
  return key.name === 'char' && key.ctrl && !key.alt && key.text === letter;
}
