/** Our messages as a prompt of the AI SDK: roles alternate, and every tool call is answered before anything else is said. */

import type {
  LanguageModelV3FilePart,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3TextPart,
  LanguageModelV3ToolResultPart,
} from '@ai-sdk/provider';
import type {
  ContentBlock,
  DocumentBlock,
  ImageBlock,
  Message,
  ResultBlock,
  ThinkingBlock,
  ToolResultBlock,
  ToolUseBlock,
} from '../../conversation/message.ts';
import type { ModelCapabilities, ModelRequest } from '../model.ts';
import { type KeptThinking, openThinking } from './thinking.ts';

export interface PromptFacts extends MediaFacts {
  readonly provider: string;
}

interface Turn {
  readonly role: Message['role'];
  readonly blocks: ContentBlock[];
}

export function renderPrompt(
  request: Pick<ModelRequest, 'system' | 'messages'>,
  facts: PromptFacts,
): LanguageModelV3Prompt {
  const system = request.system.map((block) => block.text).join('\n\n');
  const turns = turnsOf(request.messages, facts.provider);
  // One system message: chat templates of local models often do not accept a second one.
  const prompt: LanguageModelV3Prompt = system.trim() === '' ? [] : [{ role: 'system', content: system }];
  for (const [at, turn] of turns.entries()) {
    const previous = turns[at - 1];
    if (turn.role === 'user') prompt.push(...renderUser(turn, { ...facts, calls: callsOf(previous) }));
    else prompt.push(renderAssistant(turn, facts.provider));
  }
  // A conversation that ends with calls, such as an interrupted one, still has to answer them.
  const unanswered = turns.at(-1)?.role === 'assistant' ? callsOf(turns.at(-1)) : [];
  if (unanswered.length > 0) prompt.push({ role: 'tool', content: unanswered.map(withoutResult) });
  return prompt;
}

/** Neighbours of one role are one turn; what cannot be sent is left out first, since that may leave nothing between two. */
function turnsOf(messages: readonly Message[], provider: string): Turn[] {
  const turns: Turn[] = [];
  for (const { role, content } of messages) {
    const blocks = content.filter((block) => isSendable(block, provider));
    const last = turns.at(-1);
    if (blocks.length === 0) continue;
    if (last?.role === role) last.blocks.push(...blocks);
    else turns.push({ role, blocks });
  }
  return turns;
}

function isSendable(block: ContentBlock, provider: string): boolean {
  switch (block.type) {
    case 'text':
      return block.text.trim() !== '';
    case 'thinking':
      return openThinking(block, provider) !== null;
    case 'redacted_thinking':
    case 'opaque':
      return false;
    case 'image':
    case 'document':
    case 'tool_use':
    case 'tool_result':
      return true;
  }
}

function callsOf(turn: Turn | undefined): ToolUseBlock[] {
  return turn?.role === 'assistant' ? turn.blocks.filter((block) => block.type === 'tool_use') : [];
}

type AssistantMessage = Extract<LanguageModelV3Message, { role: 'assistant' }>;

function renderAssistant(turn: Turn, provider: string): AssistantMessage {
  const kept = new Map<ThinkingBlock, KeptThinking>();
  for (const block of turn.blocks) {
    const opened = block.type === 'thinking' ? openThinking(block, provider) : null;
    if (block.type === 'thinking' && opened) kept.set(block, opened);
  }
  const ofCalls = new Map(
    [...kept.values()].flatMap((each) => (each.call ? [[each.call, each.metadata] as const] : [])),
  );
  const content: AssistantMessage['content'] = [];
  for (const block of turn.blocks) {
    if (block.type === 'text') content.push({ type: 'text', text: block.text });
    if (block.type === 'tool_use') content.push({ ...callPart(block), ...optionsOf(ofCalls.get(block.id)) });
    const thought = block.type === 'thinking' ? kept.get(block) : undefined;
    if (block.type === 'thinking' && thought && !thought.call) {
      content.push({ type: 'reasoning', text: block.thinking, ...optionsOf(thought.metadata) });
    }
  }
  return { role: 'assistant', content };
}

