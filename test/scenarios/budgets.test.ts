/** Each kind of background work has a budget of its own, a short session has enough of it, and what was capped or refused is told. */

import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readLedger } from '../../src/disk/ledger/ledger.ts';
import type { LedgerLine } from '../../src/disk/ledger/line.ts';
import type { AgentOptions } from '../../src/session/agent.ts';
import { openAgent } from '../../src/session/open-agent.ts';
import { openMemory } from '../../src/session/open-memory.ts';
import type { SteerableAgent } from '../../src/session/steering.ts';
import { createAgentHome } from '../support/agent-process.ts';
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
const opened: SteerableAgent[] = [];
const HANG = { timeout: 10_000 };

beforeEach(() => {
  root = temporaryFolder('budgets');
  mkdirSync(join(root, 'project'));
});

afterEach(async () => {
  for (const agent of opened.splice(0)) await agent.close();
  await server?.close();
  server = null;
});

const place = () => ({
  cwd: join(root, 'project'),
  home: join(root, 'home'),
  env: { HOME: root, PATH: process.env.PATH, ANTHROPIC_API_KEY: 'not-a-key', ANTHROPIC_BASE_URL: server!.url },
});

async function open(options: AgentOptions = {}): Promise<SteerableAgent> {
  const agent = await openAgent({ ...place(), permissionMode: 'bypass', ...options });
  opened.push(agent);
  return agent;
}

/** The notes that it told. */
async function say(agent: SteerableAgent, prompt: string): Promise<readonly string[]> {
  const told: string[] = [];
  for await (const event of agent.send(prompt)) if (event.kind === 'note') told.push(event.text);
  return told;
}

async function ledger(): Promise<readonly LedgerLine[]> {
  const lines: LedgerLine[] = [];
  for await (const line of readLedger({ home: place().home, now: new Date() })) lines.push(line);
  return lines;
}

async function happened(what: (line: LedgerLine) => boolean): Promise<void> {
  await vi.waitFor(async () => expect((await ledger()).some(what)).toBe(true), HANG);
}

const isEvent = (name: string) => (line: LedgerLine) => line.type === 'event' && line.name === name;
const isCappedRecall = (line: LedgerLine) =>
  line.type === 'event' && line.name === 'cap' && line.cause!.startsWith('session: recall: limits.caps.');

async function remembered(): Promise<readonly string[]> {
  const memory = await openMemory(place());
  try {
    return (await memory.list()).map(({ name }) => name);
  } finally {
    await memory.close();
  }
}

const text = (words: string): ServerAnswer => ({ content: [{ type: 'text', text: words }] });
const uses = (...tools: readonly { readonly name: string; readonly input: object }[]): ServerAnswer => ({
  content: tools.map(({ name, input }, at) => ({ type: 'tool_use', id: `toolu_${at}`, name, input })),
});
const isSelection = ({ body }: RecordedRequest) => body.output_config?.format !== undefined;
const isFork = ({ bytes }: RecordedRequest) => bytes.includes('<fork-directive>');
const lastText = ({ body }: RecordedRequest): string =>
  body.messages
    .at(-1)
    .content.map((block: { text?: string }) => block.text ?? '')
    .join('\n');

/** Costs more than a short conversation leaves for it, at once. */
const DEAR_SELECTION: ServerAnswer = { ...text('{"selected_memories":[]}'), usage: { input_tokens: 40_000 } };

const FACTS = [
  ['Releases', 'Releases of the parser go out on Thursdays at noon.'],
  ['Staging', 'Our staging database runs on the machine called heron.'],
  ['Invoices', 'Invoices are rounded half to even because of the auditors.'],
] as const;

function memoryFile(name: string, fact: string): string {
  return `---\nname: ${name}\ndescription: ${fact}\ntype: project\nquote: "${fact}"\n---\n\n${fact}\n`;
}

const fileOf = (name: string) => `project_${name.toLowerCase()}.md`;

