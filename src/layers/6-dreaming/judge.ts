/** What becomes of each change that a dreamer proposes: it lands, waits for the user, or is refused, with the reason. Pure. */

import { atOnce, type Steps } from '../../lib/in-turns.ts';
import type { Limits } from '../../limits.ts';
import { findSecret } from '../../memory/gate/secret.ts';
import type { MemoryOrigin } from '../../memory/memory-header.ts';
import type { DreamEvidence } from '../../store/dream-record.ts';
import { twinKey } from '../../store/safe-name.ts';
import { type EarlierChange, rulingsOn } from './decided.ts';
import { type Draft, judgedOf, landing, refused, waiting } from './draft.ts';
import { type CheckWrite, judgingWrite } from './judge-write.ts';
import { nameProblem } from './name-check.ts';
import type { BaseMemory, FoundEvidence, JudgedProposal, Proposal } from './proposal.ts';
import { type SameTexts, sameTexts } from './same-text.ts';
import { settling } from './settle.ts';
import type { Passage } from './span.ts';

export type { CheckWrite } from './judge-write.ts';

export interface JudgeFacts {
  readonly proposals: readonly Proposal[];
  /** As they were when the dream began. */
  readonly base: ReadonlyMap<string, BaseMemory>;
  /** Files that MEMORY.md has a line for and that were not there. */
  readonly stale?: ReadonlySet<string>;
  /** MEMORY.md is longer than what is loaded of it: then lines must go. */
  readonly isIndexFull?: boolean;
  readonly evidence: (evidence: DreamEvidence) => FoundEvidence;
  readonly checkWrite: CheckWrite;
  readonly now: Date;
  readonly limits: Limits['dreaming'];
  readonly mode: 'apply' | 'review';
  /** What waits from earlier dreams or was rejected, newest first. */
  readonly earlier?: readonly EarlierChange[];
  /** Which dream it was, for what it creates. */
  readonly origin?: MemoryOrigin;
}

/** One verdict a proposal, in their order. */
export function judgeProposals(facts: JudgeFacts): readonly JudgedProposal[] {
  return atOnce(judging(facts));
}

/** The same in steps: a hundred proposals take half a second and more, and a conversation may go on beside it. */
export function* judging(facts: JudgeFacts): Steps<readonly JudgedProposal[]> {
  const { drafts, going } = yield* settling(yield* judgeEach(yield* screen(facts), facts), facts);
  const held = wholeReason(going, facts);
  const unlisting = unlistReason(drafts, facts);
  return drafts.map((draft) => {
    const reason = held ?? (isUnlisting(draft, facts) ? unlisting : null);
    return judgedOf(reason === null ? draft : waiting(draft, reason));
  });
}

type Screened = { readonly proposal: Proposal } & (
  | { readonly passages: readonly Passage[] }
  | { readonly problem: string }
);

/** Shape, name, reason and evidence, in that order. */
function* screen({ proposals, base, evidence, stale = new Set() }: JudgeFacts): Steps<readonly Screened[]> {
  const twins = new Map<string, string>();
  for (const file of base.keys()) {
    twins.set(twinKey(file), file);
    yield;
  }
  const taken = new Set<string>();
  const screenOne = (given: Proposal): Screened => {
    const secret = findSecret(
      [given.file, given.reason, ...given.into, ...given.evidence.flatMap(({ from, quote }) => [from, quote])].join(
        '\n',
      ),
    );
    if (secret !== null)
      return { proposal: withoutText(given), problem: `What it says of itself holds a secret (${secret}).` };
    const proposal = takesAway(given) ? given : { ...given, into: [] };
    const name = nameProblem(proposal, { base, twins, taken, stale });
    if (name !== null) return { proposal, problem: name };
    taken.add(twinKey(proposal.file));
    if (proposal.reason.trim() === '') return { proposal, problem: 'It gives no reason.' };
    if (proposal.evidence.length === 0) return { proposal, problem: 'It quotes nothing that it rests on.' };
    const passages: Passage[] = [];
    for (const each of proposal.evidence) {
      const found = evidence(each);
      if (found.kind === 'missing')
        return {
          proposal,
          problem: `The quote “${shortened(each.quote)}” was not found: ${found.reason}.`,
        };
      passages.push(found);
    }
    return { proposal, passages };
  };
  const screened: Screened[] = [];
  for (const proposal of proposals) {
    screened.push(screenOne(proposal));
    yield;
  }
  return screened;
}

