/** MemorySearch over HTTP: what the user typed in an earlier session is found, and counts as their word of that day. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ToolResultBlock, textOf } from '../../src/conversation/message.ts';
import type { AgentOptions } from '../../src/session/agent.ts';
import { openAgent } from '../../src/session/open-agent.ts';
import type { SteerableAgent } from '../../src/session/steering.ts';
import { type MessagesServer, type ServerAnswer, startMessagesServer } from '../support/messages-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SAID = 'Deploys to the harbour cluster always go through Marta.';
const PASTED = 'Harbour cluster deploys skip the database backup on Fridays.';
const NOW = new Date();
/** Not so long ago that the session is removed by age. */
const THEN = new Date(NOW.getTime() - 3 * 24 * 60 * 60_000);
const DAY = THEN.toISOString().slice(0, 10);
const SEARCH = ['MemorySearch', { query: 'deploys to the harbour cluster' }] as const;

let root: string;
let server: MessagesServer;
let agent: SteerableAgent;
let calls: (readonly [name: string, input: Record<string, unknown>])[];
let forkCalls: typeof calls;

beforeEach(async () => {
  root = temporaryFolder('past');
  mkdirSync(join(root, 'project'));
  calls = [];
  forkCalls = [];
  server = await startMessagesServer((request): ServerAnswer => {
    const call = (request.bytes.includes('<fork-directive>') ? forkCalls : calls).shift();
    if (call === undefined) return { content: [{ type: 'text', text: 'The harbour cluster, I see.' }] };
    return { content: [{ type: 'tool_use', id: `toolu_${server.requests.length}`, name: call[0], input: call[1] }] };
  });
});

afterEach(async () => {
  await agent.close();
  await server.close();
});

async function open(now: Date, options: AgentOptions = {}): Promise<void> {
  agent = await openAgent({
    cwd: join(root, 'project'),
    home: join(root, 'home'),
    env: { HOME: root, PATH: process.env.PATH, ANTHROPIC_API_KEY: 'not-a-key', ANTHROPIC_BASE_URL: server.url },
    clock: { now: () => now },
    closeWaitMs: 10_000,
    ...options,
    settings: {
      'recall.selector': 'local',
      'layers.notes': false,
      'layers.extraction': false,
      'limits.caps.extractionShare': 100,
      'limits.pastSearch.milliseconds': 60_000,
      ...options.settings,
    },
  });
}

async function say(prompt: Parameters<SteerableAgent['send']>[0]): Promise<void> {
  for await (const _event of agent.send(prompt));
}

async function earlierSession(): Promise<string> {
  await open(THEN);
  await say({ typed: `${SAID} Who is on call today?`, cameAlong: [{ how: 'pasted', text: PASTED }] });
  await agent.close();
  return agent.sessionId;
}

const results = () =>
  agent
    .entries()
    .flatMap(({ message }) => message.content.filter((block): block is ToolResultBlock => block.type === 'tool_result'))
    .map(({ content }) => textOf(content));

function writing(quote: string) {
  const content = [
    '---',
    'name: Harbour deploys',
    `description: ${quote}`,
    'type: project',
    `quote: "${quote}"`,
    '---',
    '',
    quote,
    '',
  ];
  const file_path = join(agent.memory.folders.project!, 'project_harbour.md');
  return ['Write', { file_path, content: content.join('\n') }] as const;
}

describe('a sentence of an earlier session', () => {
  it('is found with its day and session, and what was pasted or answered then is not', async () => {
    const session = await earlierSession();
    await open(NOW);
    await agent.memory.save({
      type: 'reference',
      name: 'Harbour dashboard',
      description: 'Where deploys to the harbour cluster are seen',
      body: 'Deploys to the harbour cluster are on the dashboard.',
      quote: [{ text: 'Deploys are on the dashboard.', at: '2031-04-01' }],
    });
    calls = [SEARCH];
    await say('Who handles that?');
    const [found] = results();
    expect(found).toContain(`Typed by the user in earlier sessions:\n- ${DAY}, session ${session}: "${SAID}"`);
    expect(found).toMatch(/reference_harbour-dashboard\.md \(project; score \d\.\d\d, .*said\): Harbour dashboard/);
    expect(found).toContain('The user\'s words, 2031-04-01: "Deploys are on the dashboard."');
    expect(found).not.toContain(PASTED);
    expect(found).not.toContain('I see');
  });

  it('is not found where the user asked not to keep it', async () => {
    await open(THEN);
    await say(SAID);
    await say('And don’t save that, please.');
    await agent.close();
    await open(NOW);
    calls = [SEARCH];
    await say('Who handles that?');
    expect(results()[0]).not.toContain('Marta');
  });

  it.each<[string, (memory: SteerableAgent['memory'], file: string) => Promise<unknown>]>([
    ['was forgotten', (memory, file) => memory.forget(file)],
    [
      'was superseded',
      (memory, file) =>
        memory.save({ type: 'project', name: 'Deploys by bot', description: 'd', body: 'b', supersedes: file }),
    ],
  ])('is not found where the memory that rests on it %s', async (_what, takeBack) => {
    await earlierSession();
    await open(NOW);
    const { file } = await agent.memory.save({
      ...{ type: 'project', name: 'Harbour deploys', description: 'Who deploys', body: 'Through Marta.' },
      quote: [{ text: SAID, at: DAY }],
    });
    await takeBack(agent.memory, file);
    calls = [SEARCH];
    await say('Who handles that?');
    expect(results()[0]).not.toContain(`session `);
  });

  it('makes a memory that quotes it `said`, on the day it was said', async () => {
    await earlierSession();
    await open(NOW);
    calls = [SEARCH, writing(SAID)];
    await say('Look it up, please.');
    expect(await agent.memory.list()).toMatchObject([
      { source: 'said', quote: [{ text: SAID, at: expect.stringContaining(DAY) }] },
    ]);
  });

  it.each([
    ['was not shown here', SAID, false],
    ['was pasted then', PASTED, true],
  ])('that %s is nobody’s word', async (_what, quote, isSearched) => {
    await earlierSession();
    await open(NOW);
    calls = [...(isSearched ? [SEARCH] : []), writing(quote)];
    await say('Look it up, please.');
    expect((await agent.memory.list()).filter(({ source }) => source === 'said')).toEqual([]);
  });

  it('still counts when the session is resumed', async () => {
    await earlierSession();
    await open(NOW);
    calls = [SEARCH];
    await say('Look it up, please.');
    await agent.close();
    await open(NOW, { resume: agent.sessionId });
    calls = [writing(SAID)];
    await say('Go on.');
    expect(await agent.memory.list()).toMatchObject([{ source: 'said' }]);
  });

  it('counts for an extraction too', async () => {
    await earlierSession();
    await open(NOW, { settings: { 'layers.extraction': true, 'limits.extraction.typedCharacters': 1 } });
    calls = [SEARCH];
    forkCalls = [writing(SAID)];
    await say('Look up how we deploy to the harbour cluster, then explain it to me in a few words.');
    await vi.waitFor(async () => expect(await agent.memory.list()).toHaveLength(1), { timeout: 10_000 });
    expect(await agent.memory.list()).toMatchObject([{ source: 'said', quote: [{ text: SAID }] }]);
    expect((await agent.memory.log())[0]).toMatchObject({ who: 'extraction' });
  });

  it('is not looked for where past search is off', async () => {
    await earlierSession();
    await open(NOW, { settings: { pastSearch: false } });
    calls = [SEARCH];
    await say('Who handles that?');
    expect(results()).toEqual(['Nothing is remembered about that.']);
  });
});
