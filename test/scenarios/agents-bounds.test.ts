/** What holds agents back: a bomb of them, waiting that costs nothing, and sentences instead of one agent too many. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentEvent } from '../../src/agent/event.ts';
import type { Tool } from '../../src/agent/tool.ts';
import {
  agentCall,
  agentsStory,
  calls,
  hear,
  isOf,
  lastOf,
  parentAnd,
  pause,
  say,
  text,
  tool,
  wholeOf,
} from '../support/agents-story.ts';

const story = agentsStory();
const { open } = story;
beforeEach(story.begin);
afterEach(story.end);

interface Spent {
  readonly agent?: string;
  readonly equivalentTokens: number;
}

function spentByAgents(): readonly number[] {
  const folder = join(story.root(), 'home', 'ledger');
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  const lines = files.flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'));
  const ofCalls = lines.map((line) => JSON.parse(line)).filter(({ type }) => type === 'call') as Spent[];
  return ofCalls.flatMap(({ agent, equivalentTokens }) => (agent === undefined ? [] : [equivalentTokens]));
}

describe('a bomb', () => {
  it.each([
    ['agents', () => false],
    ['forks', () => true],
    ['both', (at: number) => at % 2 === 0],
  ])('of %s stays within depth, number and the budget with one request', { timeout: 120_000 }, async (_, isFork) => {
    let made = 0;
    const server = await story.serve((request) => {
      if ((wholeOf(request).match(/"tool_result"/g) ?? []).length >= 12) return text('Enough.');
      const all = Array.from({ length: 6 }, (_, at) => {
        return agentCall({ prompt: 'TASK-BOMB', fork: isFork(at), run_in_background: at > 2 }, `toolu_${made++}`);
      });
      return calls(...all);
    });
    const treeTokens = 400_000;
    const settings = { 'limits.agents.treeTokens': treeTokens, 'limits.agents.siblingWaitMs': 50 };
    const agent = await open({ awaitsAgents: true, settings });
    let mostAlive = 0;
    const turn: AgentEvent[] = [];
    for await (const event of agent.send('PARENT: explode.')) {
      turn.push(event);
      mostAlive = Math.max(mostAlive, agent.agents().filter(({ state }) => state === 'running').length);
    }
    expect(turn.at(-1)).toMatchObject({ kind: 'turn-ended', outcome: { kind: 'answered' } });
    const depths = agent.agents().map(({ depth }) => depth);
    expect(Math.max(...depths)).toBeLessThanOrEqual(3);
    expect(mostAlive).toBeLessThanOrEqual(20);
    const asked = server.requests.length;
    await agent.close();
    const spent = spentByAgents();
    const all = spent.reduce((sum, tokens) => sum + tokens, 0);
    expect(all).toBeLessThanOrEqual(treeTokens + Math.max(...spent));
    // Each costs something, so that what bounds the tokens bounds how long it can go on.
    expect(asked).toBeLessThan(400);
    expect(made).toBeLessThan(6 * 400);
    await pause(200);
    expect(server.requests).toHaveLength(asked);
  });

  it('lets a request wait for room that another one holds, and give up nothing for it', async () => {
    const first = calls(
      ...[1, 2, 3].map((at) =>
        agentCall({ prompt: `TASK-${at}`, run_in_background: true, name: `r${at}` }, `toolu_${at}`),
      ),
    );
    let inFlight = 0;
    let together = 0;
    await story.serve(
      parentAnd(first, ['FOUND-1', 'FOUND-2', 'FOUND-3'], async (request) => {
        inFlight += 1;
        together = Math.max(together, inFlight);
        await pause(50);
        inFlight -= 1;
        return text(`FOUND-${/TASK-(\d)/.exec(wholeOf(request))![1]}`);
      }),
    );
    // Room for the start of all three, and for the longest answer of one.
    const agent = await open({ awaitsAgents: true, settings: { 'limits.agents.treeTokens': 75_000 } });
    const events = await say(agent, 'PARENT: go.');
    expect(JSON.stringify(events.slice(-3))).toContain('All is in.');
    expect(together).toBe(1);
  });
});

describe('waiting', () => {
  it('for an hour costs no request, and the session wakes when the agent ends', async () => {
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const watch: Tool = {
      name: 'Watch',
      description: 'Waits until something happens.',
      inputSchema: { type: 'object', properties: {} },
      isReadOnly: () => true,
      run: async () => ended.then(() => ({ content: 'It happened.' })),
    };
    const first = calls(agentCall({ prompt: 'TASK-1', run_in_background: true, name: 'watcher' }));
    const server = await story.serve(
      parentAnd(first, ['SEEN'], (request) =>
        wholeOf(request).includes('It happened.') ? text('SEEN') : tool('Watch', {}, 'toolu_watch'),
      ),
    );
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
      shouldAdvanceTime: true,
    });
    try {
      let woken: (events: AgentEvent[]) => void = () => {};
      const waking = new Promise<AgentEvent[]>((resolve) => {
        woken = resolve;
      });
      const agent = await open({ tools: [watch], onWake: (begin) => void hear(begin()).then(woken) });
      await say(agent, 'PARENT: go.');
      while (server.requests.filter((request) => isOf(request, 'TASK-1') && !isOf(request, 'PARENT')).length === 0) {
        await pause(5);
      }
      const asked = server.requests.length;
      const before = Date.now();
      await vi.advanceTimersByTimeAsync(3_600_000);
      expect(Date.now() - before).toBeGreaterThanOrEqual(3_600_000);
      expect(server.requests).toHaveLength(asked);
      expect(agent.agents()).toMatchObject([{ name: 'watcher', state: 'running' }]);
      end();
      expect(JSON.stringify(await waking)).toContain('All is in.');
      expect(server.requests).toHaveLength(asked + 2);
      expect(agent.agents()[0]!.milliseconds).toBeGreaterThanOrEqual(3_600_000);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('one agent too many', () => {
  it('is refused with a sentence: the 21st at one time', async () => {
    const all = Array.from({ length: 21 }, (_, at) =>
      agentCall({ prompt: `TASK-${at}`, run_in_background: true }, `toolu_${at}`),
    );
    const server = await story.serve(parentAnd(calls(...all), [], () => ({ hang: true })));
    const agent = await open();
    await say(agent, 'PARENT: go.');
    expect(agent.agents()).toHaveLength(20);
    const told = lastOf(server.requests.filter((request) => isOf(request, 'PARENT')).at(-1)!);
    expect(told.match(/20 agents are running, which is the most at one time\. Do the work here/g)).toHaveLength(1);
  });

  it('is refused with a sentence: a fork of a fork, also of one whose conversation was cut to its window', async () => {
    const numbers = Array.from({ length: 12 }, (_, at) => at + 1);
    for (const at of numbers) {
      writeFileSync(join(story.root(), 'project', `long${at}.txt`), `line of file ${at} with words\n`.repeat(1_000));
    }
    let read = 0;
    const server = await story.serve((request) => {
      const whole = wholeOf(request);
      if (!whole.includes('fork-directive') && read === 0) return calls(agentCall({ prompt: 'READ ALL', fork: true }));
      if (lastOf(request).includes('A fork cannot fork again')) return text('Then I read no more.');
      if (whole.includes('agent-result')) return text('Done.');
      read += 1;
      if (read > numbers.length) return calls(agentCall({ prompt: 'again', fork: true }, 'toolu_again'));
      return tool('Read', { file_path: `long${read}.txt` }, `toolu_${read}`);
    });
    const agent = await open({ settings: { contextWindow: 60_000 } });
    await say(agent, 'PARENT: go.');
    const last = server.requests.find((request) => lastOf(request).includes('A fork cannot fork again'))!;
    // All that it read would take twice the window.
    expect(wholeOf(last).length).toBeLessThan(4 * 60_000);
    expect(agent.agents()).toHaveLength(1);
  });
});
