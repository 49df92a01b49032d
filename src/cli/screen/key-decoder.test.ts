/** Keys from bytes: every spelling of a key, any chunking, and nothing that is not a key. */

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/support/property-runs.ts';
import { charKey, isCtrl, isNewlineKey, type Key, namedKey, pasteKey } from './key.ts';
import { createKeyDecoder } from './key-decoder.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

/** All keys of a text, as if nothing came after it. */
function keysOf(text: string): Key[] {
  const decoder = createKeyDecoder();
  return [...decoder.push(bytes(text)), ...(decoder.pending() === 'nothing' ? [] : decoder.giveUp())];
}

const ONE_KEY: readonly (readonly [string, string, Key])[] = [
  ['a letter', 'a', charKey('a')],
  ['an umlaut', 'ä', charKey('ä')],
  ['an emoji', '🦊', charKey('🦊')],
  ['Enter', '\r', namedKey('enter')],
  ['Ctrl+J', '\n', namedKey('enter', { ctrl: true })],
  ['Alt+Enter', '\x1b\r', namedKey('enter', { alt: true })],
  ['Shift+Enter of kitty', '\x1b[13;2u', namedKey('enter', { shift: true })],
  ['Shift+Enter of xterm', '\x1b[27;2;13~', namedKey('enter', { shift: true })],
  ['Ctrl+Enter of kitty', '\x1b[13;5u', namedKey('enter', { ctrl: true })],
  ['Ctrl+J of kitty', '\x1b[106;5u', namedKey('enter', { ctrl: true })],
  ['Enter of the number pad', '\x1bOM', namedKey('enter')],
  ['Tab', '\t', namedKey('tab')],
  ['Shift+Tab', '\x1b[Z', namedKey('tab', { shift: true })],
  ['Backspace', '\x7f', namedKey('backspace')],
  ['Backspace of old terminals', '\b', namedKey('backspace')],
  ['Alt+Backspace', '\x1b\x7f', namedKey('backspace', { alt: true })],
  ['Escape', '\x1b', namedKey('escape')],
  ['Escape of kitty', '\x1b[27u', namedKey('escape')],
  ['Up', '\x1b[A', namedKey('up')],
  ['Up in application mode', '\x1bOA', namedKey('up')],
  ['Ctrl+Right', '\x1b[1;5C', namedKey('right', { ctrl: true })],
  ['Alt+Left', '\x1b[1;3D', namedKey('left', { alt: true })],
  ['Alt+Up of rxvt', '\x1b\x1b[A', namedKey('up', { alt: true })],
  ['Ctrl+Left of rxvt', '\x1bOd', namedKey('left', { ctrl: true })],
  ['Shift+Down of rxvt', '\x1b[b', namedKey('down', { shift: true })],
  ['Home', '\x1b[H', namedKey('home')],
  ['Home of the console', '\x1b[1~', namedKey('home')],
  ['End of rxvt', '\x1b[8~', namedKey('end')],
  ['Delete', '\x1b[3~', namedKey('delete')],
  ['Ctrl+Delete', '\x1b[3;5~', namedKey('delete', { ctrl: true })],
  ['Ctrl+Delete of rxvt', '\x1b[3^', namedKey('delete', { ctrl: true })],
  ['Page up', '\x1b[5~', namedKey('page-up')],
  ['Page down', '\x1b[6~', namedKey('page-down')],
  ['Ctrl+C', '\x03', charKey('c', { ctrl: true })],
  ['Ctrl+C of kitty', '\x1b[99;5u', charKey('c', { ctrl: true })],
  ['Ctrl+C with caps lock', '\x1b[99;69u', charKey('c', { ctrl: true })],
  ['Ctrl+_', '\x1f', charKey('_', { ctrl: true })],
  ['Ctrl+Space', '\0', charKey(' ', { ctrl: true })],
  ['Alt+B', '\x1bb', charKey('b', { alt: true })],
  ['Alt+B of xterm', '\x1b[27;3;98~', charKey('b', { alt: true })],
  ['Alt+ä', '\x1bä', charKey('ä', { alt: true })],
  ['Alt+[', '\x1b[', charKey('[', { alt: true })],
  ['Alt+O', '\x1bO', charKey('O', { alt: true })],
  ['Alt+]', '\x1b]', charKey(']', { alt: true })],
  ['Shift+A of kitty', '\x1b[97;2u', charKey('A')],
  ['Shift+1 of kitty, with what it types', '\x1b[49:33;2u', charKey('!')],
  ['Shift+A of xterm', '\x1b[27;2;65~', charKey('A')],
  ['5 of the number pad', '\x1b[57404u', charKey('5')],
  ['a paste', '\x1b[200~one\r\ntwo\rthree\x1b[201~', pasteKey('one\ntwo\nthree')],
  ['a paste with escapes in it', '\x1b[200~\x1b[31mred\x1b[0m\x1b[201~', pasteKey('\x1b[31mred\x1b[0m')],
  ['an empty paste', '\x1b[200~\x1b[201~', pasteKey('')],
  ['a paste whose end was lost', '\x1b[200~text\x1b[20', pasteKey('text\x1b[20')],
];

