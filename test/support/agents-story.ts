/** What stories about agents share: a place, a server that plays all of them, and words to tell them apart. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentEvent } from '../../src/agent/event.ts';
import type { AgentOptions } from '../../src/session/agent.ts';
import { openAgent } from '../../src/session/open-agent.ts';
import type { SteerableAgent } from '../../src/session/steering.ts';
import {
  type MessagesServer,
  type RecordedRequest,
  type ServerAnswer,
  startMessagesServer,
} from './messages-server.ts';
import { quietAgent } from './quiet-agent.ts';
import { temporaryFolder } from './temporary-folder.ts';

export type Play = (request: RecordedRequest) => ServerAnswer | Promise<ServerAnswer>;

/** One story at a time: `begin` before each, `end` after it. */
export function agentsStory() {
  let root = '';
  let server: MessagesServer | null = null;
  const agents: SteerableAgent[] = [];
  return {
    begin(): void {
      root = temporaryFolder('agents');
      mkdirSync(join(root, 'project'));
      writeFileSync(join(root, 'project', 'a.txt'), 'alpha\nbeta\n');
    },
    async end(): Promise<void> {
      for (const agent of agents.splice(0)) await agent.close();
      await server?.close();
      server = null;
    },
    root: () => root,
    async serve(play: Play, options: Parameters<typeof startMessagesServer>[1] = {}): Promise<MessagesServer> {
      server = await startMessagesServer(play, options);
      return server;
    },
    async open(options: AgentOptions = {}): Promise<SteerableAgent> {
      const agent = await openAgent({ ...quietAgent(root, server!), dreams: false, ...options });
      agents.push(agent);
      return agent;
    },
  };
}

export async function hear(events: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const heard: AgentEvent[] = [];
  for await (const event of events) heard.push(event);
  return heard;
}

export const say = (agent: SteerableAgent, prompt: string) => hear(agent.send(prompt));

export const text = (words: string): ServerAnswer => ({ content: [{ type: 'text', text: words }] });

export const agentCall = (input: Record<string, unknown>, id = 'toolu_1') => ({
  ...{ type: 'tool_use' as const, id, name: 'Agent', input: { description: 'do a thing', ...input } },
});

export const calls = (...content: ReturnType<typeof agentCall>[]): ServerAnswer => ({
  content,
  stopReason: 'tool_use',
});

/** The last message of a request. */
export function lastOf({ body }: RecordedRequest): string {
  return JSON.stringify(body.messages.at(-1).content);
}

/** Whose request it is, by a word in its task. */
export function isOf({ body }: RecordedRequest, word: string): boolean {
  return JSON.stringify(body.messages[0]).includes(word);
}

export function wholeOf({ body }: RecordedRequest): string {
  return JSON.stringify(body.messages);
}

/** A parent that does `first`, and answers once all of `words` have come back. */
export function parentAnd(first: ServerAnswer, words: readonly string[], child: Play): Play {
  return (request) => {
    if (isOf(request, 'TASK-') && !isOf(request, 'PARENT')) return child(request);
    if (!wholeOf(request).includes('"Agent"')) return first;
    return text(words.every((word) => wholeOf(request).includes(word)) ? 'All is in.' : 'I wait.');
  };
}

export const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** One call of any tool. */
export const tool = (name: string, input: Record<string, unknown>, id: string): ServerAnswer => ({
  content: [{ type: 'tool_use', id, name, input }],
});
