/** Runs a dream: lock, copy, dreamer, judgement, landing, record. Whatever happens, copy and lock are released and the time is right. */

import { setImmediate } from 'node:timers/promises';
import { inTurns } from '../../base/async/in-turns.ts';
import { messageOf } from '../../base/values.ts';
import { thisProcess } from '../../disk/process-identity.ts';
import { TURN_LIMITS } from '../../limits.ts';
import { findSecret } from '../../memory/gate/secret.ts';
import { parseIndex } from '../../memory/index/index-file.ts';
import { closingLine } from './closing.ts';
import { type JudgeFacts, judging } from './judge.ts';
import type { DreamerEnd, DreamingPorts, DreamRequest, DreamWorkshop, Landing, Withheld } from './ports.ts';
import type { Proposal } from './proposal.ts';
import { readingProposals } from './read-proposals.ts';
import {
  aboutToLand,
  BEGUN,
  type Began,
  type Course,
  changedFiles,
  changesOf,
  type Judged,
  numbersOf,
  recordOf,
} from './record.ts';
import type { DreamRecord } from './records/record.ts';
import { type ProgressTracker, trackProgress } from './track-progress.ts';
import { warming } from './warm.ts';

export type DreamOutcome =
  | { readonly kind: 'ended'; readonly record: DreamRecord; readonly closing: string }
  | { readonly kind: 'not-begun'; readonly reason: string; readonly fix: string };

type Ended = Course & { readonly status: 'completed' | 'failed' | 'killed' };

interface Dream {
  readonly id: string;
  readonly began: Began;
  readonly request: DreamRequest;
  readonly ports: DreamingPorts;
  readonly tracker: ProgressTracker;
  readonly stillHeld: () => boolean;
  /** Somebody wants it to end. */
  readonly killed: AbortSignal;
}

export async function runDream(request: DreamRequest, ports: DreamingPorts): Promise<DreamOutcome> {
  const nothing = await ports.whyNothing();
  if (nothing !== null) return { kind: 'not-begun', ...nothing };
  const hold = await ports.take();
  if (hold.kind === 'someone-else') return { kind: 'not-begun', ...describeHolder(hold.holder) };

  const id = ports.newId();
  const startedAt = ports.now().toISOString();
  const stop = new AbortController();
  const tracker = trackProgress({
    ...{ id, scope: ports.scope, startedAt, limits: ports.limits },
    tell(progress) {
      try {
        ports.showProgress(progress);
        if (progress.status === 'running' && ports.isStopAsked(id)) stop.abort();
      } catch {
        // A failing watcher must not cost the dream its lock.
      }
    },
  });
  request.onBegun?.(id);
  const killed = AbortSignal.any([request.signal, stop.signal]);
  const began = { id, startedAt, by: request.by, process: thisProcess(), model: ports.model() };
  const dream: Dream = { id, began, request, ports, tracker, stillHeld: hold.stillHeld, killed };
  if (request.mode !== 'dry-run') await keepUnended(dream, BEGUN).catch(() => {});
  let course = await dreamIt(dream).catch((error: unknown) => cutOff(dream, messageOf(error)));
  let record = recordOf(began, { course, progress: tracker.now(), endedAt: ports.now().toISOString() });
  if (request.mode !== 'dry-run') {
    try {
      await ports.keepRecord(record);
    } catch (error) {
      course = { ...course, status: 'failed', problem: `its record could not be kept: ${messageOf(error)}` };
      record = { ...record, status: course.status, problem: course.problem };
    }
  }
  await letGo(hold, { course, mode: request.mode, now: ports.now() });
  const closing = closingLine(record, { mode: request.mode, remarks: course.remarks, scope: ports.scope });
  await ports.clearProgress(id).catch(() => {});
  tracker.ended({ status: record.status, closing, files: changedFiles(record) });
  ports.record({ name: EVENTS[course.status], numbers: numbersOf(record) });
  return { kind: 'ended', record, closing };
}

const EVENTS = { completed: 'dream', failed: 'dream-failed', killed: 'dream-killed' } as const;