const NO_KEY: readonly (readonly [string, string])[] = [
  ['a mouse report', '\x1b[<0;12;5M\x1b[<0;12;5m'],
  ['an old mouse report', '\x1b[M !!'],
  ['a mouse report of rxvt', '\x1b[32;10;10M'],
  ['focus that comes and goes', '\x1b[I\x1b[O'],
  ['a cursor report', '\x1b[12;40R'],
  ['what the terminal is', '\x1b[?62;4c\x1b[>0;276;0c'],
  ['a colour, ended by a bell', '\x1b]11;rgb:0000/0000/0000\x07'],
  ['a colour, ended by a terminator', '\x1b]11;rgb:0000/0000/0000\x1b\\'],
  ['a version', '\x1bP>|XTerm(370)\x1b\\'],
  ['F1, F5 and F12', '\x1bOP\x1b[15~\x1b[24~'],
  ['F1 of the Linux console', '\x1b[[A'],
  ['a key that goes up', '\x1b[97;1:3u'],
  ['a key held with Super', '\x1b[118;9u'],
  ['a modifier key alone', '\x1b[57441u'],
  ['the end of no paste', '\x1b[201~'],
  ['half a sequence', '\x1b[1;'],
  ['controls of eight bits', '\u009b\u0085'],
];

describe('a key', () => {
  it.each(ONE_KEY)('%s', (_name, text, key) => {
    expect(keysOf(text)).toEqual([key]);
  });

  it.each(NO_KEY)('is not %s', (_name, text) => {
    expect(keysOf(text)).toEqual([]);
    expect(keysOf(`${text.endsWith(';') ? '' : text}x`)).toEqual([charKey('x')]);
  });

  it('is not made from bytes that are not UTF-8', () => {
    const decoder = createKeyDecoder();
    expect(decoder.push(new Uint8Array([0xff, 0xfe, 0xc3, 0x28]))).toEqual([charKey('(')]);
  });

  it('is dropped when another one begins in the middle of it', () => {
    expect(keysOf('\x1b[1;\x1b[A')).toEqual([namedKey('up')]);
    expect(keysOf('\x1b[1;\r')).toEqual([namedKey('enter')]);
  });

  it('is known for what it means', () => {
    const newlines = ['\n', '\x1b\r', '\x1b[13;2u', '\x1b[27;2;13~', '\x1b[13;5u'].flatMap(keysOf);
    expect(newlines.map(isNewlineKey)).toEqual([true, true, true, true, true]);
    expect(['\r', 'j', '\t'].flatMap(keysOf).some(isNewlineKey)).toBe(false);
    expect(keysOf('\x03').map((key) => isCtrl(key, 'c'))).toEqual([true]);
    expect(['c', '\x1bc', '\x04'].flatMap(keysOf).some((key) => isCtrl(key, 'c'))).toBe(false);
  });
});

