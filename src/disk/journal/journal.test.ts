import * as fs from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { createFolder } from '../folder.ts';
import type { Change } from './change.ts';
import { JOURNAL_FILE, type Journal, openJournal } from './journal.ts';

let place: string;
let journal: Journal;

beforeEach(() => {
  place = temporaryFolder('journal');
  const folder = createFolder(join(place, 'journal'));
  journal = openJournal({ journal: folder, temporary: folder });
});

function change(id: string, why = ''): Change {
  const files = [{ file: `${id}.md`, before: null, after: 'h' }];
  return { id, at: '2026-01-01T00:00:00.000Z', kind: 'save', who: 'user', why, files };
}

const file = () => join(place, 'journal', JOURNAL_FILE);
const ids = (changes: Iterable<Change>) => [...changes].map(({ id }) => id);

async function record(...names: string[]): Promise<void> {
  for (const name of names) {
    await journal.begin(change(name));
    await journal.close(name, 'done');
  }
}

describe('the journal', () => {
  it('gives changes oldest first and newest first', async () => {
    await record('a', 'b', 'c');
    expect(ids(journal.readFrom(0).changes)).toEqual(['a', 'b', 'c']);
    expect(ids(journal.newestFirst())).toEqual(['c', 'b', 'a']);
  });

  it('reads on from where it stopped', async () => {
    await record('a');
    const { end } = journal.readFrom(0);
    await record('b');
    expect(ids(journal.readFrom(end).changes)).toEqual(['b']);
  });

  it('knows a change that was cut off, and one that was abandoned', async () => {
    await record('a');
    expect(journal.unfinished()).toBeNull();
    await journal.begin(change('b'));
    expect(journal.unfinished()?.id).toBe('b');
    await journal.close('b', 'abandoned');
    expect(journal.unfinished()).toBeNull();
    expect(ids(journal.newestFirst())).toEqual(['a']);
    expect(ids(journal.readFrom(0).changes)).toEqual(['a']);
  });

  it('finds a cut-off change larger than the first look back', async () => {
    await record('a');
    await journal.begin(change('b', 'x'.repeat(100_000)));
    expect(journal.unfinished()?.id).toBe('b');
  });

  it('loses one line to a torn tail, not the next record', async () => {
    await record('a');
    fs.appendFileSync(file(), '{"id":"torn","files":[');
    await record('b');
    const { changes, damagedLines } = journal.readFrom(0);
    expect([ids(changes), damagedLines]).toEqual([['a', 'b'], 1]);
    expect(ids(journal.newestFirst())).toEqual(['b', 'a']);
  });

  it('takes a line of another shape for damage', async () => {
    await record('a');
    fs.appendFileSync(file(), '{"files":"none"}\n{"files":[{"file":7}],"id":"x","at":"","kind":"save"}\nnull\n7\n');
    expect(ids(journal.readFrom(0).changes)).toEqual(['a']);
    expect(ids(journal.newestFirst())).toEqual(['a']);
  });

  it('reports damaged lines that held a change, but not torn or closing lines', async () => {
    await record('a', 'b');
    const line = JSON.stringify(change('c'));
    const flipped = [line.replace('"before"', '"bdfore"'), line.replace('"why"', '"whx"'), line.replace('{', '[')];
    fs.appendFileSync(file(), `${flipped.join('\n')}\n${line.slice(0, -1)}\n{"dome":"b"}\n`);
    let damaged = 0;
    const seen = journal.newestFirst(() => {
      damaged += 1;
    });
    expect([ids(seen), damaged]).toEqual([['b', 'a'], 3]);
  });

  it('has a new name once it was rewritten', async () => {
    await record('a', 'b');
    const before = journal.id();
    expect(await journal.rewrite((each) => (each.id === 'a' ? null : each))).toEqual({ dropped: 1 });
    expect(ids(journal.readFrom(0).changes)).toEqual(['b']);
    expect(journal.id()).not.toBe(before);
  });

  it('reads the same backwards as forwards, whatever the reasons hold', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ maxLength: 40_000 }), { maxLength: 6 }), async (reasons) => {
        fs.rmSync(file(), { force: true });
        for (const [number, why] of reasons.entries()) await journal.begin(change(String(number), why));
        const forwards = journal.readFrom(0).changes;
        expect(forwards.map(({ why }) => why)).toEqual(reasons);
        expect([...journal.newestFirst()].reverse()).toEqual(forwards);
      }),
      { numRuns: 40 },
    );
  });
});
