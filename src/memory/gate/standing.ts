/** Whose word a write is: the user's, the world's, our own or nobody's. Text from outside never becomes a rule without the user's word. */

import type { Limits } from '../../limits.ts';
import type { MemorySource } from '../taxonomy.ts';
import { type Derivable, derivableFrom } from './derivable.ts';
import type { OutsideSupport, Support, UserVoice } from './evidence.ts';
import { findStrayHeadline } from './headline.ts';
import { inventedNumber, type NumberFacts } from './numbers.ts';
import { isOrder, isStandingWish } from './phrasing.ts';
import { isPlanted } from './planted.ts';
import type { RejectReason, SpanMessage } from './write.ts';

export type Standing =
  | { readonly kind: 'said' | 'inferred'; readonly source: MemorySource }
  | { readonly kind: 'seen'; readonly source: 'seen'; readonly passage: OutsideSupport }
  | { readonly kind: 'refused'; readonly reason: RejectReason; readonly words: string };

export interface StandingFacts {
  readonly type: string;
  readonly supports: readonly Support[];
  readonly span: readonly SpanMessage[];
  readonly isUpdate: boolean;
  readonly numbers: NumberFacts;
  /** The user states something lasting in another language than the write's, where shared words cannot be expected. */
  readonly isTranslated: () => boolean;
  /** Whether a passage is in another language than the write. */
  readonly isForeign: (passage: string) => boolean;
  readonly limits: Limits['gate'];
}

export function judgeStanding(facts: StandingFacts): Standing {
  const { supports } = facts;
  const claimed = supports.filter(({ part, weight }) => part.kind !== 'why' && weight > 0);
  const core = claimed.filter(({ part }) => part.kind === 'core');
  const judged = core.length > 0 ? core : claimed;
  if (judged.some((support) => isInstruction(support, facts))) return refused('in-instruction-file', judged);

  const tainted = claimed.filter((support) => isTainted(support, facts));
  const echoed = judged.filter((support) => isEchoed(support, facts));
  if (echoed.length > 0 && echoed.some((support) => support.injected >= (support.outside?.share ?? 0))) {
    return refused('injected-echo', echoed);
  }
  if (tainted.length > 0) return judgeSeen(tainted, { ...facts, claimed });
  return judgeSaid(judged, { ...facts, claimed });
}

/** A question counts as the user's word only where nobody else says the same; a report never as a wish of theirs. */
function voicesFor(support: Support, facts: StandingFacts): readonly UserVoice[] {
  const isRule = facts.type === 'feedback' || facts.type === 'user';
  const voices: UserVoice[] = ['states'];
  if (!isRule) voices.push('reports');
  if ((support.outside?.share ?? 0) < facts.limits.restsShare) voices.push('asks');
  return voices;
}

function userShare(support: Support, facts: StandingFacts): number {
  return support.user(voicesFor(support, facts), { kept: facts.isUpdate });
}

function isTainted(support: Support, facts: StandingFacts): boolean {
  const { restsShare, leadShare, traceShare } = facts.limits;
  const share = support.outside?.share ?? 0;
  const said = userShare(support, facts);
  // Advice is the writer's own wording: it counts when it is taken from outside nearly word for word.
  if (support.part.kind === 'how') return share >= 1 - leadShare && share - said >= restsShare;
  if (share >= restsShare && share - said >= leadShare) return true;
  // Where a passage wants to be remembered, less is enough.
  const stated = support.user(['states'], { kept: facts.isUpdate });
  return share > traceShare && share > stated && stated < restsShare && isPlanted(support.part.text, support.outside!);
}

function isEchoed(support: Support, facts: StandingFacts): boolean {
  const { restsShare, leadShare } = facts.limits;
  const said = userShare(support, facts);
  // Who says nearly all of it again has said it.
  if (support.injected < restsShare || said >= 1 - leadShare) return false;
  const lead = support.injected - said;
  return lead >= leadShare || (lead >= leadShare / 2 && isOnlyTask(support, facts));
}

/** The user gave a task, and no word of it is in the sentence but those that the recalled text has: what it is about, no rule. */
function isOnlyTask(support: Support, facts: StandingFacts): boolean {
  if (support.userBesidesInjected(voicesFor(support, facts)) > 0) return false;
  return !facts.span.some(({ from, text }) => from === 'user' && isStandingWish(text));
}

/** What an instruction file says is read from it anew each session, even when the user says it too. */
function isInstruction(support: Support, facts: StandingFacts): boolean {
  const { restsShare, leadShare } = facts.limits;
  const said = userShare(support, facts);
  const isWhole = support.instructions >= 1 - leadShare / 2;
  return isWhole
    ? said <= support.instructions
    : support.instructions >= restsShare && support.instructions - said >= leadShare;
}

