import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import type { AgentEvent } from '../agent/event.ts';
import { type ScriptStep, scriptedModel } from '../model/scripted.ts';
import type { AgentOptions } from './agent.ts';
import { openAgent } from './open-agent.ts';
import type { SteerableAgent } from './steering.ts';
import { userPrompts } from './window/rewind.ts';

let root: string;
let agent: SteerableAgent;

beforeEach(() => {
  root = temporaryFolder('steering');
  mkdirSync(join(root, 'project'));
});
afterEach(async () => {
  await agent.close();
});

function open(steps: readonly ScriptStep[], options: Partial<AgentOptions> = {}) {
  const model = scriptedModel({ steps });
  const place = { home: join(root, 'home'), cwd: join(root, 'project'), env: { HOME: root, PATH: process.env.PATH } };
  return { model, opening: openAgent({ ...place, model, ...options }) };
}

async function say(prompt: string): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of agent.send(prompt)) events.push(event);
  return events;
}

const said = (request: { readonly messages: unknown } | undefined) => JSON.stringify(request?.messages);

it('keeps the beginning of a long prompt for the list of sessions', async () => {
  agent = await open([{ text: 'One.' }]).opening;
  await say('Where is the parser? '.repeat(20));
  await agent.close();
  const records = readFileSync(agent.transcriptFile!, 'utf8').trimEnd().split('\n');
  const meta = records.map((line) => JSON.parse(line)).findLast(({ type }) => type === 'meta');
  expect([meta.title, meta.lastPrompt].map((text: string) => text.length)).toEqual([100, 100]);
});

describe('rewind', () => {
  it('goes back to before a message, and what follows is a branch of the transcript', async () => {
    const { model, opening } = open(['One.', 'Two.', 'Three.'].map((text) => ({ text })));
    agent = await opening;
    await say('first');
    await say('second');
    expect(userPrompts(agent.entries()).map(({ text }) => text)).toEqual(['first', 'second']);
    const second = userPrompts(agent.entries())[1]!;
    expect(agent.rewind(second.uuid)).toMatchObject({ text: 'second', removed: 2 });
    await say('other');
    expect(said(model.requests[2])).toContain('One.');
    expect(said(model.requests[2])).toContain('other');
    expect(said(model.requests[2])).not.toContain('second');
    const transcript = readFileSync(agent.transcriptFile!, 'utf8');
    for (const kept of ['second', 'Two.', 'other']) expect(transcript).toContain(kept);

    const { sessionId } = agent;
    await agent.close();
    agent = await open([], { resume: sessionId }).opening;
    expect(userPrompts(agent.entries()).map(({ text }) => text)).toEqual(['first', 'other']);
  });

  it('tells the date again where its message is gone', async () => {
    const { model, opening } = open(['One.', 'Two.'].map((text) => ({ text })));
    agent = await opening;
    await say('first');
    agent.rewind(userPrompts(agent.entries())[0]!.uuid);
    await say('again');
    expect(said(model.requests[1])).toContain('Today is');
    expect(said(model.requests[1])).not.toContain('first');
  });

  it('knows no message that is not there, and no result of a tool', async () => {
    writeFileSync(join(root, 'project', 'a.txt'), 'text');
    const file_path = join(root, 'project', 'a.txt');
    agent = await open([{ tools: [{ name: 'Read', input: { file_path } }] }, { text: 'Read.' }]).opening;
    await say('read it');
    const results = agent.entries().find(({ message }) => message.content[0]?.type === 'tool_result')!;
    for (const uuid of [results.uuid, 'nothing']) expect(() => agent.rewind(uuid)).toThrow(/not part/);
    expect(agent.entries()).toHaveLength(4);
  });
});

describe('the window', () => {
  it('is told by source, and adds up to what was counted', async () => {
    writeFileSync(join(root, 'project', 'a.txt'), 'text\n'.repeat(200));
    writeFileSync(join(root, 'project', 'AGENTS.md'), 'Be brief.\n'.repeat(50));
    const file_path = join(root, 'project', 'a.txt');
    const steps = [
      { tools: [{ name: 'Read', input: { file_path } }] },
      { text: 'Read.', usage: { inputTokens: 9_000 } },
    ];
    agent = await open(steps).opening;
    expect(agent.window().isCounted).toBe(false);
    await say('read it');
    const { parts, usedTokens, window, isCounted } = agent.window();
    expect(isCounted).toBe(true);
    expect(parts.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'system prompt',
        'tools',
        'memory index',
        'your messages',
        'tool calls',
        'results of Read',
        'answers',
      ]),
    );
    const sum = parts.reduce((total, { tokens }) => total + tokens, 0);
    expect(Math.abs(sum - usedTokens)).toBeLessThanOrEqual(parts.length);
    expect(usedTokens).toBeGreaterThan(9_000);
    expect(window.compactAt).toBeLessThan(window.effective);
  });
});

describe('steering', () => {
  it('changes mode and model from the next turn on', async () => {
    const { opening } = open([{ text: 'One.' }]);
    agent = await opening;
    agent.setPermissionMode('plan');
    expect(agent.permissionMode).toBe('plan');
    await say('first');
    await expect(agent.setModel('no-such-provider/no-such-model')).rejects.toThrow();
    expect(agent.model).toBe('scripted');
  });

  it('knows what runs in the background, and ends it', async () => {
    const input = { command: 'sleep 60', run_in_background: true };
    agent = await open([{ tools: [{ name: 'Bash', input }] }, { text: 'Runs.' }], { permissionMode: 'bypass' }).opening;
    await say('start it');
    const [task] = agent.background();
    expect(task).toMatchObject({ command: 'sleep 60' });
    expect(await agent.stopBackground(task!.id)).toBe(true);
    expect(task!.state()).toBe('stopped');
  });
});
