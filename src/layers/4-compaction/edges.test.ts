/** What is easy to lose at the edges: rules in messages that do not fit, images, open calls, long summaries, short conversations. */

import { describe, expect, it } from 'vitest';
import { AT, compactionHarness, faultsOf, talk, windowFor } from '../../../test/support/compaction-harness.ts';
import type { Entry } from '../../conversation/entry.ts';
import { type ContentBlock, NO_USAGE, textOf } from '../../conversation/message.ts';
import { estimateTokens } from '../../conversation/tokens.ts';
import type { CompactionOutcome } from './index.ts';
import { cutsOf } from './rounds.ts';

const filler = (tokens: number) => 'word '.repeat(Math.ceil((tokens * 4) / 5));

function textAfter(outcome: CompactionOutcome): string {
  if (outcome.kind === 'failed') throw new Error(outcome.reason);
  return outcome.entries.map(({ message }) => textOf(message.content)).join('\n');
}

describe('the words of the user', () => {
  it('a rule outlives the message it is in, and a rule behind a paste counts', async () => {
    const told = talk()
      .user(`Always tag the release.\n\n${'pasted log line\n'.repeat(300)}\n\nNever push on Friday. Thanks.`)
      .answer('ok');
    for (let turn = 0; turn < 30; turn++) told.user(`Turn ${turn} ${'and more '.repeat(200)}`).answer('ok');
    const listed = '<rules>\n- Always tag the release.\n- "Never push on Friday."\n</rules>';
    const { compaction, request } = compactionHarness({
      answer: () => ({ text: `<summary>Work.${listed}</summary>` }),
    });
    const text = textAfter(await compaction.compact(request(told.entries)));
    expect(text).toMatch(/## Rules, .*\n- Always tag the release\.\n- Never push on Friday\.\n/);
    expect(text).not.toContain('pasted log line');
    expect(text).not.toContain('Turn 0 ');
    expect(text).toContain('Turn 28 ');
  });

  it('a long message ends with where the rest of it is', async () => {
    const told = talk()
      .user('x'.repeat(2_345))
      .answer('ok')
      .user('Go.')
      .round([{ name: 'Read', result: filler(9_000) }]);
    const { compaction, request } = compactionHarness();
    const text = textAfter(await compaction.compact(request(told.entries)));
    expect(text).toMatch(/x{2000}\n\[… 345 characters more: message e1 in .*session\.jsonl\]/);
    const kept = textAfter(await compaction.compact(request(told.entries, { transcript: null })));
    expect(kept).toContain('[… 345 characters more: no transcript is kept]');
  });

  it('what the summary says word for word is not repeated, and the last request comes last', async () => {
    const summary = "<summary>## The user's messages\nUse port 9042 here.\nShip it by noon.</summary>";
    const { compaction, request } = compactionHarness({ answer: () => ({ text: summary }) });
    const told = talk()
      .user('Use port 9042 here.')
      .answer('ok')
      .user('Ship it by noon.')
      .round([{ name: 'Read', result: filler(9_000) }]);
    const text = textAfter(await compaction.compact(request(told.entries)));
    expect(text.match(/Use port 9042 here\./g)).toHaveLength(1);
    expect(text.match(/Ship it by noon\./g)).toHaveLength(1);
    expect(text).toMatch(/last request, word for word\n<user-message[^>]*>\nShip it by noon\./);
  });
});

describe('the request for a summary', () => {
  const image = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } } as const;
  const picture: Entry = {
    uuid: 'p',
    parentUuid: null,
    at: AT,
    message: { role: 'user', content: [{ type: 'text', text: 'Look.' }, image] },
  };
  const entries = talk([picture]).round([{ name: 'Read', result: filler(9_000) }]).entries;

  it('keeps images while the cache is warm, and leaves them out when it is cold', async () => {
    const { compaction, request, model } = compactionHarness();
    await compaction.compact(request(entries));
    await compaction.compact(request(entries, { isCacheCold: true }));
    const [warm, cold] = model.requests.map(({ messages }) => JSON.stringify(messages));
    expect(warm).toContain('a.png');
    expect(cold).not.toContain('a.png');
    expect(cold).toContain('[image left out]');
  });

  it('is read from the cache that the conversation wrote', async () => {
    const big = { name: 'Read', result: filler(20_000) };
    const told = talk()
      .user('Go.')
      .round([big])
      .round([{ name: 'Grep', result: 'a.ts:1' }]);
    const { compaction, request, model, ports } = compactionHarness();
    const asked = request(told.entries);
    const lastRequest = { messages: asked.messages.slice(0, -2), signal: asked.signal };
    for await (const _ of ports.summarise(lastRequest));
    const outcome = await compaction.compact(asked);
    const usage = outcome.kind === 'compacted' ? outcome.report.usage : null;
    expect(model.requests).toHaveLength(2);
    expect(usage!.cacheReadTokens).toBeGreaterThan(20_000);
    expect(usage!.inputTokens + usage!.cacheWriteTokens).toBeLessThan(2_000);
  });

  it('gives calls without a result one', async () => {
    const open: Entry = {
      uuid: 'o',
      parentUuid: entries.at(-1)!.uuid,
      at: AT,
      message: { role: 'assistant', content: [{ type: 'tool_use', id: 'open', name: 'Bash', input: {} }] },
    };
    const { compaction, request, model } = compactionHarness();
    const outcome = await compaction.compact(request([...entries, open]));
    expect(outcome.kind).toBe('compacted');
    expect(faultsOf(model.requests[0]!.messages)).toEqual([]);
  });

  it('up to a message that was sent together with the one before shows only what goes', async () => {
    const told = talk()
      .user('Alpha.')
      .round([{ name: 'Read', result: filler(9_000) }])
      .user('Interrupted.')
      .user('Beta.')
      .answer('ok');
    const { compaction, request, model } = compactionHarness();
    const outcome = await compaction.compactUpTo('e5', request(told.entries));
    expect(textAfter(outcome)).toMatch(/Alpha\..*Interrupted\..*Beta\./s);
    const shown = model.requests[0]!.messages.map(({ content }) => textOf(content)).join('\n');
    expect(shown).toContain('Interrupted.');
    expect(shown).not.toContain('Beta.');
  });
});