interface JudgedFacts extends StandingFacts {
  readonly claimed: readonly Support[];
}

function judgeSeen(tainted: readonly Support[], facts: JudgedFacts): Standing {
  const [strongest] = [...tainted].sort((one, other) => other.outside!.share - one.outside!.share);
  const passage = strongest!.outside!;
  const poison: RejectReason = `poison-${passage.voice}`;
  if (tainted.some(({ part, outside }) => isPlanted(part.text, outside!))) return refused(poison, tainted);
  if (facts.type === 'feedback' || facts.type === 'user') return refused(poison, tainted);
  const derivable = tainted.map(({ outside }) => derivableOf(outside!, facts)).find((each) => each !== null);
  if (derivable != null) return refused(derivable, tainted);
  const isRule = facts.claimed.some(
    ({ part }) => (part.kind === 'core' || part.kind === 'description') && isOrder(part.text),
  );
  if (isRule) return refused(poison, tainted);
  const invented = inventedBy(facts.claimed, facts);
  if (invented !== null) return { kind: 'refused', reason: 'unsupported', words: invented };
  return { kind: 'seen', source: 'seen', passage };
}

function derivableOf(passage: OutsideSupport, facts: StandingFacts): Derivable | null {
  const message = facts.span[passage.message]!;
  return derivableFrom({ tool: message.tool, message: message.text, text: passage.text });
}

function judgeSaid(judged: readonly Support[], facts: JudgedFacts): Standing {
  const { traceShare } = facts.limits;
  const said = (support: Support) => userShare(support, facts);
  const unsaid = inventedBy(facts.claimed, facts) ?? findStrayHeadline({ claimed: facts.claimed, said, traceShare });
  if (unsaid !== null) return { kind: 'refused', reason: 'unsupported', words: unsaid };
  const shares = judged.map((support) => support.user(voicesFor(support, facts)));
  const whole = average(judged.map((support, index) => ({ share: shares[index]!, weight: support.weight })));
  if (whole >= traceShare && judged.some((support, index) => isSaid(support, { share: shares[index]!, facts }))) {
    return shares.every((share) => share >= traceShare) ? SAID : INFERRED;
  }
  if (whole >= facts.limits.touchShare && isReasoned(facts)) return INFERRED;
  const fresh = facts.isUpdate ? judged.flatMap((support) => support.userOfNew(voicesFor(support, facts)) ?? []) : [];
  if (fresh.length > 0 && Math.max(...fresh) >= facts.limits.restsShare) return SAID;
  if (facts.isTranslated()) return INFERRED;
  const foreign = judged.filter(({ outside }) => outside !== null && isRendered(outside, facts));
  return foreign.length > 0 ? judgeSeen(foreign, facts) : refused('unsupported', judged);
}

/** Of a passage in another language only names and numbers can be met. */
function isRendered({ share, text }: OutsideSupport, facts: StandingFacts): boolean {
  return share >= facts.limits.touchShare && facts.isForeign(text);
}

/** A rule in the writer's words is tied to the user's by the reason that they gave for it. */
function isReasoned(facts: StandingFacts): boolean {
  return facts.supports.some(
    ({ part, weight, user }) => part.kind === 'why' && weight >= 2 && user(['states']) >= facts.limits.restsShare,
  );
}

const SAID: Standing = { kind: 'said', source: 'said' };
const INFERRED: Standing = { kind: 'inferred', source: 'inferred' };

/** What is only asked about grounds no rule, unless nearly all of it is in the question: "as a nurse, how do I …?" */
function isSaid(support: Support, judged: { readonly share: number; readonly facts: StandingFacts }): boolean {
  const { restsShare, leadShare } = judged.facts.limits;
  if (judged.share < restsShare) return false;
  const isRule = judged.facts.type === 'feedback' || judged.facts.type === 'user';
  const isOnlyAsked = support.user(['states', 'reports']) < restsShare;
  return !isRule || !isOnlyAsked || judged.share >= 1 - leadShare;
}

function average(shares: readonly { readonly share: number; readonly weight: number }[]): number {
  const weight = shares.reduce((sum, each) => sum + each.weight, 0);
  return weight === 0 ? 0 : shares.reduce((sum, each) => sum + each.share * each.weight, 0) / weight;
}

function inventedBy(supports: readonly Support[], facts: StandingFacts): string | null {
  for (const { part, numbersBeside } of supports) {
    const said = new Set([...facts.numbers.said, ...numbersBeside]);
    const number = part.kind === 'how' ? null : inventedNumber(part.text, { ...facts.numbers, said });
    if (number !== null) return number;
  }
  return null;
}

function refused(reason: RejectReason, supports: readonly Support[]): Standing {
  return { kind: 'refused', reason, words: supports[0]?.part.text ?? '' };
}
