/** The proposals of one dream held against each other: what goes must stand in what is there afterwards, or the user is asked. */

import type { Limits } from '../../limits.ts';
import { type Corpus, corpusOf, coverageOf } from './coverage.ts';
import { type Draft, waiting } from './draft.ts';
import type { AfterMemory } from './judge-write.ts';
import type { BaseMemory } from './proposal.ts';
import { wholeText } from './span.ts';
import { isLower } from './trust.ts';

interface Settling {
  readonly base: ReadonlyMap<string, BaseMemory>;
  readonly limits: Limits['dreaming'];
  readonly corpus: Corpus;
  readonly drafts: ReadonlyMap<string, Draft>;
}

/**
 * Each turn a draft can only fall from landing to waiting, and may take with it what counted on it; so it ends. A removal that
 * is not refused counts as done even while it waits: once it is approved, nothing may lie in what it took away.
 */
export function settle(
  drafts: readonly Draft[],
  facts: Pick<Settling, 'base' | 'limits'>,
): { readonly drafts: readonly Draft[]; readonly going: number } {
  if (!drafts.some(({ proposal, state }) => state !== 'refuse' && takesAway(proposal.action)))
    return { drafts, going: 0 };
  const corpus = corpusOf([...facts.base.values()].map(wholeText), facts.limits);
  let current = drafts;
  for (let hasFallen = true; hasFallen; ) {
    const byFile = new Map(
      current.flatMap((draft) => (draft.state === 'refuse' ? [] : [[draft.proposal.file, draft]])),
    );
    const settling = { ...facts, corpus, drafts: byFile };
    const next = current.map((draft) => settled(draft, settling));
    hasFallen = next.some(({ state }, index) => state !== current[index]!.state);
    current = next;
  }
  return { drafts: current, going: current.filter((draft) => isGoing(draft, { ...facts, corpus })).length };
}

/** A removal, or an update that leaves less of the memory than must remain of one that is removed. */
function isGoing(draft: Draft, facts: Pick<Settling, 'base' | 'limits' | 'corpus'>): boolean {
  const { proposal, state, after } = draft;
  if (state === 'refuse') return false;
  if (proposal.action === 'remove') return true;
  const own = facts.base.get(proposal.file);
  if (proposal.action !== 'update' || own === undefined || after === null) return false;
  return coverageOf(wholeText(own), [wholeText(after)], facts.corpus) < facts.limits.coveredShare;
}

function takesAway(action: string): boolean {
  return action === 'remove' || action === 'update';
}

function settled(draft: Draft, settling: Settling): Draft {
  const { proposal, state, after } = draft;
  const own = settling.base.get(proposal.file);
  if (state === 'refuse' || own === undefined || !takesAway(proposal.action)) return draft;
  const { corpus, limits } = settling;
  const kept = after === null ? [] : [wholeText(after)];
  const isGone = isGoing(draft, settling);
  const heirs = proposal.into.map((file) => heirOf(file, { own, settling, isGone }));
  const texts = heirs.flatMap((heir) => ('text' in heir ? [heir.text] : []));
  const coverage = coverageOf(wholeText(own), [...kept, ...texts], corpus);
  const problem = heirs.flatMap((heir) => ('problem' in heir ? [heir.problem] : []))[0];
  const covered = { ...draft, coverage };
  if (problem !== undefined) return waiting(covered, problem);
  if (after === null && proposal.into.length === 0)
    return waiting(covered, 'It does not say which memory holds what this one says.');
  if (coverage < limits.coveredShare) {
    const where =
      proposal.into.length === 0
        ? 'the new text'
        : [...(after === null ? [] : ['the new text']), ...proposal.into].join(', ');
    return waiting(
      covered,
      `Only ${percent(coverage)} of its telling words are still in ${where}; ${percent(limits.coveredShare)} must be.`,
    );
  }
  return covered;
}

type Heir = { readonly text: string } | { readonly problem: string };

function heirOf(
  file: string,
  facts: { readonly own: BaseMemory; readonly settling: Settling; readonly isGone: boolean },
): Heir {
  const { own, settling, isGone } = facts;
  if (file === own.file) return { problem: 'It names itself as what holds its text.' };
  const draft = settling.drafts.get(file);
  if (draft?.proposal.action === 'remove')
    return { problem: `${file}, which is to hold its text, is to be removed itself.` };
  const isNew = !settling.base.has(file);
  if (isNew && draft === undefined) return { problem: `${file}, which is to hold its text, does not exist.` };
  if (isNew && draft?.state !== 'land')
    return { problem: `${file}, which is to hold its text, has to be approved first.` };
  const heir: AfterMemory = draft?.state === 'land' && draft.after !== null ? draft.after : settling.base.get(file)!;
  if (isGone && heir.type !== own.type)
    return {
      problem: `${file}, which is to hold its text, is of type ${heir.type ?? 'none'}, not ${own.type ?? 'none'}.`,
    };
  if (isGone && isLower(heir.source, own.source))
    return { problem: `${file}, which is to hold its text, is ${heir.source}, while this was ${own.source}.` };
  return { text: wholeText(heir) };
}

/** Rounded down: what falls short does not read as enough. */
function percent(share: number): string {
  return `${Math.floor(share * 100)} %`;
}
