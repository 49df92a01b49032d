/** The pieces of the gate that are done ahead: all of them run through, and none changes what the gate says later. */

import { expect, it } from 'vitest';
import { checkWrite } from './index.ts';
import { GATE_PIECES } from './warm.ts';

it('run without failing, and leave no trace in what is decided', () => {
  const facts = {
    span: [{ from: 'user' as const, text: 'Remember that deploys happen on Tuesdays.' }],
    existing: [],
    proposed: {
      type: 'project',
      name: 'Deploys',
      description: 'Deploys happen on Tuesdays',
      body: 'Deploys happen on Tuesdays.',
    },
  };
  const before = checkWrite(facts);
  for (const piece of [...GATE_PIECES, ...GATE_PIECES]) piece();
  expect(checkWrite(facts)).toEqual(before);
  // The last piece goes all the way through, so that nothing is left to compile behind an early refusal.
  expect(GATE_PIECES.at(-1)!()).toMatchObject({ verdict: 'accept' });
});
