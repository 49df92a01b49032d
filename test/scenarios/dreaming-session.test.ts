/** Dreams beside a conversation, over HTTP with the real SDK: forks on its warm prefix that nobody waits for. */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentEvent } from '../../src/agent/event.ts';
import { projectLayout } from '../../src/disk/home.ts';
import { readLedger } from '../../src/disk/ledger/ledger.ts';
import { openDreamLock } from '../../src/layers/6-dreaming/records/lock.ts';
import { readDreamRecords } from '../../src/layers/6-dreaming/records/records.ts';
import type { AgentOptions } from '../../src/session/agent.ts';
import { openAgent } from '../../src/session/open-agent.ts';
import type { SteerableAgent } from '../../src/session/steering.ts';
import { findPlace } from '../../src/settings/place.ts';
import {
  calls,
  copyOf,
  dreamer,
  FREEZE,
  filesIn,
  isDream,
  MERGE_LIST,
  MERGED,
  memoryText,
  putMemories,
  RELEASE,
  says,
  stepOf,
} from '../support/dream-story.ts';
import {
  type MessagesServer,
  type RecordedRequest,
  type ServerAnswer,
  startMessagesServer,
} from '../support/messages-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let root: string;
let folder: string;
let server: MessagesServer | null = null;
const agents: SteerableAgent[] = [];

const place = () => ({
  cwd: join(root, 'project'),
  home: join(root, 'home'),
  env: { HOME: root, PATH: process.env.PATH, ANTHROPIC_API_KEY: 'not-a-key', ANTHROPIC_BASE_URL: server?.url ?? '' },
});

beforeEach(() => {
  root = temporaryFolder('dream-session');
  mkdirSync(join(root, 'project'));
  folder = findPlace(place()).folders[0]!.path;
  putMemories(folder, { 'project_release.md': RELEASE, 'project_freeze.md': FREEZE });
});

afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.close();
  await server?.close();
  server = null;
});

async function open(options: AgentOptions = {}): Promise<SteerableAgent> {
  const agent = await openAgent({
    ...place(),
    permissionMode: 'bypass',
    ...options,
    settings: {
      ...{ 'recall.selector': 'local', 'layers.notes': false, 'layers.extraction': false },
      ...{ 'limits.retry.firstDelayMs': 1, 'limits.retry.attempts': 1 },
      ...options.settings,
    },
  });
  agents.push(agent);
  return agent;
}

async function serve(dreaming: (request: RecordedRequest) => ServerAnswer | Promise<ServerAnswer>): Promise<void> {
  server = await startMessagesServer((request) => (isDream(request) ? dreaming(request) : says('Fine.')));
}

async function say(agent: SteerableAgent, prompt: string): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of agent.send(prompt)) events.push(event);
  return events;
}

/** Sessions that others have had since, here or in another project. */
function otherSessions(count: number, project?: string): void {
  const { slug, home } = findPlace(place());
  const { folder: sessions } = projectLayout(home, project ?? slug);
  mkdirSync(sessions, { recursive: true });
  for (let at = 0; at < count; at++) {
    writeFileSync(join(sessions, `00000000-0000-4000-8000-00000000000${at}.jsonl`), '');
  }
}

const dreams = () => server!.requests.filter(isDream);
const merging = dreamer({ writes: { 'project_release.md': MERGED }, list: MERGE_LIST });
const settled = (agent: SteerableAgent) =>
  vi.waitFor(() => expect(agent.dream.progress()?.status ?? 'running').not.toBe('running'), { timeout: 20_000 });

