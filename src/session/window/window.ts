/** What fills the context window, by source: estimates of each part, brought to what the provider counted. */

import type { Entry, InjectionSource } from '../../conversation/entry.ts';
import type { ContentBlock } from '../../conversation/message.ts';
import {
  countWindow,
  estimateJsonTokens,
  estimateTextTokens,
  estimateTokens,
  totalTokens,
} from '../../conversation/tokens.ts';
import type { Window } from '../../conversation/window.ts';
import type { SessionContext } from '../../toolbox/session-context.ts';
import { windowFor } from '../../toolbox/window.ts';

export interface WindowPart {
  readonly name: string;
  readonly tokens: number;
}

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
  const rendered = session.rendered();
  const { entries } = session.conversation;
  const sums = new Map<string, number>();
  const add = (name: string, tokens: number) => void sums.set(name, (sums.get(name) ?? 0) + tokens);
  for (const { text } of rendered.system) add('system prompt', estimateTextTokens(text));
  for (const schema of rendered.tools) add('tools', estimateJsonTokens(schema));
  for (const block of rendered.context) addContext(block, add);
  const toolNames = new Map<string, string>();
  for (const entry of entries) addEntry(entry, { add, toolNames });

  const estimated = [...sums.values()].reduce((sum, tokens) => sum + tokens, 0);
  const isCounted = entries.some(({ response }) => response !== undefined && totalTokens(response.usage) > 0);
  const usedTokens = isCounted ? countWindow(entries) : estimated;
  const share = estimated === 0 ? 0 : usedTokens / estimated;
  const parts = [...sums].map(([name, tokens]) => ({ name, tokens: Math.round(tokens * share) }));
  return {
    parts: parts.filter(({ tokens }) => tokens > 0),
    usedTokens,
    window: windowFor(session),
    isCounted,
  };
}

type Add = (name: string, tokens: number) => void;

const INDEX_HEADING = '# Memory index';

/** Instruction files and index are one text; the index comes last. */
function addContext(block: ContentBlock, add: Add): void {
  const text = block.type === 'text' ? block.text : '';
  const at = text.lastIndexOf(INDEX_HEADING);
  const indexTokens = at === -1 ? 0 : estimateTextTokens(text.slice(at));
  add('instruction files', estimateTokens(block) - indexTokens);
  add('memory index', indexTokens);
}

function addEntry(
  { message, injected = [] }: Entry,
  { add, toolNames }: { readonly add: Add; readonly toolNames: Map<string, string> },
): void {
  const sources = new Map(injected.map(({ block, source }) => [block, source]));
  for (const [at, block] of message.content.entries()) {
    if (block.type === 'tool_use') toolNames.set(block.id, block.name);
    const source = sources.get(at);
    add(source === undefined ? nameOf(block, { role: message.role, toolNames }) : NAMES[source], estimateTokens(block));
  }
}

function nameOf(
  block: ContentBlock,
  facts: { readonly role: 'user' | 'assistant'; readonly toolNames: ReadonlyMap<string, string> },
): string {
  switch (block.type) {
    case 'tool_use':
      return 'tool calls';
    case 'tool_result':
      return `results of ${facts.toolNames.get(block.tool_use_id) ?? 'a tool'}`;
    case 'thinking':
    case 'redacted_thinking':
      return 'thinking';
    case 'text':
    case 'image':
    case 'document':
    case 'opaque':
      return facts.role === 'user' ? 'your messages' : 'answers';
  }
}

const NAMES = {
  context: 'instruction files',
  summary: 'summary',
  snip: 'reminders',
  date: 'reminders',
  recall: 'recalled memories',
  index: 'reminders',
  instructions: 'rules for files',
  hook: 'hooks',
  notification: 'reminders',
  task: 'tasks of agents',
  'agent-result': 'results of agents',
  interruption: 'reminders',
  continuation: 'reminders',
  directive: 'reminders',
} as const satisfies Record<InjectionSource, string>;
