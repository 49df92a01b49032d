/** Plan mode over the wire: the plan is written, decided about, kept, and still there after a summary and in a session that goes on. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../src/agent/event.ts';
import type { AgentOptions } from '../../src/session/agent.ts';
import { openAgent } from '../../src/session/open-agent.ts';
import type { PlanAnswer, PlanQuestion } from '../../src/session/plan/exit-plan-tool.ts';
import type { SteerableAgent } from '../../src/session/steering.ts';
import { type AgentHome, createAgentHome } from '../support/agent-process.ts';
import {
  type ContentAnswer,
  type MessagesServer,
  type RecordedRequest,
  startMessagesServer,
} from '../support/messages-server.ts';
import { quietAgent } from '../support/quiet-agent.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { terminalChats, uses, words } from '../support/terminal-chat.ts';
import { hasTmux } from '../support/tmux.ts';

const PLAN = '# Plan\n\n1. Write `hello.txt`.\n2. Read it back.';

let root: string;
let server: MessagesServer;
let agent: SteerableAgent | null = null;
let steps: ContentAnswer[] = [];
let questions: PlanQuestion[] = [];
let answers: PlanAnswer[] = [];

const isSummary = ({ bytes }: RecordedRequest) => bytes.includes('<summary>') && bytes.includes('<analysis>');
const text = (content: string): ContentAnswer => ({ content: [{ type: 'text', text: content }] });
let calls = 0;
const call = (name: string, input: object): ContentAnswer => ({
  content: [{ type: 'tool_use', id: `toolu_${calls++}`, name, input }],
});
const writing = () => call('Write', { file_path: 'hello.txt', content: 'hello\n' });

beforeEach(async () => {
  root = temporaryFolder('plan');
  mkdirSync(join(root, 'project'));
  [steps, questions, answers] = [[], [], []];
  server = await startMessagesServer((request) => {
    if (isSummary(request)) return text('<analysis>-</analysis><summary>Work goes on.</summary>');
    return steps.shift() ?? text(`Fine. ${'More words. '.repeat(1_500)}`);
  });
});

afterEach(async () => {
  await agent?.close();
  await server.close();
});

async function open(options: AgentOptions = {}): Promise<SteerableAgent> {
  agent = await openAgent({
    ...quietAgent(root, server),
    permissionMode: 'plan',
    async reviewPlan(question) {
      questions.push(question);
      return answers.shift() ?? { kind: 'refuse' };
    },
    ...options,
  });
  return agent;
}

async function say(prompt: string): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of agent!.send(prompt)) events.push(event);
  return events;
}

const sent = () => server.requests.at(-1)!;
const hello = () => join(root, 'project', 'hello.txt');
const prefixOf = ({ body }: RecordedRequest) => JSON.stringify({ system: body.system, tools: body.tools });

describe('a plan', () => {
  it('is refused with words, approved, carried out in the mode from before, and costs no cached prefix', async () => {
    await open({ permissionMode: 'accept-edits' });
    steps = [text('Ready.')];
    await say('Hello.');
    agent!.setPermissionMode('ask');
    agent!.setPermissionMode('plan');
    steps = [
      writing(),
      call('ExitPlanMode', { plan: 'Just do it.' }),
      call('ExitPlanMode', { plan: PLAN }),
      writing(),
      text('Written.'),
    ];
    answers = [{ kind: 'refuse', words: 'Name the file.' }, { kind: 'approve' }];
    await say('Write a greeting.');
    expect(questions.map(({ plan, mode }) => ({ plan, mode }))).toEqual([
      { plan: 'Just do it.', mode: 'accept-edits' },
      { plan: PLAN, mode: 'accept-edits' },
    ]);
    expect(agent!.permissionMode).toBe('accept-edits');
    expect(readFileSync(hello(), 'utf8')).toBe('hello\n');
    const { bytes } = sent();
    expect(bytes).toContain('Plan mode is on');
    expect(bytes).toContain('Present the plan with ExitPlanMode instead');
    expect(bytes).toContain('They say: Name the file.');
    expect(bytes).toContain('the mode is now accept-edits: carry the plan out');
    expect(bytes).not.toContain('Plan mode is over: the mode');
    expect(new Set(server.requests.map(prefixOf)).size).toBe(1);
    expect(readFileSync(agent!.plan.path!, 'utf8')).toBe(`${PLAN}\n`);
  });

  it('counts as the user changed it, in the mode they say', async () => {
    await open();
    steps = [call('ExitPlanMode', { plan: PLAN }), writing(), text('Written.')];
    answers = [{ kind: 'approve', mode: 'accept-edits', plan: '1. Write hello.txt, in English.' }];
    await say('Write a greeting.');
    expect(agent!.permissionMode).toBe('accept-edits');
    expect(sent().bytes).toContain('1. Write hello.txt, in English.');
    expect(agent!.plan.current()?.text).toBe('1. Write hello.txt, in English.');
    expect(existsSync(hello())).toBe(true);
  });

  it('comes back after a summary, after a second one, and in a session that goes on', async () => {
    await open();
    steps = [call('ExitPlanMode', { plan: PLAN }), text('Begun.')];
    answers = [{ kind: 'approve' }];
    await say('Write a greeting.');
    for (let round = 0; round < 2; round += 1) {
      for (const prompt of ['And then?', 'And what else?', 'Anything more?']) await say(prompt);
      expect(await agent!.compact!('')).toContain('Compacted');
      await say('Go on.');
      expect(sent().bytes).toContain('The plan that the user approved');
      expect(sent().bytes.match(/Read it back/g)).toHaveLength(1);
      expect(sent().bytes).not.toContain('Plan mode is on');
    }
    const { sessionId } = agent!;
    await agent!.close();
    await open({ resume: sessionId, permissionMode: 'ask' });
    expect(agent!.plan.current()).toMatchObject({ text: PLAN });
    await agent!.plan.change('Shorter.');
    await say('Go on.');
    expect(sent().bytes).not.toContain('Plan mode is over');
  });

  it('that is left by hand ends plan mode for the model too, also where the session goes on', async () => {
    await open();
    steps = [text('Thinking.')];
    await say('Write a greeting.');
    expect(sent().bytes.match(/Plan mode is on/g)).toHaveLength(1);
    const { sessionId } = agent!;
    await agent!.close();
    await open({ resume: sessionId, permissionMode: 'ask' });
    steps = [call('ExitPlanMode', { plan: PLAN }), text('Working.')];
    await say('Just do it.');
    expect(sent().bytes).toContain('Plan mode is over: the mode is now ask');
    expect(sent().bytes).toContain('Plan mode is off, so nobody waits for a plan');
    expect(questions).toEqual([]);
    expect(agent!.plan.current()).toBeNull();
  });
});

describe('without anybody to ask', () => {
  let home: AgentHome;

  it('the plan is what is printed, and the session goes on with it', async () => {
    home = createAgentHome(server.url);
    steps = [call('ExitPlanMode', { plan: PLAN }), text('never asked for')];
    const ended = await home.run(['-p', '--permission-mode', 'plan', '--output-format', 'json', 'Plan it.'], {
      environment: QUIET,
    });
    const result = JSON.parse(ended.stdout);
    expect(result).toMatchObject({ result: PLAN, is_error: false, num_turns: 1, stop_reason: 'end_turn' });
    expect(steps).toHaveLength(1);
    steps = [text('Going on.')];
    const more = await home.run(['-p', '--continue', 'Do it.'], { environment: QUIET });
    expect(more.stdout).toBe('Going on.\n');
    const roles = (sent().body.messages as { role: string }[]).map(({ role }) => role);
    expect(roles).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
  });
});

const QUIET = Object.fromEntries(
  ['RECALL', 'EXTRACTION', 'NOTES', 'DREAMING'].map((layer) => [`REVERIE_DISABLE_${layer}`, '1']),
);

describe.runIf(hasTmux)('in the terminal', { timeout: 90_000 }, () => {
  const chats = terminalChats();

  it('is shown, changed in the editor, approved, and shown again', async () => {
    const editor = join(root, 'editor.sh');
    writeFileSync(editor, '#!/bin/sh\nsed -i "s/Read it back/Read it twice/" "$1"\n', { mode: 0o755 });
    const chat = await chats.open(
      [
        uses('ExitPlanMode', { plan: 'Do something.' }, 'toolu_a'),
        uses('ExitPlanMode', { plan: PLAN }, 'toolu_b'),
        uses('Write', { file_path: 'hello.txt', content: 'hello\n' }, 'toolu_c'),
        words('Written.'),
      ],
      { rows: 45, environment: { EDITOR: editor } },
    );
    const { terminal } = chat;
    const press = async (...keys: readonly string[]) => {
      await sleep(600);
      terminal.press(...keys);
    };
    await chat.start('--permission-mode', 'plan');
    chat.say('Write a greeting.');
    await terminal.until('Carry this plan out?');
    await sleep(600);
    terminal.type('the yes is for a plan with files');
    await press('Enter');
    await terminal.until('Read it back');
    expect(JSON.stringify(chat.asked().at(-1)?.body.messages)).toContain('They say: the yes is for a plan with files');
    await terminal.until('Carry this plan out?');
    await press('Down', 'Down', 'Enter');
    await terminal.until('Read it twice');
    await press('Down', 'Enter');
    await terminal.until('Written.');
    expect(readFileSync(join(terminal.project, 'hello.txt'), 'utf8')).toBe('hello\n');
    expect(terminal.screen()).toContain('edits without asking');
    expect(JSON.stringify(chat.asked().at(-1)?.body.messages)).toContain('Read it twice');
    chat.say('/plan');
    await terminal.until('Approved on');
    await chat.leave();
  });
});