describe('after an answer', () => {
  it('a dream begins by itself once enough sessions went by, on the exact prefix of the conversation', async () => {
    await serve(merging);
    otherSessions(5);
    const agent = await open();
    await say(agent, 'Hello there.');
    await settled(agent);
    expect(agent.dream.progress()).toMatchObject({ status: 'completed', state: 'updating', rounds: 3 });
    expect(Object.keys(filesIn(folder))).toEqual(['MEMORY.md', 'project_release.md']);

    const main = server!.requests.find((request) => !isDream(request))!;
    const [first] = dreams();
    const cacheless = (value: unknown) => JSON.stringify(value).replaceAll(/,?"cache_control":\{[^}]*\}/g, '');
    expect(cacheless(first!.body.system)).toBe(cacheless(main.body.system));
    expect(JSON.stringify(first!.body.tools)).toBe(JSON.stringify(main.body.tools));
    const [sent, forked] = [main, first!].map(({ body }) => cacheless(body.messages));
    expect(forked!.startsWith(sent!.slice(0, -1))).toBe(true);

    const told = await say(agent, 'And now?');
    const notes = told.flatMap((event) => (event.kind === 'note' ? [event.text] : []));
    const [record] = readDreamRecords(folder).records;
    expect(record).toMatchObject({ by: 'itself', status: 'completed' });
    expect(notes).toEqual([
      `Dreamt: 1 merged, 1 updated (project_release.md, project_freeze.md); undo with: reverie memory undo ${record!.change}`,
    ]);
    expect(dreams()).toHaveLength(3);
  });

  it.each([
    ['too few sessions went by', 4, {}, {}],
    ['print mode asked for none', 5, { dreams: false as const }, {}],
    ['it is off', 5, {}, { 'layers.dreaming': false }],
    ['a log is kept in place of memories', 5, {}, { dailyLog: true }],
    ['there is no memory', 5, { bare: true }, {}],
  ])('no dream begins where %s', async (_why, sessions, options, settings) => {
    await serve(merging);
    otherSessions(sessions);
    const agent = await open({ ...options, settings });
    await say(agent, 'Hello there.');
    await agent.close();
    expect(dreams()).toEqual([]);
    expect(readdirSync(folder)).not.toContain('.consolidate-lock');
  });

  it('it is considered after each answer: what was in the way at the first may be gone at the next', async () => {
    await serve(merging);
    otherSessions(5);
    const held = await openDreamLock(folder).take();
    const agent = await open();
    for (const prompt of ['Hello there.', 'And now?']) await say(agent, prompt);
    expect(dreams()).toEqual([]);
    if (held.kind === 'held') await held.cancel();
    await say(agent, 'And alone?');
    await settled(agent);
    expect(agent.dream.progress()).toMatchObject({ status: 'completed', rounds: 3 });
    expect(Object.keys(filesIn(folder))).toEqual(['MEMORY.md', 'project_release.md']);
  });

  it('one that is due belongs to no session: no share of the conversation binds it, and its calls are its own', async () => {
    await serve(merging);
    otherSessions(5);
    const agent = await open({ settings: { 'limits.caps.floorTokens': 1 } });
    await say(agent, 'Hello there.');
    await settled(agent);
    expect(agent.dream.progress()).toMatchObject({ status: 'completed', rounds: 3 });
    await agent.close();
    const spenders: string[] = [];
    for await (const line of readLedger({ home: place().home, now: new Date() })) {
      if (line.type === 'call') spenders.push(`${line.purpose} of ${line.session}`);
    }
    const [record] = readDreamRecords(folder).records;
    expect(record).toMatchObject({ by: 'itself', status: 'completed' });
    expect(spenders).toEqual([`main of ${agent.sessionId}`, ...Array(3).fill(`dream of ${record!.id}`)]);
  });

  it('none begins that could not end within the day’s cap: the user is told, and nothing is asked, locked or counted as failed', async () => {
    await serve(merging);
    otherSessions(5);
    const agent = await open({ settings: { 'limits.caps.dayTokens': 20_000 } });
    await say(agent, 'Hello there.');
    const seen = async () => {
      const names: string[] = [];
      for await (const line of readLedger({ home: place().home, now: new Date() })) {
        if (line.type === 'event') names.push(line.name);
      }
      return names;
    };
    await vi.waitFor(async () => expect(await seen()).toContain('dream-no-room'), { timeout: 20_000 });
    expect(dreams()).toEqual([]);
    expect(readdirSync(folder)).not.toContain('.consolidate-lock');
    expect(openDreamLock(folder).look()).toMatchObject({ failures: 0, lastAtMs: null });
    const told = (await say(agent, 'And now?')).flatMap((event) => (event.kind === 'note' ? [event.text] : []));
    expect(told).toEqual([expect.stringMatching(/^A dream is due and did not begin: .*By hand: reverie dream$/)]);
    expect((await say(agent, 'Again?')).filter(({ kind }) => kind === 'note')).toEqual([]);
  });

  it('one that died is settled though none is due, so that others see the time before it', async () => {
    await serve(merging);
    const lock = openDreamLock(folder);
    const kept = join(folder, '.consolidate-lock');
    const first = await lock.take();
    if (first.kind !== 'held') throw new Error('held by somebody else');
    await first.succeed(new Date(Date.now() - 3_600_000));
    const before = readFileSync(kept, 'utf8');
    await lock.take();
    const generations = join(folder, '.reverie', 'dream-lock');
    const newest = readdirSync(generations)
      .filter((name) => /^\d+$/.test(name))
      .sort((one, other) => Number(other) - Number(one))[0]!;
    const holder = JSON.parse(readFileSync(join(generations, newest), 'utf8'));
    const { pid } = spawnSync('true');
    writeFileSync(join(generations, newest), JSON.stringify({ ...holder, pid }));
    expect([lock.look().hasDied, readFileSync(kept, 'utf8') === before]).toEqual([true, false]);
    await say(await open(), 'Hello there.');
    // Who settles it holds the lock until a moment after that is on record.
    const isSettled = { hasDied: false, failures: 1, heldBy: null };
    await vi.waitFor(() => expect(lock.look()).toMatchObject(isSettled), { timeout: 20_000 });
    expect(readFileSync(kept, 'utf8')).toBe(before);
    expect(dreams()).toEqual([]);
  });

  it('no second one begins within the day', async () => {
    await serve(merging);
    otherSessions(5);
    const agent = await open();
    await say(agent, 'Hello there.');
    await settled(agent);
    const before = statSync(join(folder, '.consolidate-lock')).mtimeMs;
    otherSessions(9);
    for (const prompt of ['One.', 'Two.']) await say(agent, prompt);
    await agent.close();
    expect(dreams()).toHaveLength(3);
    expect(statSync(join(folder, '.consolidate-lock')).mtimeMs).toBe(before);
  });
});

