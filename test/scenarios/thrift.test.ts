/** Early compaction over HTTP with the real SDK: notes replace a conversation when reading it on would cost more, and not before. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CLEARED_TEXT } from '../../src/layers/2-microcompact/index.ts';
import type { AgentOptions } from '../../src/session/agent.ts';
import { openAgent } from '../../src/session/open-agent.ts';
import type { SteerableAgent } from '../../src/session/steering.ts';
import { layerStateIn } from '../support/layer-state.ts';
import {
  type MessagesServer,
  type RecordedRequest,
  type ServerAnswer,
  startMessagesServer,
} from '../support/messages-server.ts';
import { notesAskedIn, notesEdits } from '../support/notes-writer.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let root: string;
let server: MessagesServer;
const agents: SteerableAgent[] = [];
const HANG = { timeout: 20_000, interval: 10 };
/** In one round, more than clearing keeps. */
const READS = 8;
beforeEach(async () => {
  root = temporaryFolder('thrift');
  mkdirSync(join(root, 'project'));
  for (let file = 0; file < READS; file++) {
    writeFileSync(join(root, 'project', `part_${file}.txt`), `Line of part ${file}.\n`.repeat(20));
  }
  let calls = 0;
  let updates = 0;
  server = await startMessagesServer((request) => {
    if (isFork(request)) return updated(request, updates++);
    const isAnswer = request.body.messages.at(-1).content.some(({ type }: { type: string }) => type === 'tool_result');
    if (isAnswer) return { content: [{ type: 'text', text: 'Words that fill. '.repeat(400) }] };
    const inputs = Array.from({ length: READS }, (_, file) => ({ file_path: `part_${file}.txt`, offset: 1 }));
    return { content: inputs.map((input) => ({ type: 'tool_use', id: `toolu_${calls++}`, name: 'Read', input })) };
  });
});

afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.close();
  await server.close();
});

const isFork = ({ bytes }: RecordedRequest) => bytes.includes('<fork-directive>');
const isReplaced = ({ bytes }: RecordedRequest) => bytes.includes('# Earlier messages, condensed');
const forks = () => server.requests.filter(isFork);
const mains = () => server.requests.filter((request) => !isFork(request));

function updated(request: RecordedRequest, index: number): ServerAnswer {
  const words = request.body.messages.at(-1).content.map((block: { text?: string }) => block.text ?? '');
  const edits = notesEdits(notesAskedIn(words.join('\n'))!, { state: `State ${index}.`, step: `step ${index}` });
  return { content: edits.map(({ name, input }, at) => ({ type: 'tool_use', id: `toolu_n${at}`, name, input })) };
}

async function open(options: AgentOptions & { readonly windowTokens?: number } = {}): Promise<SteerableAgent> {
  const { settings, windowTokens = 1_000_000, ...rest } = options;
  const agent = await openAgent({
    cwd: join(root, 'project'),
    home: join(root, 'home'),
    env: {
      ...{ HOME: root, PATH: process.env.PATH, ANTHROPIC_API_KEY: 'not-a-key', ANTHROPIC_BASE_URL: server.url },
      REVERIE_CONTEXT_WINDOW: String(windowTokens),
    },
    permissionMode: 'bypass',
    settings: {
      'layers.extraction': false,
      'layers.recall': false,
      'limits.notes.mainShare': 100,
      'limits.caps.floorTokens': 100_000_000,
      ...settings,
    },
    ...rest,
  });
  agents.push(agent);
  return agent;
}

interface Kept {
  readonly paid: number;
  readonly updates: number;
}

interface KeptRecord {
  readonly type: string;
  readonly layer?: string;
  readonly state?: Kept;
  /** Of a boundary. */
  readonly tokensBefore?: number;
}

