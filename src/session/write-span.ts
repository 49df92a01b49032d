/** A conversation in the gate's words: who said what. What was injected is nobody's word, and what a tool brought is the world's. */

import type { Entry } from '../conversation/entry.ts';
import { type ContentBlock, textOf } from '../conversation/message.ts';
import type { SpanMessage } from '../memory/gate/index.ts';

export type { SpanMessage };

/**
 * `otherBytes` bounds what anybody but the user said, newest first: the work then does not grow with the conversation.
 * What is left out supports nothing, so a write that rests on it is refused rather than believed.
 */
export function spanOf(
  entries: readonly Entry[],
  { otherBytes = Number.POSITIVE_INFINITY }: { readonly otherBytes?: number } = {},
): readonly SpanMessage[] {
  const tools = toolsOf(entries);
  const span: SpanMessage[] = [];
  let bytesLeft = otherBytes;
  for (let at = entries.length - 1; at >= 0; at--) {
    const { message, injected, at: time } = entries[at]!;
    for (let position = message.content.length - 1; position >= 0; position--) {
      const isInjected = injected?.some(({ block }) => block === position) === true;
      const block = message.content[position]!;
      const isOwn = message.role === 'user' && block.type === 'text' && !isInjected;
      if (!isOwn && bytesLeft <= 0) continue;
      const said = saidBy(block, { role: message.role, tools });
      if (said === null || !/\S/.test(said.text)) continue;
      const text = isOwn ? said.text : said.text.slice(0, bytesLeft);
      if (!isOwn) bytesLeft -= Buffer.byteLength(text);
      span.push({ ...said, text, at: time, ...(isInjected ? { from: 'injected' as const } : {}) });
    }
  }
  return span.reverse();
}

function toolsOf(entries: readonly Entry[]): ReadonlyMap<string, string> {
  const tools = new Map<string, string>();
  for (const { message } of entries) {
    for (const block of message.content) if (block.type === 'tool_use') tools.set(block.id, block.name);
  }
  return tools;
}

function saidBy(
  block: ContentBlock,
  facts: { readonly role: 'user' | 'assistant'; readonly tools: ReadonlyMap<string, string> },
): SpanMessage | null {
  switch (block.type) {
    case 'text':
      return { from: facts.role, text: block.text };
    case 'tool_result': {
      const tool = facts.tools.get(block.tool_use_id) ?? 'unknown';
      return { from: worldOf(tool), tool, text: textOf(block.content) };
    }
    case 'tool_use':
    case 'image':
    case 'document':
    case 'thinking':
    case 'redacted_thinking':
    case 'opaque':
      return null;
  }
}

function worldOf(tool: string): 'tool' | 'file' | 'web' {
  if (tool === 'Read') return 'file';
  return tool === 'WebFetch' || tool === 'WebSearch' ? 'web' : 'tool';
}

/** One after the other, as if nothing had come between them; `otherBytes` bounds both together. */
export function joinSpans(
  earlier: readonly SpanMessage[],
  now: readonly SpanMessage[],
  { otherBytes }: { readonly otherBytes: number },
): readonly SpanMessage[] {
  const bytesOf = ({ from, text }: SpanMessage) => (from === 'user' ? 0 : Buffer.byteLength(text));
  let bytesLeft = now.reduce((left, said) => left - bytesOf(said), otherBytes);
  const kept = earlier.toReversed().flatMap((said) => {
    if (said.from === 'user') return [said];
    const text = said.text.slice(0, Math.max(0, bytesLeft));
    bytesLeft -= Buffer.byteLength(text);
    return text === '' ? [] : [{ ...said, text }];
  });
  return [...kept.reverse(), ...now];
}