describe('the global memory', () => {
  const globalFolder = () => join(root, 'home', 'memory');
  const TEA = memoryText({ name: 'Tea', description: 'Drinks tea', type: 'user', body: 'Drinks green tea.' });
  const DESK = memoryText({ name: 'Desk', description: 'Stands at work', type: 'user', body: 'Works standing.' });
  const LIST = [
    { action: 'unlist', file: 'user_tea.md', reason: 'Rare.', evidence: [{ from: 'user_tea.md', quote: 'green tea' }] },
  ];
  const tidying = dreamer({ read: ['user_tea.md'], writes: {}, list: { changes: LIST } });
  /** Which of the two each request of a dreamer was about. */
  let asked: string[];

  beforeEach(async () => {
    asked = [];
    putMemories(globalFolder(), { 'user_tea.md': TEA, 'user_desk.md': DESK });
    await serve((request) => {
      const isGlobal = existsSync(join(copyOf(request), 'user_tea.md'));
      asked.push(isGlobal ? 'global' : 'project');
      return (isGlobal ? tidying : merging)(request);
    });
  });
  const dreamtOf = (agent: SteerableAgent, scope: string) =>
    vi.waitFor(() => expect(agent.dream.progress()).toMatchObject({ scope, status: 'completed' }), { timeout: 20_000 });

  it('has its turn after the project’s, at another answer, with a lock, a time and a record of its own', async () => {
    otherSessions(5);
    const agent = await open();
    await say(agent, 'Hello there.');
    await dreamtOf(agent, 'project');
    const before = statSync(join(folder, '.consolidate-lock')).mtimeMs;
    expect(readdirSync(globalFolder())).not.toContain('.consolidate-lock');
    await say(agent, 'And now?');
    await dreamtOf(agent, 'global');
    expect(asked).toEqual([...Array(3).fill('project'), ...Array(3).fill('global')]);
    expect(statSync(join(folder, '.consolidate-lock')).mtimeMs).toBe(before);
    const [record] = readDreamRecords(globalFolder()).records;
    expect(record).toMatchObject({
      by: 'itself',
      status: 'completed',
      changes: [{ file: 'user_tea.md', state: 'landed' }],
    });
    const told = (await say(agent, 'Thanks.')).flatMap((event) => (event.kind === 'note' ? [event.text] : []));
    expect(told).toContainEqual(expect.stringContaining('Dreamt of the global memory: 1 unlisted (user_tea.md)'));
    await say(agent, 'Bye.');
    expect(asked).toHaveLength(6);
  });

  it('with one memory alone has nothing to dream about', async () => {
    rmSync(join(globalFolder(), 'user_desk.md'));
    otherSessions(5, 'another');
    const agent = await open();
    await say(agent, 'Hello there.');
    await say(agent, 'And now?');
    await agent.close();
    expect(asked).toEqual([]);
  });

  it.each([
    [3, 2, ['global', 'global', 'global']],
    [2, 2, []],
  ])('goes by the sessions of every project: %i here and %i elsewhere', async (here, elsewhere, wanted) => {
    otherSessions(here);
    otherSessions(elsewhere, 'another');
    const agent = await open();
    await say(agent, 'Hello there.');
    if (wanted.length > 0) await dreamtOf(agent, 'global');
    await say(agent, 'And now?');
    await agent.close();
    expect(asked).toEqual(wanted);
  });

  it('is stopped like any other, and meanwhile none begins by hand', async () => {
    await server?.close();
    await serve(() => ({ hang: true }));
    otherSessions(5, 'another');
    const agent = await open();
    await say(agent, 'Hello there.');
    await vi.waitFor(() => expect(agent.dream.progress()).toMatchObject({ scope: 'global' }), { timeout: 20_000 });
    expect(await agent.dream.start()).toMatchObject({ begun: false, line: expect.stringContaining('running') });
    expect(await agent.dream.stop()).toBe(true);
    expect(openDreamLock(globalFolder()).look()).toMatchObject({ heldBy: null, lastAtMs: null, failures: 1 });
    expect(openDreamLock(folder).look()).toMatchObject({ failures: 0 });
  });
});

