/** A fork: the parent's exact prefix, so that it reads the parent's warm cache, then a directive of its own. Its state is its own. */

import type { Entry } from '../conversation/entry.ts';
import { type ContentBlock, textOf, toolUsesOf } from '../conversation/message.ts';
import { ReverieError } from '../errors.ts';
import type { Purpose } from '../model/purpose.ts';
import type { Conversation } from './conversation.ts';
import type { AgentEvent, TurnOutcome } from './event.ts';
import { type LoopParts, runTurn } from './loop.ts';
import type { DecidePermission } from './permission.ts';
import type { Rendered } from './rendered.ts';
import type { LoopSeams } from './seams.ts';
import type { Tool } from './tool.ts';
import { resultBlock } from './tool-runs.ts';

/** Marks a fork in its own messages: whoever sees it there must not fork again. */
export const FORK_TAG = '<fork-directive>';
const FORK_TAG_END = '</fork-directive>';

const PLACEHOLDER = 'Handled in the conversation this was forked from; not shown here.';

export interface ForkRequest {
  readonly parent: LoopParts;
  readonly purpose: Exclude<Purpose, 'main'>;
  /** The only part of the fork's request that differs from the parent's. */
  readonly directive: string;
  /** The parent's tools over a clone of what the parent has read. */
  readonly tools: ReadonlyMap<string, Tool>;
  /** Tools stay as they are in the request, since they are part of the prefix; what a fork may not do is denied here. */
  readonly decide: DecidePermission;
  /** The parent's view of the conversation, cloned: what was stored or cleared there renders the same here. */
  readonly seams: (conversation: Conversation) => LoopSeams;
  readonly maxRounds: number;
  /** Ends the fork. Whoever starts it decides whether interrupting the parent does that too. */
  readonly signal: AbortSignal;
  readonly onEvent?: (event: AgentEvent) => void;
}

export interface ForkOutcome {
  readonly outcome: TurnOutcome;
  /** The text of the last answer. */
  readonly answer: string;
  /** What the fork added; the parent knows nothing of it. */
  readonly entries: readonly Entry[];
}

export async function runFork(request: ForkRequest): Promise<ForkOutcome> {
  const { parent } = request;
  refuseForkOfFork(parent);
  const conversation = parent.conversation.clone();
  const from = conversation.entries.length;
  const prompt = forkPrompt(conversation, request.directive);
  const outcome = await runTurn(
    {
      ...parent,
      conversation,
      rendered: withFileTools(parent.rendered, request.tools),
      seams: request.seams(conversation),
      purpose: request.purpose,
      tools: request.tools,
      decide: request.decide,
      maxRounds: request.maxRounds,
      onEvent: request.onEvent ?? (() => {}),
      watch: undefined,
    },
    { prompt, signal: request.signal, source: 'directive' },
  );
  const entries = conversation.entries.slice(from);
  const last = entries.findLast(({ message }) => message.role === 'assistant');
  return { outcome, answer: last === undefined ? '' : textOf(last.message.content), entries };
}

const FILE_TOOLS = ['Glob', 'Grep', 'Read', 'Edit', 'Write'];

/** A session that directs others or only reads has forks that write memories and notes: they are shown the tools for it, at the price of the warm cache. */
function withFileTools(rendered: Rendered, tools: ForkRequest['tools']): Rendered {
  const known = new Set(rendered.tools.map(({ name }) => name));
  const missing = FILE_TOOLS.flatMap((name) => (known.has(name) ? [] : (tools.get(name) ?? [])));
  if (missing.length === 0) return rendered;
  const added = missing.map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema }));
  return { ...rendered, tools: [...rendered.tools, ...added] };
}

/** What a fork begins with, behind the conversation it was cloned from. */
export function forkPrompt(conversation: Conversation, directive: string): readonly ContentBlock[] {
  const text = `${FORK_TAG}\n${directive.trimEnd()}\n${FORK_TAG_END}`;
  return [...placeholderResults(conversation.messages().at(-1)), { type: 'text', text }];
}

/** Whether a conversation is a fork's, by the tag in its history; whoever knows it better says so first. */
export function isTaggedAsFork({ entries }: Pick<Conversation, 'entries'>): boolean {
  return entries.some(({ injected }) => injected?.some(({ source }) => source === 'directive'));
}

/** Every call the parent still waits for gets the same words, so that siblings share one prefix. */
function placeholderResults(last: { readonly role: string; readonly content: readonly ContentBlock[] } | undefined) {
  if (last?.role !== 'assistant') return [];
  return toolUsesOf(last.content).map((call) => resultBlock(call, { content: PLACEHOLDER }));
}

function refuseForkOfFork(parent: LoopParts): void {
  const isConversation = parent.purpose === 'main' || parent.purpose === 'agent';
  if (isConversation && !isTaggedAsFork(parent.conversation)) return;
  throw new ReverieError({ code: 'refused', message: 'A fork cannot fork again.', fix: 'Do the work in this fork.' });
}