async function dreamIt(dream: Dream): Promise<Ended> {
  // An error in it comes up again where it matters, and is reported there.
  await inTurns(warming()).catch(() => {});
  const workshop = await dream.ports.openWorkshop(dream.id);
  try {
    const end = await askDreamer(dream, workshop);
    if (dream.killed.aborted || end.kind === 'stopped') return stopped();
    if (end.kind === 'failed') return failed(end.problem);
    if (end.kind === 'cut' && workshop.readList() === null) {
      return failed(`${end.reason} before it had listed a change`);
    }
    if (dream.tracker.now().toolCalls === 0 && workshop.readList() === null) {
      return failed('the dreamer did nothing: it called no tool and listed no change');
    }
    const { judged, remarks } = await judge(dream, workshop);
    if (dream.killed.aborted) return stopped();
    const cut = end.kind === 'cut' ? [end.reason] : [];
    const withheld = await withheldOf(judged, dream.ports);
    return await land(dream, { judged, base: workshop.base, withheld, remarks: [...cut, ...remarks] });
  } finally {
    await workshop.close().catch(() => {});
  }
}

async function askDreamer(
  { id, request, ports, tracker, killed }: Dream,
  workshop: DreamWorkshop,
): Promise<DreamerEnd> {
  const { runMinutes, stopSeconds } = ports.limits;
  const late = AbortSignal.timeout(runMinutes * 60_000);
  const signal = AbortSignal.any([killed, late]);
  const { round: onRound, toolCall: onToolCall, wrote: onWrite, cost: onCost } = tracker;
  const work = { id, by: request.by, workshop, signal };
  const dreaming = ports.dream({ ...work, onRound, onToolCall, onWrite, onCost });
  const end = await endedOrLeft(dreaming, { signal, graceMs: stopSeconds * 1_000 });
  const isLate = late.aborted && !killed.aborted && end.kind !== 'done';
  return isLate ? { kind: 'cut', reason: `It ran out of its ${runMinutes} minutes` } : end;
}

