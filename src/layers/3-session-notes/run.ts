/** One update of the notes: a fork over the conversation's warm prefix edits a copy, which then replaces the file. */

import { runFork } from '../../agent/fork.ts';
import type { LoopSeams } from '../../agent/seams.ts';
import { messageOf } from '../../base/values.ts';
import type { Entry } from '../../conversation/entry.ts';
import { estimateTextTokens } from '../../conversation/tokens.ts';
import { ModelFailure } from '../../model/failure.ts';
import { type NotesBudget, notesBudget } from './budget.ts';
import { createDraft, decideInNotes, toolsOver } from './draft.ts';
import { type NotesTemplate, renderNotes, restoreHeadings } from './headings.ts';
import type { NotesPorts, ResponseFacts, UpdateFailure, UpdateOutcome } from './ports.ts';
import { directiveOf, formOf } from './prompt.ts';

/** Requests per update: the first makes all edits, the others correct what was refused. */
const MOST_ROUNDS = 3;

/** Never throws. The fork has its conversation by the time this returns its promise: what is said later is not in it. */
export async function runUpdate(
  { window }: Pick<ResponseFacts, 'window'>,
  facts: { readonly ports: NotesPorts; readonly signal: AbortSignal },
): Promise<UpdateOutcome> {
  try {
    return await update(facts.ports, { signal: facts.signal, effective: window.effective });
  } catch (error) {
    if (facts.signal.aborted) return { kind: 'aborted' };
    return failed('broken', messageOf(error));
  }
}

interface Prepared {
  readonly before: string | null;
  readonly text: string;
  readonly template: NotesTemplate;
  readonly directive: string;
  readonly budget: NotesBudget;
}

async function update(
  ports: NotesPorts,
  facts: { readonly signal: AbortSignal; readonly effective: number },
): Promise<UpdateOutcome> {
  const prepared = prepare(ports, facts.effective);
  if (estimateTextTokens(prepared.text) > prepared.budget.ceilingTokens) {
    return failed('too-large', `${ports.path} is too large to be kept up; shorten it`);
  }
  const { path, describeSecretsIn } = ports;
  const { ceilingTokens } = prepared.budget;
  const draft = createDraft({ path, text: prepared.text, ceilingTokens, describeSecretsIn });
  const place = { cwd: ports.cwd, environment: ports.environment, limits: ports.limits };
  const done = new AbortController();
  const parent = ports.parent();
  const fork = await runFork({
    // No second, longer try: what exceeds the first limit is too long for notes.
    parent: { ...parent, limits: { ...parent.limits, longOutputTokens: parent.limits.outputTokens, continuations: 0 } },
    purpose: 'notes',
    directive: prepared.directive,
    tools: toolsOver(draft, { path, place, tools: ports.forkTools() }),
    decide: decideInNotes(path, place),
    seams: (conversation) => endingWithEdits(ports.forkSeams(conversation), () => done.abort()),
    maxRounds: MOST_ROUNDS,
    signal: AbortSignal.any([facts.signal, done.signal]),
  });
  if (facts.signal.aborted) return { kind: 'aborted' };
  const { outcome, entries } = fork;
  if (outcome.kind === 'failed') return failureOf(outcome.error);
  if (draft.text() === prepared.text) return failed('no-edit', 'the model changed nothing');
  const text = restoreHeadings(draft.text(), prepared.template);
  // A user who edits the notes meanwhile wins; the next update sees their text.
  const isWritten = await ports.writeNotes(text, { before: prepared.before });
  if (!isWritten) return failed('changed-meanwhile', `${path} was changed by someone else`);
  return { kind: 'updated', notesTokens: estimateTextTokens(text), requests: requestsIn(entries) };
}

function prepare(ports: NotesPorts, effective: number): Prepared {
  const before = ports.readNotes();
  const config = ports.readConfig();
  const form = formOf(config);
  const text = before === null ? renderNotes(form.template) : restoreHeadings(before, form.template);
  const budget = notesBudget({ effective, limits: ports.limits });
  const directive = directiveOf({ config, template: form.template, notes: text, path: ports.path, budget });
  for (const problem of [form.problem, directive.problem]) if (problem !== null) ports.onProblem(problem);
  return { before, text, template: form.template, directive: directive.text, budget };
}

/** Another request, only to hear that all is done, would cost nearly as much as the edits did. */
function endingWithEdits(seams: LoopSeams, end: () => void): LoopSeams {
  return {
    ...seams,
    async afterTools(finished, facts) {
      const isEdit = ({ name }: { readonly name: string }) => name === 'Edit' || name === 'Write';
      const isDone = finished.every(({ result }) => result.is_error !== true);
      if (isDone && finished.some(({ call }) => isEdit(call))) end();
      return (await seams.afterTools?.(finished, facts)) ?? finished.map(({ result }) => result);
    },
  };
}

function requestsIn(entries: readonly Entry[]): number {
  return entries.filter(({ response }) => response !== undefined).length;
}

function failureOf(error: Error): UpdateOutcome {
  const isCap = error instanceof ModelFailure && error.failure === 'cap';
  const fix = error instanceof ModelFailure && error.fix !== '' ? ` ${error.fix}` : '';
  return isCap ? { kind: 'cap', problem: `${error.message}.${fix}` } : failed('model', error.message);
}

function failed(failure: UpdateFailure, problem: string): UpdateOutcome {
  return { kind: 'failed', failure, problem };
}
