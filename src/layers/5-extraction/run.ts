/** Runs one extraction: the fork's directive, its outcome as data, and the explicit extractor when no model is available. */

import { fold } from '../../base/text/fold.ts';
import { messageOf } from '../../base/values.ts';
import { ModelFailure } from '../../model/failure.ts';
import type { ExtractionTrigger } from './decide.ts';
import { asksOutright } from './explicit.ts';
import type { ExtractionEvent, ExtractionPorts, ForkReport, RefusedMemory, Snapshot, WrittenMemory } from './ports.ts';
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
  readonly refused: readonly RefusedMemory[];
  /** Wishes that were neither kept nor seen by a model. */
  readonly omitted?: number;
  /** Of a failure, or of what cut it short, in words; with what the user can do. */
  readonly problem: string | null;
  readonly fix?: string;
  /** What ended it early, though it will not be tried again. */
  readonly cutBy?: 'rounds' | 'model';
  /** When a cap kept it from starting. */
  readonly cap?: ModelFailure['cap'];
}

export async function runExtraction(work: ExtractionWork, ports: ExtractionPorts): Promise<ExtractionOutcome> {
  const { fork } = work.snapshot;
  if (fork === null) return keepWishes(work, ports);
  const outcome = await forked(fork, work, ports).catch((error: unknown) => failed(error));
  if (outcome.result === 'done') return keepOutright(outcome, work, ports);
  const isLast = work.trigger !== 'answer' || work.signal.aborted;
  if (!isLast) return outcome;
  // These messages will not come by again: at least explicit requests are kept.
  const kept = await keepWishes(work, ports).catch((error: unknown) => failed(error));
  const { result, problem } = kept.result === 'failed' ? kept : outcome;
  return { ...outcome, result, problem, ...joined(outcome, kept), omitted: kept.omitted ?? 0 };
}

/** A "Remember …" that the model missed is still kept; one that it quoted in a write that was refused is settled. */
async function keepOutright(
  outcome: ExtractionOutcome,
  { span }: ExtractionWork,
  ports: ExtractionPorts,
): Promise<ExtractionOutcome> {
  const settled = outcome.refused.flatMap(({ quotes = [] }) => quotes.map(fold));
  const wishes = span.wishes.filter(({ text }) => asksOutright(text) && !isQuotedBy(settled, text));
  if (wishes.length === 0) return outcome;
  const kept = await ports.saveExplicit({ ...span, wishes }).catch(() => NOTHING);
  return { ...outcome, ...joined(outcome, kept) };
}

function isQuotedBy(quotes: readonly string[], text: string): boolean {
  const said = fold(text);
  return quotes.some((quote) => quote !== '' && said.includes(quote));
}

type Kept = Pick<ExtractionOutcome, 'written' | 'refused'>;

function joined(one: Kept, other: Kept): Kept {
  return { written: [...one.written, ...other.written], refused: [...one.refused, ...other.refused] };
}

/** Explicit requests, without a model. */
export async function keepWishes({ span, signal }: ExtractionWork, ports: ExtractionPorts): Promise<ExtractionOutcome> {
  const kept = span.wishes.length === 0 ? NOTHING : await ports.saveExplicit(span);
  return { ...NOTHING, result: signal.aborted ? 'stopped' : 'explicit', ...kept };
}

const NOTHING = { written: [], refused: [], denied: 0, rejected: 0, problem: null };

async function forked(
  fork: NonNullable<Snapshot['fork']>,
  { span, signal, trigger }: ExtractionWork,
  ports: ExtractionPorts,
): Promise<ExtractionOutcome> {
  const isLast = trigger !== 'answer';
  const manifest = await ports.manifest(span);
  if (signal.aborted) return { ...NOTHING, result: 'stopped' };
  const directive = extractionDirective({
    ...{ messages: span.entries.length, manifest },
    hasTeam: ports.hasTeam === true,
  });
  return outcomeOf(await fork({ directive, span, maxRounds: ports.limits.rounds, isLast, signal }));
}

function outcomeOf({ outcome, ...report }: ForkReport): ExtractionOutcome {
  switch (outcome.kind) {
    case 'answered':
      return { ...report, result: 'done', problem: null };
    // It had its rounds, or refused: looking again would end the same way.
    case 'too-many-rounds': {
      const problem = `Looking for memories ended after ${outcome.rounds} requests (\`limits.extraction.rounds\`).`;
      return { ...report, result: 'done', problem, cutBy: 'rounds' };
    }
    case 'refused':
      return { ...report, result: 'done', problem: 'The model refused to look for memories.', cutBy: 'model' };
    case 'interrupted':
      return { ...report, result: 'stopped', problem: null };
    case 'failed':
      return { ...report, ...failed(outcome.error), written: report.written, refused: report.refused };
  }
}

function failed(error: unknown): ExtractionOutcome {
  const { failure, cap, fix } = error instanceof ModelFailure ? error : { failure: null, cap: null, fix: '' };
  const result = failure === 'cap' ? 'capped' : failure === 'aborted' ? 'stopped' : 'failed';
  const problem = messageOf(error);
  return { ...NOTHING, result, problem, fix, cap };
}