function callPart(block: ToolUseBlock) {
  return { type: 'tool-call' as const, toolCallId: block.id, toolName: block.name, input: block.input };
}

function optionsOf(metadata: KeptThinking['metadata']) {
  return metadata ? { providerOptions: metadata } : {};
}

/** Results first, in a separate message; not every provider takes pictures there, so they follow as the user's. */
function renderUser(turn: Turn, facts: PromptFacts & { calls: readonly ToolUseBlock[] }): LanguageModelV3Prompt {
  const results = new Map<string, ToolResultBlock>();
  const said: UserPart[] = [];
  for (const block of turn.blocks) {
    const isAnswer = block.type === 'tool_result' && facts.calls.some((call) => call.id === block.tool_use_id);
    if (isAnswer && !results.has(block.tool_use_id)) results.set(block.tool_use_id, block);
    // Its call is gone from the conversation; no provider takes it as a result, but nothing of it is lost.
    else if (block.type === 'tool_result')
      said.push({ type: 'text', text: `An earlier tool's result: ${textOfResult(block)}` });
    else if (block.type === 'text') said.push({ type: 'text', text: block.text });
    else if (block.type === 'image' || block.type === 'document') said.push(...mediaParts(block, facts));
  }
  const answers = facts.calls.map((call) => {
    const result = results.get(call.id);
    return result ? resultPart(call, result) : withoutResult(call);
  });
  const pictures = facts.calls.flatMap((call) => {
    const media = results.get(call.id)?.content.filter((part) => part.type !== 'text') ?? [];
    const parts = media.flatMap((part) => mediaParts(part, facts));
    return parts.length > 0 ? [{ type: 'text' as const, text: `From the result of ${call.name}:` }, ...parts] : [];
  });
  const content = [...pictures, ...said];
  return [
    ...(answers.length > 0 ? [{ role: 'tool' as const, content: answers }] : []),
    ...(content.length > 0 ? [{ role: 'user' as const, content }] : []),
  ];
}

function resultPart(call: ToolUseBlock, result: ToolResultBlock): LanguageModelV3ToolResultPart {
  const hasMedia = result.content.some((part) => part.type !== 'text');
  const value = textOfResult(result) || (hasMedia ? '(shown below)' : '(empty)');
  const output = result.is_error ? ({ type: 'error-text', value } as const) : ({ type: 'text', value } as const);
  return { type: 'tool-result', toolCallId: call.id, toolName: call.name, output };
}

function withoutResult(call: ToolUseBlock): LanguageModelV3ToolResultPart {
  const output = { type: 'error-text', value: 'There is no result: the call was interrupted.' } as const;
  return { type: 'tool-result', toolCallId: call.id, toolName: call.name, output };
}

function textOfResult(result: ToolResultBlock): string {
  return result.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

// Images and documents as parts of an AI SDK prompt, or a line in their place if the model cannot take them.

type UserPart = LanguageModelV3TextPart | LanguageModelV3FilePart;

interface MediaFacts {
  readonly capabilities: Pick<ModelCapabilities, 'images' | 'documents'>;
}

function mediaParts(block: ResultBlock, facts: MediaFacts): UserPart[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: block.text }];
    case 'image':
      return [facts.capabilities.images ? imagePart(block) : note('An image that this model cannot see.')];
    case 'document':
      return [documentPart(block, facts)];
  }
}

function imagePart({ source }: ImageBlock): LanguageModelV3FilePart {
  return source.type === 'url'
    ? { type: 'file', mediaType: 'image/*', data: new URL(source.url) }
    : { type: 'file', mediaType: source.media_type, data: source.data };
}

function documentPart({ source, title }: DocumentBlock, facts: MediaFacts): UserPart {
  if (source.type === 'text') return { type: 'text', text: title ? `${title}\n\n${source.data}` : source.data };
  if (!facts.capabilities.documents) return note(`A document that this model cannot read${title ? `: ${title}` : ''}.`);
  return { type: 'file', mediaType: source.media_type, data: source.data, ...(title && { filename: title }) };
}

function note(text: string): LanguageModelV3TextPart {
  return { type: 'text', text: `[${text}]` };
}
