/**
 * The gate before a save by who hears no conversation: a quote counts only where the hooks of a coding agent saw the user type it. Any
 * other is the model's claim, and the memory stays unconfirmed.
 */

import type { MemorySource, MemoryType } from '../../base/taxonomy.ts';
import { checkWrite, type ExistingMemory, type Quote, quotesOf, type SpanMessage } from '../../memory/gate/index.ts';

export interface ProposedSave {
  readonly type: MemoryType;
  readonly name: string;
  readonly description: string;
  readonly body: string;
  readonly source?: 'said' | 'seen' | 'inferred';
  /** The user's own words that it rests on. */
  readonly quote?: string | readonly string[];
}

export type SaveVerdict =
  | {
      readonly kind: 'keep';
      readonly text: Pick<ProposedSave, 'type' | 'name' | 'description' | 'body'>;
      readonly source: MemorySource;
      readonly quote: readonly Quote[];
    }
  /** `isSaid`: the user typed what is there, so that it is their word from now on. */
  | { readonly kind: 'duplicate'; readonly of: string; readonly isSaid: boolean }
  | { readonly kind: 'refused'; readonly advice: string };

export interface SaveFacts {
  readonly existing: readonly ExistingMemory[];
  /** What the user is known to have typed lately, with what came along; empty where no hook tells. */
  readonly heard: readonly SpanMessage[];
  readonly now: Date;
}

export function judgeSave(save: ProposedSave, facts: SaveFacts): SaveVerdict {
  const { existing, heard, now } = facts;
  const { type, name, description, body } = save;
  const quotes = quotesOf(save);
  const proposed = { type, name, description, body, quote: quotes };
  // Nothing shows what was said, so that all that is asked is what no word of theirs could change, and whether the quote says it.
  const claimed = quotes.length > 0 ? quotes : [body];
  const dated = save.source === 'seen' && quotes.length === 0 ? {} : { at: now.toISOString() };
  const span = claimed.map((text): SpanMessage => ({ from: 'user', text, ...dated }));
  const decision = checkWrite({ span, existing, proposed });
  if (decision.verdict === 'reject') return { kind: 'refused', advice: decision.advice };
  const hearing = quotes.length > 0 && save.source !== 'seen' ? heard : [];
  if (decision.verdict === 'merge') {
    const known = existing.find(({ file }) => file === decision.duplicateOf)!;
    return { kind: 'duplicate', of: known.file, isSaid: isTyped(known, { heard: hearing, quotes }) };
  }
  const checked = hearing.length === 0 ? null : checkWrite({ span: hearing, existing, proposed });
  if (checked !== null && 'memory' in checked && checked.memory.source === 'said') {
    const { source, quote, ...text } = checked.memory;
    return { kind: 'keep', text: { ...text, type }, source, quote };
  }
  const { name: keptName, description: keptDescription, body: keptBody } = decision.memory;
  const text = { type, name: keptName, description: keptDescription, body: keptBody };
  if (save.source === 'seen') return { kind: 'keep', text, source: 'seen', quote: [] };
  return { kind: 'keep', text, source: 'inferred', quote: [] };
}

function isTyped(
  { type, description, body }: ExistingMemory,
  { heard, quotes }: { readonly heard: readonly SpanMessage[]; readonly quotes: readonly string[] },
): boolean {
  if (heard.length === 0) return false;
  // Of the file as it is: a rule in its description that nobody said does not become the user's with the rest.
  return [body, description]
    .filter((text) => text.trim() !== '')
    .every((text) => {
      const proposed = { type, name: text, description: '', body: text, quote: quotes };
      const decision = checkWrite({ span: heard, existing: [], proposed });
      return 'memory' in decision && decision.memory.source === 'said';
    });
}
