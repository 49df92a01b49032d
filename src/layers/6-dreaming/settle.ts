/** The proposals of one dream held against each other: what goes must stand in what is there afterwards, or the user is asked. */

import type { Steps } from '../../lib/in-turns.ts';
import type { Limits } from '../../limits.ts';
import { type Corpus, coverageOf, readingCorpus, takingOut } from './coverage.ts';
import { type Draft, waiting } from './draft.ts';
import type { AfterMemory } from './judge-write.ts';
import { type LossFacts, lossReason } from './loss.ts';
import { type Particular, particularsOf } from './particulars.ts';
import type { BaseMemory, Proposal } from './proposal.ts';
import { wholeText } from './span.ts';
import { isFact, isLower } from './trust.ts';

interface SettleFacts extends Pick<LossFacts, 'evidence'> {
  readonly base: ReadonlyMap<string, BaseMemory>;
  readonly limits: Limits['dreaming'];
}

/** What a draft takes away, whatever becomes of the others. */
interface Loss {
  readonly own: BaseMemory;
  /** All that it says, and its body alone: a description that stays must not speak for a body that goes. */
  readonly texts: readonly string[];
  readonly particulars: readonly Particular[];
  readonly corpus: Corpus;
  /** A removal, or an update that leaves less of the memory than must remain of one that is removed. */
  readonly isGoing: boolean;
}

interface Settling extends SettleFacts {
  readonly losses: ReadonlyMap<string, Loss>;
  /** By file, without those that were refused. */
  readonly drafts: ReadonlyMap<string, Draft>;
}

/**
 * Each turn a draft can only fall from landing to waiting, and may take with it what counted on it; so it ends. A removal that
 * is not refused counts as done even while it waits: once it is approved, nothing may lie in what it took away.
 */
export function* settling(
  drafts: readonly Draft[],
  facts: SettleFacts,
): Steps<{ readonly drafts: readonly Draft[]; readonly going: number }> {
  const losses = yield* lossesOf(drafts, facts);
  let current = drafts;
  for (let hasFallen = true; hasFallen; ) {
    const open = { ...facts, losses, drafts: openByFile(current) };
    const next: Draft[] = [];
    for (const draft of current) {
      next.push(yield* settlingOne(draft, open));
      yield;
    }
    hasFallen = next.some(({ state }, index) => state !== current[index]!.state);
    current = next;
  }
  return { drafts: current, going: [...losses.values()].filter(({ isGoing }) => isGoing).length };
}

function openByFile(drafts: readonly Draft[]): ReadonlyMap<string, Draft> {
  return new Map(drafts.flatMap((draft) => (draft.state === 'refuse' ? [] : [[draft.proposal.file, draft]])));
}

function* lossesOf(drafts: readonly Draft[], { base, limits }: SettleFacts): Steps<ReadonlyMap<string, Loss>> {
  const taking = drafts.filter(
    ({ proposal, state }) => state !== 'refuse' && (proposal.action === 'remove' || proposal.action === 'update'),
  );
  if (taking.length === 0) return new Map();
  const all = yield* readingCorpus([...base.values()].map(wholeText), limits);
  const losses = new Map<string, Loss>();
  for (const { proposal, after } of taking) {
    const { file, into } = proposal;
    const own = base.get(file)!;
    const kin = taking.flatMap((other) =>
      other.proposal.into.some((each) => into.includes(each)) ? [other.proposal.file] : [],
    );
    const family = [...new Set([file, ...into, ...kin])].flatMap((each) => base.get(each) ?? []);
    const corpus = yield* takingOut(family.map(wholeText), all);
    // A memory may be called something else: what it says is what counts.
    const texts = [`${own.description}\n${own.body}`, own.body].map((said) => withoutGonePaths(said, proposal));
    const isGoing = after === null || (yield* covering(texts, [wholeText(after)], corpus)) < limits.coveredShare;
    yield;
    const particulars = particularsOf(texts[0]!, corpus.small);
    losses.set(file, { own, texts, particulars, corpus, isGoing });
    yield;
  }
  return losses;
}

