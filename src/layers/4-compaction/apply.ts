/** Replaces messages with a summary: composes the new message, checks that it pays, and says what goes into the transcript. */

import type { Entry } from '../../conversation/entry.ts';
import { type ContentBlock, toolUsesOf } from '../../conversation/message.ts';
import { isSummary, ownText } from '../../conversation/own-words.ts';
import { estimateTokens } from '../../conversation/tokens.ts';
import type { BoundaryRecord } from '../../disk/transcript/record.ts';
import { type Composed, compose, textIn } from './compose.ts';
import { gather } from './gather.ts';
import { type Plan, sizeOf } from './plan.ts';
import type { CompactionOutcome, CompactionReport, CompactionRequest } from './ports.ts';
import { restore } from './restore.ts';
import type { Room } from './room.ts';
import { areLinked, withoutResponse } from './rounds.ts';
import { mergeCarried, NOTHING_CARRIED } from './state.ts';
import { budgetsOf, fail, orElse, type Ready, roomOf, sizeOfBlocks, type Work } from './work.ts';

/** Share of what the replaced messages took that the summary and restored files and skills may take together. */
const RESTORED_SHARE = 0.8;

/** Replaces messages with a summary, if that frees room in the window. */
export async function applySummary(work: Work, ready: Ready): Promise<CompactionOutcome> {
  const { request, ports } = work;
  const { plan, summary } = ready;
  if (sizeOf(plan.replaced) <= estimateTokens({ type: 'text', text: summary.text })) {
    return fail('longer-than-before', 'the summary is longer than what it would replace');
  }
  const context = plan.before.length > 0 ? request.context : await orElse(() => ports.renderContext(), request.context);
  const contextTokens = sizeOfBlocks(context);
  const keptTokens = sizeOf(plan.before) + sizeOf(plan.after);
  const room = roomOf(work, { contextTokens, keptTokens });
  if ('tooSmall' in room) return fail('no-room', room.tooSmall);
  const fixedTokens = request.overheadTokens + contextTokens + keptTokens;
  const composed = await composeFor(work, { ...ready, room, fixedTokens });
  const tokensAfter = fixedTokens + sizeOfBlocks(composed.content);
  if (tokensAfter >= room.compactAt) return fail('no-room', 'what must be kept would fill the window again');
  if (tokensAfter >= work.estimatedBefore) return fail('no-gain', 'it would not make the conversation shorter');
  if (request.signal.aborted) return fail('aborted', 'it was interrupted');
  return finish(work, { ...ready, context, composed, tokensAfter });
}

async function composeFor(
  work: Work,
  ready: Ready & { readonly room: Room; readonly fixedTokens: number },
): Promise<Composed> {
  const { request, ports, carriedBefore, estimatedBefore } = work;
  const { plan, room } = ready;
  const { compaction: limits } = ports.limits;
  const gathered = gather({
    entries: plan.replaced,
    later: plan.after,
    earlier: plan.replaced.some(isSummary) ? carriedBefore : { ...NOTHING_CARRIED, todos: carriedBefore.todos },
    hasLastRequest: hasLastRequest(plan),
    listed: ready.summary.rules,
    limits,
  });
  const hookTexts = await orElse(() => ports.sessionStart?.(), []);
  const inView = new Set(inViewOf(plan));
  const keptText = textIn([...plan.before, ...plan.after]);
  const what = {
    ...request.restorable,
    readPaths: request.restorable.readPaths.filter((path) => !inView.has(path)),
    skills: request.restorable.skills.filter(({ name }) => !inView.has(`${SKILL}${name}`)),
    notices: request.restorable.notices.filter((text) => !keptText.includes(text)),
    hookTexts: [...request.restorable.hookTexts, ...hookTexts],
  };
  // A short conversation must not get its files back only to be as long as before.
  const shorter = Math.floor((estimatedBefore - ready.fixedTokens) * RESTORED_SHARE);
  return compose({
    summary: ready.summary.text,
    gathered,
    room,
    transcript: request.transcript,
    summaryPath: ready.path,
    mostSectionTokens: ready.from === 'notes' ? budgetsOf(work)(limits.sectionTokens) : room.tokens,
    restore: (tokens) =>
      restore({
        what,
        readFile: ports.readFile,
        tokens: Math.min(tokens, Math.max(0, shorter - (room.tokens - tokens))),
        within: budgetsOf(work),
        limits,
      }),
    keptText,
    keptRequest: plan.after.map(ownText).findLast((text) => text !== '') ?? '',
    limits,
  });
}

