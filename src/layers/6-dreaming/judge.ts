/** Decides each change a dreamer proposes: it lands, waits for the user, or is refused, with the reason. Pure. */

import { atOnce, type Steps } from '../../base/async/in-turns.ts';
import { MEMORY_TYPES } from '../../base/taxonomy.ts';
import { twinKey } from '../../disk/safe-name.ts';
import { DREAMING_LIMITS, type Limits } from '../../limits.ts';
import type { MemoryOrigin } from '../../memory/files/header.ts';
import { placeProblem } from '../../memory/gate/place.ts';
import { findSecret } from '../../memory/gate/secret.ts';
import { carryingQuotes, type QuoteCarrier } from './carry-quotes.ts';
import { whenOf } from './check-drop.ts';
import { type EarlierChange, rulingsOn } from './decided.ts';
import { type Draft, judgedOf, landing, refused, waiting } from './draft.ts';
import { type CheckFit, judgingWrite, type Passage, PINNED } from './judge-write.ts';
import type { BaseMemory, FoundEvidence, JudgedProposal, Proposal } from './proposal.ts';
import type { DreamEvidence } from './records/record.ts';
import { sentenceKeys, sentencesIn } from './sentences.ts';
import { settling } from './settle.ts';
import type { Rewording } from './trust.ts';

export type { CheckFit } from './judge-write.ts';

export interface JudgeFacts {
  readonly proposals: readonly Proposal[];
  /** As they were when the dream began. */
  readonly base: ReadonlyMap<string, BaseMemory>;
  /** Files that MEMORY.md has a line for but that were not there. */
  readonly stale?: ReadonlySet<string>;
  /** MEMORY.md is longer than the part that is loaded, so lines must go. */
  readonly isIndexFull?: boolean;
  readonly evidence: (evidence: DreamEvidence) => FoundEvidence;
  /** Whether a path is in no branch and no work tree of the project. */
  readonly isGone: (path: string) => boolean;
  readonly checkFit: CheckFit;
  readonly now: Date;
  readonly limits: Limits['dreaming'];
  readonly mode: 'apply' | 'review';
  /** Changes from earlier dreams that are waiting or were rejected, newest first. */
  readonly earlier?: readonly EarlierChange[];
  /** Which dream it was, for the memories it creates. */
  readonly origin?: MemoryOrigin;
}

/** One verdict per proposal, in their order; then the changes that keep the quotes of merged memories. */
export function judgeProposals(facts: JudgeFacts): readonly JudgedProposal[] {
  return atOnce(judging(facts));
}

/** The same in steps: a hundred proposals take a while, and a conversation may be running alongside. */
export function* judging(facts: JudgeFacts): Steps<readonly JudgedProposal[]> {
  const drafts = yield* judgeEach(yield* screen(facts), facts);
  const carriers = carryingQuotes(drafts, facts);
  const all = [...drafts, ...carriers.map(({ draft }) => draft)];
  const settled = yield* settling(all, { ...facts, today: facts.now.toISOString().slice(0, 'YYYY-MM-DD'.length) });
  const removing = removingReason(settled, facts);
  const unlisting = unlistReason(settled, facts);
  const held = settled.map((draft) => {
    if (facts.mode === 'review') return waiting(draft, 'Dreams are reviewed: nothing lands before you approve it.');
    const reason = draft.proposal.action === 'remove' ? removing : isUnlisting(draft, facts) ? unlisting : null;
    return reason === null ? draft : waiting(draft, reason);
  });
  return withCarriers(held, carriers).map(judgedOf);
}

