/** The prompt for an update of the notes, ours or the user's own, and the form of the notes. */

import { fillPrompt, fillTemplate } from '../../base/prompt-file.ts';
import { messageOf } from '../../base/values.ts';
import { type NotesBudget, type TooLong, tooLong } from './budget.ts';
import { type NotesTemplate, parseTemplate, sectionsOf } from './headings.ts';

/** What the user has in place of ours; null when there is nothing. */
export interface NotesConfig {
  readonly template: string | null;
  readonly prompt: string | null;
}

export interface NotesForm {
  readonly template: NotesTemplate;
  /** One line for the user when theirs cannot be used. */
  readonly problem: string | null;
}

export function formOf(config: NotesConfig): NotesForm {
  const own = parseTemplate(fillPrompt('notes-template'));
  if (config.template === null) return { template: own, problem: null };
  const template = parseTemplate(config.template);
  if (template.length > 0) return { template, problem: null };
  return {
    template: own,
    problem: 'Your template for session notes has no heading (`# …`), so the built-in one is used.',
  };
}

export interface DirectiveFacts {
  readonly config: NotesConfig;
  readonly template: NotesTemplate;
  readonly notes: string;
  readonly path: string;
  readonly budget: NotesBudget;
}

export function directiveOf(facts: DirectiveFacts): { readonly text: string; readonly problem: string | null } {
  const condense = condenseText(tooLong(sectionsOf(facts.notes, facts.template), facts.budget));
  const values = {
    currentNotes: facts.notes.trimEnd(),
    notesPath: facts.path,
    sectionTokens: String(facts.budget.sectionTokens),
    condense,
  };
  if (facts.config.prompt === null) return { text: fillPrompt('notes', values), problem: null };
  try {
    return { text: fillOwn(facts.config.prompt, values), problem: null };
  } catch (error) {
    const problem = `Your prompt for session notes cannot be used, so the built-in one is: ${messageOf(error)}.`;
    return { text: fillPrompt('notes', values), problem };
  }
}

/** Fills the placeholders of the user's prompt; sections that are too long are named in any case. */
function fillOwn(prompt: string, values: Readonly<Record<string, string>>): string {
  const used = Object.entries(values).filter(([name]) => prompt.includes(`{{${name}}}`));
  const filled = fillTemplate(prompt, { name: 'of the user', values: Object.fromEntries(used) });
  const isSaid = values.condense === '' || used.some(([name]) => name === 'condense');
  return isSaid ? filled : `${filled}\n\n${values.condense}`;
}

function condenseText(sections: readonly TooLong[]): string {
  if (sections.length === 0) return '';
  const count = (tokens: number) => tokens.toLocaleString('en-US');
  const lines = sections.map(
    ({ heading, tokens, mostTokens }) =>
      `- ${heading}: about ${count(tokens)} tokens, bring it to ${count(mostTokens)}`,
  );
  return fillPrompt('notes-condense', { sections: lines.join('\n') });
}
