import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ContentBlock } from '../../conversation/message.ts';
import { LIMITS } from '../../limits.ts';
import { createInUse } from './in-use.ts';

const call = (command: string): ContentBlock => ({ type: 'tool_use', id: 't', name: 'Bash', input: { command } });
const said = (text: string): ContentBlock => ({ type: 'text', text });
const shown = (text: string): ContentBlock => ({
  type: 'tool_result',
  tool_use_id: 't',
  content: [{ type: 'text', text }],
});

function wordsOf(sections: string): readonly string[] {
  return sections.split('\n').flatMap((line) => (line === '' || line.startsWith('#') ? [] : line.split(' ')));
}

/** Room for about this many references of ten characters. */
const roomFor = (references: number) => () => (references * 11) / 4;

describe('what is in use', () => {
  it('ranks what calls used before what was said, and that before what was shown', () => {
    const inUse = createInUse('max');
    inUse.add([shown('shown/0001'), said('said/00001'), call('used/00001')]);
    expect(wordsOf(inUse.sections([], roomFor(2)))).toEqual(['used/00001', 'said/00001']);
  });

  it('ranks what came up again before what came up once, and new before old', () => {
    const inUse = createInUse('max');
    inUse.add([call('once/00001'), call('more/00001'), call('more/00001'), call('late/00001')]);
    expect(wordsOf(inUse.sections([], roomFor(2)))).toEqual(['more/00001', 'late/00001']);
  });

  it('leaves out what stays, except results, which may be cleared', () => {
    const inUse = createInUse('max');
    inUse.add([call('one/000001'), call('two/000001')]);
    expect(wordsOf(inUse.sections([said('See one/000001.'), shown('two/000001')]))).toEqual(['two/000001']);
    expect(inUse.sections([call('one/000001 two/000001')])).toBe('');
  });

  it('holds no bare numbers', () => {
    const inUse = createInUse('max');
    inUse.add([call('sed -n 120,180p a.ts 4173 3.14 2026-05-01 10.0.0.7 v2')]);
    expect(wordsOf(inUse.sections([])).toSorted()).toEqual(['10.0.0.7', '180p', '2026-05-01', 'a.ts', 'v2']);
  });

  it('is nothing with economy off', () => {
    const inUse = createInUse('off');
    inUse.add([call('one/000001')]);
    expect(inUse.sections([])).toBe('');
  });

  it('stays within its tokens, and each section within what notes allow', () => {
    const paths = fc.array(fc.stringMatching(/^[a-z]{1,20}\/[a-z0-9]{1,30}$/), { maxLength: 1_500 });
    fc.assert(
      fc.property(paths, fc.integer({ min: 10, max: 4_000 }), (used, tokens) => {
        const inUse = createInUse('balanced');
        inUse.add(used.map(call));
        const text = inUse.sections([], () => tokens);
        const words = wordsOf(text);
        expect(Buffer.byteLength(words.join(' '))).toBeLessThanOrEqual(tokens * 4);
        for (const section of text.split('\n\n')) {
          expect(section.length / 4).toBeLessThanOrEqual(LIMITS.compaction.sectionTokens);
        }
        expect(words.every((word) => used.includes(word))).toBe(true);
      }),
      { numRuns: 30 },
    );
  });
});