/** Keeps each fact of the conversation that the fork is over and is not told to be known, in one answer. */
function keepFacts(request: RecordedRequest): ServerAnswer {
  const folder = /(\/[^"\\\s`]*\/projects\/[^"\\\s`]*\/memory)/.exec(request.bytes)![1]!;
  const said = FACTS.filter(
    ([name, fact]) => request.bytes.includes(fact) && !lastText(request).includes(fileOf(name)),
  );
  return uses(
    ...said.map(([name, fact]) => {
      const input = { file_path: join(folder, fileOf(name)), content: memoryFile(name, fact) };
      return { name: 'Write', input };
    }),
  );
}

function answer(request: RecordedRequest): ServerAnswer {
  if (isSelection(request)) return DEAR_SELECTION;
  if (!isFork(request)) return text('Fine.');
  const notes = notesAskedIn(lastText(request));
  return notes === null ? keepFacts(request) : uses(...notesEdits(notes, { state: 'Known.', step: 'one' }));
}

const KNOWN = { type: 'project', name: 'Tea', description: 'There is tea on Mondays', body: 'There is tea.' } as const;

describe('recall that has spent its share', () => {
  it('leaves extraction and notes theirs, and says so once', async () => {
    server = await startMessagesServer(answer);
    const settings = {
      'recall.selector': 'model',
      'limits.notes.firstTokens': 40,
      'limits.notes.growthTokens': 10,
      'limits.notes.mainShare': 100,
    };
    const agent = await open({ settings });
    await agent.memory.save(KNOWN);
    await say(agent, 'Is there anything on Mondays?');
    await happened((line) => line.type === 'call' && line.purpose === 'recall');
    const told = [...(await say(agent, FACTS[0][1]))];
    await happened(isCappedRecall);
    const capped = (await ledger()).findIndex(isCappedRecall);
    for (const turn of ['And on the other days?', 'And what about the evenings?'])
      told.push(...(await say(agent, turn)));
    await happened((line) => isEvent('extraction')(line));
    await agent.close();
    const worked = (await ledger()).slice(capped).flatMap((line) => (line.type === 'call' ? [line.purpose] : []));
    expect(new Set(worked)).toEqual(new Set(['main', 'extraction', 'notes']));
    expect(await remembered()).toContain('Releases');
    expect(told.filter((line) => line.startsWith('Memories are picked without a model'))).toEqual([
      expect.stringMatching(
        /Recall has used 4\d,\d{3} of 30,000 tokens in this session\. Raise `limits\.caps\.floorTokens`/,
      ),
    ]);
  });

  it('does not keep a session of two turns from learning', async () => {
    server = await startMessagesServer(answer);
    const agent = await open({ settings: { 'recall.selector': 'model' } });
    await agent.memory.save(KNOWN);
    for (const [, fact] of FACTS.slice(0, 2)) await say(agent, fact);
    await agent.close();
    expect((await ledger()).filter((line) => line.type === 'event' && line.name === 'extraction-capped')).toEqual([]);
    expect([...(await remembered())].sort()).toEqual(['Releases', 'Staging', 'Tea']);
  });
});

it('extraction that has used its share still has a last look at the end', async () => {
  server = await startMessagesServer((request) => {
    if (!isFork(request)) return text('Fine.');
    return { ...keepFacts(request), usage: { input_tokens: 9_000 } };
  });
  const told: string[] = [];
  const settings = { 'recall.selector': 'local', 'layers.notes': false, 'limits.caps.floorTokens': 16_000 };
  const agent = await open({ settings, onClosingLine: (line) => told.push(line) });
  await say(agent, FACTS[0][1]);
  await happened(isEvent('extraction'));
  await say(agent, FACTS[1][1]);
  await happened(isEvent('extraction-capped'));
  await say(agent, FACTS[2][1]);
  expect(await remembered()).toEqual(['Releases']);
  await agent.close();
  expect([...(await remembered())].sort()).toEqual(['Invoices', 'Releases', 'Staging']);
  expect(told).toEqual([expect.stringContaining('Saved to memory: “Staging”, “Invoices”.')]);
});

it('three short sessions with one fact each keep all three', async () => {
  server = await startMessagesServer(answer);
  for (const [at, [, fact]] of FACTS.entries()) {
    const agent = await open();
    if (at > 0) await say(agent, 'Hello again.');
    await say(agent, fact);
    await agent.close();
  }
  expect([...(await remembered())].sort()).toEqual(['Invoices', 'Releases', 'Staging']);
});

describe('in print mode and in the status', { timeout: 60_000 }, () => {
  const SETTINGS = ['--settings', '{"layers.notes": false, "recall.selector": "local"}'];

  it('a capped extraction says what it used, of what, and what raises it', async () => {
    server = await startMessagesServer((request) => {
      if (!isFork(request)) return text('Fine.');
      return { ...text('nothing'), usage: { input_tokens: 31_000 } };
    });
    const home = createAgentHome(server.url);
    expect((await home.here(['-p', FACTS[0][1], ...SETTINGS])).stderr).toBe('');
    const { code, stderr } = await home.run(['-p', '--continue', FACTS[1][1], ...SETTINGS]);
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^note: Not looked through for memories: extraction has used 3\d,\d{3} of 30,000 tokens in this session\. Raise `limits\.caps\.floorTokens` in settings\. .*\n$/,
    );
    const { stdout } = await home.here(['status']);
    expect(stdout).toMatch(
      /In the last day:\n {2}extraction did not start, .*: it had used 3\d,\d{3} of 30,000 tokens in its session \(limits\.caps\.floorTokens\)/,
    );
  });

  it('what an extraction began it finishes, though its share is used up', async () => {
    const [name, fact] = FACTS[0];
    server = await startMessagesServer((request) => {
      if (!isFork(request)) return text('Fine.');
      if (request.bytes.includes('tool_result')) return keepFacts(request);
      return { ...uses({ name: 'Glob', input: { pattern: '*.md' } }), usage: { input_tokens: 31_000 } };
    });
    const home = createAgentHome(server.url);
    const { stderr } = await home.here(['-p', fact, ...SETTINGS]);
    expect(stderr).toContain(`Saved to memory: “${name}”`);
  });

  it('what the user asked not to keep is told by its name, and by its rule alone in the ledger', async () => {
    const [name, fact] = FACTS[1];
    server = await startMessagesServer((request) => {
      if (!isFork(request)) return text('Fine.');
      return request.bytes.includes('tool_result') ? text('nothing') : keepFacts(request);
    });
    const home = createAgentHome(server.url);
    const { stderr } = await home.here(['-p', `${fact} But do not remember that.`, ...SETTINGS]);
    expect(stderr).toBe(`note: Not kept: “${name}” (you asked not to).\n`);
    const { stdout } = await home.here(['status']);
    expect(stdout).toContain('extraction did not keep 1 memory, just now: you asked not to (opted-out)');
    const { lastDay } = JSON.parse((await home.here(['status', '--json'])).stdout);
    expect(lastDay).toMatchObject([{ kind: 'refused', part: 'extraction', by: 'opted-out', times: 1 }]);
    const folder = join(home.home, 'ledger');
    const written = readdirSync(folder).flatMap((file) =>
      file.endsWith('.jsonl') ? [readFileSync(join(folder, file), 'utf8')] : [],
    );
    expect(written.join('')).not.toMatch(/heron|Staging/);
  });
});
