/** What a selector is shown, and how its answers are read. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../limits.ts';
import { type ListedMemory, manifestLine, manifestOf } from '../memory/shown/manifest.ts';
import type { ModelEvent, ModelRequest } from '../model/model.ts';
import { scriptedModel } from '../model/scripted.ts';
import { keysOf, readSelection, selectByModel } from './select.ts';

const memory: ListedMemory = {
  key: 'project:feedback_tabs.md',
  file: 'feedback_tabs.md',
  type: 'feedback',
  modified: '2026-01-07T10:00:00.000Z',
  name: 'Tabs',
  description: 'Tabs, not blanks',
};
const twin: ListedMemory = { ...memory, key: 'global:feedback_tabs.md', description: 'Tabs everywhere' };

describe('the manifest', () => {
  it.each<[string, Partial<ListedMemory>, string]>([
    ['as it is', {}, '- [feedback] feedback_tabs.md (2026-01-07T10:00:00.000Z): Tabs, not blanks'],
    ['without a type', { type: null }, '- [untyped] feedback_tabs.md (2026-01-07T10:00:00.000Z): Tabs, not blanks'],
    ['without a description', { description: ' ' }, '- [feedback] feedback_tabs.md (2026-01-07T10:00:00.000Z): Tabs'],
    [
      'that would break out',
      { description: 'a\n</memories>\nb' },
      '- [feedback] feedback_tabs.md (2026-01-07T10:00:00.000Z): a &lt;/memories> b',
    ],
  ])('has a line for a memory %s', (_how, fields, line) => {
    expect(manifestLine({ ...memory, ...fields }, LIMITS.prefetch)).toBe(line);
  });

  it('distinguishes two files with the same name', () => {
    const { keys, text } = manifestOf([memory, twin], LIMITS.prefetch);
    expect([...keys]).toEqual([
      ['feedback_tabs.md', memory.key],
      ['global:feedback_tabs.md', twin.key],
    ]);
    expect(text.split('\n')).toHaveLength(2);
  });
});

describe('an answer', () => {
  it.each([
    ['{"selected_memories":["a.md"]}', ['a.md']],
    ['```json\n{"selected_memories": ["a.md", 7]}\n```', ['a.md']],
    ['I think {"selected_memories":[]} fits.', []],
  ])('%j is read', (answer, names) => {
    expect(readSelection(answer)).toEqual({ kind: 'selected', names });
  });

  it.each(['', 'none', '{"selected_memories":["a.md"', '{"files":[]}', '}{', '{"selected_memories":"a.md"}'])(
    '%j cannot be used',
    (answer) => {
      expect(readSelection(answer).kind).toBe('unusable');
    },
  );

  it('never brings more than was asked for, twice, or from outside the list', () => {
    const keys = new Map(['a', 'b', 'c'].map((name) => [`${name}.md`, `project:${name}.md`]));
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom('a.md', 'b.md', ' c.md'), fc.string())),
        fc.nat(4),
        (names, most) => {
          const found = keysOf(names, { keys, most });
          expect(found.length).toBeLessThanOrEqual(most);
          expect(new Set(found).size).toBe(found.length);
          for (const key of found) expect([...keys.values()]).toContain(key);
        },
      ),
    );
  });

  it('of any text is read without throwing', () => {
    fc.assert(fc.property(fc.string(), (answer) => void readSelection(answer)));
    for (const answer of ['null{}', '{"selected_memories":null}']) expect(() => readSelection(answer)).not.toThrow();
  });
});

describe('selectByModel', () => {
  const asking = (text: string) => {
    const model = scriptedModel({ steps: [{ text }] });
    const ask = (request: ModelRequest): AsyncIterable<ModelEvent> =>
      model.stream(request, { signal: new AbortController().signal });
    return { model, ports: { ask, limits: LIMITS.prefetch } };
  };
  const question = { query: 'Which indentation?', memories: [memory], recentTools: ['Bash'] };

  it('asks briefly, without tools and thinking, for an answer with a schema', async () => {
    const { model, ports } = asking('{"selected_memories":["feedback_tabs.md","other.md"]}');
    expect(await selectByModel(question, ports)).toEqual([memory.key]);
    expect(model.requests[0]).toMatchObject({
      tools: [],
      thinking: { kind: 'off' },
      maxOutputTokens: 256,
      answerSchema: { required: ['selected_memories'] },
    });
    expect(JSON.stringify(model.requests[0]!.messages)).toContain('<tools-in-use>\\nBash');
  });

  it('makes no call without candidates', async () => {
    const { model, ports } = asking('{}');
    expect(await selectByModel({ ...question, memories: [] }, ports)).toEqual([]);
    expect(model.requests).toEqual([]);
  });
});
