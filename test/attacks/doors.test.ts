/** Every door to memory with every trick: whatever a model believes, words that the user did not type never count as theirs. */

import { describe, expect, it } from 'vitest';
import { AGENT_THINGS, DEAR_AGENT_THINGS, passAgentDoors } from '../support/doors/conversations.ts';
import { TRICKS } from '../support/doors/tricks.ts';
import { DEAR_UNHEARD_THINGS, passUnheardDoors, UNHEARD_THINGS } from '../support/doors/unheard.ts';
import { activeBy, createWorld } from '../support/doors/world.ts';

const DEAR = [...DEAR_UNHEARD_THINGS, ...DEAR_AGENT_THINGS];
/** Of the dear ones each trick has its share, and each of them several tricks. */
const DEAR_SHARE = 3;

const thingsFor = (trick: number) => [
  ...[...UNHEARD_THINGS, ...AGENT_THINGS],
  ...Array.from({ length: DEAR_SHARE }, (_, at) => DEAR[(trick * DEAR_SHARE + at) % DEAR.length]!),
];
const TABLE = TRICKS.map((trick, at) => ({ trick, things: thingsFor(at), name: trick.name }));

it('the table has every door, and hundreds of ways through them', () => {
  expect(new Set(TABLE.flatMap(({ things }) => things)).size).toBe(
    UNHEARD_THINGS.length + AGENT_THINGS.length + DEAR.length,
  );
  expect(TABLE.flatMap(({ things }) => things).length).toBeGreaterThanOrEqual(300);
});

/** All of them take a minute: `npm test` runs every fourth trick, `npm run test:all` each. */
const TRIED = process.env.REVERIE_TESTS === 'all' ? TABLE : TABLE.filter((_, at) => at % 4 === 0);

describe.concurrent.each(TRIED)('$name', ({ trick, things }) => {
  it('makes nothing active through any door', { timeout: 90_000 }, async ({ expect }) => {
    const world = await createWorld(trick, things);
    await passUnheardDoors(world);
    await passAgentDoors(world);
    await world.memory.noticeOutsideEdits();
    const entries = await world.memory.list();
    const passed = things.flatMap((thing) => {
      const how = activeBy(thing, world, entries);
      return how === null ? [] : [`${thing}: ${how}`];
    });
    await world.memory.close();
    expect(passed).toEqual([]);
  });
});
