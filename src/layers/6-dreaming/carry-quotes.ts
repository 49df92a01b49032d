/** When a memory is merged into another, the user's words it rests on move along, even if the other memory's text does not change. */

import { type Draft, landing } from './draft.ts';
import { editedFile, joinedQuotes } from './judge-write.ts';
import type { BaseMemory } from './proposal.ts';

export interface QuoteCarrier {
  readonly draft: Draft;
  /** The memories merged into it. */
  readonly from: readonly string[];
}

/** Only for heirs the dream does not write itself; the ones it writes already have the quotes. */
export function carryingQuotes(
  drafts: readonly Draft[],
  { base, now }: { readonly base: ReadonlyMap<string, BaseMemory>; readonly now: Date },
): readonly QuoteCarrier[] {
  const open = drafts.filter(({ state }) => state !== 'refuse');
  const concerned = new Set(open.map(({ proposal }) => proposal.file));
  const merged = new Map<string, BaseMemory[]>();
  for (const { proposal } of open) {
    const own = base.get(proposal.file);
    if (proposal.action !== 'remove' || own === undefined || own.quotes.length === 0) continue;
    for (const heir of proposal.into) if (!concerned.has(heir)) merged.set(heir, [...(merged.get(heir) ?? []), own]);
  }
  return [...merged].flatMap(([file, others]) => {
    const heir = base.get(file);
    return heir === undefined || heir.pinned ? [] : carrierOf(heir, { others, now });
  });
}

function carrierOf(
  heir: BaseMemory,
  { others, now }: { readonly others: readonly BaseMemory[]; readonly now: Date },
): readonly QuoteCarrier[] {
  const quotes = joinedQuotes([heir, ...others].flatMap((memory) => memory.quotes));
  if (quotes.length === heir.quotes.length) return [];
  const after = { ...heir, quotes };
  const made = editedFile(after, heir, now);
  if ('problem' in made) return [];
  const from = others.map(({ file }) => file);
  const proposal = {
    ...{ action: 'update' as const, file: heir.file, into: [], drops: [], text: made.text },
    reason: `It keeps the words of yours that ${from.join(', ')} rested on.`,
    evidence: others.map(({ file, quotes: [first] }) => ({ from: file, quote: first!.text })),
  };
  return [{ draft: landing(proposal, { text: made.text, after }), from }];
}
