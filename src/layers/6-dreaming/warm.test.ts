import { expect, it } from 'vitest';
import { inTurns } from '../../base/async/in-turns.ts';
import { judgeProposals } from './judge.ts';
import { SAMPLE, warming } from './warm.ts';

it('finishes, more than once, in many small steps', async () => {
  await inTurns(warming());
  expect([...warming()].length).toBeGreaterThan(30);
});

it('meets every rule on the way: what it judges lands', () => {
  expect(judgeProposals(SAMPLE)).toMatchObject([{ verdict: { kind: 'land' } }]);
});
