/** The messages as folds show them: calls and results become lines, everything else stays. */

import type { ContentBlock, Message, TextBlock } from '../../conversation/message.ts';
import type { Fold } from './state.ts';

export interface FoldedView {
  /** Returns the given list itself when nothing is folded; unchanged messages stay the same objects. */
  of(messages: readonly Message[]): readonly Message[];
}

export function createFoldedView(folds: readonly Fold[]): FoldedView {
  const byId = new Map(folds.flatMap((fold) => fold.toolUseIds.map((id) => [id, fold] as const)));
  /** Each message is checked once, not before every request. */
  const shown = new WeakMap<Message, Message>();

  function show(message: Message): Message {
    const known = shown.get(message) ?? foldedMessage(message, byId);
    shown.set(message, known);
    return known;
  }
  return { of: (messages) => (byId.size === 0 ? messages : messages.map(show)) };
}

export function foldedMessage(message: Message, byId: ReadonlyMap<string, Fold>): Message {
  const folds = new Set<Fold>();
  for (const block of message.content) {
    const fold = byId.get(idOf(block) ?? '');
    if (fold !== undefined) folds.add(fold);
  }
  if (folds.size === 0) return message;
  const rest = message.content.filter((block) => !byId.has(idOf(block) ?? ''));
  if (message.role === 'user') {
    // Results come first if there are any: what is left of them has to as well.
    const kept = rest.filter(({ type }) => type === 'tool_result');
    const others = rest.filter(({ type }) => type !== 'tool_result');
    return { role: 'user', content: [...kept, ...linesOf(folds, 'results'), ...others] };
  }
  const hasCalls = rest.some(({ type }) => type === 'tool_use');
  // Thinking is only required next to the calls it led to.
  const said = hasCalls ? rest : rest.filter(({ type }) => type !== 'thinking' && type !== 'redacted_thinking');
  const calls = said.filter(({ type }) => type === 'tool_use');
  const words = said.filter(({ type }) => type !== 'tool_use');
  return { role: 'assistant', content: [...words, ...linesOf(folds, 'calls'), ...calls] };
}

function linesOf(folds: ReadonlySet<Fold>, side: 'calls' | 'results'): readonly TextBlock[] {
  return [...folds].map((fold) => ({ type: 'text', text: fold[side] }));
}

function idOf(block: ContentBlock): string | null {
  if (block.type === 'tool_use') return block.id;
  return block.type === 'tool_result' ? block.tool_use_id : null;
}