/** A model that ignores the stop is left alone with its copy: nobody waits for it, and the lock is released. */
async function endedOrLeft(
  dreaming: Promise<DreamerEnd>,
  { signal, graceMs }: { readonly signal: AbortSignal; readonly graceMs: number },
): Promise<DreamerEnd> {
  let timer: NodeJS.Timeout | undefined;
  let leave = () => {};
  const left = new Promise<DreamerEnd>((resolve) => {
    leave = () => {
      timer = setTimeout(() => resolve({ kind: 'stopped' }), graceMs);
    };
  });
  signal.addEventListener('abort', leave, { once: true });
  try {
    if (signal.aborted) leave();
    return await Promise.race([dreaming, left]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', leave);
    dreaming.catch(() => {});
  }
}

async function judge({ id, request, ports }: Dream, workshop: DreamWorkshop) {
  const { base } = workshop;
  const sources = {
    ...{ listText: workshop.readList(), copy: workshop.readCopy },
    ...{ base, copyFiles: workshop.copiedFiles() },
  };
  // A dreamer that found nothing to change may leave no list at all.
  const isIdle = sources.listText === null;
  const listed = isIdle ? { ...sources, listText: '{"changes":[]}' } : sources;
  const read = await inTurns(readingProposals(listed, ports.limits));
  const quoted = read.proposals.flatMap(({ evidence }) => evidence);
  const gone = await ports.findGone(
    read.proposals.flatMap(({ drops }) =>
      drops.flatMap((drop) => (drop.because === 'gone' ? [{ sentence: drop.quote, path: drop.path }] : [])),
    ),
  );
  const facts: JudgeFacts = {
    proposals: read.proposals,
    base,
    stale: new Set(parseIndex(workshop.index).entries.flatMap(({ file }) => (base.has(file) ? [] : [file]))),
    isIndexFull: workshop.isIndexFull,
    evidence: await ports.findEvidence(quoted, workshop),
    isGone: (path) => gone.has(path),
    checkFit: ports.checkFit,
    now: ports.now(),
    limits: ports.limits,
    mode: request.mode === 'review' ? 'review' : 'apply',
    earlier: ports.earlier(),
    origin: { dream: id },
  };
  const judged = await inTurns(judging(facts), TURN_LIMITS.judgingSliceMs);
  const proposed = new Set(read.proposals.map(({ file }) => file));
  const retired = await ports.retirements(base).catch(() => []);
  const more = retired.filter(({ proposal }) => !proposed.has(proposal.file));
  return { judged: [...judged, ...more], remarks: read.problems.map(withoutSecret) };
}

const NOTHING_LANDED: Landing = { change: null, skipped: new Map() };

/** Recorded before it lands: a process killed after this leaves reasons, inbox and texts for the next one. */
async function land(dream: Dream, facts: Judged & Pick<Course, 'remarks'>): Promise<Ended> {
  const { id, request, ports, stillHeld, killed } = dream;
  const { remarks, ...judged } = facts;
  const completed = (landing: Landing): Ended => {
    return { ...COMPLETED, change: landing.change, changes: changesOf(judged, landing), remarks };
  };
  const isAny = judged.judged.some(({ verdict }) => verdict.kind === 'land');
  if (!isAny || request.mode === 'dry-run') return completed(NOTHING_LANDED);
  const announced: Pick<Course, 'changes' | 'landing'>[] = [];
  const announce = async (skipped: Landing['skipped']) => {
    const news = aboutToLand(changesOf(judged, { skipped }));
    announced.push(news);
    await keepUnended(dream, { ...BEGUN, ...news, remarks });
  };
  try {
    return completed(await ports.land({ id, ...judged, stillHeld, announce }));
  } catch (error) {
    const last = announced.at(-1);
    if (last === undefined || killed.aborted) throw error;
    return { ...failed(messageOf(error)), ...last, remarks };
  }
}

const COMPLETED = { status: 'completed', problem: null } as const;

/** The record stores the text of pending changes and of those about to land, so every rule is checked first, not only the gate's. */
async function withheldOf(judged: Judged['judged'], ports: DreamingPorts): Promise<Withheld> {
  const withheld = new Map<Proposal, string>();
  for (const { proposal, verdict } of judged) {
    if (verdict.kind === 'refuse' || verdict.text === null) continue;
    await setImmediate();
    const secret = await ports.describeSecretsIn(verdict.text);
    if (secret !== null) withheld.set(proposal, `Its text holds a secret and is kept nowhere: ${secret}`);
  }
  return withheld;
}

async function keepUnended({ began, ports, tracker }: Dream, course: Course): Promise<void> {
  await ports.keepRecord(recordOf(began, { course, progress: tracker.now(), endedAt: null }));
}

async function letGo(
  hold: Extract<Awaited<ReturnType<DreamingPorts['take']>>, { kind: 'held' }>,
  facts: { readonly course: Ended; readonly mode: DreamRequest['mode']; readonly now: Date },
): Promise<void> {
  const { course, mode, now } = facts;
  try {
    if (mode === 'dry-run') await hold.cancel();
    else if (course.status === 'completed') await hold.succeed(now);
    else await hold.giveBack(course.problem ?? course.status);
  } catch {
    // The next process settles anything half done.
  }
}

function cutOff({ killed }: Dream, problem: string): Ended {
  return killed.aborted ? stopped() : failed(problem);
}

function stopped(): Ended {
  return { status: 'killed', problem: 'it was stopped', change: null, changes: [], remarks: [] };
}

/** Remarks name files as the dreamer called them. */
function withoutSecret(remark: string): string {
  const secret = findSecret(remark);
  return secret === null ? remark : `Something in the list holds a secret (${secret}): left aside.`;
}

function failed(problem: string): Ended {
  const secret = findSecret(problem);
  // A provider's answer is stored in the record, and it may repeat what it was sent.
  const told = secret === null ? problem : `what went wrong cannot be told, since it holds a secret (${secret})`;
  return { status: 'failed', problem: told, change: null, changes: [], remarks: [] };
}

function describeHolder(holder: { readonly pid: number; readonly host: string; readonly sinceMs: number }) {
  const since = new Date(holder.sinceMs).toISOString();
  return {
    reason: `Process ${holder.pid} on ${holder.host} has been dreaming here since ${since}`,
    fix: 'Wait for it, or end it: reverie dream stop',
  };
}
