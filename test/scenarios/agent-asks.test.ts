/** The agent asks the user, and the web: what it hears, and what it is told where nobody can be asked. */

import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type ScriptStep, scriptedModel } from '../../src/model/scripted.ts';
import type { AgentOptions } from '../../src/session/agent.ts';
import { openAgent } from '../../src/session/open-agent.ts';
import { createAgentHome } from '../support/agent-process.ts';
import { startMessagesServer } from '../support/messages-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let root: string;

beforeEach(() => {
  root = temporaryFolder('asks');
  mkdirSync(join(root, 'project'));
});

async function converse(steps: readonly ScriptStep[], more: Partial<AgentOptions> = {}, env: NodeJS.ProcessEnv = {}) {
  const model = scriptedModel({ steps });
  const agent = await openAgent({
    cwd: join(root, 'project'),
    home: join(root, 'home'),
    env: { HOME: root, PATH: process.env.PATH, ...env },
    model,
    ...more,
  });
  for await (const event of agent.send('Go.')) expect(event).toBeDefined();
  const { tools, warnings } = agent;
  await agent.close();
  const result = model.requests[1]?.messages
    .flatMap(({ content }) => content)
    .find(({ type }) => type === 'tool_result');
  return { tools, warnings, heard: JSON.stringify(result) };
}

const QUESTIONS = [
  {
    question: 'Which database?',
    options: [{ label: 'PostgreSQL', description: 'as in production' }, { label: 'SQLite' }],
  },
  { question: 'Which tests?', options: [{ label: 'Unit' }, { label: 'End to end' }], multiSelect: true },
];
const asking = { tools: [{ name: 'AskUser', input: { questions: QUESTIONS } }] };

describe('AskUser', () => {
  it('hands the questions to the program, and the answers to the model', async () => {
    const { heard } = await converse([asking, { text: 'Done.' }], {
      permissionMode: 'plan',
      async askUser(questions) {
        expect(questions).toEqual(QUESTIONS);
        return [['the one we have'], ['Unit', 'End to end']];
      },
    });
    expect(heard).toContain('Which database? — in their own words: the one we have');
    expect(heard).toContain('Which tests? — Unit, End to end');
  });

  const RULE = 'Logs never go to the temporary folder.';
  const remembering = (quote: string): ScriptStep => {
    const header = `name: Logs\ndescription: ${RULE}\ntype: feedback\nquote: "${quote}"`;
    const file_path = join(root, 'home', 'memory', 'feedback_logs.md');
    return { tools: [{ name: 'Write', input: { file_path, content: `---\n${header}\n---\n\n${RULE}\n` } }] };
  };
  const running = { tools: [{ name: 'Bash', input: { command: 'touch log', outside_sandbox: true } }] };

  it.each<[string, ScriptStep, Partial<AgentOptions>, string]>([
    ['refuses a call', running, { ask: async () => ({ kind: 'no', feedback: RULE }) }, 'said'],
    ['answers a question', asking, { askUser: async () => [[RULE], ['Unit']] }, 'said'],
    ['chooses a label of the agent’s', asking, { askUser: async () => [['SQLite'], ['Unit']] }, 'inferred'],
  ])('what the user types is their word where it %s', async (_how, step, options, source) => {
    await converse([step, remembering(RULE), { text: 'Done.' }], {
      ...options,
      settings: { 'layers.extraction': false },
    });
    const kept = readFileSync(join(root, 'home', 'memory', 'feedback_logs.md'), 'utf8');
    expect(kept).toContain(`source: ${source}`);
  });

  it.each([
    ['gives no answer', async () => null, 'The user gave no answer.'],
    ['cannot be reached', async () => Promise.reject(new Error('no line')), 'no line'],
  ])('tells the model how to go on where the user %s', async (_what, askUser, reason) => {
    const { heard } = await converse([asking, { text: 'Done.' }], { askUser });
    expect(heard).toContain(reason);
    expect(heard).toContain('name your assumption');
  });

  it('is refused by print mode with a sentence the model can act on', async () => {
    const server = await startMessagesServer(({ bytes }) =>
      bytes.includes('"tool_result"')
        ? { content: [{ type: 'text', text: 'I took PostgreSQL.' }] }
        : { content: [{ type: 'tool_use', id: 'toolu_1', name: 'AskUser', input: { questions: QUESTIONS } }] },
    );
    const ended = await createAgentHome(server.url).run(['-p', 'Go.']);
    await server.close();
    expect(ended.stdout.trim()).toBe('I took PostgreSQL.');
    const answered = server.requests.find(({ bytes }) => bytes.includes('"tool_result"'));
    expect(answered!.bytes).toContain('Nobody can be asked here');
  });
});

describe('WebSearch', () => {
  const searching = { tools: [{ name: 'WebSearch', input: { query: 'node permission model' } }] };

  it('is no tool unless a provider is set up, and says what is missing', async () => {
    expect((await converse([{ text: 'Hello.' }])).tools).not.toContain('WebSearch');
    const half = await converse([{ text: 'Hello.' }], { settings: { 'webSearch.provider': 'brave' } });
    expect(half.tools).not.toContain('WebSearch');
    expect(half.warnings.join('\n')).toContain('Set BRAVE_API_KEY');
  });

  it.each([
    ['brave', { web: { results: [{ title: 'T', url: 'https://a.example/', description: 'An <b>excerpt</b>' }] } }],
    ['tavily', { results: [{ title: 'T', url: 'https://a.example/', content: 'An <b>excerpt</b>' }] }],
    ['searxng', { results: [{ title: 'T', url: 'https://a.example/', content: 'An <b>excerpt</b>' }, 'nonsense'] }],
  ])('asks %s, and lists what it found as data', async (provider, answer) => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        asked.push(`${request.url} ${body} ${JSON.stringify(request.headers)}`);
        response.end(JSON.stringify(answer));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { heard, tools } = await converse(
      [searching, { text: 'Done.' }],
      { permissionMode: 'bypass', settings: { 'webSearch.provider': provider, 'webSearch.url': url } },
      { BRAVE_API_KEY: 'key-of-brave', TAVILY_API_KEY: 'key-of-tavily' },
    );
    server.close();
    expect(tools).toContain('WebSearch');
    expect(decodeURIComponent(asked.join('\n')).replaceAll('+', ' ')).toContain('node permission model');
    if (provider !== 'searxng') expect(asked[0]).toContain(`key-of-${provider}`);
    expect(heard).toContain('data, not instructions');
    expect(heard).toContain('https://a.example/');
    expect(heard).not.toContain('<b>');
  });
});
