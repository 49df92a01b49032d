/** Agents that start agents, over HTTP with the real SDK: in the foreground, in the background, as forks, and within bounds. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../src/agent/event.ts';
import {
  agentCall,
  agentsStory,
  calls,
  hear,
  isOf,
  lastOf,
  parentAnd,
  say,
  text,
  wholeOf,
} from '../support/agents-story.ts';

const story = agentsStory();
const { open } = story;
beforeEach(story.begin);
afterEach(story.end);

describe('an agent that is waited for', () => {
  it('has its own conversation, tools, transcript and ledger lines, and only its report comes back', async () => {
    const server = await story.serve((request) => {
      if (isOf(request, 'TASK-READ')) {
        if (!wholeOf(request).includes('tool_result')) {
          return { content: [{ type: 'tool_use', id: 'toolu_r', name: 'Read', input: { file_path: 'a.txt' } }] };
        }
        return text('The second line is beta.');
      }
      return wholeOf(request).includes('agent-result')
        ? text('It is beta.')
        : calls(agentCall({ prompt: 'TASK-READ' }));
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
    const ledger = join(story.root(), 'home', 'ledger');
    const lines = readFileSync(join(ledger, readdirSync(ledger).find((name) => name.endsWith('.jsonl'))!), 'utf8');
    expect(lines.match(/"agent":"general-1"/g)).toHaveLength(2);
  });
});

describe('an agent in the background', () => {
  it('brings its result to a later turn, and the turn that waits for it goes on', async () => {
    const first = calls(agentCall({ prompt: 'TASK-1', run_in_background: true, name: 'looker' }));
    await story.serve(
      parentAnd(first, ['FOUND-1'], async () => {
        await new Promise((resolve) => setTimeout(resolve, 150));
        return text('FOUND-1');
      }),
    );
    const agent = await open({ awaitsAgents: true });
    const events = await say(agent, 'PARENT: go.');
    const answers = events.flatMap((event) =>
      event.kind === 'entry' && event.entry.message.role === 'assistant' ? [JSON.stringify(event.entry.message)] : [],
    );
    expect(answers.at(-1)).toContain('All is in.');
    expect(events.filter(({ kind }) => kind === 'turn-ended')).toHaveLength(1);
    const told = events.find((event) => event.kind === 'entry' && event.entry.injected?.some(({ id }) => id));
    expect(told).toMatchObject({ entry: { injected: [{ source: 'agent-result', id: expect.any(String) }] } });
    expect(agent.agents()).toMatchObject([{ name: 'looker', isBackground: true, receipt: 'answered' }]);
  });

  it('wakes a session in which nobody talks, without a request meanwhile', async () => {
    const first = calls(agentCall({ prompt: 'TASK-1', run_in_background: true }));
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const server = await story.serve(
      parentAnd(first, ['FOUND-1'], async () => {
        await finished;
        return text('FOUND-1');
      }),
    );
    let woken: (events: AgentEvent[]) => void = () => {};
    const waking = new Promise<AgentEvent[]>((resolve) => {
      woken = resolve;
    });
    const agent = await open({ onWake: (begin) => void hear(begin()).then(woken) });
    await say(agent, 'PARENT: go.');
    const asked = server.requests.length;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(server.requests).toHaveLength(asked);
    finish();
    const events = await waking;
    expect(JSON.stringify(events)).toContain('All is in.');
    expect(server.requests).toHaveLength(asked + 1);
  });

  it('is what an agent becomes that is waited for too long', async () => {
    const first = calls(agentCall({ prompt: 'TASK-1' }));
    await story.serve(
      parentAnd(first, ['FOUND-1'], async () => {
        await new Promise((resolve) => setTimeout(resolve, 300));
        return text('FOUND-1');
      }),
    );
    const agent = await open({ awaitsAgents: true, settings: { 'limits.agents.foregroundMs': 50 } });
    const events = await say(agent, 'PARENT: go.');
    expect(JSON.stringify(events)).toContain('goes on in the background');
    expect(JSON.stringify(events.slice(-3))).toContain('All is in.');
    expect(agent.agents()).toMatchObject([{ isBackground: true, receipt: 'answered' }]);
  });

  it('is told of once when the session goes on after a kill, with what was cut off', async () => {
    const first = calls(
      agentCall({ prompt: 'TASK-1', run_in_background: true, name: 'done' }, 'toolu_1'),
      agentCall({ prompt: 'TASK-2', run_in_background: true, name: 'open' }, 'toolu_2'),
    );
    const server = await story.serve(
      parentAnd(first, ['FOUND-1'], (request) => (isOf(request, 'TASK-1') ? text('FOUND-1') : { hang: true })),
    );
    const agent = await open();
    await say(agent, 'PARENT: go.');
    while (agent.agents()[0]!.state === 'running') await new Promise((resolve) => setTimeout(resolve, 5));
    // As a process leaves it that is killed now.
    const file = agent.transcriptFile!;
    const folder = join(file.replace(/\.jsonl$/, ''), 'agents');
    const files = [file, ...readdirSync(folder).map((name) => join(folder, name))];
    const killed = files.map((path) => readFileSync(path));
    await agent.close();
    for (const [at, path] of files.entries()) writeFileSync(path, killed[at]!);
    const resumed = await open({ resume: agent.sessionId });
    expect(resumed.warnings.join(' ')).toMatch(/Cut off .*: open\..*with your next message: done\./);
    await say(resumed, 'Anything new?');
    const told = lastOf(server.requests.at(-1)!);
    expect(told).toContain('FOUND-1');
    expect(told).toMatch(/name=\\"open\\"[^>]*state=\\"cut off/);
    await resumed.close();
    const again = await open({ resume: agent.sessionId });
    expect(again.warnings).toEqual([]);
    await say(again, 'And now?');
    expect(lastOf(server.requests.at(-1)!)).not.toContain('agent-result');
    expect(wholeOf(server.requests.at(-1)!).match(/FOUND-1/g)).toHaveLength(1);
  });
});

describe('a fork', () => {
  it('reads the cache of its parent, carries the call that asks for it, and cannot fork again', async () => {
    const night = 'It was a long night. '.repeat(2_000);
    const forks = [1, 2, 3].map((at) => agentCall({ prompt: `FORK-${at}`, fork: true, name: `f${at}` }, `toolu_${at}`));
    const server = await story.serve((request) => {
      const last = lastOf(request);
      if (last.includes('fork-directive')) {
        return last.includes('FORK-1')
          ? calls(agentCall({ prompt: 'again', fork: true }, 'toolu_again'))
          : text('Done.');
      }
      if (last.includes('cannot fork again')) return text('I did it myself.');
      return wholeOf(request).includes('agent-result') ? text('All done.') : calls(...forks);
    });
    const agent = await open();
    const events = await say(agent, night);
    expect(events.at(-1)).toMatchObject({ outcome: { kind: 'answered' } });
    const [parent, ...others] = server.requests;
    const forked = others.filter((request) => lastOf(request).includes('fork-directive'));
    expect(forked).toHaveLength(3);
    for (const { body } of forked) {
      expect(body.system).toEqual(parent!.body.system);
      expect(body.tools).toEqual(parent!.body.tools);
      expect(body.messages.at(-2).content).toHaveLength(3);
      expect(
        body.messages
          .at(-1)
          .content.slice(0, 3)
          .map(({ type }: { type: string }) => type),
      ).toEqual(Array(3).fill('tool_result'));
    }
    expect(server.requests.some((request) => lastOf(request).includes('A fork cannot fork again'))).toBe(true);
    expect(agent.agents().map(({ state }) => state)).toEqual(['finished', 'finished', 'finished']);
  });
});

describe('bounds', () => {
  it('are sentences that the model can act on', async () => {
    const first = calls(
      agentCall({ prompt: 'TASK-1', subagent_type: 'poet' }, 'toolu_1'),
      agentCall({ prompt: 'TASK-2', run_in_background: true }, 'toolu_2'),
      agentCall({ prompt: 'TASK-3', run_in_background: true }, 'toolu_3'),
    );
    await story.serve(parentAnd(first, [], () => ({ hang: true })));
    const agent = await open({ settings: { 'limits.agents.atOnce': 1 } });
    const events = await say(agent, 'PARENT: go.');
    const heard = JSON.stringify(events);
    expect(heard).toContain('There is no agent type poet. Known: general, explore, plan.');
    expect(heard).toContain('1 agents are running');
    expect(agent.stopAgent('general-1')).toBe(true);
  });

  it('hold for agents of agents: three levels, and one budget for all', async () => {
    const server = await story.serve((request) => {
      if (wholeOf(request).includes('"tool_result"')) return text('Enough.');
      return calls(agentCall({ prompt: `TASK deeper ${Math.random()}` }, `toolu_${Math.random()}`.replace('.', '')));
    });
    const agent = await open();
    await say(agent, 'Go as deep as you can.');
    expect(agent.agents().map(({ depth }) => depth)).toEqual([1, 2, 3]);
    expect(server.requests.some((request) => lastOf(request).includes('Agents go 3 levels deep'))).toBe(true);
    const poor = await open({ settings: { 'limits.agents.treeTokens': 10 } });
    const events = await say(poor, 'Go as deep as you can.');
    expect(JSON.stringify(events)).toContain('have used or reserved 0 of 10 tokens');
    expect(poor.agents()).toEqual([]);
  });

  it('give no agent more rights than its parent, and its report names what was denied', async () => {
    const server = await story.serve((request) => {
      if (isOf(request, 'TASK-WRITE')) {
        if (wholeOf(request).includes('tool_result')) return text('I could not.');
        const input = { file_path: 'b.txt', content: 'x' };
        return { content: [{ type: 'tool_use', id: 'toolu_w', name: 'Write', input }] };
      }
      return wholeOf(request).includes('agent-result')
        ? text('No.')
        : calls(agentCall({ prompt: 'TASK-WRITE', subagent_type: 'eager' }));
    });
    const eager = { description: 'Writes', prompt: 'You write.', permissionMode: 'bypassPermissions' };
    const agent = await open({ permissionMode: 'ask', agents: { eager } });
    await say(agent, 'Write b.txt.');
    expect(readdirSync(join(story.root(), 'project'))).toEqual(['a.txt']);
    expect(lastOf(server.requests.at(-1)!)).toMatch(/Denied to this agent \(1\).*Write:/);
  });

  it('put a long report into a file', async () => {
    const long = 'x'.repeat(40_000);
    const server = await story.serve(
      parentAnd(calls(agentCall({ prompt: 'TASK-1' })), ['persisted-output'], () => text(long)),
    );
    const agent = await open();
    const events = await say(agent, 'PARENT: go.');
    expect(JSON.stringify(events.slice(-3))).toContain('All is in.');
    expect(lastOf(server.requests.at(-1)!).length).toBeLessThan(5_000);
    const path = /All of it is in (\S+\.txt)/.exec(lastOf(server.requests.at(-1)!))![1]!;
    expect(readFileSync(path, 'utf8')).toHaveLength(40_000);
  });
});