function recordsOf(agent: SteerableAgent): readonly KeptRecord[] {
  const lines = readFileSync(agent.transcriptFile!, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}

function stateOf(agent: SteerableAgent, layer: 'thrift' | 'notes'): Kept | undefined {
  return layerStateIn(agent.transcriptFile!, layer) as Kept | undefined;
}

/** One turn, and the notes that it starts. */
async function say(agent: SteerableAgent, prompt: string): Promise<void> {
  for await (const event of agent.send(prompt)) {
    if (event.kind === 'turn-ended') expect(event.outcome).toEqual({ kind: 'answered' });
  }
  await vi.waitFor(() => expect(stateOf(agent, 'notes')?.updates ?? 0).toBe(forks().length), HANG);
}

async function sayUntil(agent: SteerableAgent, facts: { readonly turns: number; readonly done: () => boolean }) {
  for (let turn = 0; turn < facts.turns && !facts.done(); turn++) await say(agent, `Turn ${turn}.`);
}

describe('a conversation that goes on', () => {
  it.each([
    { economy: 'balanced', from: 90_000, until: 120_000, keptAnswers: 3 },
    { economy: 'max', from: 0, until: 60_000, keptAnswers: 1 },
  ] as const)(
    'is replaced by its notes when that pays, at $economy',
    async ({ economy, from, until, keptAnswers }) => {
      // Only with fresh notes: whoever waits for them must have asked for them.
      const agent = await open({
        windowTokens: 200_000,
        settings: { economy, 'limits.economy.forcedFactor': 1_000, 'limits.economy.maxNotesGrowthTokens': 1e6 },
      });
      await sayUntil(agent, { turns: 80, done: () => mains().some(isReplaced) });
      const at = mains().findIndex(isReplaced);
      expect(at).toBeGreaterThan(0);
      const [before, after] = [mains()[at - 1]!.bytes, mains()[at]!.bytes];
      expect(server.requests.some(({ bytes }) => bytes.includes('<analysis>'))).toBe(false);
      expect(after.length).toBeLessThan(before.length);
      expect(after).toMatch(/State \d+\./);
      const records = recordsOf(agent);
      const boundaryAt = records.findIndex(({ type }) => type === 'boundary');
      const { tokensBefore } = records[boundaryAt]!;
      expect(tokensBefore).toBeGreaterThanOrEqual(from);
      expect(tokensBefore).toBeLessThan(until);
      expect(after.split('Words that fill. '.repeat(400)).length - 1).toBeGreaterThanOrEqual(keptAnswers);
      // What was paid for is paid: it begins again, and a process that dies here knows.
      const behind = records.slice(boundaryAt);
      expect(behind.find(({ layer }) => layer === 'thrift')?.state).toEqual({ paid: 0 });
    },
    60_000,
  );

  it('is not replaced below 200,000 tokens of a window of a million, at balanced', async () => {
    const agent = await open({ settings: { economy: 'balanced', 'limits.economy.forcedFactor': 1 } });
    for (let turn = 0; turn < 14; turn++) await say(agent, `Turn ${turn}. ${'Words that fill. '.repeat(1_600)}`);
    expect(agent.window().usedTokens).toBeGreaterThan(100_000);
    expect(mains().some(isReplaced)).toBe(false);
  }, 60_000);

  it('tells behind the notes what is in use, and clears what is written to the cache again', async () => {
    const agent = await open({ settings: { economy: 'max' } });
    await say(agent, 'The value is in deep/inside/of_it.json, key retry_budget.');
    await sayUntil(agent, { turns: 60, done: () => mains().some(isReplaced) });
    const at = mains().findIndex(isReplaced);
    const inUse = /# Paths, names and values in use\\n([^"]*)/.exec(mains()[at]!.bytes)?.[1] ?? '';
    expect(inUse).toContain('deep/inside/of_it.json');
    const cleared = (bytes: string) => bytes.split(CLEARED_TEXT).length - 1;
    expect(
      mains()
        .slice(0, at)
        .map(({ bytes }) => cleared(bytes))
        .every((count) => count === 0),
    ).toBe(true);
    expect(cleared(mains()[at]!.bytes)).toBeGreaterThan(0);
    // Once for all: the next request has the same.
    await say(agent, 'Go on.');
    expect(cleared(mains()[at + 1]!.bytes)).toBe(cleared(mains()[at]!.bytes));
  }, 60_000);

  it('stays as it is with economy off', async () => {
    const agent = await open({ settings: { economy: 'off' } });
    for (let turn = 0; turn < 25; turn++) await say(agent, `Turn ${turn}.`);
    expect(forks().length).toBeGreaterThan(0);
    expect(mains().some(isReplaced)).toBe(false);
  }, 60_000);

  it('has paid after resuming what it had paid before', async () => {
    const settings = { 'layers.notes': false };
    const agent = await open({ settings });
    await sayUntil(agent, { turns: 20, done: () => (stateOf(agent, 'thrift')?.paid ?? 0) > 0 });
    await say(agent, 'One more.');
    const { paid } = stateOf(agent, 'thrift')!;
    expect(paid).toBeGreaterThan(0);
    await agent.close();
    const resumed = await open({ settings, resume: agent.sessionId });
    await say(resumed, 'Go on.');
    expect(stateOf(resumed, 'thrift')!.paid).toBeGreaterThan(paid * 1.5);
  }, 60_000);
});

describe('notes at max', () => {
  it('wait for more that is new while no compaction wants them', async () => {
    const counts: number[] = [];
    for (const economy of ['balanced', 'max'] as const) {
      const agent = await open({ settings: { economy, 'limits.economy.leastShrink': 1_000 } });
      const before = forks().length;
      for (let turn = 0; turn < 12; turn++) {
        for await (const _ of agent.send(`Turn ${turn}.`));
        await vi.waitFor(() => expect(stateOf(agent, 'notes')?.updates ?? 0).toBe(forks().length - before), HANG);
      }
      await agent.close();
      counts.push(stateOf(agent, 'notes')!.updates);
    }
    expect(counts[1]).toBeGreaterThan(0);
    expect(counts[1]).toBeLessThan(counts[0]! / 2);
  }, 60_000);
});
