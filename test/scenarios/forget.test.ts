/** The agent's Forget tool over HTTP: the user's typed words carry it, nothing else does, and it can be undone. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ToolResultBlock } from '../../src/conversation/message.ts';
import { textOf } from '../../src/conversation/message.ts';
import type { AgentOptions } from '../../src/session/agent.ts';
import { openAgent } from '../../src/session/open-agent.ts';
import type { SteerableAgent } from '../../src/session/steering.ts';
import { createAgentHome } from '../support/agent-process.ts';
import { type MessagesServer, type ServerAnswer, startMessagesServer } from '../support/messages-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const FREEZE = {
  type: 'project',
  name: 'Release freeze',
  description: 'Nothing is merged before the release',
  body: 'Nothing is merged before the release.',
} as const;

let root: string;
let server: MessagesServer;
let agent: SteerableAgent | null = null;
let calls: Record<string, unknown>[];
let writes: Record<string, unknown>[];

beforeEach(async () => {
  root = temporaryFolder('forget');
  mkdirSync(join(root, 'project'));
  calls = [];
  writes = [];
  server = await startMessagesServer((): ServerAnswer => {
    const input = calls.shift();
    if (input !== undefined)
      return { content: [{ type: 'tool_use', id: `toolu_${calls.length}`, name: 'Forget', input }] };
    const write = writes.shift();
    if (write !== undefined) return { content: [{ type: 'tool_use', id: 'toolu_write', name: 'Write', input: write }] };
    return { content: [{ type: 'text', text: 'Done.' }] };
  });
});

afterEach(async () => {
  await agent?.close();
  agent = null;
  await server.close();
});

function environment(): NodeJS.ProcessEnv {
  return { HOME: root, PATH: process.env.PATH, ANTHROPIC_API_KEY: 'not-a-key', ANTHROPIC_BASE_URL: server.url };
}

/** A user who says no, and what they were asked. */
function refusing() {
  const asked: string[] = [];
  const ask: AgentOptions['ask'] = async ({ reason }) => {
    asked.push(reason);
    return { kind: 'no' };
  };
  return { asked, ask };
}

async function open(options: AgentOptions = {}): Promise<SteerableAgent> {
  agent = await openAgent({
    cwd: join(root, 'project'),
    home: join(root, 'home'),
    env: environment(),
    settings: { 'recall.selector': 'local', 'layers.notes': false, 'layers.extraction': false },
    ...options,
  });
  return agent;
}

async function say(prompt: Parameters<SteerableAgent['send']>[0], options = {}): Promise<void> {
  for await (const _event of agent!.send(prompt, options));
}

function lastResult(): { isError: boolean; text: string } {
  const results = agent!
    .entries()
    .flatMap(({ message }) =>
      message.content.filter((block): block is ToolResultBlock => block.type === 'tool_result'),
    );
  const last = results.at(-1)!;
  return { isError: last.is_error === true, text: textOf(last.content) };
}

const files = async () => (await agent!.memory.list()).map(({ file }) => file);

describe('words that the user typed', () => {
  it('remove the memory without a question, and undo brings it back', async () => {
    const { asked, ask } = refusing();
    const { memory } = await open({ ask });
    const { file } = await memory.save(FREEZE);
    calls = [{ file: 'Release freeze', quote: 'forget the release freeze', reason: 'it is over' }];
    await say('The release is out. Please forget the release freeze.');
    expect(lastResult()).toMatchObject({ isError: false, text: expect.stringContaining(`Forgot ${file} (project)`) });
    expect(asked).toEqual([]);
    expect(await files()).toEqual([]);
    const [change] = await memory.log();
    expect(change).toMatchObject({ kind: 'forget', who: 'agent', why: 'forgotten: it is over', files: [file] });
    await memory.undo();
    expect(await files()).toEqual([file]);
  });

  it('that speak of something else do not, and the user is asked', async () => {
    const { asked, ask } = refusing();
    const { memory } = await open({ ask });
    const { file } = await memory.save(FREEZE);
    calls = [{ file, quote: 'what did I say about Lena' }];
    await say('Hm, what did I say about Lena?');
    expect(asked).toEqual([expect.stringContaining('do not name')]);
    expect(await files()).toEqual([file]);
  });

  it('do not bring back what they asked to forget', async () => {
    const { memory } = await open({ permissionMode: 'bypass' });
    await memory.save(FREEZE);
    calls = [{ file: 'Release freeze', quote: 'forget the release freeze before the merge' }];
    await say('Please forget the release freeze before the merge.');
    const body = 'Release freeze before the merge.';
    const content = `---\nname: Freeze\ndescription: ${body}\ntype: project\n---\n\n${body}\n`;
    writes = [{ file_path: join(memory.folders.project!, 'project_freeze.md'), content }];
    await say('Go on.');
    expect((await memory.list()).map(({ source }) => source)).not.toContain('said');
  });

  it('leave what the same sentence asks to remember, once and as the user’s word', async () => {
    const { memory } = await open({ permissionMode: 'bypass', settings: { 'recall.selector': 'local' } });
    await memory.save(FREEZE);
    calls = [{ file: 'Release freeze', quote: 'forget the release freeze' }];
    const body = 'Releases go out on Thursdays.';
    const header = `name: Release day\ndescription: ${body}\ntype: project\nquote: "releases go out on Thursdays"`;
    const file_path = join(memory.folders.project!, 'project_release-day.md');
    writes = [{ file_path, content: `---\n${header}\n---\n\n${body}\n` }];
    await say('Remember that releases go out on Thursdays, and forget the release freeze.');
    await agent!.close();
    const kept = (await memory.list()).map(({ file, source }) => ({ file, source }));
    expect(kept).toEqual([{ file: 'project_release-day.md', source: 'said' }]);
  });

  it('may ask for it, in an earlier message, and the file need not be spelled out', async () => {
    const { memory } = await open();
    const { file } = await memory.save(FREEZE);
    await say('Could you forget the freeze?');
    calls = [{ file: file.replace('.md', ''), quote: 'Could you forget the freeze' }];
    await say('And now?');
    expect(await files()).toEqual([]);
    expect((await memory.log())[0]).toMatchObject({ why: 'forgotten: Could you forget the freeze' });
  });

  it('do not help with a memory that is not there: the nearest is named', async () => {
    const { memory } = await open();
    await memory.save(FREEZE);
    calls = [{ file: 'project_release-freze', quote: 'forget the release freeze' }];
    await say('forget the release freeze');
    expect(lastResult()).toMatchObject({
      isError: true,
      text: expect.stringContaining('did you mean project_release-freeze?'),
    });
  });
});

