/** What fills the context window, by source: estimates of each part, brought to what the provider counted. */

import type { Rendered } from '../../agent/rendered.ts';
import { addParts, addTo, scaledParts, type WindowPart, writeParts } from '../../conversation/composition.ts';
import type { Entry } from '../../conversation/entry.ts';
import type { ContentBlock } from '../../conversation/message.ts';
import {
  countWindow,
  estimateJsonTokens,
  estimateTextTokens,
  estimateTokens,
  totalTokens,
} from '../../conversation/tokens.ts';
import type { Window } from '../../conversation/window.ts';
import type { ModelResponse } from '../../model/model.ts';
import type { SessionContext } from '../../toolbox/session-context.ts';
import { windowFor } from '../../toolbox/window.ts';

export interface AgentWindow {
  /** In the order of the request; empty parts are left out. */
  readonly parts: readonly WindowPart[];
  readonly usedTokens: number;
  readonly window: Window;
  /** Whether the sum was counted by the provider; before the first answer it is our estimate. */
  readonly isCounted: boolean;
}

export function agentWindow(
  session: Pick<SessionContext, 'place' | 'rendered' | 'conversation' | 'model'>,
): AgentWindow {
  const { entries } = session.conversation;
  const sums = new Map(prefixSums(session.rendered()));
  const toolNames = new Map<string, string>();
  for (const entry of entries) addParts(entry, { sums, toolNames });

  const estimated = [...sums.values()].reduce((sum, tokens) => sum + tokens, 0);
  const isCounted = entries.some(({ response }) => response !== undefined && totalTokens(response.usage) > 0);
  const usedTokens = isCounted ? countWindow(entries) : estimated;
  return { parts: scaledParts(sums, usedTokens), usedTokens, window: windowFor(session), isCounted };
}

/**
 * The parts of each request for its line in the ledger, its answer included: what `/context` shows once it is there. Goes on
 * from the request before, so that a long conversation costs no more than a short one.
 */
export function createComposition(
  session: Pick<SessionContext, 'rendered' | 'conversation'>,
): (response: Pick<ModelResponse, 'content' | 'usage'>) => string | null {
  let told = { sums: new Map<string, number>(), toolNames: new Map<string, string>() };
  let entriesDone = 0;
  let last: Entry | undefined;
  let prefix: { readonly of: Rendered; readonly sums: ReadonlyMap<string, number> } | null = null;
  return ({ content, usage }) => {
    if (totalTokens(usage) === 0) return null;
    const rendered = session.rendered();
    const { entries } = session.conversation;
    if (prefix?.of !== rendered) prefix = { of: rendered, sums: prefixSums(rendered) };
    // After a compaction or a rewind the beginning is another one.
    if (entriesDone > 0 && entries[entriesDone - 1] !== last) {
      told = { sums: new Map(), toolNames: new Map() };
      entriesDone = 0;
    }
    for (const entry of entries.slice(entriesDone)) addParts(entry, told);
    entriesDone = entries.length;
    last = entries.at(-1);
    const sums = new Map(prefix.sums);
    for (const [name, tokens] of told.sums) addTo(sums, name, tokens);
    addParts({ message: { role: 'assistant', content } }, { sums, toolNames: new Map() });
    return writeParts(scaledParts(sums, totalTokens(usage)));
  };
}

/** What every request begins with. */
function prefixSums({ system, tools, context }: Rendered): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { text } of system) addTo(sums, 'system prompt', estimateTextTokens(text));
  for (const schema of tools) addTo(sums, 'tools', estimateJsonTokens(schema));
  for (const block of context) addContext(block, sums);
  return sums;
}

const INDEX_HEADING = '# Memory index';

/** Instruction files and index are one text; the index comes last. */
function addContext(block: ContentBlock, sums: Map<string, number>): void {
  const text = block.type === 'text' ? block.text : '';
  const at = text.lastIndexOf(INDEX_HEADING);
  const indexTokens = at === -1 ? 0 : estimateTextTokens(text.slice(at));
  addTo(sums, 'instruction files', estimateTokens(block) - indexTokens);
  addTo(sums, 'memory index', indexTokens);
}
