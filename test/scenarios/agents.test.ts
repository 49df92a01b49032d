/** Agents that start agents, over HTTP with the real SDK: in the foreground, in the background, as forks, and within bounds. */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../src/agent/event.ts';
import type { AgentOptions } from '../../src/session/agent.ts';
import { openAgent } from '../../src/session/open-agent.ts';
import type { SteerableAgent } from '../../src/session/steering.ts';
import {
  type MessagesServer,
  type RecordedRequest,
  type ServerAnswer,
  startMessagesServer,
} from '../support/messages-server.ts';
import { quietAgent } from '../support/quiet-agent.ts';

let root: string;
let server: MessagesServer | null = null;
const agents: SteerableAgent[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'reverie-agents-'));
  mkdirSync(join(root, 'project'));
  writeFileSync(join(root, 'project', 'a.txt'), 'alpha\nbeta\n');
});

afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.close();
  await server?.close();
  server = null;
  rmSync(root, { recursive: true, force: true });
});

async function open(options: AgentOptions = {}): Promise<SteerableAgent> {
  const agent = await openAgent({ ...quietAgent(root, server!), dreams: false, ...options });
  agents.push(agent);
  return agent;
}

async function hear(events: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const heard: AgentEvent[] = [];
  for await (const event of events) heard.push(event);
  return heard;
}

const say = (agent: SteerableAgent, prompt: string) => hear(agent.send(prompt));

const text = (words: string): ServerAnswer => ({ content: [{ type: 'text', text: words }] });
const agentCall = (input: Record<string, unknown>, id = 'toolu_1') => ({
  ...{ type: 'tool_use' as const, id, name: 'Agent', input: { description: 'do a thing', ...input } },
});
const calls = (...content: ReturnType<typeof agentCall>[]): ServerAnswer => ({ content, stopReason: 'tool_use' });

/** The text of the last message of a request. */
function lastOf({ body }: RecordedRequest): string {
  return JSON.stringify(body.messages.at(-1).content);
}

/** Whose request it is, by a word in its task. */
function isOf({ body }: RecordedRequest, word: string): boolean {
  return JSON.stringify(body.messages[0]).includes(word);
}

function wholeOf({ body }: RecordedRequest): string {
  return JSON.stringify(body.messages);
}

describe('an agent that is waited for', () => {
  it('has its own conversation, tools, transcript and ledger lines, and only its report comes back', async () => {
    server = await startMessagesServer((request) => {
      if (isOf(request, 'TASK-READ')) {
        if (!wholeOf(request).includes('tool_result')) {
          return { content: [{ type: 'tool_use', id: 'toolu_r', name: 'Read', input: { file_path: 'a.txt' } }] };
        }
        return text('The second line is beta.');
      }
      return wholeOf(request).includes('agent-result') ? text('It is beta.') : calls(agentCall({ prompt: 'TASK-READ' }));
    });
    const agent = await open();
    const events = await say(agent, 'What is the second line?');
    expect(events.at(-1)).toMatchObject({ kind: 'turn-ended', outcome: { kind: 'answered' } });
    const parents = server.requests.filter((request) => !isOf(request, 'TASK-READ'));
    expect(parents).toHaveLength(2);
    expect(lastOf(parents[1]!)).toContain('The second line is beta.');
    expect(wholeOf(parents[1]!)).not.toContain('alpha');
    const child = server.requests.find((request) => isOf(request, 'TASK-READ'))!;
    expect(JSON.stringify(child.body.system)).toContain('another agent started');
    expect(child.body.tools.map(({ name }: { name: string }) => name)).not.toContain('AskUser');
    expect(events.some((event) => event.kind === 'agent' && event.event.kind === 'tool-started')).toBe(true);
    expect(agent.agents()).toMatchObject([
      { name: 'general-1', type: 'general', state: 'finished', receipt: 'answered', depth: 1, parentId: null },
    ]);
    await agent.close();
    const folder = join(agent.transcriptFile!.replace(/\.jsonl$/, ''), 'agents');
    const [file] = readdirSync(folder);
    expect(readFileSync(join(folder, file!), 'utf8')).toContain('The second line is beta.');
    const ledger = join(root, 'home', 'ledger');
    const lines = readFileSync(join(ledger, readdirSync(ledger).find((name) => name.endsWith('.jsonl'))!), 'utf8');
    expect(lines.match(/"agent":"general-1"/g)).toHaveLength(2);
  });
});
