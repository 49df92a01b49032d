/** The parts of the proof: what counts as the user's words, as a rule, as a name; when a text has it; how a summary is read. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compactionHarness, talk, windowFor } from '../../../test/support/compaction-harness.ts';
import type { Entry } from '../../conversation/entry.ts';
import { textOf } from '../../conversation/message.ts';
import { ownText } from '../../conversation/own-words.ts';
import { estimateTextTokens } from '../../conversation/tokens.ts';
import { COMPACTION_LIMITS, LIMITS } from '../../limits.ts';
import { fitSections } from './compose.ts';
import { headAndTail, headCharacters, headOf, tailOf } from './cut-text.ts';
import { gather } from './gather.ts';
import { parseSummary, SECTIONS } from './parse-summary.ts';
import { summaryInstruction, summaryText } from './prompt.ts';
import { prove } from './prove.ts';
import { type Carried, isCompactionState, NOTHING_CARRIED } from './state.ts';
import { holds, termsIn } from './terms.ts';

const limits = LIMITS.compaction;
const filler = (tokens: number) => 'word '.repeat(Math.ceil((tokens * 4) / 5));

describe('names, values and paths', () => {
  it.each<[string, readonly string[]]>([
    ['Move src/store/lock.ts to `lib/`.', ['src/store/lock.ts', 'lib/']],
    ['Look at /etc/hosts and ~/.ssh/config, please', ['/etc/hosts', '~/.ssh/config']],
    ['See https://example.com/a?b=1, then answer.', ['https://example.com/a?b=1']],
    ['Call parseHeader() or read_file with --dry-run', ['parseHeader', 'read_file', '--dry-run']],
    ['Port 8080, timeout 30s, at most 50% of 2.5.1', ['8080', '30s', '50%', '2.5.1']],
    ['Until 2026-05-01 for Anna and ABC-123', ['2026-05-01', 'Anna', 'ABC-123']],
    ['The title is "Quarterly numbers" in REVERIE_HOME', ['Quarterly numbers', 'REVERIE_HOME']],
    ['Mail it to anna.b@example.org', ['anna.b@example.org']],
    ['把 index.ts 改成 4096', ['index.ts', '4096']],
    ['Please make it nicer and faster', []],
  ])('%s', (text, expected) => {
    expect(termsIn(text, COMPACTION_LIMITS.termCharacters)).toEqual(expected);
  });

  it('count only as whole words', () => {
    expect(holds('listens on 8080', '80')).toBe(false);
    expect(holds('listens on 8080 and 80', '80')).toBe(true);
    expect(holds('the parser', 'parse')).toBe(false);
    expect(holds('src/parse/fast.ts', 'parse/fast.ts')).toBe(true);
  });
});

describe("the user's own words", () => {
  it('are their text, without results, images and injected text', () => {
    const entry = talk().user('Mine.', ['<system-reminder>ours</system-reminder>']).entries[0]!;
    expect(ownText(entry)).toBe('Mine.');
    expect(ownText(talk().round([{ name: 'Read', result: 'from a file' }]).entries[1]!)).toBe('');
    expect(ownText(talk().answer('of the model').entries[0]!)).toBe('');
  });
});

describe('what is gathered', () => {
  const gathered = (entries: readonly Entry[], more: Partial<Parameters<typeof gather>[0]> = {}) =>
    gather({
      entries,
      later: [],
      earlier: NOTHING_CARRIED,
      hasLastRequest: true,
      listed: [],
      limits,
      ...more,
    });

  it('a long message is cut with the number of omitted characters', () => {
    const { messages, lastRequest } = gathered(
      talk().user('x'.repeat(2_500)).answer('a').user('y'.repeat(2_500)).entries,
    );
    expect(messages).toEqual([{ uuid: 'e1', text: 'x'.repeat(2_000), leftOut: 500 }]);
    expect(lastRequest).toEqual({ uuid: 'e3', text: 'y'.repeat(2_500), leftOut: 0 });
  });

  it('steps come from the last accepted list, unless a newer one stays', () => {
    const list = (content: string, isError = false) => ({
      name: 'TodoWrite',
      input: { todos: [{ content, status: 'pending' }, { content: 'done', status: 'completed' }, 'broken', null] },
      result: '',
      isError,
    });
    const entries = talk()
      .round([list('old')])
      .round([list('new')])
      .round([list('refused', true)]).entries;
    expect(gathered(entries).todos).toEqual([{ content: 'new', status: 'pending' }]);
    expect(gathered(entries, { later: talk().round([list('newest')]).entries }).todos).toEqual([]);
    expect(
      gathered([], { earlier: { ...NOTHING_CARRIED, todos: [{ content: 'x', status: 'pending' }] } }).todos,
    ).toHaveLength(1);
  });

  it('an earlier request is the last one until there is a newer one, and then an ordinary message', () => {
    const earlier: Carried = { ...NOTHING_CARRIED, lastRequest: { uuid: 'old', text: 'Old.', leftOut: 0 } };
    expect(gathered(talk().answer('a').entries, { earlier })).toMatchObject({
      lastRequest: { text: 'Old.' },
      messages: [],
    });
    const newer = gathered(talk().user('New.').entries, { earlier });
    expect(newer).toMatchObject({ lastRequest: { text: 'New.' }, messages: [{ text: 'Old.' }] });
    const kept = gathered(talk().answer('a').entries, { earlier, hasLastRequest: false });
    expect(kept).toMatchObject({ lastRequest: null, messages: [{ text: 'Old.' }] });
  });

  it('a paste gives no names', () => {
    const { terms } = gathered(talk().user(`Port 9999.\n\n${'error in src/a.ts '.repeat(80)}`).entries);
    expect(terms).toEqual(['9999']);
  });
});

describe('the proof', () => {
  it('reads the window, whatever was meant to be carried', () => {
    const gathered: Carried = {
      ...NOTHING_CARRIED,
      lastRequest: { uuid: 'a', text: 'Do\n it  all', leftOut: 0 },
      rules: ['Always test.'],
      terms: ['8080', '80'],
    };
    const proof = prove({
      gathered,
      summary: 'Port 8080. Do it all',
      windowText: 'Port 8080. Do it all - Always test.',
    });
    expect(proof).toMatchObject({ kept: 2, repaired: 1, lost: 1 });
    expect(proof.lostItems).toEqual([{ kind: 'name', text: '80' }]);
    expect(proof.repairedItems).toEqual([{ kind: 'rule', text: 'Always test.' }]);
  });
});

describe('a summary', () => {
  const parse = (text: string) => parseSummary({ content: [{ type: 'text', text }], stopReason: 'end' });

  it.each([
    ['with both parts', '<analysis>think</analysis>\n<summary>\n## Next step\nGo.\n</summary>', '## Next step\nGo.'],
    ['without an analysis', '<summary>## Next step\nGo.</summary>', '## Next step\nGo.'],
    [
      'whose analysis names the tag',
      '<analysis>then <summary></analysis><summary>## Next step\nGo.</summary>',
      '## Next step\nGo.',
    ],
    [
      'that quotes its own end',
      '<summary>## Next step\nWrite `</summary>`.</summary>',
      '## Next step\nWrite `</summary>`.',
    ],
    ['with numbered headings', '<summary>1. **What was asked**: all</summary>', '1. **What was asked**: all'],
  ])('%s', (_, text, expected) => {
    expect(parse(text)).toEqual({ kind: 'summary', text: expected, rules: [] });
  });

  it('is asked for with both tags, every section, and without tools', () => {
    const instruction = summaryInstruction({ wishes: '', fromWords: null });
    expect(instruction).toContain('`<analysis>`');
    expect(instruction).toContain('`<summary>`');
    expect(instruction).toContain('Use no tools.');
    const headings = [...instruction.matchAll(/^## (.+)$/gm)].map((match) => match[1]);
    expect(headings).toEqual([...SECTIONS]);
    expect(summaryInstruction({ wishes: ' Only the API. ', fromWords: 'Add {{x}}' })).toMatch(
      /> Add \{\{x\}\}\n\n.*\n\nOnly the API\.$/s,
    );
  });

  it('says where the rest is, or that there is none', () => {
    expect(summaryText({ summary: 'S', transcript: '/t.jsonl' })).toMatch(/kept whole in \/t\.jsonl.*S$/s);
    expect(summaryText({ summary: 'S', transcript: null })).toContain('No transcript is kept');
  });

  it('is cut to size in its longest sections', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 400 }), { minLength: 1, maxLength: 9 }),
        fc.integer({ min: 20, max: 2_000 }),
        (lengths, mostTokens) => {
          const text = lengths.map((length, at) => `## ${at}\n${'a b c\n'.repeat(length)}`).join('\n\n');
          const fitted = fitSections(text, { mostTokens, mostSectionTokens: 500, pointer: '[cut]' });
          expect(estimateTextTokens(fitted)).toBeLessThanOrEqual(mostTokens);
          for (const part of fitted.split(/^(?=## )/m))
            expect(estimateTextTokens(part.trimEnd())).toBeLessThanOrEqual(500);
          if (lengths.every((length) => length === 0) && mostTokens > 50) expect(fitted).not.toContain('[cut]');
        },
      ),
    );
  });
});

describe('partial compactions and the next whole one', () => {
  it('what an earlier summary carried is carried again when that summary goes', async () => {
    const { compaction, request } = compactionHarness();
    const window = windowFor(200_000);
    const round = { name: 'Read', result: filler(20_000) };
    const first = talk().user('Begin with Bonn.').answer('ok').user('Always say Köln.').round([round]).answer('ok');
    const one = await compaction.compactFrom('e3', request(first.entries, { window }));
    if (one.kind === 'failed') throw new Error(one.reason);
    const second = talk(one.entries).user('Never say Mainz.').round([round]).answer('ok');
    const pivot = second.entries[one.entries.length]!.uuid;
    const two = await compaction.compactFrom(pivot, request(second.entries, { window }));
    if (two.kind === 'failed') throw new Error(two.reason);
    const third = talk(two.entries).user('Finish.').round([round]).answer('ok');
    const three = await compaction.compact(request(third.entries, { window, trigger: 'manual' }));
    if (three.kind === 'failed') throw new Error(three.reason);
    const text = three.entries.map(({ message }) => textOf(message.content)).join('\n');
    for (const words of ['Begin with Bonn.', 'Always say Köln.', 'Never say Mainz.', 'Finish.'])
      expect(text).toContain(words);
    expect(three.entries).toHaveLength(1);
  });

  it('the state is plain JSON and is recognised; anything else is not', async () => {
    const { compaction, request } = compactionHarness({
      answer: () => ({ text: '<summary>Words.<rules>\n- Always test 42.\n- Never made up.\n</rules></summary>' }),
    });
    const entries = talk()
      .user('Always test 42.')
      .round([{ name: 'Write', input: { file_path: '/a' }, result: filler(9_000) }]).entries;
    await compaction.compact(request(entries));
    const state: unknown = JSON.parse(JSON.stringify(compaction.state()));
    expect(state).toEqual(compaction.state());
    expect(isCompactionState(state)).toBe(true);
    for (const damage of [null, {}, { ...compaction.state(), carried: {} }, { ...compaction.state(), failures: 'x' }]) {
      expect(isCompactionState(damage)).toBe(false);
    }
    const resumed = compactionHarness({ resumed: compaction.state() });
    expect(resumed.compaction.state().carried.rules).toEqual(['Always test 42.']);
  });
});

describe('cut text', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'ü', '数', '😀', '\n', ' '), maxLength: 300 });

  it('stays within its tokens and keeps characters whole', () => {
    fc.assert(
      fc.property(text, fc.nat({ max: 120 }), (whole, tokens) => {
        for (const part of [headOf(whole, tokens), tailOf(whole, tokens), headAndTail(whole, tokens, '[…]')]) {
          expect(estimateTextTokens(part)).toBeLessThanOrEqual(tokens);
          expect(part).not.toMatch(/\p{Surrogate}/u);
          expect(part).not.toContain('\ufffd');
        }
        expect(whole.startsWith(headOf(whole, tokens))).toBe(true);
        expect(whole.endsWith(tailOf(whole, tokens))).toBe(true);
        expect(headCharacters(whole, tokens)).not.toMatch(/\p{Surrogate}/u);
      }),
    );
  });
});