/** Quotes move with the memory they come from, and with nothing else. */
function withCarriers(drafts: readonly Draft[], carriers: readonly QuoteCarrier[]): readonly Draft[] {
  const own = drafts.slice(0, drafts.length - carriers.length);
  return [
    ...own,
    ...carriers.flatMap(({ draft, from }) => {
      const states = own.flatMap(({ proposal, state }) => (from.includes(proposal.file) ? [state] : []));
      if (!states.includes('land') && !states.includes('wait')) return [];
      return [states.includes('land') ? draft : waiting(draft, `It goes with the removal of ${from.join(', ')}.`)];
    }),
  ];
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
      [given.file, given.reason, ...given.into, ...stringsIn(given.evidence), ...stringsIn(given.drops)].join('\n'),
    );
    if (secret !== null)
      return { proposal: withoutText(given), problem: `What it says of itself holds a secret (${secret}).` };
    const takesAway = given.action === 'remove' || given.action === 'update';
    const proposal = takesAway ? given : { ...given, into: [], drops: [] };
    const name = nameProblem(proposal, { base, twins, taken, stale });
    if (name !== null) return { proposal, problem: name };
    taken.add(twinKey(proposal.file));
    if (proposal.reason.trim() === '') return { proposal, problem: 'It gives no reason.' };
    // When a memory is removed, the memories and drops it names are looked up.
    const { evidence: quoted, drops, into } = proposal;
    if (quoted.length + drops.length + (proposal.action === 'remove' ? into.length : 0) === 0)
      return { proposal, problem: 'It quotes nothing that it rests on.' };
    const passages: Passage[] = [];
    for (const each of quoted) {
      const found = evidence(each);
      if (found.kind === 'missing')
        return { proposal, problem: `The quote “${shortened(each.quote)}” was not found: ${found.reason}.` };
      passages.push({ ...found, quote: each.quote });
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
  const made: { file: string; body: string }[] = [];
  const rulings = rulingsOn(sound, { ...facts, earlier: facts.earlier ?? [] });
  const drafts: Draft[] = [];
  for (const each of screened) {
    const ruling = rulings.get(each.proposal);
    const problem = 'problem' in each ? each.problem : ruling?.kind === 'refuse' ? ruling.reason : null;
    const drafted =
      'problem' in each || problem !== null
        ? refused(each.proposal, problem ?? '')
        : yield* drafting(each.proposal, { ...facts, passages: each.passages, sound, made });
    const draft = ruling?.kind === 'wait' ? waiting(drafted, ruling.reason) : drafted;
    const { after, proposal } = draft;
    if (after !== null && proposal.action === 'create') made.push({ file: proposal.file, body: after.body });
    drafts.push(draft);
    yield;
  }
  return drafts;
}

interface DraftFacts extends JudgeFacts {
  readonly passages: readonly Passage[];
  /** Every proposal that passed the first checks. */
  readonly sound: readonly Proposal[];
  readonly made: readonly { readonly file: string; readonly body: string }[];
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
  const merged = facts.sound.flatMap(({ file, into }) =>
    file !== proposal.file && into.includes(proposal.file) ? [facts.base.get(file)!] : [],
  );
  const from = [...new Set([...merged.map(({ file }) => file), ...proposal.evidence.map((each) => each.from)])];
  const origin = { ...facts.origin, from: shortened(from.join(', ')) };
  const rewordings = rewordingsInto(proposal.file, facts);
  const verdict = yield* judgingWrite(proposal, { ...facts, merged, rewordings, origin });
  if (verdict.kind === 'refuse') return refused(verdict.isSecret ? withoutText(proposal) : proposal, verdict.reason);
  const draft = landing(proposal, verdict);
  return verdict.waits === null ? draft : waiting(draft, verdict.waits);
}

/** What drops claim this file says from now on, for sentences that really were where they are said to be. */
function rewordingsInto(target: string, { sound, base }: DraftFacts): readonly Rewording[] {
  return sound.flatMap(({ file, drops }) => {
    const memory = base.get(file);
    return drops.flatMap((drop) => {
      if (memory === undefined || drop.because !== 'duplicate' || drop.of.file !== target) return [];
      const stands = sentencesIn(memory).some(({ key }) => sentenceKeys(drop.quote).has(key));
      return stands ? [{ was: drop.quote, day: whenOf(memory), now: drop.of.quote, source: memory.source }] : [];
    });
  });
}

