/** What becomes of recalled memories, over HTTP with the real SDK: used, not used, corrected; and what the session says of why. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readLedger } from '../../src/disk/ledger/ledger.ts';
import type { MemoryLine } from '../../src/disk/ledger/line.ts';
import { createSession } from '../../src/embed/create-session.ts';
import { claudeCode } from '../../src/hooks/hosts/claude-code.ts';
import { runHook } from '../../src/hooks/run/run.ts';
import { readUsefulness } from '../../src/memory/history/usefulness.ts';
import { openAgent } from '../../src/session/open-agent.ts';
import type { SteerableAgent } from '../../src/session/steering.ts';
import { findPlace } from '../../src/settings/place.ts';
import { type MessagesServer, type ServerAnswer, startMessagesServer } from '../support/messages-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let root: string;
let server: MessagesServer | null = null;
let agent: SteerableAgent | null = null;

beforeEach(() => {
  root = temporaryFolder('usefulness');
  mkdirSync(join(root, 'project'));
});
afterEach(async () => {
  await agent?.close();
  agent = null;
  await server?.close();
  server = null;
});

const DEPLOYS = {
  type: 'project',
  name: 'Deploys happen on Tuesdays',
  description: 'Deployments to production go out on Tuesdays only, after the backup',
  body: 'Deployments to production go out on Tuesdays only.\n\n**Why:** The backup runs on Mondays.\n\n**How to apply:** Plan releases for a Tuesday.',
} as const;
const FILE = 'project_deploys-happen-on-tuesdays.md';
const KEY = `project:${FILE}`;
const QUESTION = 'On which day do deployments to production go out?';

const place = () => ({
  cwd: join(root, 'project'),
  home: join(root, 'home'),
  env: { HOME: root, PATH: process.env.PATH },
});

async function openWith(answers: readonly ServerAnswer[], resume?: string): Promise<SteerableAgent> {
  server ??= await startMessagesServer((_, index) => answers[Math.min(index, answers.length - 1)]!);
  const { env } = place();
  agent = await openAgent({
    ...place(),
    env: { ...env, ANTHROPIC_API_KEY: 'not-a-key', ANTHROPIC_BASE_URL: server.url },
    permissionMode: 'bypass',
    ...(resume === undefined ? {} : { resume }),
    settings: {
      'recall.selector': 'local',
      'limits.prefetch.holdMs': 10_000,
      'layers.extraction': false,
      'layers.notes': false,
    },
  });
  if (resume === undefined) await agent.memory.save(DEPLOYS);
  await agent.memory.ready();
  return agent;
}

async function say(to: SteerableAgent, prompt: string): Promise<void> {
  for await (const _ of to.send(prompt));
  // Use is looked for after the turn, by a timer that was set before this longer one and so fires before it.
  await pause(15);
}

const text = (words: string): ServerAnswer => ({ content: [{ type: 'text', text: words }] });
const call = (name: string, input: Record<string, unknown>): ServerAnswer => ({
  content: [{ type: 'tool_use', id: 'toolu_1', name, input }],
});

async function lines(): Promise<readonly MemoryLine[]> {
  const found: MemoryLine[] = [];
  for await (const line of readLedger({ home: join(root, 'home'), now: new Date() })) {
    if (line.type === 'memory') found.push(line);
  }
  return found;
}

const usefulness = () => readUsefulness({ place: findPlace(place()), now: new Date() });

describe('a memory that was recalled', () => {
  it.each<[string, readonly ServerAnswer[], string]>([
    ['by the answer', [text('On a Tuesday, once the backup is done.')], 'names'],
    ['by a call', [call('Bash', { command: 'echo Tuesday' }), text('Done.')], 'names'],
  ])('is used %s', async (_, answers, by) => {
    const used = await openWith(answers);
    await say(used, QUESTION);
    expect(await lines()).toEqual([
      expect.objectContaining({ what: 'recalled', file: FILE, trigger: 'message', selector: 'ranking', watched: true }),
      expect.objectContaining({ what: 'used', file: FILE, by, session: used.sessionId }),
    ]);
    await say(used, 'And on Tuesdays only?');
    expect((await usefulness()).get(KEY)).toMatchObject({ recalled: 1, watched: 1, used: 1, contradicted: 0 });
    for (const line of await lines()) expect(JSON.stringify(line)).not.toContain('backup');
  });

  it('is used when the agent opens its file', async () => {
    const path = join(findPlace(place()).folders[0]!.path, FILE);
    await say(await openWith([call('Read', { file_path: path }), text('Well.')]), QUESTION);
    expect((await lines()).map(({ what, by }) => [what, by])).toEqual([
      ['recalled', undefined],
      ['used', 'read'],
    ]);
  });

  it('is not used by an answer without it, nor by one that repeats the user', async () => {
    const unused = await openWith([text('I do not know.'), text('Tuesday it is, as you say.')]);
    await say(unused, QUESTION);
    await say(unused, 'It is Tuesday.');
    expect((await usefulness()).get(KEY)).toMatchObject({ recalled: 1, used: 0 });
  });

  it('is contradicted when the user corrects it afterwards', async () => {
    const corrected = await openWith([text('On Tuesday.')]);
    await say(corrected, QUESTION);
    await corrected.memory.update(FILE, { body: 'Deployments go out on Thursdays.' });
    expect((await usefulness()).get(KEY)).toMatchObject({ recalled: 1, used: 1, contradicted: 1 });
  });

  it('can be asked why, and after resuming for less', async () => {
    const asked = await openWith([text('On Tuesday.')]);
    await asked.memory.save({
      ...DEPLOYS,
      name: 'Staging',
      description: 'The colours of the staging banner',
      body: 'Orange, so that nobody takes it for production.',
    });
    expect(await asked.recalled()).toEqual({
      recalled: [],
      earlier: [],
      lastMessage: null,
      pickedLocally: null,
      considered: [],
    });
    await say(asked, QUESTION);
    const why = await asked.recalled();
    expect(why.lastMessage).toEqual({ query: QUESTION, closed: null });
    expect(why.recalled).toEqual([
      {
        ...{ key: KEY, picked: 'ranking', call: { by: 'message', query: QUESTION } },
        score: { score: expect.any(Number), explain: expect.stringContaining('words in both: ') },
      },
    ]);
    expect(why.considered.map(({ key, isCertain }) => [key, isCertain])).toEqual([
      ['project:project_staging.md', false],
    ]);
    await asked.close();
    const resumed = await openWith([], asked.sessionId);
    expect(await resumed.recalled()).toMatchObject({ recalled: [], earlier: [KEY], lastMessage: null });
  });
});

describe('where nobody looks for its use', () => {
  it('a memory that a hook told of has one line, whoever asks again', async () => {
    await openWith([text('Well.')]);
    await agent!.close();
    const ports = {
      ...{
        host: 'claude-code',
        home: join(root, 'home'),
        environment: { HOME: root },
        projectFolder: join(root, 'project'),
      },
      ...{
        now: new Date(),
        takesContext: true,
        contextBytes: Number.POSITIVE_INFINITY,
        voice: claudeCode,
        userHome: root,
        isForged: false,
        isChild: true,
      },
    };
    const event = { kind: 'prompt', sessionId: 'theirs', cwd: null, transcriptFile: null, text: QUESTION } as const;
    for (let time = 0; time < 2; time++) {
      const { context, finish } = await runHook(event, ports);
      await finish();
      expect(context?.includes('Tuesdays only') ?? false).toBe(time === 0);
    }
    expect(await lines()).toEqual([
      expect.objectContaining({ what: 'recalled', session: 'theirs', file: FILE, watched: false, trigger: 'message' }),
    ]);
    expect((await usefulness()).get(KEY)).toMatchObject({ recalled: 1, watched: 0, used: 0 });
  });

  it("a memory that joined somebody else's request has its line", async () => {
    const { memory } = await openWith([text('Well.')]);
    const session = await createSession({ ...place(), memory, settings: { 'limits.host.recallHoldMs': 10_000 } });
    await session.prepare({ messages: [{ role: 'user', content: QUESTION }] });
    await session.close();
    expect(await lines()).toEqual([
      expect.objectContaining({ what: 'recalled', session: session.sessionId, file: FILE, watched: false }),
    ]);
  });
});
