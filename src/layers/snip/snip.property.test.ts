/** Ranges removed from generated conversations: what is left is valid, and resuming removes the same. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createConversation } from '../../agent/conversation.ts';
import type { Entry } from '../../conversation/entry.ts';
import { type ContentBlock, NO_USAGE } from '../../conversation/message.ts';
import { decideSnip, readSnips, type Snip, snipped } from './index.ts';

const AT = '2026-01-01T00:00:00.000Z';
const LATER = '2026-01-02T00:00:00.000Z';

/** Turns of a prompt, this many rounds and an answer. */
function entriesOf(turns: readonly number[]): Entry[] {
  const entries: Entry[] = [];
  function add(role: 'user' | 'assistant', content: readonly ContentBlock[]): void {
    const uuid = `entry-${entries.length}`;
    const usage = { ...NO_USAGE, inputTokens: 1_000 };
    const response = { model: 'm', usage, stopReason: 'end', id: `response-${uuid}` } as const;
    const entry = { uuid, parentUuid: entries.at(-1)?.uuid ?? null, at: AT, message: { role, content } };
    entries.push(role === 'assistant' ? { ...entry, response } : entry);
  }
  for (const [turn, rounds] of turns.entries()) {
    add('user', [{ type: 'text', text: `request ${turn}` }]);
    for (let round = 0; round < rounds; round++) {
      const id = `toolu_${turn}_${round}`;
      add('assistant', [{ type: 'tool_use', id, name: 'Read', input: {} }]);
      add('user', [{ type: 'tool_result', tool_use_id: id, content: [{ type: 'text', text: 'found' }] }]);
    }
    add('assistant', [{ type: 'text', text: `answer ${turn}` }]);
  }
  return entries;
}

const turns = fc.array(fc.nat(3), { minLength: 1, maxLength: 6 });

function messagesOf(entries: readonly Entry[]) {
  return createConversation({ context: [], entries, now: () => new Date(AT) }).messages();
}

describe('snip', () => {
  it('removes whole rounds only, twice over, and resumes to the same bytes', () => {
    fc.assert(
      fc.property(turns, fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 3 }), (made, ranges) => {
        const original = entriesOf(made);
        const snips: Snip[] = [];
        let live: readonly Entry[] = original;
        for (const [one, other] of ranges) {
          const [from, to] = [one % live.length, other % live.length].sort((a, b) => a - b) as [number, number];
          const decision = decideSnip(live, { from: live[from]!.uuid, to: live[to]!.uuid });
          if (decision.kind === 'refuse') {
            expect(decision.reason).toBe('splits-a-round');
            continue;
          }
          expect(decision.uuids).toHaveLength(to - from + 1);
          const snip = { uuids: decision.uuids, at: AT };
          snips.push(snip);
          live = snipped(live, [snip]);
        }
        const messages = messagesOf(live);
        expect(messages[0]?.role).toBe('user');
        for (const [at, { role, content }] of messages.entries()) {
          expect(role).toBe(at % 2 === 0 ? 'user' : 'assistant');
          const calls = content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
          const next = messages[at + 1]?.content ?? [];
          const answered = next.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []));
          if (role === 'assistant') expect(answered).toEqual(calls);
        }
        // The next message hangs on an entry that the transcript has.
        expect(original.at(-1)!.uuid).toBe(live.at(-1)!.uuid);
        const resumed = snipped(original, readSnips(JSON.parse(JSON.stringify(snips))));
        expect(JSON.stringify(resumed)).toBe(JSON.stringify(live));
      }),
    );
  });

  it('refuses a range that is missing, backwards, or splits a call from its result', () => {
    const entries = entriesOf([1, 0]);
    const table = [
      ['entry-0', 'nowhere', 'not-found'],
      ['entry-3', 'entry-0', 'wrong-order'],
      ['entry-0', 'entry-1', 'splits-a-round'],
      ['entry-2', 'entry-3', 'splits-a-round'],
    ] as const;
    for (const [from, to, reason] of table)
      expect(decideSnip(entries, { from, to })).toEqual({ kind: 'refuse', reason });
    expect(decideSnip(entries, { from: 'entry-1', to: 'entry-2' })).toEqual({
      kind: 'snip',
      uuids: ['entry-1', 'entry-2'],
    });
  });

  it('no longer trusts what was counted before, and trusts what was counted since', () => {
    const entries = entriesOf([0, 0, 0]).map((entry) => (entry.uuid === 'entry-5' ? { ...entry, at: LATER } : entry));
    const left = snipped(entries, [{ uuids: ['entry-0', 'entry-1'], at: AT }]);
    expect(left.map(({ response }) => response?.usage.inputTokens)).toEqual([
      undefined,
      undefined,
      0,
      undefined,
      1_000,
    ]);
  });

  it('changes nothing when nothing was removed, or the range is long gone', () => {
    const entries = entriesOf([2]);
    expect(snipped(entries, [])).toBe(entries);
    expect(snipped(entries, [{ uuids: ['gone'], at: AT }])).toBe(entries);
    expect(readSnips([{ uuids: [1], at: AT }, null, { at: AT }])).toEqual([]);
  });
});
