/** Whose word a line of the log is, by the gate's own evidence; and what may not be logged at all. */

import type { Limits } from '../limits.ts';
import type { LogMark } from './daily-log-line.ts';
import { adviceFor } from './gate/advice.ts';
import { hasUnknownDay } from './gate/dates.ts';
import { type Support, weighEvidence } from './gate/evidence.ts';
import { hasJudgement } from './gate/judgement.ts';
import { isForeign, isTranslated } from './gate/language.ts';
import { partsOf } from './gate/parts.ts';
import { judgeStanding, type Standing } from './gate/standing.ts';
import { voicesOf } from './gate/voices.ts';
import type { SpanMessage } from './gate/write.ts';

export type MarkDecision =
  | { readonly kind: 'log'; readonly mark: LogMark }
  /** `reason` is the gate's advice. */
  | { readonly kind: 'refuse'; readonly reason: string };

/**
 * A log is kept more readily than a memory: what the agent did, promised or left open rests on nobody's word but its
 * own, and stands there unmarked. Nothing is made of an unmarked line later that the user did not say elsewhere.
 */
export function judgeLogText(
  text: string,
  facts: { readonly span: readonly SpanMessage[]; readonly limits: Limits['gate'] },
): MarkDecision {
  const { span, limits } = facts;
  if (hasJudgement(text)) return { kind: 'refuse', reason: adviceFor('negative-judgement', text) };
  const passages = voicesOf(span, limits);
  const parts = partsOf({ type: 'project', name: '', description: '', body: text });
  const { supports, numbers } = weighEvidence({ parts, passages, updated: null, spelling: 'as-written', limits });
  const standing = judgeStanding({
    // The type that may rest on what was seen; orders from outside are refused for it too.
    type: 'project',
    supports,
    span,
    isUpdate: false,
    numbers: { said: numbers, hasUnknownDay: () => hasUnknownDay(span) },
    isTranslated: () => isTranslated(text, passages),
    isForeign: (passage) => isForeign(text, passage),
    limits,
  });
  return decided(standing, { supports, limits });
}

function decided(
  standing: Standing,
  facts: { readonly supports: readonly Support[]; readonly limits: Limits['gate'] },
): MarkDecision {
  switch (standing.kind) {
    case 'said':
      return { kind: 'log', mark: 'said' };
    case 'inferred':
      return { kind: 'log', mark: null };
    case 'seen':
      return { kind: 'log', mark: 'seen' };
    case 'refused':
      if (standing.reason !== 'unsupported')
        return { kind: 'refuse', reason: adviceFor(standing.reason, standing.words) };
      return { kind: 'log', mark: facts.supports.some(restsOutside(facts.limits)) ? 'seen' : null };
  }
}

/** What nobody said as it stands there may still lean on outside text, and is then marked as that. */
function restsOutside({ restsShare }: Limits['gate']): (support: Support) => boolean {
  return ({ outside }) => (outside?.share ?? 0) >= restsShare;
}
