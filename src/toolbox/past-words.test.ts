import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import type { Entry } from '../conversation/entry.ts';
import { projectLayout } from '../disk/home.ts';
import { messageRecord, serializeRecord } from '../disk/transcript/record.ts';
import { LIMITS, type Limits } from '../limits.ts';
import { searchPastWords } from './past-words.ts';

const SLUG = 'p';
const FRESH = { ...LIMITS.pastSearch, milliseconds: 60_000 };
const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

let home: string;

beforeEach(() => {
  home = temporaryFolder('past-words');
  mkdirSync(projectLayout(home, SLUG).folder, { recursive: true });
});

function typed(text: string, at: string, more: Partial<Entry> = {}): Entry {
  return { uuid: at, parentUuid: null, at, message: { role: 'user', content: [{ type: 'text', text }] }, ...more };
}

/** The higher the number, the newer the session. */
function session(number: number, entries: readonly Entry[]): void {
  const file = join(projectLayout(home, SLUG).folder, `${idOf(number)}.jsonl`);
  writeFileSync(file, entries.map((entry) => serializeRecord(messageRecord(entry))).join(''));
  utimesSync(file, number, number);
}

async function search(query: string, limits: Partial<Limits['pastSearch']> = {}, except: string | null = null) {
  const all = { ...LIMITS, pastSearch: { ...FRESH, ...limits } };
  const { found, isCut } = await searchPastWords(query, { home, slug: SLUG, except, most: 5, limits: all });
  return { texts: found.map(({ text }) => text), found, isCut };
}

describe('the user’s earlier words', () => {
  it('come best first, the newest among equals, and each once', async () => {
    session(1, [
      typed('The lighthouse lamp is checked on Mondays. I had soup.', '2031-01-01T00:00:00Z'),
      typed('The lighthouse is white.', '2031-01-02T00:00:00Z'),
    ]);
    session(2, [
      typed('the lighthouse is WHITE.', '2031-01-03T00:00:00Z'),
      typed('The lighthouse is old.', '2031-01-04T00:00:00Z'),
    ]);
    const { texts, found } = await search('lighthouse lamp');
    expect(texts).toEqual([
      'The lighthouse lamp is checked on Mondays.',
      'The lighthouse is old.',
      'the lighthouse is WHITE.',
    ]);
    expect(found[0]).toMatchObject({ at: '2031-01-01T00:00:00Z', session: idOf(1) });
  });

  it('are what was typed alone: no answer, no paste, no quotation, nothing of ours', async () => {
    const text = 'Tell me more.\n\nThe lighthouse was pasted.';
    session(1, [
      typed(text, '2031-01-01T00:00:00Z', { typedCharacters: 'Tell me more.'.length }),
      typed('> The lighthouse was quoted.', '2031-01-02T00:00:00Z'),
      typed('The lighthouse was injected.', '2031-01-03T00:00:00Z', { injected: [{ block: 0, source: 'recall' }] }),
      {
        ...typed('', '2031-01-04T00:00:00Z'),
        message: { role: 'assistant', content: [{ type: 'text', text: 'The lighthouse was answered.' }] },
      },
    ]);
    expect((await search('lighthouse')).texts).toEqual([]);
  });

  it('never give a secret away, named in the same sentence or in the line before', async () => {
    // Put together here, so that no scanner takes this file for a leak.
    const [password, token] = [
      ['tr0ub4', 'dor&3xQ'].join(''),
      ['ghp', 'x7Kq2mN9vB4cL8sD1fG6hJ3pR5tW0yZeUaIo'].join('_'),
    ];
    session(1, [
      typed(`The password of the lighthouse is ${password}. The lighthouse is white.`, '2031-01-01T00:00:00Z'),
      typed(`Use ${token} for the lighthouse.`, '2031-01-02T00:00:00Z'),
      typed(`Lighthouse password:\n${password}`, '2031-01-03T00:00:00Z'),
    ]);
    for (const query of ['lighthouse', 'lighthouse password', password, token]) {
      const told = (await search(query)).texts.join('\n');
      expect(told).not.toContain(password);
      expect(told).not.toContain(token);
    }
    expect((await search('lighthouse')).texts).toContain('The lighthouse is white.');
  });

  it('leave out the session that asks, and what damage left', async () => {
    session(1, [typed('The lighthouse is white.', '2031-01-01T00:00:00Z')]);
    writeFileSync(join(projectLayout(home, SLUG).folder, `${idOf(2)}.jsonl`), '{"type":"message","role":"user" lighth');
    expect((await search('lighthouse', {}, idOf(1))).texts).toEqual([]);
    expect((await search('lighthouse')).texts).toHaveLength(1);
  });

  it.each([
    ['sessions', { sessions: 1 }],
    ['bytes', { bytes: 10 }],
  ])('are looked for in the newest within so many %s', async (_what, limits) => {
    session(1, [typed('The lighthouse is white.', '2031-01-01T00:00:00Z')]);
    session(2, [typed('The lighthouse is old.', '2031-01-02T00:00:00Z')]);
    expect(await search('lighthouse', limits)).toMatchObject({ texts: ['The lighthouse is old.'], isCut: true });
  });

  it('are not looked for without time, or without a word to go by', async () => {
    session(1, [typed('The lighthouse is white.', '2031-01-01T00:00:00Z')]);
    expect(await search('lighthouse', { milliseconds: 0 })).toMatchObject({ texts: [], isCut: true });
    expect(await search('the and of')).toMatchObject({ texts: [], isCut: false });
  });
});
