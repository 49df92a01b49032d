/** How a call to a model fails: what kind, whether trying again can help, and what the user can do. */

import { ReverieError } from '../errors.ts';
import type { FailureKind } from './model.ts';

export class ModelFailure extends ReverieError {
  readonly failure: FailureKind;
  readonly status: number | null;
  /** How long the server asked to wait. */
  readonly retryAfterMs: number | null;
  /** For `too-long`: tokens of the prompt beyond what fits, if the server named them. */
  readonly tokensOver: number | null;
  /** For `cap`: the one that was reached, or that none could be enforced. */
  readonly cap: 'day' | 'session' | 'unavailable' | null;

  constructor(problem: {
    failure: FailureKind;
    message: string;
    fix?: string;
    status?: number | null;
    retryAfterMs?: number | null;
    tokensOver?: number | null;
    cap?: ModelFailure['cap'];
    cause?: unknown;
  }) {
    super({ code: 'model', message: problem.message, fix: problem.fix, cause: problem.cause });
    this.name = 'ModelFailure';
    this.failure = problem.failure;
    this.status = problem.status ?? null;
    this.retryAfterMs = problem.retryAfterMs ?? null;
    this.tokensOver = problem.tokensOver ?? null;
    this.cap = problem.cap ?? null;
  }
}

export function isTemporary(failure: FailureKind): boolean {
  switch (failure) {
    case 'overloaded':
    case 'rate-limited':
    case 'server':
    case 'cut':
    case 'network':
    case 'timeout':
      return true;
    case 'too-long':
    case 'authentication':
    case 'billing':
    case 'unknown-model':
    case 'invalid':
    case 'aborted':
    case 'cap':
      return false;
  }
}
