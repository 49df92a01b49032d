/** Reading a conversation back: only as far as it goes, through compactions, rewinds and damage. */

import * as fs from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import type { Entry } from '../../conversation/entry.ts';
import type { ContentBlock } from '../../conversation/message.ts';
import { type ByteSource, openBytes } from './lines.ts';
import { readConversation } from './read.ts';
import {
  type BoundaryRecord,
  messageRecord,
  type SessionRecord,
  serializeRecord,
  type TranscriptRecord,
} from './record.ts';

const AT = '2026-01-02T03:04:05.000Z';
const FIRST: SessionRecord = {
  type: 'session',
  at: AT,
  version: 1,
  sessionId: 'any',
  cwd: '/project',
  model: 'test-model',
  rendered: 'at first',
};
const SMALL_CHUNKS = { chunkBytes: 100, recordBytes: 1_000_000 };

function entry(
  uuid: string,
  parentUuid: string | null,
  content: ContentBlock[] = [{ type: 'text', text: uuid }],
): Entry {
  const role = content.some(({ type }) => type === 'tool_use') ? 'assistant' : 'user';
  return { uuid, parentUuid, at: AT, message: { role, content } };
}

function message(uuid: string, parentUuid: string | null, content?: ContentBlock[]): TranscriptRecord {
  return messageRecord(entry(uuid, parentUuid, content));
}

function messages(...uuids: readonly string[]): TranscriptRecord[] {
  return uuids.map((uuid, at) => message(uuid, uuids[at - 1] ?? null));
}

function boundary(uuid: string, facts: Partial<BoundaryRecord> = {}): BoundaryRecord {
  return { type: 'boundary', at: AT, uuid, parentUuid: null, trigger: 'manual', tokensBefore: 1, ...facts };
}

function rewound(last: string | null): TranscriptRecord {
  return { type: 'note', at: AT, reason: 'rewind', detail: { last } };
}

function inFile<T>(lines: readonly (TranscriptRecord | string)[], work: (file: string) => Promise<T>): Promise<T> {
  const text = lines.map((line) => (typeof line === 'string' ? line : serializeRecord(line))).join('');
  const folder = temporaryFolder('read');
  const file = join(folder, 'transcript.jsonl');
  fs.writeFileSync(file, text);
  return work(file);
}

function read(lines: readonly (TranscriptRecord | string)[]) {
  return inFile(lines, (file) => readConversation(file, { limits: SMALL_CHUNKS }));
}

async function uuidsOf(lines: readonly (TranscriptRecord | string)[]): Promise<string> {
  const { entries } = await read(lines);
  return entries.map(({ uuid }) => uuid).join(' ');
}

