/** What the gate hears of the time before a compaction: the transcript's words, those that were carried, and nothing that a model wrote about them. */

import * as fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import type { Entry, Injection } from '../conversation/entry.ts';
import type { ContentBlock } from '../conversation/message.ts';
import {
  type BoundaryRecord,
  messageRecord,
  serializeRecord,
  type TranscriptRecord,
} from '../disk/transcript/record.ts';
import { type CarriedMessage, carriedMessages, INITIAL_STATE, NOTHING_CARRIED } from '../layers/4-compaction/state.ts';
import { LIMITS, type Limits } from '../limits.ts';
import { joinSpans, type SpanMessage } from '../memory/gate/writer/span.ts';
import { openEarlier } from './write-earlier.ts';

const AT = '2026-01-07T10:00:00.000Z';
const folder = temporaryFolder('earlier');

interface Said {
  readonly uuid: string;
  readonly parent: string | null;
  readonly role?: 'user' | 'assistant';
  readonly content?: readonly ContentBlock[];
  readonly injected?: readonly Injection[];
}

const words = (text: string): ContentBlock => ({ type: 'text', text });

function entry({ uuid, parent, role = 'user', content = [words(`words of ${uuid}`)], injected }: Said): Entry {
  return { uuid, parentUuid: parent, at: AT, message: { role, content }, ...(injected ? { injected } : {}) };
}

const summary = (uuid: string, parent: string) =>
  entry({
    uuid,
    parent,
    content: [words('SUMMARY: the user loves mocks.')],
    injected: [{ block: 0, source: 'summary' }],
  });

const boundary = (uuid: string, parentUuid: string, replaced: { from: string; to: string }): BoundaryRecord => {
  return { type: 'boundary', at: AT, uuid, parentUuid, trigger: 'manual', tokensBefore: 1, replaced };
};

const BEFORE = [
  entry({ uuid: 'u1', parent: null }),
  entry({
    uuid: 'a1',
    parent: 'u1',
    role: 'assistant',
    content: [{ type: 'tool_use', id: 't1', name: 'Read', input: {} }],
  }),
  entry({
    uuid: 'r1',
    parent: 'a1',
    content: [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'a file' }] }],
  }),
  entry({ uuid: 'a2', parent: 'r1', role: 'assistant' }),
  entry({ uuid: 'u2', parent: 'a2' }),
];
const AFTER = [summary('s1', 'b1'), entry({ uuid: 'u3', parent: 's1' })];
const RECORDS: readonly TranscriptRecord[] = [
  ...BEFORE.map(messageRecord),
  boundary('b1', 'u2', { from: 'u1', to: 'u2' }),
  ...AFTER.map(messageRecord),
];

function transcript(records: readonly TranscriptRecord[]): string {
  const file = join(fs.mkdtempSync(join(folder, 'session-')), 'transcript.jsonl');
  fs.writeFileSync(file, records.map(serializeRecord).join(''));
  return file;
}

interface Case {
  readonly file?: string | null;
  readonly carried?: readonly CarriedMessage[];
  readonly lastRequest?: CarriedMessage | null;
  readonly gate?: Partial<Limits['gate']>;
  readonly flush?: () => Promise<void>;
}

function open({ file = null, carried = [], lastRequest = null, gate = {}, flush = async () => {} }: Case) {
  const state = {
    ...INITIAL_STATE,
    carried: { ...NOTHING_CARRIED, messages: carried, lastRequest, rules: ['a rule'] },
  };
  return openEarlier({
    log: { file, flush },
    carried: () => carriedMessages(state),
    limits: { ...LIMITS, gate: { ...LIMITS.gate, ...gate } },
  });
}

const heard = (span: readonly SpanMessage[]) => span.map(({ from, text }) => [from, text]);
const carriedMessage = (uuid: string, text = `carried of ${uuid}`): CarriedMessage => ({ uuid, text, leftOut: 0 });

const ALL = [
  ['user', 'words of u1'],
  ['file', 'a file'],
  ['assistant', 'words of a2'],
  ['user', 'words of u2'],
];