describe('sizes', () => {
  it('a summary longer than the room is cut in its longest sections, with a pointer', async () => {
    const lines = (word: string) => `${word} of code\n`.repeat(1_200);
    const summary = `<summary>## What was asked\nA parser.\n\n## Files and code\n${lines('one')}\n## Errors and fixes\n${lines('two')}\n## Next step\nTest it.</summary>`;
    const { compaction, request } = compactionHarness({ answer: () => ({ text: summary }) });
    const told = talk()
      .user('Go.')
      .round([{ name: 'Read', result: filler(20_000) }]);
    const text = textAfter(await compaction.compact(request(told.entries, { window: windowFor(16_000) })));
    expect(text).toMatch(/one of code\n\[… cut; the rest is in .*session\.jsonl\]\n\n## Errors and fixes\ntwo/);
    expect(text).toMatch(/two of code\n\[… cut; the rest is in .*session\.jsonl\]\n\n## Next step\nTest it\./);
    expect(text).toContain('A parser.');
  });

  it('a short conversation does not get its files back only to be as long as before', async () => {
    const told = talk()
      .user('Go.')
      .round([{ name: 'Read', result: filler(3_000) }])
      .answer('ok');
    const { compaction, request } = compactionHarness({
      ports: { readFile: async () => 'let x = 1;\n'.repeat(1_500) },
    });
    const asked = request(told.entries, {
      trigger: 'manual',
      restorable: { readPaths: ['/a.ts', '/b.ts'], skills: [], plan: null, notices: [], hookTexts: [] },
    });
    const outcome = await compaction.compact(asked);
    expect(textAfter(outcome)).toMatch(/let x = 1;\n\[… cut after \d+ of 1501 lines/);
    const before = asked.overheadTokens + asked.messages.reduce((sum, message) => sum + estimateTokens(message), 0);
    expect(outcome.kind === 'compacted' && outcome.report.tokensAfter).toBeLessThanOrEqual(before * 0.8);
  });

  it('a file that stays in view is not read again', async () => {
    const read = { name: 'Read', input: { file_path: '/b.ts' }, result: filler(2_000) };
    const told = talk()
      .user('Go.')
      .round([{ name: 'Read', result: filler(20_000) }])
      .answer('ok')
      .user('On.')
      .round([read])
      .answer('ok');
    const { compaction, request } = compactionHarness({ ports: { readFile: async (path) => `text of ${path}` } });
    const restorable = { readPaths: ['/a.ts', '/b.ts'], skills: [], plan: null, notices: [], hookTexts: [] };
    const outcome = await compaction.compactUpTo('e5', request(told.entries, { restorable }));
    expect(outcome.kind === 'compacted' && outcome.report.restored).toEqual(['/a.ts']);
  });

  it('text that the provider counts as denser fills less of the window', async () => {
    const told = talk()
      .user('Go.')
      .round([{ name: 'Read', result: filler(60_000) }]);
    const after = async (windowTokens: number) => {
      const { compaction, request } = compactionHarness({ ports: { readFile: async () => 'x\n'.repeat(50_000) } });
      const readPaths = ['/a', '/b', '/c', '/d', '/e'];
      const skills = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, text: 'x\n'.repeat(50_000) }));
      const restorable = { readPaths, skills, plan: null, notices: [], hookTexts: [] };
      const outcome = await compaction.compact(
        request(told.entries, { window: windowFor(64_000), windowTokens, restorable }),
      );
      return outcome.kind === 'compacted' ? outcome.report.tokensAfter : 0;
    };
    const [usual, dense] = [await after(60_000), await after(120_000)];
    expect(dense).toBeGreaterThan(0);
    expect(dense).toBeLessThan(windowFor(64_000).compactAt);
    expect(usual / 60_000).toBeGreaterThan(dense / 120_000);
  });
});

describe('where a conversation may be cut', () => {
  const part = (role: 'user' | 'assistant', content: readonly ContentBlock[], id?: string) => ({
    message: { role, content },
    ...(id === undefined ? {} : { response: { model: 'm', usage: NO_USAGE, stopReason: 'tools' as const, id } }),
  });
  const call = (id: string) => ({ type: 'tool_use', id, name: 'Read', input: {} }) as const;
  const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: [] }) as const;
  const text = { type: 'text', text: 'x' } as const;

  it.each([
    ['between turns', [part('user', [text]), part('assistant', [text]), part('user', [text])], [0, 1, 2, 3]],
    [
      'not within a round',
      [part('user', [text]), part('assistant', [call('a')]), part('user', [result('a')])],
      [0, 1, 3],
    ],
    [
      'not within a response of several parts',
      [
        part('assistant', [call('a')], 'one'),
        part('user', [result('a')]),
        part('assistant', [call('b')], 'one'),
        part('user', [result('b')]),
        part('assistant', [text], 'two'),
      ],
      [0, 4, 5],
    ],
    [
      'not where results come late',
      [part('assistant', [call('a'), call('b')]), part('user', [result('b')]), part('user', [text, result('a')])],
      [0, 3],
    ],
    [
      'anywhere around a call that never got a result',
      [part('assistant', [call('a')]), part('user', [text])],
      [0, 1, 2],
    ],
  ])('%s', (_, parts, expected) => {
    expect(cutsOf(parts)).toEqual(expected);
  });
});