describe('Escape', () => {
  it('waits for what may follow, and is a key when nothing does', () => {
    const decoder = createKeyDecoder();
    expect(decoder.push(bytes('\x1b'))).toEqual([]);
    expect(decoder.pending()).toBe('escape');
    expect(decoder.giveUp()).toEqual([namedKey('escape')]);
    expect(decoder.pending()).toBe('nothing');
    expect(decoder.push(bytes('[A'))).toEqual([charKey('['), charKey('A')]);
  });

  it('pressed twice is two keys', () => {
    expect(keysOf('\x1b\x1b')).toEqual([namedKey('escape'), namedKey('escape')]);
    expect(keysOf('\x1b\x1bx')).toEqual([namedKey('escape'), charKey('x', { alt: true })]);
    expect(keysOf('\x1b\x1b[200~p\x1b[201~')).toEqual([namedKey('escape'), pasteKey('p')]);
  });

  it('is told from the start of a longer sequence', () => {
    const decoder = createKeyDecoder();
    decoder.push(bytes('\x1b[1'));
    expect(decoder.pending()).toBe('sequence');
    expect(decoder.push(bytes(';5C'))).toEqual([namedKey('right', { ctrl: true })]);
  });
});

describe('a paste', () => {
  it('of 5,000 lines in many chunks is one key', () => {
    const text = Array.from({ length: 5_000 }, (_, line) => `line ${line} äö 日本 🦊`).join('\n');
    const sent = bytes(`\x1b[200~${text}\x1b[201~`);
    const decoder = createKeyDecoder();
    const keys: Key[] = [];
    for (let at = 0; at < sent.length; at += 1_021) keys.push(...decoder.push(sent.subarray(at, at + 1_021)));
    expect(keys).toEqual([pasteKey(text)]);
  });

  it('that never ends is taken as it is, and its late end is not a key', () => {
    const decoder = createKeyDecoder();
    decoder.push(bytes('\x1b[200~a\nb'));
    expect(decoder.pending()).toBe('paste');
    expect(decoder.giveUp()).toEqual([pasteKey('a\nb')]);
    expect(decoder.push(bytes('\x1b[201~c'))).toEqual([charKey('c')]);
  });
});

describe('any chunking', () => {
  const sequences = [...ONE_KEY.map(([, text]) => text), ...NO_KEY.map(([, text]) => text)];
  const piece = fc.oneof(
    fc.constantFrom(...sequences).map((text) => [...bytes(text)]),
    fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => [...bytes(text)]),
    fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 6 }),
    fc.array(fc.constantFrom(...bytes('\x1b[O;0127~uMA<]P')), { maxLength: 90 }),
  );

  it('gives the same keys', () => {
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 }),
        (pieces, sizes) => {
          const sent = Uint8Array.from(pieces.flat());
          const whole = createKeyDecoder();
          const expected = [...whole.push(sent), ...whole.giveUp()];
          const parts = createKeyDecoder();
          const keys: Key[] = [];
          for (let at = 0, turn = 0; at < sent.length; turn += 1) {
            const size = sizes[turn % sizes.length]!;
            keys.push(...parts.push(sent.subarray(at, at + size)));
            at += size;
          }
          expect([...keys, ...parts.giveUp()]).toEqual(expected);
        },
      ),
      { numRuns: runs(500) },
    );
  });

  it('never makes a key of a control character', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (sent) => {
        const decoder = createKeyDecoder();
        for (const key of [...decoder.push(sent), ...decoder.giveUp()]) {
          if (key.name === 'char') expect(key.text).toMatch(/^[^\p{Cc}\ufffd]$/u);
        }
      }),
    );
  });
});
