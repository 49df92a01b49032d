/** A whole prompt of the AI SDK as a host's request, and the prepared messages as a prompt again. */

import type { LanguageModelV3CallOptions, LanguageModelV3Message, LanguageModelV3Prompt } from '@ai-sdk/provider';
import { HOST_LIMITS } from '../../limits.ts';
import type { HostMessage, HostRequest } from '../session.ts';
import { type Block, blockOf, marksIn, type Options, type Part, partOf, UNSEEN, withoutMarks } from './parts.ts';

/** System messages at its beginning stay outside: they are sent as they are. */
export function requestOf(params: LanguageModelV3CallOptions, model: string): HostRequest {
  const { lead, rest } = split(params.prompt);
  return {
    model,
    system: lead.map(({ content }) => content as string).join('\n\n'),
    tools: (params.tools ?? []).flatMap((tool) =>
      tool.type === 'function'
        ? [{ name: tool.name, description: tool.description ?? '', input_schema: tool.inputSchema }]
        : [],
    ),
    messages: rest.map(messageOf),
  };
}

export function promptOf(messages: readonly HostMessage[], given: LanguageModelV3Prompt): LanguageModelV3Prompt {
  const prompt = messages.flatMap(({ role, content }) => promptMessages(role, content as readonly Block[]));
  return [...split(given).lead, ...marked(prompt, newestMark(given))];
}

function split(prompt: LanguageModelV3Prompt): { lead: LanguageModelV3Prompt; rest: LanguageModelV3Prompt } {
  const first = prompt.findIndex(({ role }) => role !== 'system');
  const at = first < 0 ? prompt.length : first;
  return { lead: prompt.slice(0, at), rest: prompt.slice(at) };
}

function messageOf(message: LanguageModelV3Message): HostMessage {
  const { role } = message;
  if (role === 'system') return { role: 'user', content: [{ type: UNSEEN, role, message }] };
  const blocks = (message.content as readonly Part[]).map((part) => blockOf(part, role));
  const [first, ...others] = blocks;
  const messageOptions = withoutMarks(message.providerOptions);
  const content = first && messageOptions ? [{ ...first, messageOptions }, ...others] : blocks;
  return { role: role === 'assistant' ? role : 'user', content };
}

/** Results of tools are messages of their own here; what joined behind them is the user's side. */
function promptMessages(role: string, blocks: readonly Block[]): LanguageModelV3Prompt {
  const messages: { role: string; content: Part[]; providerOptions?: unknown }[] = [];
  const prompt: LanguageModelV3Prompt = [];
  for (const block of blocks) {
    const wanted = roleOf(block, role);
    if (wanted === 'system') {
      prompt.push(block.message as LanguageModelV3Message);
      messages.length = 0;
      continue;
    }
    if (messages.at(-1)?.role !== wanted) {
      const { messageOptions: providerOptions } = block;
      const message = { role: wanted, content: [], ...(providerOptions ? { providerOptions } : {}) };
      messages.push(message);
      prompt.push(message as unknown as LanguageModelV3Message);
    }
    messages.at(-1)!.content.push(partOf(block));
  }
  return prompt;
}

function roleOf(block: Block, role: string): string {
  if (block.type === UNSEEN) return block.role as string;
  return block.type === 'tool_result' ? 'tool' : role;
}

function newestMark(prompt: LanguageModelV3Prompt): Options | undefined {
  for (const { role, content, providerOptions } of prompt.slice(-HOST_LIMITS.markedMessages).reverse()) {
    if (role === 'system') continue;
    const ofParts = (content as readonly Part[]).map((part) => marksIn(part.providerOptions));
    const mark = marksIn(providerOptions) ?? ofParts.findLast((found) => found !== undefined);
    if (mark !== undefined) return mark;
  }
  return undefined;
}

function marked(prompt: LanguageModelV3Prompt, mark: Options | undefined): LanguageModelV3Prompt {
  const last = prompt.at(-1);
  if (mark === undefined || last === undefined) return prompt;
  const known = last.providerOptions ?? {};
  const joined = Object.entries(mark).map(([provider, marks]) => [provider, { ...known[provider], ...marks }]);
  return prompt.with(-1, { ...last, providerOptions: { ...known, ...Object.fromEntries(joined) } });
}