function* settlingOne(draft: Draft, settling: Settling): Steps<Draft> {
  const { proposal, after } = draft;
  const loss = draft.state === 'refuse' ? undefined : settling.losses.get(proposal.file);
  if (loss === undefined) return draft;
  const heirs = proposal.into.map((file) => heirOf(file, { loss, settling }));
  const kept = [
    ...(after === null ? [] : [wholeText(after)]),
    ...heirs.flatMap((heir) => ('text' in heir ? [heir.text] : [])),
  ];
  const coverage = yield* covering(loss.texts, kept, loss.corpus);
  const problem = heirs.flatMap(({ problem }) => problem ?? [])[0];
  yield;
  const { base, evidence, limits } = settling;
  const elders = heirs.flatMap((heir) => ('elder' in heir ? (heir.elder ?? []) : []));
  const reason = problem ?? lossReason(draft, { ...loss, coverage, kept, elders, base, evidence, limits });
  return reason === null ? { ...draft, coverage } : waiting({ ...draft, coverage }, reason);
}

/** A path that was looked for and is gone is nothing to keep. Only what looks like a path: any other word is no file either. */
function withoutGonePaths(text: string, { evidence }: Proposal): string {
  const gone = evidence.filter(({ from, quote }) => from === quote && PATH.test(quote));
  return gone.reduce((rest, { quote }) => rest.replaceAll(quote, ' '), text);
}

const PATH = /^[\w.@-]+(?:\/[\w.@-]+)+$/;

/** The least of them. */
function* covering(gone: readonly string[], remaining: readonly string[], corpus: Corpus): Steps<number> {
  let least = 1;
  for (const text of gone) {
    yield;
    least = Math.min(least, coverageOf(text, remaining, corpus));
  }
  return least;
}

/** Its text counts even where it may not supersede: how much stands there is one thing, whether that is enough another. */
type Heir =
  | {
      readonly text: string;
      readonly problem?: string /** It stays as it is, and is older. */;
      readonly elder?: BaseMemory;
    }
  | { readonly problem: string };

function heirOf(file: string, { loss, settling }: { readonly loss: Loss; readonly settling: Settling }): Heir {
  const { own, isGoing } = loss;
  if (file === own.file) return { problem: 'It names itself as what holds its text.' };
  const draft = settling.drafts.get(file);
  if (draft?.proposal.action === 'remove')
    return { problem: `${file}, which is to hold its text, is to be removed itself.` };
  const isNew = !settling.base.has(file);
  if (isNew && draft === undefined) return { problem: `${file}, which is to hold its text, does not exist.` };
  if (isNew && draft?.state !== 'land') {
    const problem = `${file}, which is to hold its text, has to be approved first.`;
    return draft?.after ? { problem, text: wholeText(draft.after) } : { problem };
  }
  const heir: AfterMemory = draft?.state === 'land' && draft.after !== null ? draft.after : settling.base.get(file)!;
  const text = wholeText(heir);
  if (isGoing && heir.type !== own.type)
    return {
      text,
      problem: `${file}, which is to hold its text, is of type ${heir.type ?? 'none'}, not ${own.type ?? 'none'}.`,
    };
  const before = settling.base.get(file);
  if (isGoing && before !== undefined && !isFact(before))
    return {
      text,
      problem: `${file}, which is to hold its text, does not hold any more: it was refuted or superseded.`,
    };
  if (isGoing && isLower(heir.source, own.source))
    return { text, problem: `${file}, which is to hold its text, is ${heir.source}, while this was ${own.source}.` };
  const isRewritten = draft?.state === 'land' && draft.after !== null;
  const isElder = !isRewritten && before !== undefined && Date.parse(before.modified) < Date.parse(own.modified);
  return isElder ? { text, elder: before } : { text };
}
