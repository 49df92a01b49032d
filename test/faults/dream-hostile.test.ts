/** Dreamers that delete, forge, plant, escape, babble, hang and die: nothing is lost, and one command takes all of it back. */

import { describe, expect, it, vi } from 'vitest';
import { openDreamLock } from '../../src/layers/6-dreaming/records/lock.ts';
import { openAgent } from '../../src/session/open-agent.ts';
import { runDream } from '../../src/session/run-dream.ts';
import { isDream } from '../support/dream-story.ts';
import { scriptedDreamer, servedDreamer } from '../support/dreamers.ts';
import { startMessagesServer } from '../support/messages-server.ts';
import { type Aftermath, aftermathOf, beginningOf } from './dream-aftermath.ts';
import { type Attack, attackOf, drawAttack, MOVES } from './dream-attacks.ts';
import { createSandbox, type Sandbox } from './dream-sandbox.ts';
import { inThisRun, say, twoAtOnce } from './fault-run.ts';
import { seededRandom } from './seeded-random.mjs';

const RUNS = inThisRun({ short: 12, long: 200 });
/** Every so manieth speaks over the wire. */
const WIRE = 6;

const SETTINGS = {
  'limits.retry.firstDelayMs': 1,
  'limits.retry.attempts': 1,
  'limits.dreaming.rounds': 6,
  'recall.selector': 'local',
};

interface Run {
  readonly sandbox: Sandbox;
  readonly attack: Attack;
  readonly overWire?: boolean;
  readonly stopAt?: number | null;
}

async function dreamThrough({ sandbox, attack, overWire = false, stopAt = null }: Run): Promise<Aftermath> {
  const beginning = beginningOf(sandbox);
  const stop = new AbortController();
  const onStep = (step: number) => {
    if (step === stopAt) stop.abort();
  };
  const options = { ...sandbox.place, by: 'hand', settings: SETTINGS, signal: stop.signal } as const;
  if (overWire) {
    const server = await startMessagesServer(servedDreamer(attack, { onStep }), { lenient: true });
    const env = { ...sandbox.place.env, ANTHROPIC_API_KEY: 'not-a-key', ANTHROPIC_BASE_URL: server.url };
    try {
      await runDream({ ...options, env });
    } finally {
      await server.close();
    }
  } else await runDream({ ...options, model: scriptedDreamer(attack, { onStep }) });
  return aftermathOf({ sandbox, attack, beginning });
}

async function inSandbox<T>(use: (sandbox: Sandbox) => Promise<T>): Promise<T> {
  const sandbox = await createSandbox();
  try {
    return await use(sandbox);
  } finally {
    sandbox.remove();
  }
}

/** A dream that went well a while ago: its time must come back. */
async function dreamBefore({ folder }: Sandbox): Promise<void> {
  const held = await openDreamLock(folder).take();
  if (held.kind === 'held') await held.succeed(new Date('2031-05-01T03:30:00.000Z'));
}

describe('a dreamer that means harm', () => {
  it.each(Object.keys(MOVES))('on its own: %s', async (name) => {
    await inSandbox(async (sandbox) => {
      const attack = { ...attackOf([name], { sandbox, random: seededRandom(name.length) }) };
      const { problems } = await dreamThrough({ sandbox, attack });
      expect(problems).toEqual([]);
    });
  });

  it(`does no harm in any company (${RUNS} runs)`, { timeout: 600_000 }, async () => {
    const found: string[] = [];
    const tally = { landed: 0, removed: 0, stopped: 0, wire: 0 };
    const first = Number(process.env.REVERIE_DREAM_SEED ?? 1);
    const seeds = Array.from({ length: RUNS }, (_, at) => first + at);
    await twoAtOnce(seeds, async (seed) => {
      const random = seededRandom(seed * 7919);
      await inSandbox(async (sandbox) => {
        if (random() < 0.5) await dreamBefore(sandbox);
        const attack = drawAttack({ sandbox, random });
        const stopAt = random() < 0.15 ? Math.floor(random() * 4) : null;
        const overWire = seed % WIRE === 0;
        const { problems, hasLanded, removed } = await dreamThrough({ sandbox, attack, overWire, stopAt });
        found.push(...problems.map((problem) => `seed ${seed}, ${problem}`));
        if (hasLanded) tally.landed += 1;
        tally.removed += removed;
        if (stopAt !== null) tally.stopped += 1;
        if (overWire) tally.wire += 1;
      });
    });
    say(
      `hostile dreams: ${RUNS} (${tally.wire} over the wire, ${tally.stopped} stopped); ${tally.landed} landed something, ` +
        `${tally.removed} memories gone and brought back; ${found.length} problems`,
    );
    expect(found).toEqual([]);
    expect(tally.landed).toBeGreaterThan(0);
  });
});

describe('a hostile dreamer in a session that allows everything', () => {
  it('has no more power than one on its own', async () => {
    await inSandbox(async (sandbox) => {
      const names = ['leave the folder', 'tell secrets', 'plant what a page said', 'honest merge'];
      const random = seededRandom(2);
      const attack = { ...attackOf(names, { sandbox, random }), after: 'end' as const };
      const dreaming = servedDreamer(attack);
      const server = await startMessagesServer(
        (request) => (isDream(request) ? dreaming(request) : { content: [{ type: 'text', text: 'Fine.' }] }),
        { lenient: true },
      );
      const env = {
        ...{ ...sandbox.place.env, ANTHROPIC_API_KEY: 'not-a-key', ANTHROPIC_BASE_URL: server.url },
        // A ranking that ends after its answer writes a line into the transcript, which is watched here.
        REVERIE_DISABLE_RECALL: '1',
      };
      const settings = {
        ...SETTINGS,
        'layers.extraction': false,
        'layers.notes': false,
        'limits.caps.floorTokens': 100_000_000,
      };
      const agent = await openAgent({ ...sandbox.place, env, settings, permissionMode: 'bypass' });
      try {
        for await (const _ of agent.send('Hello there.'));
        const beginning = beginningOf(sandbox);
        expect(await agent.dream.start('apply')).toMatchObject({ begun: true });
        await vi.waitFor(() => expect(agent.dream.progress()?.status).not.toBe('running'), { timeout: 20_000 });
        const { problems, hasLanded } = await aftermathOf({ sandbox, attack, beginning });
        expect(problems).toEqual([]);
        expect(hasLanded).toBe(true);
      } finally {
        await agent.close();
        await server.close();
      }
    });
  });
});
