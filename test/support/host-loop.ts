/** The loop of a host that is not ours, over the real SDK: it keeps its own messages, and asks a session before and after each call. */

import Anthropic from '@anthropic-ai/sdk';
import type { Session } from '../../src/embed/session.ts';
import type { RecordedRequest, ServerAnswer } from './messages-server.ts';

type Params = Anthropic.MessageCreateParamsNonStreaming;

export interface HostLoop {
  readonly messages: Anthropic.MessageParam[];
  /** Asks, runs tools, asks again, until there is an answer. */
  turn(words: string): Promise<void>;
}

const TOOLS: Anthropic.Tool[] = [
  { name: 'look', description: 'Looks at a thing.', input_schema: { type: 'object', properties: {} } },
];

export function startHostLoop(facts: {
  readonly session: Session;
  readonly url: string;
  readonly result?: (round: number) => string;
  readonly messages?: Anthropic.MessageParam[];
  readonly params?: Partial<Params>;
}): HostLoop {
  const { session, result = (round) => `result ${round}` } = facts;
  const client = new Anthropic({ apiKey: 'not-a-key', baseURL: facts.url, maxRetries: 0 });
  const messages = facts.messages ?? [];
  let rounds = 0;
  const paramsOf = (): Params => ({
    model: 'claude-sonnet-5-5',
    max_tokens: 1_000,
    system: 'You help.',
    tools: TOOLS,
    messages,
    ...facts.params,
  });

  async function ask(): Promise<Anthropic.Message> {
    try {
      return await client.messages.create(await session.prepare(paramsOf()));
    } catch (error) {
      if (!(await session.refused(error))) throw error;
      return client.messages.create(await session.prepare(paramsOf()));
    }
  }

  return {
    messages,
    async turn(words) {
      messages.push({ role: 'user', content: words });
      for (;;) {
        const response = await ask();
        await session.observe(response);
        messages.push({ role: 'assistant', content: response.content });
        const calls = response.content.filter((block) => block.type === 'tool_use');
        if (calls.length === 0) return;
        rounds += 1;
        const content = result(rounds);
        messages.push({
          role: 'user',
          content: calls.map(({ id }) => ({ type: 'tool_result' as const, tool_use_id: id, content })),
        });
      }
    },
  };
}

export const calls = (id: string): ServerAnswer => ({
  content: [{ type: 'tool_use', id, name: 'look', input: { at: id } }],
});

export const says = (text: string): ServerAnswer => ({ content: [{ type: 'text', text }] });

export function isSummaryRequest({ bytes }: RecordedRequest): boolean {
  return bytes.includes('<summary>') && bytes.includes('<analysis>');
}

/** Role and block, one string each, without marks: what a provider compares. */
export function sentBlocks({ body }: Pick<RecordedRequest, 'body'>): string[] {
  return body.messages.flatMap(({ role, content }: { role: string; content: object[] }) =>
    content.map((block) => JSON.stringify({ role, ...block, cache_control: undefined })),
  );
}

/** Requests that do not repeat the one before them, by number from 1. */
export function brokenAt(requests: readonly Pick<RecordedRequest, 'body'>[]): number[] {
  const sent = requests.map(sentBlocks);
  return sent.flatMap((blocks, at) => {
    const before = sent[at - 1] ?? [];
    return before.every((block, index) => blocks[index] === block) ? [] : [at + 1];
  });
}