describe('by hand', () => {
  it('begins at once, shows each step, and lands nothing in review mode', async () => {
    await serve(merging);
    const agent = await open();
    const seen: number[] = [];
    const silence = agent.dream.onProgress(({ rounds }) => seen.push(rounds));
    expect(agent.dream.progress()).toBeNull();
    expect(await agent.dream.start('review')).toMatchObject({ begun: true });
    expect((await agent.dream.start()).begun).toBe(false);
    await settled(agent);
    silence();
    expect(Math.max(...seen)).toBe(3);
    expect(filesIn(folder)).toMatchObject({ 'project_release.md': RELEASE, 'project_freeze.md': FREEZE });
    expect(readDreamRecords(folder).records[0]!.changes.map(({ state }) => state)).toEqual(['waiting', 'waiting']);
  });

  it('is not held to a share of the conversation: its calls are its own in the ledger, and part of what the session cost', async () => {
    await serve(merging);
    const agent = await open({ settings: { 'limits.caps.floorTokens': 1 } });
    await say(agent, 'Hello there.');
    const heard: number[] = [];
    agent.onSpent(() => heard.push(agent.totals().calls));
    expect(await agent.dream.start()).toMatchObject({ begun: true });
    await settled(agent);
    expect(agent.dream.progress()).toMatchObject({ status: 'completed', rounds: 3 });
    expect(heard).toEqual([2, 3, 4]);
    const { byPurpose, money } = agent.totals();
    expect(byPurpose.dream!.money).toBeCloseTo(agent.dream.progress()!.money!, 9);
    expect(money).toBeCloseTo(byPurpose.main!.money! + byPurpose.dream!.money!, 9);
    await agent.close();
    const spenders: string[] = [];
    for await (const line of readLedger({ home: place().home, now: new Date() })) {
      if (line.type === 'call') spenders.push(`${line.purpose} of ${line.session}`);
    }
    const { id } = readDreamRecords(folder).records[0]!;
    expect(spenders).toEqual([`main of ${agent.sessionId}`, ...Array(3).fill(`dream of ${id}`)]);
  });

  it('says why none begins', async () => {
    await serve(merging);
    const off = await open({ settings: { 'layers.dreaming': false } });
    expect(await off.dream.start()).toMatchObject({ begun: false, line: expect.stringContaining('layers.dreaming') });
    const held = await openDreamLock(folder).take();
    const agent = await open();
    expect(await agent.dream.start()).toMatchObject({ begun: false, line: expect.stringContaining('dreaming here') });
    if (held.kind === 'held') await held.cancel();
  });

  it('is stopped by the user, and by the end of the session, and gives the time back', async () => {
    await serve(() => ({ hang: true }));
    const agent = await open();
    await agent.dream.start();
    await vi.waitFor(() => expect(dreams()).toHaveLength(1), { timeout: 20_000 });
    expect(await agent.dream.stop()).toBe(true);
    expect(agent.dream.progress()).toMatchObject({ status: 'killed' });
    expect(await agent.dream.stop()).toBe(false);
    await agent.dream.start();
    await vi.waitFor(() => expect(dreams()).toHaveLength(2), { timeout: 20_000 });
    await agent.close();
    expect(openDreamLock(folder).look()).toMatchObject({ lastAtMs: null, heldBy: null, failures: 2 });
    expect(readDreamRecords(folder).records.map(({ status }) => status)).toEqual(['killed', 'killed']);
    expect(filesIn(folder)).toMatchObject({ 'project_release.md': RELEASE, 'project_freeze.md': FREEZE });
  });

  it('reads with the shell wherever it may read, in its copy and in transcripts, and nowhere else', async () => {
    const { slug, home } = findPlace(place());
    const transcripts = projectLayout(home, slug).folder;
    mkdirSync(transcripts, { recursive: true });
    writeFileSync(join(transcripts, '00000000-0000-4000-8000-000000000001.jsonl'), 'the words of another session\n');
    writeFileSync(join(root, 'private.txt'), 'not for dreamers');
    await serve((request) => {
      if (stepOf(request) > 0) return says('nothing');
      const copy = copyOf(request);
      return calls(
        ['Bash', { command: `cat ${copy}/project_freeze.md` }],
        ['Bash', { command: `grep -r "words of another" ${transcripts}` }],
        ['Bash', { command: `cat ${root}/private.txt` }],
        ['Bash', { command: `rm ${copy}/project_freeze.md` }],
      );
    });
    const agent = await open({ permissionMode: 'ask' });
    await agent.dream.start();
    await settled(agent);
    const results: { is_error?: boolean; content: unknown }[] = dreams().at(-1)!.body.messages.at(-1).content;
    expect(results.map(({ is_error }) => is_error === true)).toEqual([false, false, true, true]);
    expect(JSON.stringify(results[0])).toContain('the auditors from Kestrel');
    expect(JSON.stringify(results[1])).toContain('the words of another session');
    expect(JSON.stringify(results[2])).not.toContain('not for dreamers');
  });

  it('goes on beside a conversation, and what the session’s tools could do it cannot', async () => {
    const target = join(root, 'project', 'made.txt');
    let step = 0;
    await serve(() => {
      step += 1;
      if (step > 1) return says('nothing');
      return calls(
        ['Bash', { command: `echo x > ${target}` }],
        ['Write', { file_path: target, content: 'x' }],
        ['TodoWrite', { todos: [] }],
        ['Forget', { file: 'project_freeze.md', quote: 'Meanwhile, hello.' }],
      );
    });
    const agent = await open();
    await agent.dream.start();
    const events = await say(agent, 'Meanwhile, hello.');
    expect(events.at(-1)).toMatchObject({ kind: 'turn-ended', outcome: { kind: 'answered' } });
    await settled(agent);
    const results: { is_error?: boolean }[] = dreams().at(-1)!.body.messages.at(-1).content;
    expect(results.map(({ is_error }) => is_error)).toEqual([true, true, true, true]);
    expect(readdirSync(join(root, 'project'))).toEqual([]);
    expect(JSON.stringify(agent.entries())).not.toContain('Work on a copy');
  });
});
