/** Whatever a model does to the notes, the headings come back in order and no text is lost. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/support/property-runs.ts';
import { unicodeText } from '../../../test/support/unicode-text.ts';
import { fillPrompt } from '../../base/prompt-file.ts';
import { holdsMore, type NotesTemplate, parseTemplate, renderNotes, restoreHeadings, sectionsOf } from './headings.ts';

const TEMPLATE = parseTemplate(fillPrompt('notes-template'));
const HEADINGS = [
  'Session Title',
  'Current State',
  'Task specification',
  'Files and Functions',
  'Workflow',
  'Errors & Corrections',
  'Codebase and System Documentation',
  'Learnings',
  'Key results',
  'Worklog',
];

const bodyOf = (text: string, heading: string) =>
  sectionsOf(text, TEMPLATE).find((section) => section.heading === heading)?.body;
const full = (bodies: Readonly<Record<string, string>>) =>
  renderNotes(TEMPLATE.map((section) => ({ ...section, body: bodies[section.heading] ?? '' })));

/** Lines as they are in the file, so that this does not depend on the code under test. */
function headingsIn(text: string): string[] {
  const wanted = TEMPLATE.map(({ heading, hint }) => `# ${heading}\n${hint}\n`);
  const found = wanted.map((head) => ({ head, at: text.indexOf(head) }));
  expect(found.filter(({ at }) => at === -1)).toEqual([]);
  return found.sort((one, other) => one.at - other.at).map(({ head }) => head.split('\n')[0]!.slice(2));
}

describe('the template', () => {
  it('has the ten headings in order, each with an italic line', () => {
    expect(TEMPLATE.map(({ heading }) => heading)).toEqual(HEADINGS);
    for (const { hint, body } of TEMPLATE) {
      expect(hint).toMatch(/^_[^_]+_$/);
      expect(body).toBe('');
    }
  });

  it('holds nothing on its own', () => {
    expect(holdsMore(renderNotes(TEMPLATE), TEMPLATE)).toBe(false);
    expect(holdsMore('', TEMPLATE)).toBe(false);
    expect(holdsMore(full({ Learnings: 'Tabs.' }), TEMPLATE)).toBe(true);
  });

  it('can be replaced by another', () => {
    const own = parseTemplate('# Goal\n*What for.*\n\n# Log\nfirst: nothing\n');
    expect(own).toEqual([
      { heading: 'Goal', hint: '*What for.*', body: '' },
      { heading: 'Log', hint: '', body: 'first: nothing' },
    ]);
    expect(restoreHeadings('# log\ndone\n# Else\nx', own)).toBe('# Goal\n*What for.*\n\n# Log\n\ndone\n\n## Else\nx\n');
    expect(parseTemplate('no heading')).toEqual([]);
  });
});

describe('headings', () => {
  it.each<[string, string, Readonly<Record<string, string>>]>([
    ['reordered', '# Worklog\nb\n# Current State\na\n', { 'Current State': 'a', Worklog: 'b' }],
    [
      'of another level, case or mark',
      '## current state:\na\n### ERRORS AND CORRECTIONS\nb',
      { 'Current State': 'a', 'Errors & Corrections': 'b' },
    ],
    ['renamed above their line', `# Status\n${TEMPLATE[1]!.hint}\na`, { 'Current State': 'a' }],
    ['twice', '# Learnings\na\n# Workflow\nw\n# Learnings\nb', { Learnings: 'a\nb', Workflow: 'w' }],
    ['added', '# Ideas\nfly\n# Worklog\nwalked', { Worklog: 'walked\n\n## Ideas\nfly' }],
    ['missing', 'only text', { Worklog: 'only text' }],
    ['in a script', '# Workflow\n```sh\n# Worklog\nmake\n```\nthen', { Workflow: '```sh\n# Worklog\nmake\n```\nthen' }],
    [
      'below a fence that nobody closed',
      '# Workflow\n```sh\nmake\n# Worklog\nwalked',
      { Workflow: '```sh\nmake\n```', Worklog: 'walked' },
    ],
    ['of parts within a section', '# Learnings\n## Tools\na', { Learnings: '## Tools\na' }],
    ['with Windows line ends', '# Learnings\r\na\r\n\r\nb\r\n', { Learnings: 'a\n\nb' }],
  ])('%s come back', (_what, text, bodies) => {
    expect(restoreHeadings(text, TEMPLATE)).toBe(full(bodies));
  });

  const plainLine = fc
    .string({ unit: fc.constantFrom('a', 'b', '-', ' ', '.', '_', '*', '`', '$', '{', '}', '#', '日') })
    .filter((line) => line.trim() !== '' && !/^\s*(?:#|`{3})/.test(line));
  const plainBody = fc.array(plainLine, { minLength: 1, maxLength: 4 }).map((lines) => lines.join('\n'));

  it('keep every text under its own, whatever their order, level, case and lines', () => {
    const section = fc.record({
      index: fc.nat(HEADINGS.length - 1),
      level: fc.integer({ min: 1, max: 6 }),
      isLoud: fc.boolean(),
      hasHint: fc.boolean(),
      body: plainBody,
    });
    fc.assert(
      fc.property(fc.uniqueArray(section, { selector: ({ index }) => index }), (sections) => {
        const text = sections
          .map(({ index, level, isLoud, hasHint, body }) => {
            const { heading, hint } = TEMPLATE[index]!;
            const title = isLoud ? heading.toUpperCase() : heading;
            return [`${'#'.repeat(level)} ${title}`, ...(hasHint ? [hint] : []), body].join('\n');
          })
          .join('\n');
        const restored = restoreHeadings(text, TEMPLATE);
        expect(headingsIn(restored)).toEqual(HEADINGS);
        for (const { index, body } of sections) expect(bodyOf(restored, HEADINGS[index]!)).toBe(body);
      }),
    );
  });

  it('come out in order for any text, lose no line of it, and change nothing the second time', () => {
    const heading = fc.constantFrom(...HEADINGS, 'Ideas', 'WORKLOG', 'Errors and corrections', '', '???');
    const line = fc.oneof(
      { weight: 3, arbitrary: fc.tuple(fc.constantFrom('#', '##', '######'), heading).map((parts) => parts.join(' ')) },
      fc.constantFrom(...TEMPLATE.map(({ hint }) => hint)),
      fc.constantFrom('```', '```sh', '~~~', '````', '  ```', '', ' '),
      fc.string(),
      unicodeText(),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const text = lines.join('\n');
        const restored = restoreHeadings(text, TEMPLATE);
        expect(headingsIn(restored)).toEqual(HEADINGS);
        expect(restoreHeadings(restored, TEMPLATE)).toBe(restored);
        const hints = new Set(TEMPLATE.map(({ hint }) => hint));
        const isText = (each: string) => each.trim() !== '' && !hints.has(each.trim()) && !/^ {0,3}#/.test(each);
        const kept = new Set(restored.split('\n'));
        const wanted = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
        expect(wanted.filter((each) => isText(each) && !kept.has(each))).toEqual([]);
      }),
      { numRuns: runs(500) },
    );
  });

  it('hold in a template without italic lines', () => {
    const bare: NotesTemplate = TEMPLATE.map(({ heading }) => ({ heading, hint: '', body: '' }));
    const broken = '# Workflow\n```\nopen\n# Worklog\n```\nx\n';
    const once = restoreHeadings(broken, bare);
    expect(restoreHeadings(once, bare)).toBe(once);
    expect(once.match(/^# /gm)).toHaveLength(HEADINGS.length);
  });
});
