/** Carries one extraction out: the fork's directive, its outcome as data, and the explicit extractor where a model is not to be had. */

import { asksToRemember } from '../../memory/gate/phrases.ts';
import { ModelFailure } from '../../model/failure.ts';
import type { ExtractionTrigger } from './decide.ts';
import type { ExtractionEvent, ExtractionPorts, ForkReport, Snapshot, WrittenMemory } from './ports.ts';
import { extractionDirective } from './prompt.ts';
import type { Span } from './span.ts';

export interface ExtractionWork {
  readonly trigger: ExtractionTrigger;
  readonly span: Span;
  readonly snapshot: Snapshot;
  readonly signal: AbortSignal;
}

export interface ExtractionOutcome extends Pick<ExtractionEvent, 'result' | 'denied' | 'rejected'> {
  readonly written: readonly WrittenMemory[];
  /** Of a failure, in words. */
  readonly problem: string | null;
  /** Where a cap kept it from starting. */
  readonly cap?: ModelFailure['cap'];
}

export async function runExtraction(work: ExtractionWork, ports: ExtractionPorts): Promise<ExtractionOutcome> {
  const { fork } = work.snapshot;
  if (fork === null) return keepWishes(work, ports);
  const outcome = await forked(fork, work, ports).catch((error: unknown) => failed(error));
  if (outcome.result === 'done') return keepOutright(outcome, work, ports);
  const isLast = work.trigger !== 'answer' || work.signal.aborted;
  if (!isLast) return outcome;
  // These messages will not come by again: what was asked for outright is kept at least.
  const kept = await keepWishes(work, ports).catch((error: unknown) => failed(error));
  const { result, problem } = kept.result === 'failed' ? kept : outcome;
  return { ...outcome, result, problem, written: [...outcome.written, ...kept.written] };
}

/** "Remember …" that the model passed by is kept all the same; what it tried and was refused is answered. */
async function keepOutright(
  outcome: ExtractionOutcome,
  { span }: ExtractionWork,
  ports: ExtractionPorts,
): Promise<ExtractionOutcome> {
  const wishes = span.wishes.filter(({ text }) => asksToRemember(text));
  if (wishes.length === 0 || outcome.rejected > 0) return outcome;
  const kept = await ports.saveExplicit({ ...span, wishes }).catch(() => []);
  return { ...outcome, written: [...outcome.written, ...kept] };
}

/** What was asked for outright, without a model. */
export async function keepWishes({ span, signal }: ExtractionWork, ports: ExtractionPorts): Promise<ExtractionOutcome> {
  const written = span.wishes.length === 0 ? [] : await ports.saveExplicit(span);
  return { ...NOTHING, result: signal.aborted ? 'stopped' : 'explicit', written };
}

const NOTHING = { written: [], denied: 0, rejected: 0, problem: null };

async function forked(
  fork: NonNullable<Snapshot['fork']>,
  { span, signal }: ExtractionWork,
  ports: ExtractionPorts,
): Promise<ExtractionOutcome> {
  const manifest = await ports.manifest(span);
  if (signal.aborted) return { ...NOTHING, result: 'stopped' };
  const directive = extractionDirective({ messages: span.entries.length, manifest });
  return outcomeOf(await fork({ directive, span, maxRounds: ports.limits.rounds, signal }));
}

function outcomeOf({ outcome, ...report }: ForkReport): ExtractionOutcome {
  switch (outcome.kind) {
    case 'answered':
    // It had its rounds, or would not: looking again would end the same way.
    case 'too-many-rounds':
    case 'refused':
      return { ...report, result: 'done', problem: null };
    case 'interrupted':
      return { ...report, result: 'stopped', problem: null };
    case 'failed':
      return { ...report, ...failed(outcome.error), written: report.written };
  }
}

function failed(error: unknown): ExtractionOutcome {
  const { failure, cap } = error instanceof ModelFailure ? error : { failure: null, cap: null };
  const result = failure === 'cap' ? 'capped' : failure === 'aborted' ? 'stopped' : 'failed';
  const problem = error instanceof Error ? error.message : String(error);
  return { ...NOTHING, result, problem, cap };
}
