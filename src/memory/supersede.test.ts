/** What yields to a newer memory, by table. */

import { describe, expect, it } from 'vitest';
import { namedAsSuperseded, whyNotSuperseded } from './supersede.ts';

describe('the files that a new memory names', () => {
  it.each<[string, readonly string[]]>([
    ['supersedes: project_database.md\n', ['project_database.md']],
    ['supersedes: project_database\n', ['project_database.md']],
    ['supersedes: /home/ada/memory/project_database.md\n', ['project_database.md']],
    ['supersedes: a.md, b.md\n', ['a.md', 'b.md']],
    ['supersedes: [a.md, b.md]\n', ['a.md', 'b.md']],
    ['supersedes:\n', []],
    ['', []],
  ])('%j', (line, names) => {
    expect(namedAsSuperseded(`---\nname: A\ntype: project\n${line}---\n\nText.\n`)).toEqual(names);
  });
});

describe('whether a memory yields', () => {
  const said = (at: string | null) => ({ source: 'said' as const, quote: [{ text: 'words', at }] });
  const unsaid = (source: 'seen' | 'inferred') => ({ source, quote: [] });
  const old = { created: null, pinned: false, supersededBy: null };

  it.each<[string, Parameters<typeof whyNotSuperseded>[0], Parameters<typeof whyNotSuperseded>[1], RegExp | null]>([
    ['said, to a later word', { ...old, ...said('2026-01-07') }, said('2026-02-01'), null],
    ['said, to a word of the same day', { ...old, ...said('2026-01-07') }, said('2026-01-07'), null],
    ['said, to an earlier word', { ...old, ...said('2026-02-01') }, said('2026-01-07'), /said later, on 2026-02-01/],
    [
      'said without a quote',
      { ...old, source: 'said', quote: [], created: '2026-03-01T10:00:00Z' },
      said('2026-02-01'),
      /later/,
    ],
    ['said, to a guess', { ...old, ...said('2026-01-07') }, unsaid('inferred'), /user’s word/],
    ['said, to a page', { ...old, ...said('2026-01-07') }, unsaid('seen'), /user’s word/],
    ['a guess, to a page', { ...old, ...unsaid('inferred') }, unsaid('seen'), null],
    ['pinned', { ...old, ...unsaid('inferred'), pinned: true }, said('2026-01-07'), /pinned/],
    ['superseded before', { ...old, ...unsaid('seen'), supersededBy: 'x.md' }, said('2026-01-07'), /x\.md/],
  ])('%s', (_what, before, after, reason) => {
    const answer = whyNotSuperseded(before, after);
    if (reason === null) expect(answer).toBeNull();
    else expect(answer).toMatch(reason);
  });
});
