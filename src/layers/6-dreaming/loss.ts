/** Why something that goes is left to the user: too little of it remains, a particular of it stands nowhere, or what remains says otherwise. */

import type { Limits } from '../../limits.ts';
import { findSecret } from '../../memory/gate/secret.ts';
import { eachWord, isNegation } from '../../memory/gate/words.ts';
import type { DreamEvidence } from '../../store/dream-record.ts';
import type { Draft } from './draft.ts';
import { turnedIn } from './founded.ts';
import { lostOf, namesOf, type Particular, particularsOf, type Standing, standingIn } from './particulars.ts';
import type { BaseMemory, FoundEvidence } from './proposal.ts';
import { replacing } from './replaced.ts';
import { wholeText } from './span.ts';

export interface LossFacts {
  readonly own: BaseMemory;
  readonly texts: readonly string[];
  readonly particulars: readonly Particular[];
  readonly corpus: { readonly small: ReadonlySet<string> };
  readonly coverage: number;
  /** Its new text, and those of the memories that are to hold it. */
  readonly kept: readonly string[];
  /** Of those memories the ones that are older than this and stay as they are. */
  readonly elders: readonly BaseMemory[];
  readonly base: ReadonlyMap<string, BaseMemory>;
  readonly evidence: (evidence: DreamEvidence) => FoundEvidence;
  readonly limits: Pick<Limits['dreaming'], 'coveredShare'>;
}

/** Null where nothing is lost. */
export function lossReason(draft: Draft, facts: LossFacts): string | null {
  const { proposal, after } = draft;
  const { coverage, limits, kept } = facts;
  const places = [...(after === null ? [] : ['its new text']), ...proposal.into];
  if (places.length === 0) return 'It does not say which memory holds what this one says.';
  const standing = standingIn(kept);
  const later = laterPassages(draft, facts);
  const withdrawn = withdrawnBy(later);
  const isReplaced = replacing({
    text: facts.texts[0]!,
    later: laterTexts(draft, { ...facts, later }),
    remaining: standing,
    small: facts.corpus.small,
  });
  const lost = lostOf(facts.particulars, standing).filter(
    (each) => (each.isNo || !each.standsIn(withdrawn)) && !isReplaced(each),
  );
  const where = places.join(', ');
  const named = lost.length === 0 ? '' : ` ${safely(`Not there: ${namesOf(lost)}.`, facts.own)}`;
  if (coverage < limits.coveredShare)
    return `Only ${percent(coverage)} of its telling words are still in ${where}; ${percent(limits.coveredShare)} must be.${named}`;
  if (lost.length > 0) return `Something of it would be lost, since it does not stand in ${where}.${named}`;
  if (after !== null) return null;
  const turned = turnedIn(facts.texts[0]!, kept);
  if (turned !== null) return safely(`“${turned}” stands the other way round in ${where}.`, facts.own);
  return elderReason(facts);
}

/** What came later is not undone by what was there before: where the two differ, only the user knows which holds. */
function elderReason({ own, elders, particulars, corpus }: LossFacts): string | null {
  for (const elder of elders) {
    const other = particularsOf(`${elder.description}\n${elder.body}`, corpus.small);
    const differing = [
      ...lostOf(particulars, standingIn([wholeText(elder)])),
      ...lostOf(other, standingIn([wholeText(own)])),
    ];
    if (differing.length === 0) continue;
    const lead = `${elder.file}, which is to hold it, is the older of the two, and they differ`;
    return safely(`${lead}: ${namesOf(differing)}.`, own, elder);
  }
  return null;
}

/** What the user said since the memory was written, as far as it is quoted. The words of what was meant before are no such thing. */
function laterPassages({ proposal }: Draft, { evidence, own }: LossFacts): readonly string[] {
  return proposal.evidence.flatMap((each) => {
    const found = evidence(each);
    if (found.kind === 'missing' || found.memory !== undefined || found.passage.from !== 'user') return [];
    const day = found.passage.at?.slice(0, DAY.length) ?? '';
    return day < own.modified.slice(0, DAY.length) ? [] : [found.passage.text];
  });
}

/** That, and the memories written since that are quoted or are to hold it. */
function laterTexts(
  { proposal }: Draft,
  { own, base, evidence, later }: LossFacts & { readonly later: readonly string[] },
): readonly string[] {
  const quoted = proposal.evidence.flatMap((each) => {
    const found = evidence(each);
    return found.kind === 'found' && found.memory !== undefined ? [found.memory] : [];
  });
  const memories = [...new Set([...quoted, ...proposal.into])].flatMap((file) => base.get(file) ?? []);
  const since = memories.filter(({ modified }) => Date.parse(modified) > Date.parse(own.modified));
  return [...later, ...since.map(wholeText)];
}

/** What the user took back in so many words: "no longer on Tuesdays". */
function withdrawnBy(later: readonly string[]): Standing {
  return standingIn(later.flatMap((text) => text.split(CLAUSE_END).filter(takesBack)));
}

const DAY = 'YYYY-MM-DD';
const CLAUSE_END = /[,;:.!?](?=\s|$)|[，；。！？\n]|\s[-–—]\s/u;

function takesBack(clause: string): boolean {
  let isNegated = /\b(?:instead of|rather than|statt)\b/i.test(clause);
  eachWord(clause, new Map(), (word) => {
    isNegated ||= isNegation(word);
  });
  return isNegated;
}

/** A reason is kept on record, and a memory may hold what must be kept nowhere. */
function safely(reason: string, ...memories: readonly BaseMemory[]): string {
  const isSafe = [reason, ...memories.map(({ text }) => text)].every((text) => findSecret(text) === null);
  return isSafe ? reason : 'What it is cannot be told: a secret stands beside it.';
}

/** Rounded down: what falls short does not read as enough. */
function percent(share: number): string {
  return `${Math.floor(share * 100)} %`;
}