function lineDraft(proposal: Proposal, own: BaseMemory): Draft {
  const isToList = proposal.action === 'list';
  if (own.isListed === isToList)
    return refused(proposal, isToList ? 'MEMORY.md has a line for it already.' : 'MEMORY.md has no line for it.');
  const draft = landing(proposal);
  return own.pinned ? waiting(draft, PINNED) : draft;
}

/** Too many at once are for the user to decide, however well each is explained. */
function removingReason(drafts: readonly Draft[], { base, limits }: JudgeFacts): string | null {
  const going = drafts.filter(({ proposal, state }) => proposal.action === 'remove' && state !== 'refuse').length;
  if (going <= mostGoing({ base, limits })) return null;
  return `This dream would remove ${going} of ${base.size} memories: all removals are left to you.`;
}

/** A memory off the index is lost to anyone who reads only the index: as many may leave it as may be removed, unless it is too long. */
function unlistReason(drafts: readonly Draft[], facts: JudgeFacts): string | null {
  const leaving = drafts.filter((draft) => isUnlisting(draft, facts)).length;
  if (facts.isIndexFull === true || leaving <= mostGoing(facts)) return null;
  return `This dream would take ${leaving} of ${facts.base.size} memories off an index that has room for them: left to you.`;
}

function mostGoing({ base, limits }: Pick<JudgeFacts, 'base' | 'limits'>): number {
  return Math.max(DREAMING_LIMITS.removedFew, base.size * limits.removedShare);
}

/** Removing a line that points nowhere is no loss. */
function isUnlisting({ proposal, state }: Draft, { base }: JudgeFacts): boolean {
  return state === 'land' && proposal.action === 'unlist' && base.has(proposal.file);
}

/** A secret is stored nowhere, not even in the record of its refusal. */
function withoutText(proposal: Proposal): Proposal {
  const file = findSecret(proposal.file) === null ? proposal.file : 'left-out.md';
  const nothing = { evidence: [], into: [], drops: [], text: null };
  return { ...proposal, ...nothing, file, reason: 'Left out: it held a secret.' };
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

function shortened(text: string): string {
  return text.length <= SHORT ? text : `${text.slice(0, SHORT).replace(/[\ud800-\udbff]$/, '')}…`;
}

const SHORT = 120;

// Whether the file a proposal names is one its action can apply to.

interface NameFacts {
  readonly base: ReadonlyMap<string, BaseMemory>;
  /** By twin key, the files that existed when the dream began. */
  readonly twins: ReadonlyMap<string, string>;
  /** Twin keys of the files that earlier proposals concern. */
  readonly taken: ReadonlySet<string>;
  /** Files that MEMORY.md has a line for but that are not there. */
  readonly stale: ReadonlySet<string>;
}

/** Null when it is fine, otherwise what is wrong with it and what to do. */
function nameProblem({ action, file }: Proposal, { base, twins, taken, stale }: NameFacts): string | null {
  const isExisting = base.has(file);
  const problem = placeProblem(file, isExisting);
  if (problem !== null) return `The file name cannot be used: ${problem}.`;
  if (/(?:^|\/)memory\.md$/i.test(file)) return 'MEMORY.md is the index: its lines follow from the memories.';
  if (/^logs\//i.test(file)) return 'Daily logs are only added to, never changed.';
  if (taken.has(twinKey(file))) return 'Another change of this dream is about the same file.';
  if (action === 'unlist' && stale.has(file)) return null;
  if (action !== 'create') return isExisting ? null : 'There is no such memory.';
  if (isExisting) return 'There is a memory of that name already: update it, or choose another name.';
  const twin = twins.get(twinKey(file));
  if (twin !== undefined) return `On some disks it is the same file as ${twin}: choose another name.`;
  return NEW_NAME.test(file) ? null : 'A new memory is called {type}_{name-in-small-letters}.md, in no folder.';
}

const NEW_NAME = new RegExp(`^(?:${MEMORY_TYPES.join('|')})_[\\p{L}\\p{M}\\p{N}][\\p{L}\\p{M}\\p{N}_-]*\\.md$`, 'u');
