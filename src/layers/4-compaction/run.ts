/** Runs a compaction: hooks, what goes and what stays, and the summary, from notes or from a model. Never throws. */

import { ownText } from '../../conversation/own-words.ts';
import { applySummary } from './apply.ts';
import { headCharacters } from './cut-text.ts';
import { type Plan, planAround, planBehindNotes, planWhole, sentBefore } from './plan.ts';
import type { CompactionOutcome, CompactionRequest, SessionNotes } from './ports.ts';
import { summaryInstruction } from './prompt.ts';
import type { Carried } from './state.ts';
import { summarise } from './summarise.ts';
import {
  budgetsOf,
  fail,
  orElse,
  roomOf,
  sizeOfBlocks,
  startWork,
  summaryOfNotes,
  type Work,
  type WorkPorts,
} from './work.ts';

/** Characters of a message that show the summariser where its part begins. */
const SCOPE_CHARACTERS = 300;

export async function runCompaction(
  request: CompactionRequest,
  facts: { readonly ports: WorkPorts; readonly carriedBefore: Carried },
): Promise<CompactionOutcome> {
  const { ports } = facts;
  const { trigger, wishes = '' } = request;
  if (request.entries.length === 0) return fail('nothing-to-summarise', 'there is nothing to summarise');
  try {
    const hooks = await orElse(() => ports.beforeCompaction?.({ trigger, wishes }), {});
    if (hooks.forbidden !== undefined) return fail('forbidden', `a hook forbids it: ${hooks.forbidden}`);
    // Nobody waits for it: it reads the conversation as it still is.
    void orElse(() => ports.flushMemory?.(), undefined);
    const allWishes = [wishes, hooks.wishes ?? ''].filter((wish) => wish.trim() !== '').join('\n\n');
    const outcome = await attempt(startWork({ ...request, wishes: allWishes }, facts));
    if (outcome.kind === 'compacted') {
      void orElse(() => ports.afterCompaction?.({ trigger, wishes, report: outcome.report }), undefined);
    }
    return outcome;
  } catch (error) {
    return fail('broken', String(error));
  }
}

async function attempt(work: Work): Promise<CompactionOutcome> {
  const { request, ports } = work;
  if (request.from === 'model' || request.pivot !== undefined) return fromModel(work);
  const notes = await orElse<SessionNotes | null>(() => ports.readNotes?.(), null);
  const outcome =
    notes === null
      ? fail('notes-not-usable', 'there are no notes to go by')
      : await fromNotes(work, notes).catch((error: unknown) => fail('broken', String(error)));
  ports.onNotesTried(outcome);
  const isDone = outcome.kind === 'compacted' || request.notesOnly === true || request.signal.aborted;
  return isDone ? outcome : fromModel(work);
}

/** No model call: the notes were written while there was time. */
async function fromNotes(work: Work, notes: SessionNotes): Promise<CompactionOutcome> {
  const { request, ports } = work;
  const limits = { ...ports.limits.compaction, ...request.kept };
  const within = budgetsOf(work);
  const plan = planBehindNotes(request.entries, { notes, within, limits });
  if (plan === null) return fail('notes-not-usable', 'the notes do not cover enough of the conversation');
  const staying = plan.after.flatMap(({ message }) => message.content);
  // Appended by code: notes are not trusted to have kept every path and id.
  const inUse = await orElse(() => ports.inUse?.(staying, within), '');
  const text = [notes.text, inUse].filter((part) => part !== '').join('\n\n');
  return applySummary(work, { plan, summary: summaryOfNotes(text), from: 'notes', path: notes.path });
}

async function fromModel(work: Work): Promise<CompactionOutcome> {
  const { request, ports } = work;
  const { entries, pivot } = request;
  const limits = ports.limits.compaction;
  const room = roomOf(work, { contextTokens: sizeOfBlocks(request.context), keptTokens: 0 });
  if ('tooSmall' in room) return fail('no-room', room.tooSmall);
  const plan = pivot === undefined ? planWhole(entries, room.request) : planAround(entries, pivot);
  if ('failure' in plan) return fail(plan.failure, plan.reason);
  const summary = await summarise({
    messages: shownMessages(request, plan),
    instruction: summaryInstruction({
      wishes: request.wishes ?? '',
      fromWords: plan.before.length === 0 ? null : firstWords(plan, SCOPE_CHARACTERS),
    }),
    ask: ports.summarise,
    isCacheCold: request.isCacheCold === true,
    signal: request.signal,
    limits,
  });
  if (summary.kind === 'failed') return fail(summary.failure, summary.reason);
  return applySummary(work, { plan, summary, from: 'model', path: request.transcript });
}

/** Everything shown was sent before, so it is read from the cache; what stays after the summary need not be shown. */
function shownMessages(request: CompactionRequest, plan: Plan): CompactionRequest['messages'] {
  if (request.pivot?.side !== 'up-to') return request.messages;
  const { entries, context } = request;
  return sentBefore(request.messages, { entries, index: plan.replaced.length, contextBlocks: context.length });
}

/** The user's words if the part begins with them; a part that begins in the middle of their turn is named by its round. */
function firstWords({ replaced }: Plan, characters: number): string {
  const words = replaced.map(ownText).find((text) => text !== '');
  return headCharacters(words ?? '(the newest work, since the last message that stays)', characters);
}
