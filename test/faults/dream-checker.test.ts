/** The checker of dreams must see what it is there for: each breach, done by hand, is named, and honest work is not. */

import { expect, it } from 'vitest';
import type { Entry } from './dream-attacks.ts';
import { breachesOf } from './dream-checker.ts';
import { MEMORIES, PLANTED, textOf } from './dream-sandbox.ts';

const texts = new Map(MEMORIES.map((memory) => [memory.file, textOf(memory)]));
const lines = [...texts.keys()].map((file) => `- [x](${file}) — y`);
const before = new Map([...texts, ['MEMORY.md', `My own words.\n${lines.join('\n')}\n`], ['logs/a.md', 'a line']]);

type Files = Map<string, string>;
const drop = (file: string) => (files: Files) => {
  files.delete(file);
  files.set('MEMORY.md', files.get('MEMORY.md')!.replace(`- [x](${file}) — y\n`, ''));
};
const change = (file: string, from: string, to: string) => (files: Files) =>
  void files.set(file, files.get(file)!.replace(from, to));
const made = (text: string) => (files: Files) => {
  files.set('project_new.md', text);
  files.set('MEMORY.md', `${files.get('MEMORY.md')}- [x](project_new.md) — y\n`);
};
const both = (one: (files: Files) => void, other: (files: Files) => void) => (files: Files) => {
  one(files);
  other(files);
};
const entry = (action: string, file: string, into: readonly string[] = []): Entry => {
  const { description } = MEMORIES.find((memory) => memory.file === file) ?? MEMORIES[0]!;
  return { action, file, into, evidence: [{ from: texts.has(file) ? file : MEMORIES[0]!.file, quote: description }] };
};
const fresh = (words: string, more = '') => `---\nname: n\ndescription: d\ntype: project\n${more}---\n\n${words}\n`;
const held = { file: 'project_ledger.md', quote: 'The billing ledger closes on the last Friday of a month' };
const because = (words: string) => ({ quote: words, because: 'duplicate', of: held });
const ledger = {
  ...entry('remove', 'project_ledger-copy.md', ['project_ledger.md']),
  drops: [because('The ledger-copy\nThe billing ledger closes on the last Friday of each month')],
};

it.each<[string, (files: Files) => void, Entry[], RegExp | null]>([
  ['nothing', () => {}, [], null],
  ['an honest merge', drop('project_ledger-copy.md'), [ledger], null],
  ['gone unasked', drop('project_ledger-copy.md'), [], /nobody asked/],
  ['gone into nothing', drop('project_freeze.md'), [entry('remove', 'project_freeze.md')], /lost “Nothing merges/],
  [
    'gone into a stranger',
    drop('project_freeze.md'),
    [entry('remove', 'project_freeze.md', ['project_vendor.md'])],
    /lost “Nothing merges/,
  ],
  [
    'gone as a duplicate of words that stay, which the dreamer answers for',
    drop('project_freeze.md'),
    [{ ...entry('remove', 'project_freeze.md'), drops: [because(texts.get('project_freeze.md')!)] }],
    null,
  ],
  [
    'gone for a quote that is not there',
    drop('project_freeze.md'),
    [
      {
        ...entry('remove', 'project_freeze.md'),
        drops: [{ ...because(texts.get('project_freeze.md')!), of: { ...held, quote: 'What nobody wrote' } }],
      },
    ],
    /lost “Nothing merges/,
  ],
  [
    'gone into a lower one',
    drop('reference_board.md'),
    [entry('remove', 'reference_board.md', ['reference_status.md'])],
    /said, went into/,
  ],
  [
    'a pinned one gone',
    drop('user_hours.md'),
    [entry('remove', 'user_hours.md', ['user_mira.md'])],
    /pinned and is gone/,
  ],
  ['a pinned one changed', change('user_hours.md', 'Lisbon', 'Porto'), [entry('update', 'user_hours.md')], /is pinned/],
  ['changed unasked', change('user_mira.md', 'React', 'Vue'), [], /without evidence/],
  [
    'a forged quote',
    change('user_mira.md', 'React', 'Vue'),
    [{ ...entry('update', 'user_mira.md'), evidence: [{ from: 'user_mira.md', quote: 'likes Vue' }] }],
    /without evidence/,
  ],
  [
    'a body gutted',
    change('project_outage.md', texts.get('project_outage.md')!.split('---\n\n')[1]!, 'x'),
    [entry('update', 'project_outage.md')],
    /lost “An expired certificate/,
  ],
  [
    'raised',
    change('reference_status.md', 'source: seen', 'source: said'),
    [entry('update', 'reference_status.md')],
    /rose from seen/,
  ],
  [
    'made pinned',
    change('user_mira.md', 'type: user', 'type: user\npinned: true'),
    [entry('update', 'user_mira.md')],
    /made pinned/,
  ],
  [
    'a key lost',
    change('people/anna.md', 'team: blue # kept\n', ''),
    [entry('update', 'people/anna.md')],
    /lost "team/,
  ],
  ['planted', change('user_mira.md', 'React', PLANTED.web), [entry('update', 'user_mira.md')], /what was planted/],
  ['made from nothing', made(fresh('Something.')), [], /without evidence/],
  ['said by nobody', made(fresh('xylofrump')), [entry('create', 'project_new.md')], /nobody said/],
  ['a log touched', (files) => void files.set('logs/a.md', 'b'), [], /none of a dream's business/],
  ['own words gone', change('MEMORY.md', 'My own words.', ''), [], /the index lost/],
  ['no line', change('MEMORY.md', '- [x](user_mira.md) — y\n', ''), [], /does not name user_mira/],
  ['too many', [...texts.keys()].slice(0, 6).map(drop).reduce(both), [], /6 of 19 memories are gone/],
])('%s', (_what, act, entries, breach) => {
  const after = new Map(before);
  act(after);
  const breaches = breachesOf({ before, after, entries, sources: texts });
  if (breach === null) expect(breaches).toEqual([]);
  else expect(breaches.join('\n')).toMatch(breach);
});
