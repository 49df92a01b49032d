import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ToolResultBlock } from '../../conversation/message.ts';
import { endsText, previewText, textIn, withText } from './render.ts';

const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}`).join('\n');

function shownIn(preview: string): string {
  return preview.slice(preview.indexOf(':\n') + 2, preview.indexOf('\n[…]\n</persisted-output>'));
}

describe('a preview', () => {
  it('says how large the result is, where it is and how to read it', () => {
    const text = lines(10_000);
    const preview = previewText({ text, path: '/home/u/results/toolu_1.txt', previewBytes: 2_000 });
    expect(preview).toMatch(/^<persisted-output>\n/);
    expect(preview).toMatch(/\n<\/persisted-output>$/);
    expect(preview).toContain('/home/u/results/toolu_1.txt');
    expect(preview).toContain(`${text.length.toLocaleString('en-US')} characters`);
    expect(preview).toMatch(/Read .*offset and limit.*Grep/);
  });

  it('ends with a whole line', () => {
    const text = lines(10_000);
    const shown = shownIn(previewText({ text, path: '/r', previewBytes: 2_000 }));
    expect(text.startsWith(`${shown}\n`)).toBe(true);
    expect(shown.length).toBeGreaterThan(1_900);
  });

  it('shows the beginning of a giant line rather than nothing', () => {
    const shown = shownIn(previewText({ text: `ok\n${'x'.repeat(9_000)}`, path: '/r', previewBytes: 2_000 }));
    expect(shown.length).toBe(2_000);
  });

  it('stays within its bytes and never splits a character', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'é', '漢', '👩‍🚀', '\n'), minLength: 50, maxLength: 400 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 0, max: 200 }), (text, previewBytes) => {
        const shown = shownIn(previewText({ text, path: '/r', previewBytes }));
        expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(previewBytes);
        expect(text.startsWith(shown)).toBe(true);
        expect(Buffer.from(shown).toString()).toBe(shown);
      }),
    );
  });
});

describe('head and tail', () => {
  it('keep both ends and say what is between', () => {
    const text = `first\n${'middle\n'.repeat(5_000)}last`;
    const shown = endsText({ text, characters: 1_000, note: 'all of it is in /r' });
    expect(shown).toMatch(/^first\n/);
    expect(shown).toMatch(/\nlast$/);
    expect(shown).toContain('characters left out; all of it is in /r');
    const left = Number(/… ([\d,]+) characters/.exec(shown)![1]!.replaceAll(',', ''));
    expect(left).toBeGreaterThan(text.length - 1_000);
    expect(left).toBeLessThan(text.length);
  });

  it('stay within their length and hold only what was there', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', '😀', '\n', '漢'), minLength: 300, maxLength: 900 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 100, max: 280 }), (text, characters) => {
        const shown = endsText({ text, characters, note: 'gone' });
        const [head, tail] = shown.split(/\n\n\[… [\d,]+ characters left out; gone …\]\n\n/) as [string, string];
        expect(shown.length).toBeLessThanOrEqual(characters);
        expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
        expect(Buffer.from(shown).toString()).toBe(shown);
      }),
    );
  });
});

describe('a result with replaced text', () => {
  it('keeps its images and documents where they are', () => {
    const image = { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } } as const;
    const result: ToolResultBlock = {
      type: 'tool_result',
      tool_use_id: 't1',
      content: [{ type: 'text', text: 'one' }, image, { type: 'text', text: 'two' }],
      is_error: true,
    };
    expect(textIn(result)).toBe('one\ntwo');
    expect(withText(result, 'short')).toEqual({ ...result, content: [{ type: 'text', text: 'short' }, image] });
  });
});
