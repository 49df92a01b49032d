/** What each switch keeps from happening, over real sessions: by a setting, by the host's flags, and while a conversation goes on. */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentEvent } from '../../src/agent/event.ts';
import { createSession } from '../../src/embed/create-session.ts';
import type { HostMessage } from '../../src/embed/session.ts';
import type { AgentOptions } from '../../src/session/agent.ts';
import { openAgent } from '../../src/session/open-agent.ts';
import type { SteerableAgent } from '../../src/session/steering.ts';
import type { Flags } from '../../src/settings/flags.ts';
import { findPlace } from '../../src/settings/place.ts';
import type { SwitchName } from '../../src/settings/settings.ts';
import { isDream, putMemories, RELEASE } from '../support/dream-story.ts';
import {
  type MessagesServer,
  type RecordedRequest,
  type ServerAnswer,
  startMessagesServer,
} from '../support/messages-server.ts';
import { notesAskedIn, notesEdits } from '../support/notes-writer.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let root: string;
let server: MessagesServer | null = null;
const agents: SteerableAgent[] = [];
const HANG = { timeout: 10_000, interval: 10 };

beforeEach(() => {
  root = temporaryFolder('switches');
  mkdirSync(join(root, 'project'));
  writeFileSync(join(root, 'project', 'part.txt'), 'a line of the part\n'.repeat(400));
});

afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.close();
  await server?.close();
  server = null;
});

const place = () => ({ cwd: join(root, 'project'), home: join(root, 'home'), env: { HOME: root } });

/** Nothing works beside the conversation but what a story is about. */
const QUIET = {
  ...{ 'layers.extraction': false, 'layers.recall': false, 'layers.notes': false, 'layers.dreaming': false },
  ...{ 'limits.notes.mainShare': 100, 'limits.caps.floorTokens': 100_000_000, 'limits.retry.attempts': 1 },
  ...{ 'limits.prefetch.holdMs': 10_000, 'recall.selector': 'local' },
} as const;

type Means = Pick<AgentOptions, 'settings' | 'flags'>;

async function open({ settings, ...options }: AgentOptions & { readonly window?: number }): Promise<SteerableAgent> {
  const { window, ...rest } = options;
  const { env, ...where } = place();
  const agent = await openAgent({
    ...where,
    env: {
      ...{ ...env, PATH: process.env.PATH, ANTHROPIC_API_KEY: 'not-a-key', ANTHROPIC_BASE_URL: server!.url },
      ...(window === undefined ? {} : { REVERIE_CONTEXT_WINDOW: String(window) }),
    },
    permissionMode: 'bypass',
    closeWaitMs: 10_000,
    ...rest,
    settings: { ...QUIET, ...settings },
  });
  agents.push(agent);
  return agent;
}

async function say(agent: SteerableAgent, prompt: string): Promise<string[]> {
  const events: AgentEvent[] = [];
  for await (const event of agent.send(prompt)) events.push(event);
  expect(events.at(-1)).toMatchObject({ outcome: { kind: 'answered' } });
  return events.flatMap((event) => (event.kind === 'note' ? [event.text] : []));
}

const long = (tokens: number) => 'Words that fill. '.repeat(Math.ceil((tokens * 4) / 17));
const says = (text: string): ServerAnswer => ({ content: [{ type: 'text', text }] });
const isFork = ({ bytes }: RecordedRequest) => bytes.includes('<fork-directive>');
const isSummary = ({ bytes }: RecordedRequest) => bytes.includes('<analysis>') && !bytes.includes('<fork-directive>');
const SUMMARY = says('<analysis>a</analysis><summary>They talked.</summary>');
const RECALLED = 'Recalled from memory.';

async function serve(answer: (request: RecordedRequest, index: number) => ServerAnswer): Promise<MessagesServer> {
  server = await startMessagesServer((request, index) => {
    if (isSummary(request)) return SUMMARY;
    return isFork(request) || isDream(request) ? says('Nothing.') : answer(request, index);
  });
  return server;
}

