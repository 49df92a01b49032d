/** What is there again after a compaction, over HTTP with the real SDK: skills, tools that were found, servers' words, files as they were read. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AgentEvent } from '../../src/agent/event.ts';
import { LIMITS } from '../../src/limits.ts';
import { replay } from '../../src/reports/replay/replay.ts';
import type { AgentOptions } from '../../src/session/agent.ts';
import { openAgent } from '../../src/session/open-agent.ts';
import type { SteerableAgent } from '../../src/session/steering.ts';
import { toolServer } from '../support/mcp-servers.ts';
import {
  type ContentAnswer,
  type MessagesServer,
  type RecordedRequest,
  startMessagesServer,
} from '../support/messages-server.ts';
import { quietAgent } from '../support/quiet-agent.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let root: string;
let server: MessagesServer;
let agent: SteerableAgent;
/** Answers to come, before the ordinary one. */
let steps: ContentAnswer[] = [];
let summary = '';

const isSummary = ({ bytes }: RecordedRequest) => bytes.includes('<summary>') && bytes.includes('<analysis>');
const text = (words: string): ContentAnswer => ({ content: [{ type: 'text', text: words }] });
let calls = 0;
const call = (name: string, input: object): ContentAnswer => ({
  content: [{ type: 'tool_use', id: `toolu_${calls++}`, name, input }],
});

beforeEach(async () => {
  root = temporaryFolder('restores');
  mkdirSync(join(root, 'project'));
  steps = [];
  summary = 'Work goes on.';
  server = await startMessagesServer((request) => {
    if (isSummary(request)) return text(`<analysis>-</analysis><summary>${summary}</summary>`);
    return steps.shift() ?? text(`Fine. ${'More words. '.repeat(1_500)}`);
  });
});

afterEach(async () => {
  await agent.close();
  await server.close();
});

const environment = () => quietAgent(root, server).env;

async function open(options: AgentOptions = {}): Promise<void> {
  agent = await openAgent({
    ...quietAgent(root, server),
    ...options,
  });
}

async function say(prompt: string): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of agent.send(prompt)) events.push(event);
  return events;
}

const lastSent = () => server.requests.at(-1)!.bytes;

function write(path: string, content: string): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** Enough to be worth compacting. */
async function compactNow(): Promise<string> {
  for (const prompt of ['And then?', 'And what else?', 'Anything more?']) await say(prompt);
  const line = await agent.compact!('');
  expect(line).toContain('Compacted');
  return line;
}

it('a skill that was loaded, also after a second compaction and in a session that goes on', async () => {
  const skill = '---\nname: deploy\ndescription: How we deploy\n---\nAnnounce it in #harbour, then pull the lever.\n';
  write('.claude/skills/deploy/SKILL.md', skill);
  await open();
  steps = [call('Skill', { skill: 'deploy' })];
  await say('Deploy it.');
  await compactNow();
  await say('Go on.');
  expect(lastSent()).toContain('then pull the lever');
  await agent.close();
  await open({ resume: agent.sessionId });
  await compactNow();
  await say('Go on.');
  expect(lastSent().match(/then pull the lever/g)).toHaveLength(1);
});

it('a skill and a file in a short conversation too, and the line says that it became shorter', async () => {
  write('.claude/skills/deploy/SKILL.md', '---\nname: deploy\ndescription: How we deploy\n---\nPull the lever.\n');
  write('project/a.txt', 'the plan is alpha\n');
  await open();
  steps = [call('Skill', { skill: 'deploy' }), call('Read', { file_path: 'a.txt' }), text('Done. '.repeat(400))];
  await say('Deploy it.');
  const line = await agent.compact!('');
  const [before, after] = [...line.matchAll(/([\d,]+)(?= tokens became|\. )/g)].map(([n]) =>
    Number(n.replace(',', '')),
  );
  expect(after).toBeLessThan(before!);
  await say('Go on.');
  for (const words of ['Pull the lever.', 'the plan is alpha']) expect(lastSent()).toContain(words);
});

it('where commands run: after a compaction, and where a session that goes on has left the folder', async () => {
  write('project/sub/a.txt', 'alpha\n');
  await open();
  steps = [call('Bash', { command: 'cd sub' })];
  await say('Look there.');
  await compactNow();
  await say('Go on.');
  expect(lastSent()).toContain(`Bash commands now run in ${join(root, 'project', 'sub')}.`);
  await agent.close();
  await open({ resume: agent.sessionId });
  await say('Go on.');
  expect(lastSent()).toContain(`Bash commands now run in ${join(root, 'project')}.`);
});