describe('the conversation', () => {
  it.each<[string, readonly (TranscriptRecord | string)[], string]>([
    ['is empty before the first prompt', [FIRST], ''],
    ['is every message', [FIRST, ...messages('a', 'b', 'c')], 'a b c'],
    ['leaves out what was rewound', [FIRST, ...messages('a', 'b', 'c'), message('d', 'a')], 'a d'],
    ['ends where somebody went back to and left', [FIRST, ...messages('a', 'b', 'c'), rewound('a')], 'a'],
    ['is empty when they went back to its beginning', [FIRST, ...messages('a', 'b'), rewound(null)], ''],
    ['goes on from what was said after that', [FIRST, ...messages('a', 'b'), rewound('a'), message('d', 'a')], 'a d'],
    [
      'stays rewound behind a boundary',
      [FIRST, ...messages('a'), boundary('B'), message('s', 'B'), message('c', 's'), rewound('s')],
      's',
    ],
    [
      'begins at a boundary',
      [FIRST, ...messages('a', 'b'), boundary('B'), message('s', 'B'), message('c', 's')],
      's c',
    ],
    [
      'begins at the last of two boundaries',
      [FIRST, ...messages('a'), boundary('B'), message('s', 'B'), boundary('C'), message('t', 'C')],
      't',
    ],
    [
      'goes on as it was when a compaction got no further than its boundary',
      [FIRST, ...messages('a', 'b'), boundary('B')],
      'a b',
    ],
    [
      'goes back beyond a boundary that was rewound',
      [FIRST, ...messages('a', 'b'), boundary('B'), message('s', 'B'), message('c', 'a')],
      'a c',
    ],
    [
      'keeps what outlived a compaction behind its summary',
      [
        FIRST,
        ...messages('a', 'b', 'c'),
        boundary('B', { preserved: { head: 'b', anchor: 's', tail: 'c' } }),
        message('s', 'B'),
        message('d', 'c'),
      ],
      's b c d',
    ],
    [
      'keeps it too when nothing was said since',
      [
        FIRST,
        ...messages('a', 'b', 'c'),
        boundary('B', { preserved: { head: 'b', anchor: 's', tail: 'c' } }),
        message('s', 'B'),
      ],
      's b c',
    ],
    [
      'keeps it too when what followed was linked to the summary',
      [
        FIRST,
        ...messages('a', 'b', 'c'),
        boundary('B', { preserved: { head: 'b', anchor: 's', tail: 'c' } }),
        message('s', 'B'),
        message('d', 's'),
      ],
      's b c d',
    ],
    [
      'keeps the messages before a summary of the later ones',
      [
        FIRST,
        ...messages('a', 'b', 'c', 'd'),
        boundary('B', { preserved: { head: 'a', anchor: null, tail: 'b' } }),
        message('s', 'B'),
        message('e', 's'),
      ],
      'a b s e',
    ],
    [
      'keeps what outlived two compactions',
      [
        FIRST,
        ...messages('a', 'b', 'c'),
        boundary('B', { preserved: { head: 'b', anchor: 's', tail: 'c' } }),
        message('s', 'B'),
        message('d', 'c'),
        boundary('C', { preserved: { head: 'c', anchor: 't', tail: 'd' } }),
        message('t', 'C'),
        message('e', 'd'),
      ],
      't c d e',
    ],
  ])('%s', async (_, lines, expected) => {
    const found = await read(lines);
    expect(found.entries.map(({ uuid }) => uuid).join(' ')).toBe(expected);
    expect([found.damaged, found.bridged]).toEqual([[], 0]);
    expect(found.lastUuid).toBe(expected.split(' ').at(-1) || null);
    expect(found.first).toEqual(FIRST);
  });

  it('forgets the usage of what outlived a compaction, which was that of a longer conversation', async () => {
    const usage = { inputTokens: 9, outputTokens: 9, cacheReadTokens: 9, cacheWriteTokens: 0, cacheWriteHourTokens: 0 };
    const response = { model: 'm', usage, stopReason: 'end', id: null } as const;
    const { entries } = await read([
      FIRST,
      messageRecord({ ...entry('a', null), response }),
      boundary('B', { preserved: { head: 'a', anchor: 's', tail: 'a' } }),
      message('s', 'B'),
      messageRecord({ ...entry('b', 'a'), response }),
    ]);
    expect(entries.map((each) => each.response?.id)).toEqual([undefined, undefined, null]);
  });

  it('comes with the newest of every kind of record, and keeps kinds it does not know', async () => {
    const found = await read([
      FIRST,
      { type: 'replacement', at: AT, toolUseId: 'one', decision: 'whole' },
      { type: 'state', at: AT, layer: 'notes', state: { covered: 1 } },
      { type: 'rendered', at: AT, rendered: 'again' },
      ...messages('a'),
      '{"type":"hologram","at":"later","light":1}\n',
      { type: 'cleared', at: AT, toolUseIds: ['one'], by: 'time' },
      { type: 'replacement', at: AT, toolUseId: 'two', decision: { preview: 'x' } },
      { type: 'state', at: AT, layer: 'notes', state: { covered: 2 } },
      { type: 'state', at: AT, layer: 'recall', state: ['shown'] },
      { type: 'note', at: AT, reason: 'overloaded' },
      { type: 'meta', at: AT, title: 'Title', lastPrompt: 'Last', messages: 1 },
    ]);
    expect(found.replacements.map(({ toolUseId, decision }) => [toolUseId, decision])).toEqual([
      ['one', 'whole'],
      ['two', { preview: 'x' }],
    ]);
    expect(found.cleared.map(({ toolUseIds }) => toolUseIds)).toEqual([['one']]);
    expect(Object.fromEntries(found.states)).toEqual({ notes: { covered: 2 }, recall: ['shown'] });
    expect(found.rendered).toBe('again');
    expect(found.meta?.title).toBe('Title');
    expect(found.notes.map(({ reason }) => reason)).toEqual(['overloaded']);
    expect(found.unknown).toEqual([{ type: 'hologram', at: 'later', light: 1 }]);
    expect(found.damaged).toEqual([]);
  });

  it('tells which tool calls a crash left without a result, and which results lost their call', async () => {
    const call = (id: string): ContentBlock => ({ type: 'tool_use', id, name: 'Read', input: {} });
    const result = (id: string): ContentBlock => ({ type: 'tool_result', tool_use_id: id, content: [] });
    const found = await read([
      FIRST,
      message('a', null, [call('1'), call('2')]),
      message('b', 'a', [result('1'), result('2')]),
      message('c', 'b', [result('3')]),
      message('d', 'c', [call('4'), call('5')]),
      message('e', 'd', [result('4')]),
    ]);
    expect(found.unanswered).toEqual([{ uuid: 'd', toolUseId: '5', name: 'Read' }]);
    expect(found.orphaned).toEqual([{ uuid: 'c', toolUseId: '3' }]);
  });
});