async function talks({ settings, flags }: Means, options: { readonly window?: number; readonly turns: number }) {
  await serve(() => says(long(3_000)));
  const { window, turns } = options;
  const agent = await open({ settings, flags, ...(window === undefined ? {} : { window }) });
  for (let turn = 0; turn < turns; turn++) await say(agent, `Go on with part ${turn}.`);
  return agent;
}

/** Reads a file over and over. */
const reads = (index: number): ServerAnswer =>
  index % 4 === 3
    ? says('Done.')
    : { content: [{ type: 'tool_use', id: `toolu_${index}`, name: 'Read', input: { file_path: 'part.txt' } }] };

const user = (content: HostMessage['content']): HostMessage => ({ role: 'user', content });
const rounds = (count: number, characters: number): HostMessage[] =>
  Array.from({ length: count }, (_, at) => [
    { role: 'assistant', content: [{ type: 'tool_use', id: `t${at}`, name: 'look', input: { at } }] },
    user([{ type: 'tool_result', tool_use_id: `t${at}`, content: `${at} `.repeat(characters / 2) }]),
  ]).flat();

async function host(means: Means, resumed?: Parameters<typeof createSession>[0]) {
  return createSession({
    ...place(),
    ...means,
    settings: { 'layers.compaction': false, ...means.settings },
    clearableTools: ['look'],
    capabilities: { windowTokens: 20_000, maxOutputTokens: 4_000, promptCache: 'none', contextEdits: false },
    ...resumed,
  });
}

type Story = (means: Means, isExpected?: boolean) => Promise<boolean>;

