/** Carries one extraction out: the fork's directive, its outcome as data, and the explicit extractor where a model is not to be had. */

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
}

export async function runExtraction(work: ExtractionWork, ports: ExtractionPorts): Promise<ExtractionOutcome> {
  const { fork } = work.snapshot;
  if (fork === null) return explicitly(work, ports);
  const outcome = await forked(fork, work, ports).catch((error: unknown) => failed(error));
  const isLast = work.trigger !== 'answer' || work.signal.aborted;
  const isLost = outcome.result !== 'done' && isLast;
  if (!isLost) return outcome;
  // These messages will not come by again: what was asked for outright is kept at least.
  const { written } = await explicitly(work, ports).catch(() => ({ written: [] }));
  return { ...outcome, written: [...outcome.written, ...written] };
}

async function explicitly({ span }: ExtractionWork, ports: ExtractionPorts): Promise<ExtractionOutcome> {
  const written = span.hasCue ? await ports.saveExplicit(span) : [];
  return { result: 'explicit', written, denied: 0, rejected: 0, problem: null };
}

async function forked(
  fork: NonNullable<Snapshot['fork']>,
  { span, signal }: ExtractionWork,
  ports: ExtractionPorts,
): Promise<ExtractionOutcome> {
  const manifest = await ports.manifest();
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
  const failure = error instanceof ModelFailure ? error.failure : null;
  const result = failure === 'cap' ? 'capped' : failure === 'aborted' ? 'stopped' : 'failed';
  const problem = error instanceof Error ? error.message : String(error);
  return { result, problem, written: [], denied: 0, rejected: 0 };
}
