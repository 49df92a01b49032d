import { describe, expect, it } from 'vitest';
import { hashOf } from '../../../disk/contents.ts';
import type { DreamChange } from '../records/record.ts';
import { judgeApproval } from './approve.ts';

const bytes = (text: string) => Buffer.from(text);
const HOLDER = 'The staging database is called heron.\n';
const MERGED = 'The staging database is called heron. Ask Ottokar.\n';
const GOING = 'Ask Ottokar.\n';

const change = (number: number, fields: Partial<DreamChange>): DreamChange => ({
  ...{ number, action: 'update', file: 'project_a.md', reason: 'They say the same.', evidence: [], into: [] },
  ...{ state: 'waiting', why: '', base: null, text: null },
  ...fields,
});
const REMOVE = change(2, {
  ...{ action: 'remove', file: 'project_b.md', into: ['project_a.md'], base: hashOf(bytes(GOING)) },
});

describe('a removal that rests on a change that landed earlier', () => {
  it.each([
    ['landed', 'update', MERGED, { kind: 'land' }],
    ['landed', 'update', HOLDER, { kind: 'keep', why: 'change 1, which put it into project_a.md, was taken back' }],
    ['approved', 'update', HOLDER, { kind: 'keep', why: 'change 1, which put it into project_a.md, was taken back' }],
    ['landed', 'update', `${MERGED}my own line\n`, { kind: 'land' }],
    ['landed', 'create', MERGED, { kind: 'land' }],
    ['landed', 'create', null, { kind: 'keep', why: 'project_a.md, which is to hold it, is not there' }],
  ] as const)('%s %s, and the file is now %j', (state, action, now, verdict) => {
    const writer = change(1, { state, action, base: action === 'create' ? null : hashOf(bytes(HOLDER)) });
    const read = (file: string) => (file === 'project_b.md' ? bytes(GOING) : now === null ? null : bytes(now));
    const verdicts = judgeApproval({ chosen: [REMOVE], all: [writer, REMOVE] }, read);
    expect(verdicts.get(2)).toEqual(verdict);
  });
});
