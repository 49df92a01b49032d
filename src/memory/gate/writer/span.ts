/** A conversation in the gate's words: who said what. What was injected is nobody's word, and what a tool brought is the world's. */

import { fold } from '../../../base/text/fold.ts';
import type { Entry, InjectionSource } from '../../../conversation/entry.ts';
import { type ContentBlock, textOf, toolUsesOf } from '../../../conversation/message.ts';
import { cameAlong, typedText } from '../../../conversation/typed-text.ts';
import type { SpanMessage } from '../index.ts';
import { sentencesOf } from '../parts.ts';

export type { SpanMessage };

/**
 * `otherBytes` bounds what anybody but the user said, newest first: the work then does not grow with the conversation.
 * What is left out supports nothing, so a write that rests on it is refused rather than believed.
 */
export function spanOf(entries: readonly Entry[], facts: SpanFacts = {}): readonly SpanMessage[] {
  const { otherBytes = Number.POSITIVE_INFINITY, isUsersWord = () => false, areRequestsHeard = false } = facts;
  const tools = toolsOf(entries, isUsersWord);
  const forgotten = areRequestsHeard ? [] : forgottenWords(entries);
  const span: SpanMessage[] = [];
  let bytesLeft = otherBytes;
  for (const entry of entries.toReversed()) {
    for (const said of saidIn(entry, tools).toReversed()) {
      if (said.from !== 'user' && bytesLeft <= 0) continue;
      if (!/\S/.test(said.text)) continue;
      const text = said.from === 'user' ? withoutWords(said.text, forgotten) : said.text.slice(0, bytesLeft);
      if (said.from !== 'user') bytesLeft -= Buffer.byteLength(text);
      span.push({ ...said, text, at: entry.at });
    }
  }
  return span.reverse();
}

export interface SpanFacts {
  readonly otherBytes?: number;
  /** Whether the file at a path is a memory that the user said: reading it brings nothing from outside. */
  readonly isUsersWord?: (path: string) => boolean;
  /** Also what the user typed to have a memory forgotten. */
  readonly areRequestsHeard?: boolean;
}

/** What the user typed to have something forgotten. It must not bring that back. */
function forgottenWords(entries: readonly Entry[]): readonly string[] {
  const calls = entries.flatMap(({ message }) => toolUsesOf(message.content)).filter(({ name }) => name === 'Forget');
  return calls.flatMap(({ input }) => (typeof input.quote === 'string' ? [fold(input.quote)] : []));
}

/** From those words to the end of their sentence; what stands in front of them may ask for something else. */
function withoutWords(text: string, words: readonly string[]): string {
  if (words.length === 0) return text;
  return sentencesOf(text)
    .map((sentence) => words.reduce(withoutEnd, sentence))
    .join('\n');
}

/** A longer sentence is no sentence, and finding the place in it takes long: it goes as a whole. */
const SENTENCE_CHARACTERS = 1_000;

function withoutEnd(sentence: string, words: string): string {
  if (words === '' || !fold(sentence).includes(words)) return sentence;
  if (sentence.length > SENTENCE_CHARACTERS) return '';
  const start = Array.from(sentence, (_, at) => at).findLast((at) => fold(sentence.slice(at)).startsWith(words));
  return sentence.slice(0, start ?? 0).trim();
}

const OF_AGENTS: ReadonlySet<InjectionSource> = new Set(['task', 'agent-result', 'agent-message']);

/** What came along stands before the user's words: "what is wrong here?" is said about it. */
function saidIn(entry: Entry, tools: ReadonlyMap<string, ToolVoice>): readonly SpanMessage[] {
  const { message, injected = [] } = entry;
  const sources = new Map(injected.map(({ block, source }) => [block, source]));
  const others = message.content.flatMap((block, position): readonly SpanMessage[] => {
    const said = saidBy(block, { role: message.role, tools });
    if (said === null) return [];
    const source = sources.get(position);
    if (source !== undefined && OF_AGENTS.has(source)) return [{ from: 'agent', text: said.text }];
    if (source !== undefined) return [{ ...said, from: 'injected' }];
    return said.from === 'user' ? [] : [said];
  });
  if (message.role !== 'user') return others;
  const along = cameAlong(entry).map(({ how, text }): SpanMessage => ({ from: how, text }));
  return [...others, ...along, { from: 'user', text: typedText(entry) }];
}

function toolsOf(entries: readonly Entry[], isUsersWord: (path: string) => boolean): ReadonlyMap<string, ToolVoice> {
  const tools = new Map<string, ToolVoice>();
  for (const { id, name, input } of entries.flatMap(({ message }) => toolUsesOf(message.content))) {
    const path = name === 'Read' && typeof input.file_path === 'string' ? input.file_path : null;
    tools.set(id, { tool: name, from: path !== null && isUsersWord(path) ? 'injected' : worldOf(name) });
  }
  return tools;
}

interface ToolVoice {
  readonly tool: string;
  readonly from: 'tool' | 'file' | 'web' | 'agent' | 'injected';
}

function saidBy(
  block: ContentBlock,
  facts: { readonly role: 'user' | 'assistant'; readonly tools: ReadonlyMap<string, ToolVoice> },
): SpanMessage | null {
  switch (block.type) {
    case 'text':
      return { from: facts.role, text: block.text };
    case 'tool_result': {
      const voice = facts.tools.get(block.tool_use_id) ?? { tool: 'unknown', from: 'tool' };
      return { ...voice, text: textOf(block.content) };
    }
    case 'document':
      return block.source.type === 'text' ? { from: 'file', text: block.source.data } : null;
    case 'tool_use':
    case 'image':
    case 'thinking':
    case 'redacted_thinking':
    case 'opaque':
      return null;
  }
}

function worldOf(tool: string): ToolVoice['from'] {
  if (tool === 'MemorySearch') return 'injected';
  if (tool === 'Read') return 'file';
  if (tool === 'Agent' || tool === 'SendMessage') return 'agent';
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