function* judgeEach(screened: readonly Screened[], facts: JudgeFacts): Steps<readonly Draft[]> {
  const sound = screened.filter((each) => 'passages' in each).map(({ proposal }) => proposal);
  const texts = sameTexts([]);
  for (const memory of facts.base.values()) {
    texts.add({ ...memory, type: memory.type ?? '' });
    yield;
  }
  const rulings = rulingsOn(sound, { ...facts, earlier: facts.earlier ?? [] });
  const drafts: Draft[] = [];
  for (const each of screened) {
    const ruling = rulings.get(each.proposal);
    const problem = 'problem' in each ? each.problem : ruling?.kind === 'refuse' ? ruling.reason : null;
    const drafted =
      'problem' in each || problem !== null
        ? refused(each.proposal, problem ?? '')
        : yield* drafting(each.proposal, { ...facts, passages: each.passages, sound, texts });
    const draft = ruling?.kind === 'wait' ? waiting(drafted, ruling.reason) : drafted;
    const { after, proposal } = draft;
    if (after !== null && proposal.action === 'create') {
      texts.add({ ...after, type: after.type ?? '', file: proposal.file });
    }
    drafts.push(draft);
    yield;
  }
  return drafts;
}

interface DraftFacts extends JudgeFacts {
  readonly passages: readonly Passage[];
  /** Every proposal that passed the first checks. */
  readonly sound: readonly Proposal[];
  readonly texts: SameTexts;
}

function* drafting(proposal: Proposal, facts: DraftFacts): Steps<Draft> {
  const own = facts.base.get(proposal.file);
  switch (proposal.action) {
    case 'create':
    case 'update':
      return yield* draftingWrite(proposal, facts);
    case 'remove':
      return own!.pinned ? refused(proposal, 'It is pinned: a pinned memory is never removed.') : landing(proposal);
    case 'unlist':
    case 'list':
      return own === undefined ? landing(proposal) : lineDraft(proposal, own);
  }
}

function* draftingWrite(proposal: Proposal, facts: DraftFacts): Steps<Draft> {
  const superseded = facts.sound.flatMap(({ file, into }) =>
    file !== proposal.file && into.includes(proposal.file) ? [facts.base.get(file)!] : [],
  );
  const from = [...new Set([...superseded.map(({ file }) => file), ...proposal.evidence.map((each) => each.from)])];
  const origin = { ...facts.origin, from: shortened(from.join(', ')) };
  const verdict = yield* judgingWrite(proposal, { ...facts, superseded, origin });
  if (verdict.kind === 'refuse') return refused(verdict.isSecret ? withoutText(proposal) : proposal, verdict.reason);
  const draft = landing(proposal, verdict);
  return verdict.waits === null ? draft : waiting(draft, verdict.waits);
}

function lineDraft(proposal: Proposal, own: BaseMemory): Draft {
  const isToList = proposal.action === 'list';
  if (own.isListed === isToList)
    return refused(proposal, isToList ? 'MEMORY.md has a line for it already.' : 'MEMORY.md has no line for it.');
  const draft = landing(proposal);
  return own.pinned ? waiting(draft, 'It is pinned: what changes it is yours to approve.') : draft;
}

/** What holds the dream as a whole. */
function wholeReason(going: number, { base, limits, mode }: JudgeFacts): string | null {
  if (mode === 'review') return 'Dreams are reviewed: nothing lands before you approve it.';
  if (going <= Math.max(limits.removedFew, base.size * limits.removedShare)) return null;
  return `This dream would take away ${going} of ${base.size} memories: all of it is left to you.`;
}

/** A memory off the index is lost to whoever only reads the index: as many as may be removed may leave it, unless it is too long. */
function unlistReason(drafts: readonly Draft[], facts: JudgeFacts): string | null {
  const { base, limits } = facts;
  const leaving = drafts.filter((draft) => isUnlisting(draft, facts)).length;
  if (facts.isIndexFull === true || leaving <= Math.max(limits.removedFew, base.size * limits.removedShare))
    return null;
  return `This dream would take ${leaving} of ${base.size} memories off an index that has room for them: left to you.`;
}

/** A line that leads nowhere is no loss. */
function isUnlisting({ proposal, state }: Draft, { base }: JudgeFacts): boolean {
  return state === 'land' && proposal.action === 'unlist' && base.has(proposal.file);
}

function takesAway({ action }: Proposal): boolean {
  return action === 'remove' || action === 'update';
}

/** A secret is kept nowhere, not even in the record of its refusal. */
function withoutText(proposal: Proposal): Proposal {
  const file = findSecret(proposal.file) === null ? proposal.file : 'left-out.md';
  return { ...proposal, file, reason: 'Left out: it held a secret.', evidence: [], into: [], text: null };
}

function shortened(text: string): string {
  return text.length <= SHORT ? text : `${text.slice(0, SHORT).replace(/[\ud800-\udbff]$/, '')}…`;
}

const SHORT = 120;
