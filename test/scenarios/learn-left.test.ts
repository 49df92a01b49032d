/** No hook reports the end of a session that was killed: a later start has it looked through, once. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { BUSY_MS, CHATTER, createLearningPlace, proposed, WORTH } from '../support/learning-place.ts';

const patience = { timeout: BUSY_MS, interval: 200 };
const NONE = 'No interrupted session of this project is left';
const WEEK_MINUTES = 7 * 24 * 60;

function createPlace(settings: object = { learn: 'on' }) {
  const place = createLearningPlace();
  place.settings(settings);
  place.installClaude(proposed);
  /** As if the session had been looked through an hour earlier. */
  function anHourLater() {
    const folder = place.at('home', 'last-sessions');
    const path = join(folder, readdirSync(folder)[0]!);
    const text = readFileSync(path, 'utf8');
    const earlier = (_line: string, ms: string) => `"lookedAtMs":${Number(ms) - 3_600_000}`;
    writeFileSync(path, text.replace(/"lookedAtMs":(\d+)/g, earlier));
  }
  return { ...place, anHourLater, learnFromLeft: () => place.run(['learn', 'from']) };
}

describe.concurrent('a session of a coding agent that was killed', { timeout: BUSY_MS }, () => {
  it('is learnt from once when two others start later, each fact once, and not again at the next start', async ({
    expect,
  }) => {
    const { startSession, say, age, asked, list, learnFromLeft } = createPlace();
    await startSession('s1');
    say(WORTH.flatMap((fact, position) => [fact, CHATTER[position]!]));
    age('s1', 45);
    await Promise.all([startSession('s2'), startSession('s3')]);
    await expect.poll(async () => (await list()).length, patience).toBe(10);
    expect((await list()).flatMap(({ quote }) => quote.map(({ text }) => text)).toSorted()).toEqual(WORTH.toSorted());
    await expect.poll(learnFromLeft, patience).toContain(NONE);
    await startSession('s4');
    expect(await learnFromLeft()).toContain(NONE);
    expect(asked()).toHaveLength(1);
    expect(asked()[0]).toMatchObject({ nested: false });
    expect(await list()).toHaveLength(10);
  });

  it('is left alone while it is fresh, after a week, and after its end was reported', async ({ expect }) => {
    const { startSession, endSession, say, age, asked, list, learnFromLeft } = createPlace();
    await startSession('s1');
    say(WORTH);
    expect(await learnFromLeft()).toContain(NONE);
    age('s1', WEEK_MINUTES + 1);
    expect(await learnFromLeft()).toContain(NONE);
    expect(asked()).toEqual([]);

    age('s1', 0);
    await endSession();
    await expect.poll(async () => (await list()).length, patience).toBe(10);
    age('s1', 45);
    await startSession('s2');
    await expect.poll(learnFromLeft, patience).toContain(NONE);
    expect(asked()).toHaveLength(1);
  });

  it('is learnt from once more, from there on, when it was only idle', async ({ expect }) => {
    const { startSession, say, age, asked, learnFromLeft, anHourLater } = createPlace();
    await startSession('s1');
    say(WORTH.slice(0, 5));
    age('s1', 120);
    expect(await learnFromLeft()).toContain('Kept');
    anHourLater();
    say(WORTH.slice(5), 30);
    age('s1', 45);
    expect(await learnFromLeft()).toContain('Kept');
    expect(asked()).toHaveLength(2);
    expect(asked()[1]!.text).toContain(`: ${WORTH[5]}`);
    expect(asked()[1]!.text).not.toContain(`User (2026-06-01): ${WORTH[0]}`);
    expect(await learnFromLeft()).toContain(NONE);
  });

  it('waits its turn behind three that are newer', async ({ expect }) => {
    const { startSession, say, age, asked, learnFromLeft } = createPlace({ learn: 'on', 'layers.dreaming': false });
    for (let number = 0; number < 5; number += 1) await startSession(`s${number}`);
    for (const [number, fact] of WORTH.slice(0, 5).entries()) {
      say([fact], 0, { session: `s${number}` });
      age(`s${number}`, 60 + number);
    }
    await learnFromLeft();
    const questions = asked().map(({ text }) => WORTH.findIndex((fact) => text.includes(`User (2026-06-01): ${fact}`)));
    expect(questions).toEqual([0, 1, 2]);
    await learnFromLeft();
    expect(asked()).toHaveLength(5);
    expect(await learnFromLeft()).toContain(NONE);
  });

  it('is tried three times where the program does not answer, and then left', async ({ expect }) => {
    const { startSession, say, age, at, tell, learnFromLeft } = createPlace();
    writeFileSync(at('bin', 'claude'), '#!/bin/sh\necho "Please run /login" >&2\nexit 1\n', { mode: 0o755 });
    await startSession('s1');
    say(WORTH);
    age('s1', 45);
    for (let count = 0; count < 3; count += 1) expect(await learnFromLeft()).toContain('Please run /login');
    expect(await tell('status')).toContain('Please run /login');
    expect(await learnFromLeft()).toContain(NONE);
    age('s1', 0);
    await startSession('s1', 'resume');
    age('s1', 45);
    expect(await learnFromLeft()).toContain('Please run /login');
  });
});

describe.concurrent('without consent, a session that was killed', { timeout: BUSY_MS }, () => {
  it('is not learnt from, also when learning is switched on later or off meanwhile', async ({ expect }) => {
    const { startSession, say, age, asked, settings, learnFromLeft } = createPlace({});
    await startSession('s1');
    settings({ learn: 'on' });
    await startSession('s2');
    for (const session of ['s1', 's2']) {
      say(WORTH, 0, { session });
      age(session, 45);
    }
    settings({ learn: 'off' });
    await learnFromLeft();
    settings({ learn: 'on' });
    expect(await learnFromLeft()).toContain(NONE);
    expect(asked()).toEqual([]);
  });

  it('leaves what was asked for outright, which needs no model', async ({ expect }) => {
    const { startSession, say, age, list, asked, learnFromLeft } = createPlace({});
    await startSession('s1');
    say(['Remember that the staging cluster is called heron.'], 0, { begun: Date.now() - 3_600_000 });
    age('s1', 45);
    await startSession('s2');
    await expect.poll(async () => (await list()).length, patience).toBe(1);
    expect((await list())[0]).toMatchObject({ source: 'said', origin: { host: 'claude-code', session: 's1' } });
    await expect.poll(learnFromLeft, patience).toContain(NONE);
    expect(await list()).toHaveLength(1);
    expect(asked()).toEqual([]);
  });

  it('leaves that in the memory folder that its hooks were given', async ({ expect }) => {
    const { startSession, say, age, list, run, at } = createPlace({});
    await startSession('s1');
    say(['Remember that the staging cluster is called heron.'], 0, { begun: Date.now() - 3_600_000 });
    age('s1', 45);
    const started = { session_id: 's2', hook_event_name: 'SessionStart', source: 'startup', cwd: at('project') };
    await run(['hook', 'claude-code', 'SessionStart', '--directory', at('ours')], JSON.stringify(started));
    const kept = () => (existsSync(at('ours')) ? readdirSync(at('ours')) : []);
    await expect.poll(kept, patience).toContainEqual(expect.stringMatching(/^project_.*\.md$/));
    expect(await list()).toEqual([]);
  });
});
