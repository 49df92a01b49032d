import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createOutputBuffer, headAndTail, readable } from './output-buffer.ts';

describe('output', () => {
  it('comes back whole while it fits, however it was cut on its way', () => {
    const texts = fc.array(fc.constantFrom('a', 'é', '😀', '\n', ' '), { maxLength: 100 }).map((each) => each.join(''));
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 7 }), (text, step) => {
        const buffer = createOutputBuffer(1_000);
        const bytes = Buffer.from(text);
        for (let at = 0; at < bytes.length; at += step) buffer.add(bytes.subarray(at, at + step));
        expect(buffer.text()).toBe(text);
      }),
    );
  });

  it('keeps its head and tail, and counts what it left out', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 20, maxLength: 60 });
    fc.assert(
      fc.property(sizes, (lengths) => {
        const text = lengths.map((length, index) => String(index % 10).repeat(length)).join('');
        fc.pre(text.length > 100);
        const buffer = createOutputBuffer(100);
        let at = 0;
        for (const length of lengths) {
          buffer.add(Buffer.from(text.slice(at, at + length)));
          at += length;
        }
        const note = `\n\n[… ${(text.length - 100).toLocaleString('en-US')} characters left out …]\n\n`;
        expect(buffer.text()).toBe(text.slice(0, 50) + note + text.slice(-50));
      }),
    );
  });

  it('is forgotten once it was taken', () => {
    const buffer = createOutputBuffer(10);
    buffer.add(Buffer.from('0123456789abcdef'));
    expect(buffer.take()).toContain('left out');
    buffer.add(Buffer.from('new'));
    expect(buffer.take()).toBe('new');
    expect(buffer.take()).toBe('');
  });
});

it('is cut at lines where there are some', () => {
  const text = Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n');
  const cut = headAndTail(text, 60);
  expect(cut).toMatch(
    /^line 0\nline 1\nline 2\nline 3\n\n\[… \d+ characters left out …\]\n\nline 97\nline 98\nline 99$/,
  );
  expect(headAndTail('short', 60)).toBe('short');
});

it.each([
  ['\u001b[1mbold\u001b[0m', 'bold'],
  ['10%\r100%\r\ndone', '100%\ndone'],
  ['a\r\r\n\r\nb', 'a\n\nb'],
  ['bell\u0007 back\bspace \u0000', 'bell backspace '],
])('%j reads as %j', (raw, expected) => {
  expect(readable(raw)).toBe(expected);
});

it.each(['\u001b[', '\u001b]', '\u001b]8;;', '\r', 'a\r', '\u001b[1;'])('takes a flood of %j', (piece) => {
  expect(readable(`${piece.repeat(200_000)}x`).length).toBeLessThanOrEqual(1_000_001);
});
