/** The escape sequences of keys, as xterm, rxvt, the Linux console, kitty (CSI u) and modifyOtherKeys spell them. */

import { charKey, type Key, type KeyName, type Modifiers, namedKey } from './key.ts';

const BY_LETTER: Readonly<Record<string, KeyName>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  F: 'end',
  H: 'home',
};

const BY_NUMBER: Readonly<Record<number, KeyName>> = {
  1: 'home',
  2: 'insert',
  3: 'delete',
  4: 'end',
  5: 'page-up',
  6: 'page-down',
  7: 'home',
  8: 'end',
};

/** Keys that CSI u names by their code; from 57399 on those of the number pad. */
const BY_CODE: Readonly<Record<number, KeyName>> = {
  8: 'backspace',
  9: 'tab',
  10: 'enter',
  13: 'enter',
  27: 'escape',
  127: 'backspace',
  57414: 'enter',
  57417: 'left',
  57418: 'right',
  57419: 'up',
  57420: 'down',
  57421: 'page-up',
  57422: 'page-down',
  57423: 'home',
  57424: 'end',
  57425: 'insert',
  57426: 'delete',
};

const PAD_FIRST = 57_399;
const PAD_CHARACTERS = '0123456789./*-+';
const PAD_EQUALS = 57_415;

/** Bits of a modifier parameter, which is sent plus one; keys held with Super, Hyper or Meta are not ours. */
const SHIFT = 1;
const ALT = 2;
const CTRL = 4;
const FOREIGN = 8 | 16 | 32;
const RELEASED = 3;

/** CSI, without its introducer: null for anything but keys (mouse, focus, reports, function keys). */
export function keyOfControlSequence(parameters: string, final: string): Key | null {
  if (/[^0-9;:]/.test(parameters)) return null;
  const fields = parameters.split(';').map((field) => field.split(':').map(Number));
  const first = fields[0]?.[0] ?? 0;
  const held = modifiersOf(fields[1]);
  if (held === null) return null;
  if (final === 'u') return keyOfCode(first, { held, shifted: fields[0]?.[1] });
  if (final === 'Z') return namedKey('tab', { ...held, shift: true });
  if (final === '~' && first === 27) {
    // modifyOtherKeys sends the letter as it would have been typed.
    const code = fields[2]?.[0] ?? 0;
    return keyOfCode(code, { held, shifted: code });
  }
  // rxvt marks Ctrl and Shift by the last character instead of a parameter.
  if ('~^@'.includes(final)) {
    const name = BY_NUMBER[first];
    const extra = final === '~' ? {} : { ctrl: true, shift: held.shift || final === '@' };
    return name === undefined ? null : namedKey(name, { ...held, ...extra });
  }
  const name = BY_LETTER[final];
  if (name !== undefined) return namedKey(name, held);
  const lower = 'abcd'.includes(final) ? BY_LETTER[final.toUpperCase()] : undefined;
  return lower === undefined ? null : namedKey(lower, { ...held, shift: true });
}

/** SS3, without its introducer: arrows in application mode, the pad's Enter, rxvt's Ctrl with an arrow. */
export function keyOfApplicationSequence(parameters: string, final: string): Key | null {
  const held = modifiersOf([Number(parameters.split(';').at(-1) ?? '')]);
  if (held === null) return null;
  if (final === 'M') return namedKey('enter', held);
  const name = BY_LETTER[final];
  if (name !== undefined) return namedKey(name, held);
  const lower = 'abcd'.includes(final) ? BY_LETTER[final.toUpperCase()] : undefined;
  return lower === undefined ? null : namedKey(lower, { ...held, ctrl: true });
}

/** One character that is not part of a sequence; null for what no key gives. */
export function keyOfCharacter(character: string, held: Partial<Modifiers> = {}): Key | null {
  const code = character.codePointAt(0)!;
  if (code === 13) return namedKey('enter', held);
  // Enter sends a carriage return; a bare line feed is Ctrl+J.
  if (code === 10) return namedKey('enter', { ...held, ctrl: true });
  if (code === 9) return namedKey('tab', held);
  if (code === 8 || code === 127) return namedKey('backspace', held);
  if (code === 27) return namedKey('escape', held);
  if (code === 0) return charKey(' ', { ...held, ctrl: true });
  if (code < 27) return charKey(String.fromCharCode(code + 96), { ...held, ctrl: true });
  if (code < 32) return charKey(String.fromCharCode(code + 64), { ...held, ctrl: true });
  // Bytes that were not UTF-8, and eight-bit controls.
  if (code === 0xfffd || (code >= 0x80 && code < 0xa0)) return null;
  return charKey(character, held);
}

function keyOfCode(code: number, facts: { held: Modifiers; shifted: number | undefined }): Key | null {
  const { held } = facts;
  const name = BY_CODE[code];
  if (name !== undefined) return namedKey(name, held);
  const pad = code === PAD_EQUALS ? '=' : PAD_CHARACTERS[code - PAD_FIRST];
  if (pad !== undefined) return charKey(pad, held);
  if (!isTyped(code)) return null;
  const character = String.fromCodePoint(code);
  // Ctrl+J, Ctrl+M, Ctrl+I, Ctrl+H and Ctrl+[ mean what their control characters always meant.
  if (held.ctrl) {
    const letter = character.toLowerCase();
    const control = /^[hijm[]$/.test(letter) ? keyOfCharacter(String.fromCharCode(letter.charCodeAt(0) & 31)) : null;
    if (control !== null && control.name !== 'paste') return { ...control, alt: held.alt, shift: held.shift };
    return charKey(letter, held);
  }
  if (!held.shift) return charKey(character, held);
  const shifted = facts.shifted !== undefined && isTyped(facts.shifted) ? facts.shifted : null;
  const text = shifted === null ? character.toUpperCase() : String.fromCodePoint(shifted);
  // Shift is already in the letter: text typed with it is text.
  return charKey(text, { ...held, shift: false });
}

/** What a key can type: not a control, not a surrogate, not a code that kitty gives to keys without text. */
function isTyped(code: number): boolean {
  if (!Number.isInteger(code) || code < 32 || code > 0x10ffff) return false;
  return !(code >= 0x7f && code < 0xa0) && !(code >= 0xd800 && code <= 0xf8ff) && code !== 0xfffd;
}

/** Null when the key was released, or held with a window-manager modifier. */
function modifiersOf(field: readonly number[] | undefined): Modifiers | null {
  const [sent = 1, event = 1] = field ?? [];
  const bits = Math.max(0, (sent || 1) - 1);
  if (event === RELEASED || (bits & FOREIGN) !== 0) return null;
  return { shift: (bits & SHIFT) !== 0, alt: (bits & ALT) !== 0, ctrl: (bits & CTRL) !== 0 };
}
