/** Checks the changes of one dream against each other: each dropped sentence is somewhere else, or its reason is true. */

import type { Steps } from '../../base/async/in-turns.ts';
import { findSecret } from '../../memory/gate/secret.ts';
import { type Afterwards, dropProblem, whenOf } from './check-drop.ts';
import { type Draft, waiting } from './draft.ts';
import type { BaseMemory } from './proposal.ts';
import { missingFrom, type Sentence, sentenceKeys } from './sentences.ts';
import { isFact, yieldsTo } from './trust.ts';

export interface SettleFacts {
  readonly base: ReadonlyMap<string, BaseMemory>;
  readonly isGone: (path: string) => boolean;
  readonly today: string;
}

interface Settling extends SettleFacts {
  readonly after: (file: string) => Afterwards;
}

/**
 * In each pass a draft can only fall from landing to waiting, and may take along what counted on it; so this ends. A removal
 * that is not refused counts as done even while it waits: once approved, nothing may rest on what it took away.
 */
export function* settling(drafts: readonly Draft[], facts: SettleFacts): Steps<readonly Draft[]> {
  let current = drafts;
  for (let hasFallen = true; hasFallen; ) {
    const after = afterwardsOf(current, facts.base);
    const next: Draft[] = [];
    for (const draft of current) {
      const reason = draft.state === 'land' ? lossReason(draft, { ...facts, after }) : null;
      next.push(reason === null ? draft : waiting(draft, safely(reason)));
      yield;
    }
    hasFallen = next.some(({ state }, index) => state !== current[index]!.state);
    current = next;
  }
  return current;
}

/** A reason is recorded, and a memory may hold what must not be stored. */
function safely(reason: string): string {
  return findSecret(reason) === null ? reason : 'A sentence would be dropped that cannot be shown: it holds a secret.';
}

function afterwardsOf(drafts: readonly Draft[], base: SettleFacts['base']): Settling['after'] {
  const open = new Map(drafts.flatMap((draft) => (draft.state === 'refuse' ? [] : [[draft.proposal.file, draft]])));
  return (file) => {
    const before = base.get(file) ?? null;
    const draft = open.get(file);
    const absent = (why: string): Afterwards => ({ kind: 'absent', why: `${file} ${why}` });
    if (draft?.proposal.action === 'remove') return absent('is to be removed itself');
    if (before !== null && !isFact(before)) return absent('was refuted or superseded');
    if (before === null && draft?.after == null) return absent('does not exist');
    if (before === null && draft?.state === 'wait') return absent('has to be approved first');
    const written = draft?.after == null ? [] : [draft.after];
    // Whether or not the user approves it, the words must be there.
    const texts = before !== null && (written.length === 0 || draft?.state === 'wait') ? [before, ...written] : written;
    return { kind: 'there', texts, before };
  };
}

/** Null when nothing is lost. */
function lossReason({ proposal, after: written }: Draft, settling: Settling): string | null {
  const { action, file, into } = proposal;
  const own = action === 'remove' || action === 'update' ? settling.base.get(file) : undefined;
  if (own === undefined) return null;
  for (const heir of into) {
    const problem = heirProblem(heir, { own, settling });
    if (problem !== null) return problem;
  }
  const heirs = into.map((heir) => settling.after(heir)).flatMap((heir) => (heir.kind === 'there' ? [heir.texts] : []));
  // A sentence is in an heir only if it is in every text that heir may have.
  const lost = (texts: readonly (readonly Sentence[])[]) => new Set(texts.flat().map(({ key }) => key));
  const dropped = missingFrom(written === null ? [] : [written], own).filter((sentence) =>
    heirs.every((texts) => lost(texts.map((text) => missingFrom([text], own))).has(sentence.key)),
  );
  for (const sentence of dropped) {
    const problem = unexplained(sentence, { proposal, own, settling });
    if (problem !== null) return problem;
  }
  return null;
}

function heirProblem(
  heir: string,
  { own, settling }: { readonly own: BaseMemory; readonly settling: Settling },
): string | null {
  if (heir === own.file) return 'It names itself as the memory that it is merged into.';
  const held = settling.after(heir);
  if (held.kind === 'absent') return `It is to be merged into ${heir}, but ${held.why}.`;
  const lower = held.texts.find(({ source }) => !yieldsTo(own.source, source));
  if (lower !== undefined) return `It is ${own.source}, and ${heir}, which is to hold it, is ${lower.source}.`;
  if (held.before !== null && whenOf(held.before) < whenOf(own))
    return `It is newer than ${heir}: merge the older memory into the newer one.`;
  return null;
}

function unexplained(
  sentence: Sentence,
  facts: Pick<Draft, 'proposal'> & { readonly own: BaseMemory; readonly settling: Settling },
): string | null {
  const { proposal, own, settling } = facts;
  const drops = proposal.drops.filter(({ quote }) => sentenceKeys(quote).has(sentence.key));
  const problems = drops.map((drop) => dropProblem(drop, sentence, { ...settling, own }));
  if (problems.includes(null)) return null;
  const words = `“${sentence.text}” would be dropped`;
  const [drop, problem] = [drops[0], problems[0]];
  return drop === undefined ? `${words}, and no reason is given.` : `${words} as ${drop.because}, but ${problem}.`;
}
