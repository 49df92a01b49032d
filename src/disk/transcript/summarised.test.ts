/** Summarised messages found again: through several compactions, kept messages, branches and bounds. */

import * as fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { LIMITS } from '../../limits.ts';
import { type BoundaryRecord, messageRecord, serializeRecord, type TranscriptRecord } from './record.ts';
import { readSummarised } from './summarised.ts';

const AT = '2026-01-02T03:04:05.000Z';

function message(uuid: string, parentUuid: string | null): TranscriptRecord {
  return messageRecord({
    uuid,
    parentUuid,
    at: AT,
    message: { role: 'user', content: [{ type: 'text', text: uuid }] },
  });
}

function chain(...uuids: readonly string[]): TranscriptRecord[] {
  return uuids.slice(1).map((uuid, at) => message(uuid, uuids[at]!));
}

function boundary(uuid: string, parentUuid: string, facts: Partial<BoundaryRecord> = {}): BoundaryRecord {
  return { type: 'boundary', at: AT, uuid, parentUuid, trigger: 'manual', tokensBefore: 1, ...facts };
}

async function found(
  records: readonly TranscriptRecord[],
  lastUuid: string,
  limits: Partial<Record<'expandedBytes' | 'expandedRanges', number>> = {},
) {
  const folder = temporaryFolder('summarised');
  const file = join(folder, 'transcript.jsonl');
  fs.writeFileSync(file, records.map(serializeRecord).join(''));
  const read = await readSummarised(file, {
    lastUuid,
    limits: { ...LIMITS.transcripts, chunkBytes: 100, ...limits },
  });
  const parts = read.parts.map(({ boundary: { uuid }, entries }) => [uuid, ...entries.map((entry) => entry.uuid)]);
  return { parts, isAll: read.isAll };
}

const start = [message('e1', null), ...chain('e1', 'e2', 'e3', 'e4')];
const replaced = (from: string, to: string) => ({ replaced: { from, to } });

describe('summarised messages', () => {
  it.each<[string, readonly TranscriptRecord[], string, readonly string[][]]>([
    ['none', start, 'e4', []],
    [
      'all that there was',
      [...start, boundary('b1', 'e4', replaced('e1', 'e4')), ...chain('b1', 's1', 'e5')],
      'e5',
      [['b1', 'e1', 'e2', 'e3', 'e4']],
    ],
    [
      'all, where the record does not say which',
      [...start, boundary('b1', 'e4'), ...chain('b1', 's1')],
      's1',
      [['b1', 'e1', 'e2', 'e3', 'e4']],
    ],
    [
      'behind messages that stayed',
      [
        ...start,
        boundary('b1', 'e4', { preserved: { head: 'e1', anchor: null, tail: 'e2' }, ...replaced('e3', 'e4') }),
        ...chain('b1', 's1', 'e5'),
      ],
      'e5',
      [['b1', 'e3', 'e4']],
    ],
    [
      'before messages that stayed, though nothing came after them',
      [
        ...start,
        boundary('b1', 'e4', { preserved: { head: 'e3', anchor: 's1', tail: 'e4' }, ...replaced('e1', 'e2') }),
        ...chain('b1', 's1'),
      ],
      'e4',
      [['b1', 'e1', 'e2']],
    ],
    [
      'twice, the second time with what had stayed and the first summary',
      [
        ...start,
        boundary('b1', 'e4', { preserved: { head: 'e3', anchor: 's1', tail: 'e4' }, ...replaced('e1', 'e2') }),
        ...chain('b1', 's1'),
        ...chain('e4', 'e5'),
        boundary('b2', 'e5', replaced('s1', 'e5')),
        ...chain('b2', 's2'),
      ],
      's2',
      [
        ['b2', 's1', 'e3', 'e4', 'e5'],
        ['b1', 'e1', 'e2'],
      ],
    ],
    [
      'none of a branch that was left',
      [
        ...start,
        boundary('b1', 'e4', { preserved: { head: 'e1', anchor: null, tail: 'e2' }, ...replaced('e3', 'e4') }),
        ...chain('b1', 's1'),
        ...chain('e2', 'other'),
      ],
      'other',
      [],
    ],
    ['none that are not in the file', [boundary('b1', 'gone', replaced('e0', 'gone')), ...chain('b1', 's1')], 's1', []],
  ])('are %s', async (_, records, lastUuid, parts) => {
    expect(await found(records, lastUuid)).toEqual({ parts, isAll: true });
  });

  const twice = [
    ...start,
    boundary('b1', 'e4', replaced('e1', 'e4')),
    ...chain('b1', 's1', 'e5'),
    boundary('b2', 'e5', replaced('s1', 'e5')),
    ...chain('b2', 's2'),
  ];

  it('are looked for over so many compactions, and it is said when there are more', async () => {
    expect(await found(twice, 's2', { expandedRanges: 1 })).toEqual({ parts: [['b2', 's1', 'e5']], isAll: false });
    expect(await found(twice, 's2', { expandedRanges: 2 })).toMatchObject({ isAll: true });
  });

  it('are looked for in so many bytes: the end of a range that begins before them is there', async () => {
    const bytes = (records: readonly TranscriptRecord[]) => records.map(serializeRecord).join('').length;
    const most = bytes(twice) - bytes(twice.slice(0, 2));
    expect(await found(twice, 's2', { expandedBytes: most })).toEqual({
      parts: [
        ['b2', 's1', 'e5'],
        ['b1', 'e3', 'e4'],
      ],
      isAll: false,
    });
  });

  it('are none where there is no file', async () => {
    expect(await readSummarised('/nowhere/at/all.jsonl', { lastUuid: 'e1' })).toEqual({ parts: [], isAll: true });
  });
});
