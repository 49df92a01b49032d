/** The gate before a save over MCP: the server hears no conversation, so that what the model quotes of the user is all there is. */

import { checkWrite, type ExistingMemory, type Quote, quotesOf, type SpanMessage } from '../../memory/gate/index.ts';
import type { MemorySource, MemoryType } from '../../memory/taxonomy.ts';

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
      /** What would make it more than that. */
      readonly advice?: string;
    }
  /** `isSaid`: the quote says what is there, so that it is the user's word from now on. */
  | { readonly kind: 'duplicate'; readonly of: string; readonly isSaid: boolean }
  | { readonly kind: 'refused'; readonly advice: string };

export function judgeSave(
  save: ProposedSave,
  facts: { readonly existing: readonly ExistingMemory[]; readonly now: Date },
): SaveVerdict {
  const { existing, now } = facts;
  const { type, name, description, body } = save;
  const proposed = { type, name, description, body };
  const quotes = quotesOf(save);
  const span: readonly SpanMessage[] = quotes.map((text) => ({ from: 'user', text, at: now.toISOString() }));
  // Without words of the user's all that is asked is what no word of theirs could change.
  const spoken: readonly SpanMessage[] =
    quotes.length > 0
      ? span
      : [{ from: 'user', text: body, ...(save.source === 'seen' ? {} : { at: now.toISOString() }) }];
  const decision = checkWrite({ span: spoken, existing, proposed: { ...proposed, quote: quotes } });
  if (decision.verdict === 'reject') return { kind: 'refused', advice: decision.advice };
  if (decision.verdict === 'merge') {
    const known = existing.find(({ file }) => file === decision.duplicateOf)!;
    return { kind: 'duplicate', of: known.file, isSaid: quotes.length > 0 && isQuoted(known, { span, quotes }) };
  }
  const { name: keptName, description: keptDescription, body: keptBody, quote, source } = decision.memory;
  const text = { type, name: keptName, description: keptDescription, body: keptBody };
  if (quotes.length > 0 && save.source !== 'seen') return { kind: 'keep', text, source, quote };
  const weaker = save.source === 'seen' ? 'seen' : 'inferred';
  return { kind: 'keep', text, source: weaker, quote: [], ...(weaker === 'seen' ? {} : { advice: NO_QUOTE }) };
}

function isQuoted(
  { type, description, body }: ExistingMemory,
  { span, quotes }: { readonly span: readonly SpanMessage[]; readonly quotes: readonly string[] },
): boolean {
  // Of the file as it is: a rule in its description that nobody said does not become the user's with the rest.
  return [body, description]
    .filter((text) => text.trim() !== '')
    .every((text) => {
      const proposed = { type, name: text, description: '', body: text, quote: quotes };
      const decision = checkWrite({ span, existing: [], proposed });
      return 'memory' in decision && decision.memory.source === 'said';
    });
}

const NO_QUOTE =
  'No words of the user’s came with it, so it is shown as unconfirmed. To keep it as theirs, save it again with their own words, word for word, as `quote`.';
