/** What an update is told: the current notes, what to condense, and the user's own prompt if there is one. */

import { describe, expect, it } from 'vitest';
import { LIMITS, NOTES_LIMITS } from '../../limits.ts';
import { notesBudget, tooLong } from './budget.ts';
import { renderNotes } from './headings.ts';
import { type DirectiveFacts, directiveOf, formOf } from './prompt.ts';

const NO_CONFIG = { template: null, prompt: null };
const { template } = formOf(NO_CONFIG);
const budget = notesBudget({ effective: 180_000, limits: LIMITS });
const words = (tokens: number) => 'abc '.repeat(tokens);
const filled = (bodies: Readonly<Record<string, string>>) =>
  template.map((section) => ({ ...section, body: bodies[section.heading] ?? '' }));

function directive(facts: Partial<DirectiveFacts> = {}) {
  const notes = renderNotes(template);
  return directiveOf({ config: NO_CONFIG, template, notes, path: '/s/summary.md', budget, ...facts });
}

describe('our prompt', () => {
  it('shows path and notes, and fits into the room reserved for it', () => {
    const { text, problem } = directive();
    expect(problem).toBeNull();
    expect(text).toContain(`<notes>\n${renderNotes(template).trimEnd()}\n</notes>`);
    expect(text).toContain('/s/summary.md');
    expect(text).not.toContain('{{');
    expect(text).not.toContain('too long');
    expect(Buffer.byteLength(text) / 4).toBeLessThan(NOTES_LIMITS.directiveTokens);
  });

  it('inserts what looks like a placeholder or a pattern unchanged, once', () => {
    const notes = `${renderNotes(template)}$& $1 $$ {{notesPath}} {{nothing}}\n`;
    expect(directive({ notes }).text).toContain('$& $1 $$ {{notesPath}} {{nothing}}');
  });

  it('says which sections to condense', () => {
    const notes = renderNotes(filled({ Worklog: words(2_600), Learnings: words(2_100), Workflow: words(1_900) }));
    const { text } = directive({ notes });
    expect(text).toMatch(/- Worklog: about 2,600 tokens, bring it to 2,000\n- Learnings: about 2,100 tokens/);
    expect(text).not.toContain('- Workflow: about');
  });
});

describe('a budget', () => {
  it('applies to all sections together: each long one gives its part', () => {
    const sections = filled(Object.fromEntries(template.map(({ heading }) => [heading, words(1_500)])));
    const asked = tooLong(sections, budget);
    expect(asked).toHaveLength(10);
    for (const { mostTokens } of asked) expect(mostTokens).toBeLessThan(1_200);
    expect(tooLong(filled({ Worklog: words(1_990) }), budget)).toEqual([]);
  });

  it('gets only a share of a small window', () => {
    const small = notesBudget({ effective: 12_800, limits: LIMITS });
    expect(small.totalTokens).toBeLessThan(1_000);
    expect(small.sectionTokens).toBeLessThan(small.totalTokens);
  });
});

describe('a prompt of the user', () => {
  it('fills the placeholders it has, and is told what to condense in any case', () => {
    const notes = renderNotes(filled({ Worklog: words(2_600) }));
    const config = { template: null, prompt: 'Only {{notesPath}} for $1.\n' };
    expect(directive({ config }).text).toBe('Only /s/summary.md for $1.');
    expect(directive({ config, notes }).text).toMatch(
      /^Only \/s\/summary\.md for \$1\.\n\nThese sections[\s\S]*Worklog/,
    );
  });

  it('with a placeholder we cannot fill gives way to ours, and the user is told', () => {
    const { text, problem } = directive({ config: { template: null, prompt: '{{mood}}' } });
    expect(text).toBe(directive().text);
    expect(problem).toContain('{{mood}}');
  });
});

describe('a template of the user', () => {
  it('without headings gives way to ours, and the user is told', () => {
    const form = formOf({ template: 'Just write.', prompt: null });
    expect(form.template).toEqual(template);
    expect(form.problem).toContain('no heading');
  });
});