/** Whether the part did its work, in a session that gives it reason to. */
const STORIES: Partial<Record<SwitchName, Story>> = {
  async 'layers.toolResults'(means) {
    const session = await host(means);
    await session.prepare({ messages: [user('Look.'), ...rounds(1, 90_000)] });
    await session.close();
    return session.stats().storedResults > 0;
  },
  async 'layers.microcompact'(means) {
    const session = await host(means);
    await session.prepare({ messages: [user('Look.'), ...rounds(20, 4_000)] });
    await session.close();
    return session.stats().clearedResults > 0;
  },
  'microcompact.pricedClearing': (means) => STORIES['layers.microcompact']!(means),
  async 'microcompact.timeClearing'(means) {
    const messages = [user('Look.'), ...rounds(8, 400)];
    const before = await host({ settings: {} });
    await before.prepare({ messages });
    await before.close();
    const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();
    const state = JSON.parse(JSON.stringify(before.state()).replaceAll(/"at":"[^"]+"/g, `"at":"${anHourAgo}"`));
    const session = await host(means, { resumed: state });
    await session.prepare({ messages: [...messages, { role: 'assistant', content: 'Seen.' }, user('And?')] });
    await session.close();
    return session.stats().clearedResults > 0;
  },
  async 'microcompact.apiClearing'(means) {
    await talks(means, { turns: 1 });
    return server!.requests.some(({ body }) => body.context_management !== undefined);
  },
  async 'layers.notes'({ settings, flags }, isExpected) {
    await talks({ flags, settings: { 'layers.notes': true, ...settings } }, { turns: 5 });
    // Nothing tells that they are not asked for: that takes a moment. Where they are, they are waited for.
    const patience = isExpected ? HANG : { ...HANG, timeout: 250 };
    await vi.waitFor(() => expect(server!.requests.some(isFork)).toBe(true), patience).catch(() => {});
    return server!.requests.some(isFork);
  },
  // Nobody would use them.
  'compaction.fromNotes': (...given) => STORIES['layers.notes']!(...given),
  async 'layers.compaction'(means) {
    await talks(means, { turns: 12, window: 40_000 });
    return server!.requests.some(isSummary);
  },
  'compaction.auto': (means) => STORIES['layers.compaction']!(means),
  async 'layers.collapse'({ settings, flags }) {
    await serve((_, index) => reads(index));
    const wanted = { 'layers.collapse': true, 'layers.microcompact': false, 'layers.compaction': false };
    const agent = await open({ flags, settings: { ...wanted, ...settings }, window: 30_000 });
    for (let turn = 0; turn < 8; turn++) await say(agent, `Task ${turn}.`);
    return agent.folds().length > 0;
  },
  async 'layers.snip'({ settings, flags }) {
    await serve(() => says('Fine.'));
    const agent = await open({ flags, settings: { 'layers.snip': true, ...settings } });
    await say(agent, 'Hello.');
    const [first, last] = agent.entries();
    return agent.snip({ from: first!.uuid, to: last!.uuid }).then(
      (gone) => gone > 0,
      () => false,
    );
  },
  async 'layers.recall'({ settings, flags }) {
    await serve(() => says('Fine.'));
    putMemories(findPlace(place()).folders[0]!.path, { 'project_release.md': RELEASE });
    const agent = await open({ flags, settings: { 'layers.recall': true, ...settings } });
    await agent.memory.ready();
    await say(agent, 'Who approves releases, and when do they leave?');
    return server!.requests[0]!.bytes.includes(RECALLED);
  },
  async pastSearch(means) {
    await talks(means, { turns: 1 });
    return JSON.stringify(server!.requests[0]!.body.system).includes('transcripts of earlier sessions');
  },
  async 'layers.extraction'({ settings, flags }) {
    await serve(() => says('Fine.'));
    const agent = await open({ flags, settings: { 'layers.extraction': true, ...settings } });
    await say(agent, 'From now on always write commit messages in the imperative.');
    await agent.close();
    return server!.requests.some(isFork);
  },
  async 'extraction.print'({ settings, flags }) {
    await serve(() => says('Fine.'));
    const agent = await open({ flags, singleTurn: true, settings: { 'layers.extraction': true, ...settings } });
    await say(agent, 'From now on always write commit messages in the imperative.');
    await agent.close();
    return server!.requests.some(isFork);
  },
  async 'layers.dreaming'({ settings, flags }) {
    await serve(() => says('Fine.'));
    putMemories(findPlace(place()).folders[0]!.path, { 'project_release.md': RELEASE });
    const agent = await open({ flags, settings: { 'layers.dreaming': true, ...settings } });
    await say(agent, 'Hello.');
    return (await agent.dream.start()).begun;
  },
  async dailyLog({ settings, flags }) {
    await serve(() => says('Fine.'));
    const agent = await open({ flags, settings: { dailyLog: true, ...settings } });
    return agent.tools.includes('Log');
  },
};

describe.each(Object.entries(STORIES) as [SwitchName, Story][])('%s', (name, story) => {
  it.each<[string, boolean, Means]>([
    ['acts where nobody objects', true, {}],
    ['does not where a setting says so', false, { settings: { [name]: false } }],
    ['does not where the host says so', false, { flags: (asked) => asked !== name }],
  ])('%s', { timeout: 30_000 }, async (_, expected, means) => {
    expect(await story(means, expected)).toBe(expected);
  });
});

describe('compaction that is not automatic', () => {
  it('still answers a request that was refused as too long', async () => {
    let refused = 0;
    const refusal = { type: 'invalid_request_error', message: 'prompt is too long: 70000 tokens > 60000 maximum' };
    await serve(({ bytes }) =>
      bytes.includes('Refuse this.') && refused++ === 0 ? { status: 400, error: refusal } : says(long(3_000)),
    );
    const agent = await open({ settings: { 'compaction.auto': false } });
    for (let turn = 0; turn < 4; turn++) await say(agent, 'Go on.');
    await say(agent, 'Refuse this.');
    expect(server!.requests.filter(isSummary)).toHaveLength(1);
  });
});

describe('print mode', () => {
  it('has a switch that says nothing of other sessions', async () => {
    expect(await STORIES['layers.extraction']!({ settings: { 'extraction.print': false } })).toBe(true);
  });
});

describe('while a conversation goes on', () => {
  const extractions = () => server!.requests.filter(isFork);

  it('a part stops and starts again with the host’s word, and the user is told', async () => {
    let isOn = true;
    await serve(() => says('Fine.'));
    const flags: Flags = (name) => name !== 'layers.extraction' || isOn;
    const agent = await open({ flags, settings: { 'layers.extraction': true, 'extraction.everyTurns': 1 } });
    await say(agent, 'Look at part one for me.');
    await vi.waitFor(() => expect(extractions()).toHaveLength(1), HANG);
    isOn = false;
    await say(agent, 'Look at part two for me.');
    // It is asked when nobody listens any more.
    await new Promise((resolve) => setImmediate(resolve));
    const told = await say(agent, 'Look at part three for me.');
    expect(told).toContain('The host switched `layers.extraction` off.');
    expect(extractions()).toHaveLength(1);
    isOn = true;
    await say(agent, 'Look at part four for me.');
    await vi.waitFor(() => expect(extractions().length).toBeGreaterThan(1), HANG);
    // What was said meanwhile is looked through then.
    expect(extractions()[1]!.bytes).toContain('part two');
  });

  it('a daily log is left alone; the tool stays, for it is part of the prompt', async () => {
    let isOn = true;
    await serve(({ body }, index) => {
      const isAnswered = body.messages.at(-1).content[0].type === 'tool_result';
      const log = { type: 'tool_use', id: `toolu_${index}`, name: 'Log', input: { text: 'The owner is in Lisbon.' } };
      return isAnswered ? says('Done.') : { content: [log] };
    });
    const agent = await open({ flags: (name) => name !== 'dailyLog' || isOn, settings: { dailyLog: true } });
    const resultOf = () => JSON.stringify(server!.requests.at(-1)!.body.messages.at(-1).content[0]);
    await say(agent, 'The owner is in Lisbon.');
    expect(resultOf()).toContain('Logged in');
    isOn = false;
    await say(agent, 'The owner is in Lisbon.');
    expect(resultOf()).toContain('switched off');
    expect(server!.requests.at(-1)!.body.tools.map(({ name }: { name: string }) => name)).toContain('Log');
  });

  it('notes that are there are left alone, and a model is asked', { timeout: 60_000 }, async () => {
    let isOn = true;
    server = await startMessagesServer((request, index) => {
      const last = request.body.messages.at(-1).content;
      const asked = notesAskedIn(last.map((block: { text?: string }) => block.text ?? '').join('\n'));
      if (asked === null) return isSummary(request) ? SUMMARY : says(long(1_500));
      const edits = notesEdits(asked, { state: `State ${index}.`, step: `step ${index}` });
      return { content: edits.map((edit, at) => ({ type: 'tool_use', id: `toolu_${index}_${at}`, ...edit })) };
    });
    const flags: Flags = (name) => name !== 'compaction.fromNotes' || isOn;
    const agent = await open({ flags, settings: { 'layers.notes': true }, window: 60_000 });
    const notes = join(agent.transcriptFile!.replace(/\.jsonl$/, ''), 'session-memory', 'summary.md');
    for (let turn = 0; turn < 8; turn++) await say(agent, `Go on. ${long(1_000)}`);
    await vi.waitFor(() => expect(existsSync(notes)).toBe(true), HANG);
    isOn = false;
    for (let turn = 0; turn < 20 && !server.requests.some(isSummary); turn++) await say(agent, `On. ${long(1_000)}`);
    expect(server.requests.filter(isSummary)).toHaveLength(1);
  });

  it.each<[string, readonly number[], Flags]>([
    // Unless the machine is slow: then that nobody answered is heard of.
    ['never answers', [0, 1], () => new Promise<boolean>(() => {})],
    ['rejects', [1], async () => Promise.reject(new Error('no network'))],
    [
      'throws',
      [1],
      () => {
        throw new Error('no network');
      },
    ],
  ])('a host that %s changes nothing, and is heard of once', async (_, times, flags) => {
    await serve(() => says('Fine.'));
    const agent = await open({ flags, settings: { 'layers.extraction': true, 'extraction.everyTurns': 1 } });
    const told: string[] = [];
    for (let turn = 1; turn <= 3; turn++) {
      told.push(...(await say(agent, `Look at part ${turn} for me.`)));
      await vi.waitFor(() => expect(extractions()).toHaveLength(turn), HANG);
    }
    expect(times).toContain([...agent.warnings, ...told].filter((line) => line.startsWith('The host')).length);
  });
});
