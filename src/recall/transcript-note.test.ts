import { describe, expect, it } from 'vitest';
import { serializeRecord } from '../disk/transcript/record.ts';
import { readRecallNote, recallNote } from './transcript-note.ts';

const AT = '2026-03-05T10:00:00.000Z';

describe('the note of a recall', () => {
  it('is read as it was written', () => {
    const near = [
      { key: 'project:feedback_tests.md', evidence: 0.71, threshold: 0.55, certain: true },
      { key: 'global:user_name.md', evidence: 0.2, threshold: 0.55, certain: false },
    ];
    expect(readRecallNote(recallNote(AT, { near }))).toEqual({ near });
    expect(readRecallNote(recallNote(AT, { closed: 'one-word' }))).toEqual({ closed: 'one-word' });
    expect(readRecallNote({ type: 'note', at: AT, reason: 'overloaded' })).toBeNull();
  });

  it('takes at most 200 bytes, and keeps the best', () => {
    const near = Array.from({ length: 20 }, (_, at) => ({
      ...{ key: `project:feedback_${'x'.repeat(40)}-${at}.md`, evidence: 1 / 3, threshold: 2 / 3, certain: false },
    }));
    const record = recallNote(AT, { near });
    expect(Buffer.byteLength(serializeRecord(record))).toBeLessThanOrEqual(200);
    expect(readRecallNote(record)).toMatchObject({ near: [{ key: near[0]!.key, evidence: 0.33 }] });
  });
});