it('what MCP servers say of themselves, and the tools that were found', async () => {
  await open({ settings: { mcpServers: { helper: toolServer() }, 'limits.mcpServers.schemaShare': 0.000001 } });
  steps = [call('McpSearch', { select: ['mcp__helper__echo'] })];
  await say('What can the server do?');
  for (let round = 0; round < 2; round++) {
    await compactNow();
    await say('Go on.');
    expect(lastSent()).toContain('Ask before you flood.');
    expect(lastSent()).toMatch(/mcp__helper__echo\\n[^"]*Input schema: /);
  }
  const boundaries = readFileSync(agent.transcriptFile!, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"type":"boundary"'));
  expect(JSON.parse(boundaries[0]!).discoveredTools).toEqual(['mcp__helper__echo']);
});

it('rules for files, warnings and the lifetime of the cache as they are now', async () => {
  await open();
  await say('Begin.');
  write('project/.claude/rules/sql.md', '---\npaths: "**/*.sql"\n---\nKeywords in capitals.\n');
  write('project/AGENTS.md', `Be brief. ${'x'.repeat(41_000)}`);
  write('home/settings.json', JSON.stringify({ cacheTtl: '1h' }));
  write('project/a.sql', 'select 1;\n');
  await compactNow();
  steps = [call('Read', { file_path: 'a.sql' })];
  const events = await say('Look at a.sql.');
  expect(lastSent()).toContain('Keywords in capitals.');
  expect(lastSent()).toContain('"ttl":"1h"');
  const notes = events.flatMap((event) => (event.kind === 'note' ? [event.text] : []));
  expect(notes.join('\n')).toContain('AGENTS.md');
});

it('files that were read last, with the lines that were read; one that was only written is not among them', async () => {
  const lines = Array.from({ length: 900 }, (_, at) => `line number ${at + 1}`).join('\n');
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) write(`project/${name}.txt`, `text of ${name}\n`);
  write('project/long.txt', lines);
  await open();
  steps = [
    call('Read', { file_path: join(root, 'project/long.txt'), offset: 500, limit: 20 }),
    ...['a', 'b', 'c', 'd', 'e'].map((name) => call('Read', { file_path: join(root, `project/${name}.txt`) })),
    // Unchanged, so that it is not shown again; it was read last all the same.
    call('Read', { file_path: join(root, 'project/long.txt'), offset: 500, limit: 20 }),
    call('Read', { file_path: join(root, 'project/a.txt') }),
    call('Write', { file_path: join(root, 'project/new.txt'), content: 'written, never read\n' }),
  ];
  await say('Read them.');
  await compactNow();
  await say('Go on.');
  const sent = lastSent();
  expect(sent).toContain('long.txt, lines 500 to 519 of 900');
  expect(sent).toContain('line number 519\\n');
  expect(sent).not.toMatch(/line number (?:1|499|520)\\n/);
  for (const name of ['a', 'c', 'd', 'e']) expect(sent).toContain(`text of ${name}\\n`);
  for (const words of ['text of b', 'written, never read']) expect(sent).not.toContain(words);
  // What a result showed that is gone now is shown again.
  steps = [call('Read', { file_path: join(root, 'project/b.txt') })];
  await say('And b?');
  expect(lastSent()).toContain('text of b');
});

it('asks for the summary with the context edits of every other request; what the API cleared is announced', async () => {
  await open();
  await say('Begin.');
  await say('Go on.');
  const applied = { type: 'clear_tool_uses_20250919', cleared_tool_uses: 3, cleared_input_tokens: 9_000 };
  steps = [
    {
      ...text('Cleared.'),
      contextManagement: { applied_edits: [applied] },
      usage: { cache_read_input_tokens: 10, cache_creation_input_tokens: 9_000 },
    },
  ];
  await say('More.');
  const before = server.requests.at(-1)!.body;
  await compactNow();
  const summary = server.requests.find(isSummary)!.body;
  expect(before.context_management).toBeDefined();
  expect(summary.context_management).toEqual(before.context_management);
  await agent.close();
  const ledger = join(root, 'home', 'ledger');
  const lines = readdirSync(ledger).flatMap((file) => readFileSync(join(ledger, file), 'utf8').split('\n'));
  const breaks = lines.filter((line) => line.includes('"broke"'));
  expect(breaks.join('\n')).toContain('clearing by the API');
  expect(breaks.join('\n')).not.toContain('the server dropped it');
});

it('the last request once, and a line that tells the user what is there and what is not', async () => {
  await open();
  await say('Build the parser.');
  for (let turn = 0; turn < 24; turn++) await say(`Background ${turn}: ${'it is like this. '.repeat(110)}`);
  await say('Now print the tree\nwith port 4173.');
  summary =
    "## The user's messages\n- Build the parser.\n- Now print the tree\n  with port 4173.\n\n## Next step\nPrint.";
  const line = await agent.compact!('');
  expect(line).toMatch(
    /^Compacted: [\d,]+ tokens became about [\d,]+\. Still there, word for word: your last request, \d+ /,
  );
  expect(line).toMatch(/Only in the transcript now: \d+ messages of yours \("Background 0: .*\/expand/);
  await say('Go on.');
  expect(lastSent().match(/Now print the tree/g)).toHaveLength(1);
  expect(lastSent()).toContain('Build the parser.');
});

it('what went can be read again, and says where it is cut; a replay goes by the window of the session', async () => {
  await open({ env: { ...environment(), REVERIE_CONTEXT_WINDOW: '64000' } });
  await say(`Build the parser. ${'Some background. '.repeat(200)}`);
  await compactNow();
  const { ranges } = await agent.summarised();
  const first = { from: ranges[0]!.from, to: ranges[0]!.from };
  expect(await agent.expand(first)).toMatchObject({ nextUuid: null, isCut: true });
  await agent.close();
  const recording = { name: 'session', text: readFileSync(agent.transcriptFile!, 'utf8') };
  const asked = { files: [recording], isJoined: false, prefixTokens: 1_000, ttl: '5m', limits: LIMITS } as const;
  expect(await replay(asked)).toMatchObject([{ windowTokens: 64_000 }]);
});