function finish(
  work: Work,
  done: Ready & {
    readonly context: CompactionRequest['context'];
    readonly composed: Composed;
    readonly tokensAfter: number;
  },
): CompactionOutcome {
  const { request, ports, carriedBefore } = work;
  const { plan, composed, summary } = done;
  const at = ports.now().toISOString();
  const uuid = ports.newUuid();
  const { content, injected } = composed;
  const kept = joinKept(plan, { boundaryUuid: uuid, draft: { at, content, injected }, newUuid: ports.newUuid });
  const report: CompactionReport = {
    trigger: request.trigger,
    from: done.from,
    tokensBefore: request.windowTokens,
    tokensAfter: Math.round(done.tokensAfter * countedShare(work)),
    proof: composed.proof,
    hasTranscript: request.transcript !== null,
    restored: composed.restored,
    messagesSummarised: plan.replaced.length,
    messagesKept: plan.before.length + plan.after.length,
    usage: done.from === 'notes' ? null : summary.usage,
    shortenings: summary.shortenings,
  };
  const [first, last] = [plan.replaced[0], plan.replaced.at(-1)];
  const boundary: BoundaryRecord = {
    type: 'boundary',
    at,
    uuid,
    parentUuid: request.entries.at(-1)?.uuid ?? null,
    trigger: request.trigger,
    tokensBefore: request.windowTokens,
    ...(request.discoveredTools === undefined ? {} : { discoveredTools: request.discoveredTools }),
    ...(kept.preserved === undefined ? {} : { preserved: kept.preserved }),
    ...(first === undefined || last === undefined ? {} : { replaced: { from: first.uuid, to: last.uuid } }),
    detail: detailOf(report),
  };
  // What an earlier summary carried and is still in the window is not carried now, but must be known the next time.
  const carried = plan.replaced.some(isSummary) ? composed.carried : mergeCarried(carriedBefore, composed.carried);
  ports.announceBreak('compaction');
  ports.record(boundary);
  return {
    kind: 'compacted',
    context: done.context,
    entries: kept.entries,
    written: kept.written,
    boundary,
    report,
    carried,
  };
}

/** The window before was counted by the provider: an estimate beside it could claim that the conversation grew. */
function countedShare({ request, estimatedBefore }: Work): number {
  return request.windowTokens / estimatedBefore;
}

/** What a ledger or the list of boundaries shows without reading further. */
function detailOf({ from, tokensAfter, proof, messagesSummarised, shortenings }: CompactionReport): unknown {
  const { kept, repaired, lost } = proof;
  return { from, tokensAfter, kept, repaired, lost, messagesSummarised, shortenings };
}

/** Whether the user's newest words are about to be removed. */
function hasLastRequest({ before, replaced, after }: Plan): boolean {
  const hasWords = (entries: Plan['before']) => entries.some((entry) => ownText(entry) !== '');
  return !hasWords(after) && (hasWords(replaced) || !hasWords(before));
}

const SKILL = 'skill ';

/** Files and skills whose text is in the messages that stay. */
function inViewOf({ before, after }: Plan): readonly string[] {
  return toolUsesOf([...before, ...after].flatMap(({ message }) => message.content)).flatMap(({ name, input }) => {
    if (name === 'Read' && typeof input.file_path === 'string') return [input.file_path];
    return name === 'Skill' && typeof input.skill === 'string' ? [`${SKILL}${input.skill}`] : [];
  });
}

// How the transcript records messages that stay: by naming the first and the last, or, if that would not find them, by writing them again.

interface Kept {
  readonly entries: readonly Entry[];
  readonly written: readonly Entry[];
  readonly preserved?: NonNullable<BoundaryRecord['preserved']>;
}

interface SummaryDraft {
  readonly at: string;
  readonly content: readonly ContentBlock[];
  readonly injected: NonNullable<Entry['injected']>;
}

/** The new conversation. Messages that stay are the same objects, so they go out byte for byte. */
function joinKept(
  plan: Plan,
  facts: { readonly boundaryUuid: string; readonly draft: SummaryDraft; readonly newUuid: () => string },
): Kept {
  const { draft, boundaryUuid, newUuid } = facts;
  const stays = plan.before.length > 0 ? plan.before : plan.after;
  const isFirst = plan.before.length > 0;
  const summaryAfter = (parentUuid: string): Entry => ({
    uuid: newUuid(),
    parentUuid,
    at: draft.at,
    message: { role: 'user', content: draft.content },
    injected: draft.injected,
  });
  const ordered = (kept: readonly Entry[], summary: Entry) => (isFirst ? [...kept, summary] : [summary, ...kept]);
  if (areLinked(stays)) {
    const summary = summaryAfter(boundaryUuid);
    const entries = ordered(stays.map(withoutResponse), summary);
    const [head, tail] = [stays[0]?.uuid, stays.at(-1)?.uuid];
    if (head === undefined || tail === undefined) return { entries, written: [summary] };
    return { entries, written: [summary], preserved: { head, anchor: isFirst ? null : summary.uuid, tail } };
  }
  if (isFirst) {
    const copies = writtenAgain(stays, { parentUuid: boundaryUuid, newUuid });
    const entries = [...copies, summaryAfter(copies.at(-1)!.uuid)];
    return { entries, written: entries };
  }
  const summary = summaryAfter(boundaryUuid);
  const entries = [summary, ...writtenAgain(stays, { parentUuid: summary.uuid, newUuid })];
  return { entries, written: entries };
}

/** An earlier compaction assembled them from places that do not follow one another. */
function writtenAgain(
  entries: readonly Entry[],
  facts: { readonly parentUuid: string; readonly newUuid: () => string },
): readonly Entry[] {
  let { parentUuid } = facts;
  return entries.map((entry) => {
    const copy = { ...withoutResponse(entry), uuid: facts.newUuid(), parentUuid };
    parentUuid = copy.uuid;
    return copy;
  });
}