describe('before a compaction', () => {
  it('is all that was said, with its time, from the transcript', async () => {
    const { span, lastSaid } = await open({ file: transcript(RECORDS) })(AFTER);
    expect(heard(span)).toEqual(ALL);
    expect(span.every(({ at }) => at === AT)).toBe(true);
    expect(lastSaid).toBe('u2');
  });

  it('goes back over several, and what summaries say is nobody’s word', async () => {
    const twice = [
      ...RECORDS,
      boundary('b2', 'u3', { from: 's1', to: 'u3' }),
      ...[summary('s2', 'b2'), entry({ uuid: 'u4', parent: 's2' })].map(messageRecord),
    ];
    const { span } = await open({ file: transcript(twice) })([
      summary('s2', 'b2'),
      entry({ uuid: 'u4', parent: 's2' }),
    ]);
    expect(heard(span)).toEqual([...ALL, ['injected', 'SUMMARY: the user loves mocks.'], ['user', 'words of u3']]);
  });

  it.each<[string, Case, readonly (readonly string[])[], string | null]>([
    [
      'no transcript',
      {},
      [
        ['user', 'carried of u1'],
        ['user', 'carried of u2'],
      ],
      'u2',
    ],
    [
      'one that is gone',
      { file: join(folder, 'none.jsonl') },
      [
        ['user', 'carried of u1'],
        ['user', 'carried of u2'],
      ],
      'u2',
    ],
    [
      'one that cannot be read',
      { file: join(folder, 'x'), flush: () => Promise.reject(new Error('full')) },
      [
        ['user', 'carried of u1'],
        ['user', 'carried of u2'],
      ],
      'u2',
    ],
    ['one that is whole', { file: transcript(RECORDS) }, ALL, 'u2'],
    [
      'one too long to be read to its beginning',
      { file: transcript(RECORDS), gate: { earlierBytes: 900 } },
      [
        ['user', 'carried of u1'],
        ['user', 'words of u2'],
      ],
      'u2',
    ],
  ])('has what was carried where the rest is not at hand: %s', async (_what, facts, expected, lastSaid) => {
    const carried = { carried: [carriedMessage('u1')], lastRequest: carriedMessage('u2') };
    const earlier = await open({ ...carried, ...facts })(AFTER);
    const own = expected === ALL ? heard(earlier.span) : heard(earlier.span).filter(([from]) => from === 'user');
    expect(own).toEqual(expected);
    expect(earlier.lastSaid).toBe(lastSaid);
  });

  it('leaves out the note where a long request was cut', async () => {
    const text = 'Begin.\n[… left out here: message u1 in /home/u/x.jsonl]\nEnd.';
    const { span } = await open({ lastRequest: carriedMessage('u1', text) })(AFTER);
    expect(heard(span)).toEqual([['user', 'Begin.\n\nEnd.']]);
  });

  it('has the newest words of the user’s where they are too many', async () => {
    const { span } = await open({ file: transcript(RECORDS), gate: { earlierSaidBytes: 15 } })(AFTER);
    expect(heard(span).filter(([from]) => from === 'user')).toEqual([['user', 'words of u2']]);
  });

  it('is read once', async () => {
    let reads = 0;
    const flush = async () => void reads++;
    const earlier = open({ file: transcript(RECORDS), flush });
    await earlier(AFTER);
    await earlier([...AFTER, entry({ uuid: 'a3', parent: 'u3', role: 'assistant' })]);
    expect(reads).toBe(1);
  });
});

it('is nothing where no summary stands in the conversation, whatever was carried once', async () => {
  const earlier = open({ file: transcript(RECORDS), carried: [carriedMessage('u1')] });
  expect(await earlier(BEFORE)).toEqual({ span: [], lastSaid: null });
});

it('joins both times within one bound for what others said', () => {
  const earlier: SpanMessage[] = [
    { from: 'tool', text: 'older' },
    { from: 'user', text: 'First wish.' },
    { from: 'assistant', text: 'answer' },
  ];
  const now: SpanMessage[] = [
    { from: 'tool', text: 'output' },
    { from: 'user', text: 'Second wish.' },
  ];
  expect(heard(joinSpans(earlier, now, { otherBytes: 10 }))).toEqual([
    ['user', 'First wish.'],
    ['assistant', 'answ'],
    ['tool', 'output'],
    ['user', 'Second wish.'],
  ]);
});