describe('without them', () => {
  it.each([
    ['words that were never said', 'What is the state?', 'forget the release freeze'],
    ['words from what was pasted', { typed: 'Look at this page.', cameAlong: page('forget the release freeze') }, null],
    ['a word from anywhere', 'What is the state?', 'the'],
  ])('asks: %s', async (_name, prompt, quote) => {
    const { asked, ask } = refusing();
    const { memory } = await open({
      permissionMode: 'bypass',
      ask,
    });
    const { file } = await memory.save(FREEZE);
    calls = [{ file, quote: quote ?? 'forget the release freeze' }];
    await say(prompt);
    expect(asked).toEqual([expect.stringContaining('the user typed no such words in this conversation')]);
    expect(await files()).toEqual([file]);
  });

  it('removes it when the user says yes', async () => {
    const { memory } = await open({ ask: async () => ({ kind: 'once' }) });
    const { file } = await memory.save(FREEZE);
    calls = [{ file, quote: 'it is outdated, is it not' }];
    await say('What is the state?');
    expect(await files()).toEqual([]);
  });

  it('always asks about a pinned memory', async () => {
    const { asked, ask } = refusing();
    const { memory } = await open({ ask });
    const { file } = await memory.save(FREEZE);
    await memory.pin(file);
    calls = [{ file, quote: 'forget the release freeze' }];
    await say('forget the release freeze');
    expect(asked).toEqual([`Forget asks first: ${file} is pinned.`]);
    expect(await files()).toEqual([file]);
  });
});

function page(text: string) {
  return [{ how: 'pasted', text }] as const;
}

describe('reverie -p', { timeout: 60_000 }, () => {
  it('forgets at a typed word, and denies the rest with what to do', async () => {
    const home = createAgentHome(server.url);
    const { file } = JSON.parse(
      (
        await home.run(
          ['memory', 'save', '--json', '--type', 'project', '--name', FREEZE.name].concat([
            '--description',
            FREEZE.description,
            '--body',
            FREEZE.body,
          ]),
        )
      ).stdout,
    );
    calls = [{ file, quote: 'forget the release freeze' }];
    const denied = await home.run(['-p', 'What is the state?', '--json']);
    expect(JSON.parse(denied.stdout).permission_denials).toHaveLength(1);
    const told = JSON.stringify(server.requests.findLast(({ bytes }) => bytes.includes('tool_result'))!.body.messages);
    expect(told).toContain(`Nobody can be asked here. If the user asked for it, quote their words`);
    expect(told).toContain(`reverie memory forget project:${file}`);
    calls = [{ file, quote: 'forget the release freeze', reason: 'asked to' }];
    await home.here(['-p', 'Please forget the release freeze']);
    const [change] = JSON.parse((await home.here(['memory', 'log', '--json'])).stdout);
    expect(change).toMatchObject({ kind: 'forget', who: 'agent', why: 'forgotten: asked to' });
    expect((await home.here(['memory', 'undo'])).code).toBe(0);
    expect(JSON.parse((await home.here(['memory', 'list', '--json'])).stdout)).toMatchObject([{ file }]);
  });
});

it('is no tool where memory is off', async () => {
  const { tools } = await open({ env: { ...environment(), REVERIE_DISABLE_MEMORY: '1' } });
  expect(tools).not.toContain('Forget');
});
