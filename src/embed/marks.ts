/** Marks for the prompt cache on what a host sends: placed by us where it asks for that, moved along where it places its own. */

import { chooseBreakpoints as chooseMessages } from '../conversation/breakpoints.ts';
import type { Message } from '../conversation/message.ts';
import { HOST_LIMITS, MESSAGES_API_LIMITS } from '../limits.ts';
import { cacheControl, chooseBreakpoints, markMessage } from '../model/anthropic/breakpoints.ts';
import type { WireMessage as MarkableMessage } from '../model/anthropic/message.ts';
import type { CacheTtl } from '../model/model.ts';
import { toHost, type WireMessage } from './messages.ts';
import type { HostRequest } from './session.ts';

type Mark = ReturnType<typeof cacheControl>;
type Block = object & { readonly cache_control?: unknown };

/** The fields of a request that are sent in place of the host's own. */
export interface MarkedRequest {
  readonly messages: readonly WireMessage[];
  readonly system?: readonly object[];
  readonly tools?: readonly object[];
}

export function markRequest(
  request: HostRequest,
  facts: {
    /** Without empty ones. */
    readonly messages: readonly Message[];
    readonly cacheControl: boolean | undefined;
    readonly ttl: CacheTtl;
  },
): MarkedRequest {
  const messages = facts.messages.map(toHost);
  const marked = (mark: Mark, taken: number) =>
    markMessages(facts.messages, { messages, mark, most: MESSAGES_API_LIMITS.breakpoints - taken });
  if (facts.cacheControl !== true) {
    const mark = newestMark(request);
    const taken = [...blocksIn(request.system), ...blocksIn(request.tools)].filter(isMarked).length;
    return { messages: mark === null ? messages : marked(mark, taken) };
  }
  const mark = cacheControl(facts.ttl);
  const system = blocksIn(request.system).map(unmarked);
  return {
    ...(system.length === 0 ? {} : { system: system.with(-1, { ...system.at(-1), cache_control: mark } as Block) }),
    ...(request.tools ? { tools: blocksIn(request.tools).map(unmarked) } : {}),
    messages: marked(mark, system.length === 0 ? 0 : 1),
  };
}

function markMessages(
  view: readonly Message[],
  facts: { readonly messages: readonly WireMessage[]; readonly mark: Mark; readonly most: number },
): readonly WireMessage[] {
  const sentBefore = Math.max(
    0,
    view.findLastIndex(({ role }) => role === 'assistant'),
  );
  const wanted = chooseMessages({ messages: view, sentBefore });
  const markable = facts.messages as unknown as readonly MarkableMessage[];
  const places = chooseBreakpoints({ systemBlocks: 0, staticEnd: null, messages: markable, wanted }).messages;
  const chosen = new Set(facts.most > 0 ? places.slice(-facts.most) : []);
  return facts.messages.map((message, at) =>
    chosen.has(at) ? (markMessage(markable[at]!, facts.mark) as unknown as WireMessage) : message,
  );
}

/** Whoever marks a conversation marks its end. */
function newestMark({ messages }: HostRequest): Mark | null {
  for (const { content } of messages.slice(-HOST_LIMITS.markedMessages).reverse()) {
    const marked = typeof content === 'string' ? undefined : (content as readonly Block[]).findLast(isMarked);
    if (marked !== undefined) return marked.cache_control as Mark;
  }
  return null;
}

function blocksIn(part: string | readonly object[] | null | undefined): readonly Block[] {
  if (typeof part === 'string') return part === '' ? [] : [{ type: 'text', text: part } as Block];
  return part ?? [];
}

function isMarked({ cache_control: mark }: Block): boolean {
  return typeof mark === 'object' && mark !== null;
}

function unmarked({ cache_control: _, ...block }: Block): Block {
  return block;
}
