import { expect, it } from 'vitest';
import type { AgentView } from '../../layers/7-agents/index.ts';
import { farewellLines } from './farewell.ts';

const view = (name: string, state: AgentView['state']) => ({ name, state }) as AgentView;
const left = (agents: readonly AgentView[], entries: number) =>
  farewellLines(
    {
      agents: () => agents,
      entries: () => Array(entries).fill({}) as never,
      sessionId: 's-1',
      transcriptFile: '/t.jsonl',
    },
    { bare: false },
  );

it('names the agents that end with the chat, and how to go on', () => {
  expect(left([], 1)).toEqual(['To go on: reverie --resume s-1']);
  expect(left([view('old', 'finished')], 0)).toEqual([]);
  expect(left([view('names', 'running'), view('old', 'finished')], 1)).toEqual([
    '1 agent was still working and ends here: names',
    'To go on: reverie --resume s-1',
  ]);
  expect(left([view('a', 'running'), view('b', 'running')], 1)[0]).toBe(
    '2 agents were still working and end here: a, b',
  );
  expect(farewellLines(null, { bare: false })).toEqual([]);
});