describe('damage', () => {
  it.each<[string, readonly (TranscriptRecord | string)[], string, number]>([
    ['a lost message', [FIRST, ...messages('a', 'b', 'c').filter((_, at) => at !== 1)], 'a c', 1],
    ['a lost first message', [FIRST, ...messages('a', 'b', 'c').slice(1)], 'b c', 1],
    ['a garbled message', [FIRST, message('a', null), 'garbage\n', message('c', 'b')], 'a c', 1],
    [
      'a torn message, whose parent is still to be read',
      [FIRST, ...messages('a', 'x'), '{"type":"message","uuid":"b","parentUuid":"a","mess\n', message('c', 'b')],
      'a c',
      1,
    ],
    [
      'a torn message, whose parent is not',
      [FIRST, ...messages('a', 'x'), '{"type":"message","uuid":"b","par\n', message('c', 'b')],
      'a x c',
      1,
    ],
    ['a torn last message', [FIRST, ...messages('a', 'b'), '{"type":"message","uuid":"c"'], 'a b', 0],
    [
      'a garbled message after a boundary',
      [FIRST, ...messages('a'), boundary('B'), message('s', 'B'), 'garbage\n', message('c', 'b')],
      's c',
      1,
    ],
    [
      'a torn boundary',
      [FIRST, ...messages('a'), '{"type":"boundary","at":"x","uuid":"B","par\n', message('s', 'B')],
      's',
      1,
    ],
    ['a garbled state', [FIRST, message('a', null), '\0\0\0\0\n', message('b', 'a')], 'a b', 0],
    ['messages in a circle', [FIRST, message('a', 'b'), message('b', 'a')], 'a b', 0],
    ['a message that is there twice', [FIRST, ...messages('a', 'b'), message('b', 'a'), message('c', 'b')], 'a b c', 0],
  ])('is borne: %s', async (_, lines, expected, bridged) => {
    const found = await read(lines);
    expect(found.entries.map(({ uuid }) => uuid).join(' ')).toBe(expected);
    expect(found.bridged).toBe(bridged);
    const broken = lines.flatMap((line) => (typeof line === 'string' ? [line] : []));
    expect(found.damaged).toHaveLength(broken.length);
  });

  it('says where it is', async () => {
    const start = Buffer.byteLength(serializeRecord(FIRST));
    expect((await read([FIRST, 'garbage\n', ...messages('a')])).damaged).toEqual([start]);
  });

  it('of the first record costs the first record', async () => {
    const found = await read(['{"type":"session","at"\n', ...messages('a', 'b'), boundary('B'), message('s', 'B')]);
    expect([found.first, found.rendered, found.damaged]).toEqual([null, null, [0]]);
    expect(found.entries).toHaveLength(1);
  });

  it('anywhere costs no line but the one it hit', async () => {
    const uuids = Array.from({ length: 12 }, (_, at) => `m${at}`);
    const lines = [FIRST, ...messages(...uuids)].map(serializeRecord);
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.integer({ min: 1, max: 12 })), fc.nat(40), async (hit, keep) => {
        const broken = lines.map((line, at) => (hit.includes(at) ? `${line.slice(0, keep)}\n` : line));
        const expected = uuids.filter((_, at) => !hit.includes(at + 1));
        expect(await uuidsOf(broken)).toBe(expected.join(' '));
      }),
      { numRuns: 60 },
    );
  });

  it('of a line without end is skipped without being held in memory', async () => {
    const long = 'x'.repeat(50_000);
    await inFile([FIRST, ...messages('a'), `${long}\n`, message('b', 'a')], async (file) => {
      const found = await readConversation(file, { limits: { chunkBytes: 1_000, recordBytes: 10_000 } });
      expect(found.entries.map(({ uuid }) => uuid)).toEqual(['a', 'b']);
      expect(found.damaged).toHaveLength(1);
    });
  });
});

describe('a giant', () => {
  it('is read from its end, to the boundary and no further', async () => {
    const filler = { type: 'text', text: 'x'.repeat(10_000) } as const;
    const old = Array.from({ length: 2_000 }, (_, at) => message(`o${at}`, at === 0 ? null : `o${at - 1}`, [filler]));
    const recent = [boundary('B'), message('s', 'B'), message('a', 's'), message('b', 'a')];
    await inFile([FIRST, ...old, ...recent], async (file) => {
      expect(fs.statSync(file).size).toBeGreaterThan(20_000_000);
      let bytesRead = 0;
      const open = async (path: string): Promise<ByteSource | null> => {
        const source = (await openBytes(path))!;
        return {
          ...source,
          read: (...span) =>
            source.read(...span).then((bytes) => {
              bytesRead += bytes.length;
              return bytes;
            }),
        };
      };
      const found = await readConversation(file, { open });
      expect(found.entries.map(({ uuid }) => uuid)).toEqual(['s', 'a', 'b']);
      expect(found.first).toEqual(FIRST);
      expect(bytesRead).toBeLessThan(600_000);
    });
  });

  it('that is not there is said to be missing', async () => {
    await expect(readConversation('/nowhere/at/all.jsonl')).rejects.toMatchObject({ code: 'not-found' });
  });
});
