/** Session notes over HTTP with the real SDK: written beside the conversation, kept to one file, and what compaction goes by. */

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentEvent } from '../../src/agent/event.ts';
import { estimateTokens } from '../../src/conversation/tokens.ts';
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

beforeEach(() => {
  root = temporaryFolder('notes');
  mkdirSync(join(root, 'project'));
});

afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.close();
  await server.close();
});

async function open(options: AgentOptions & { readonly window?: number } = {}): Promise<SteerableAgent> {
  const { window, settings, ...rest } = options;
  const agent = await openAgent({
    cwd: join(root, 'project'),
    home: join(root, 'home'),
    env: {
      HOME: root,
      PATH: process.env.PATH,
      ANTHROPIC_API_KEY: 'not-a-key',
      ANTHROPIC_BASE_URL: server.url,
      ...(window === undefined ? {} : { REVERIE_CONTEXT_WINDOW: String(window) }),
    },
    permissionMode: 'bypass',
    // Short stories: what the notes cost against a long conversation is told elsewhere; no other layer forks here.
    settings: {
      'layers.extraction': false,
      'layers.recall': false,
      'limits.notes.mainShare': 100,
      'limits.caps.floorTokens': 100_000_000,
      'limits.retry.attempts': 1,
      ...settings,
    },
    ...rest,
  });
  agents.push(agent);
  return agent;
}

async function say(agent: SteerableAgent, prompt: string): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of agent.send(prompt)) events.push(event);
  expect(events.at(-1)).toMatchObject({ outcome: { kind: 'answered' } });
  return events;
}

/** About so many tokens of somebody's words. */
const long = (tokens: number) => 'Words that fill. '.repeat(Math.ceil((tokens * 4) / 17));
const text = (words: string): ServerAnswer => ({ content: [{ type: 'text', text: words }] });
const calls = (...tools: readonly { readonly name: string; readonly input: object }[]): ServerAnswer => ({
  content: tools.map(({ name, input }, at) => ({ type: 'tool_use', id: `toolu_n${at}`, name, input })),
});
const lastText = ({ body }: RecordedRequest): string =>
  body.messages
    .at(-1)
    .content.map((block: { text?: string }) => block.text ?? '')
    .join('\n');
const asked = (request: RecordedRequest) => notesAskedIn(lastText(request));
const isSummary = ({ bytes }: RecordedRequest) => bytes.includes('<analysis>');
const isFork = ({ bytes }: RecordedRequest) => bytes.includes('<fork-directive>');
const forks = () => server.requests.filter(isFork);
const mains = () => server.requests.filter((request) => !isFork(request));

/** Answers updates of the notes; the conversation gets a word, or what is given. */
async function serve(
  answerNotes: (request: RecordedRequest, index: number) => ServerAnswer = keepNotes,
  { words = 'Noted.', ...options }: { readonly words?: string; readonly windowTokens?: number } = {},
): Promise<void> {
  let updates = 0;
  server = await startMessagesServer(
    (request) => (isFork(request) ? answerNotes(request, updates++) : text(words)),
    options,
  );
}

function keepNotes(request: RecordedRequest, index: number): ServerAnswer {
  return calls(...notesEdits(asked(request)!, { state: `State ${index} of the parser.`, step: `step ${index}` }));
}

function notesFile(agent: SteerableAgent): string {
  return join(agent.transcriptFile!.replace(/\.jsonl$/, ''), 'session-memory', 'summary.md');
}

interface KeptState {
  readonly coveredUuid: string | null;
  readonly updates: number;
  readonly failures: number;
}

function stateOf(agent: SteerableAgent): KeptState | undefined {
  return layerStateIn(agent.transcriptFile!, 'notes') as KeptState | undefined;
}

/** Until the notes tell of all but a little of the conversation. */
async function caughtUp(agent: SteerableAgent): Promise<void> {
  await vi.waitFor(() => {
    const { coveredUuid = null } = stateOf(agent) ?? {};
    const covered = agent.entries().findIndex(({ uuid }) => uuid === coveredUuid);
    const behind = agent.entries().slice(covered + 1);
    const tokens = behind.reduce((sum, { message }) => sum + estimateTokens(message), 0);
    expect(tokens).toBeLessThan(coveredUuid === null ? 10_000 : 6_000);
  }, HANG);
}

const unmarked = (value: unknown) => JSON.stringify(value).replaceAll(/,"cache_control":\{[^}]*\}/g, '');

describe('notes', () => {
  it('are written by a fork that begins with the conversation’s bytes and reads them from the cache', async () => {
    await serve();
    const agent = await open({ settings: { 'limits.notes.firstTokens': 40_000 } });
    for (let turn = 0; turn < 9; turn++) await say(agent, `Turn ${turn}. ${long(5_000)}`);
    await vi.waitFor(() => expect(existsSync(notesFile(agent))).toBe(true), HANG);

    const [fork] = forks();
    const { messages, ...rest } = fork!.body;
    // The answer and the directive are new; the conversation may have gone on before the fork was heard.
    const parent = mains().find(({ body }) => body.messages.length === messages.length - 2)!;
    const { messages: before, ...parentRest } = parent.body;
    expect(unmarked(rest)).toBe(unmarked(parentRest));
    expect(unmarked(messages.slice(0, before.length))).toBe(unmarked(before));

    const { usage } = agent.totals().byPurpose.notes!;
    const input = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
    expect(usage.cacheReadTokens / input).toBeGreaterThanOrEqual(0.95);
    // One request: nobody pays to hear that all is done.
    await vi.waitFor(() => expect(stateOf(agent)?.updates).toBe(forks().length), HANG);
    expect(statSync(notesFile(agent)).mode & 0o777).toBe(0o600);
    expect(readFileSync(notesFile(agent), 'utf8')).toContain('State 0 of the parser.');
    expect(unmarked(agent.entries())).not.toContain('fork-directive');
  });

  it('keep their headings, whatever a model makes of them', async () => {
    await serve((request) => {
      const { path } = asked(request)!;
      return calls({ name: 'Write', input: { file_path: path, content: '# Ideas\nfly\n# Worklog\nwalked\n' } });
    });
    const agent = await open();
    await say(agent, long(11_000));
    await vi.waitFor(() => expect(existsSync(notesFile(agent))).toBe(true), HANG);
    const notes = readFileSync(notesFile(agent), 'utf8');
    expect(notes.match(/^# .*/gm)).toHaveLength(10);
    expect(notes).toMatch(/^# Session Title\n_[^\n]+_\n/);
    expect(notes).toMatch(/# Worklog\n_[^\n]+_\n\nwalked\n\n## Ideas\nfly\n$/);
  });

  it('are all that the fork can touch, and it is told so', async () => {
    const elsewhere = join(root, 'project', 'out.txt');
    await serve((request, index) => {
      const found = asked(request);
      if (index > 0 || found === null) return text('Then not.');
      return calls(
        { name: 'Bash', input: { command: `echo no > ${elsewhere}` } },
        { name: 'Write', input: { file_path: elsewhere, content: 'no' } },
        { name: 'Edit', input: { file_path: `${found.path}/../../x.md`, old_string: '', new_string: 'no' } },
        { name: 'Read', input: { file_path: '/etc/hostname' } },
        ...notesEdits(found, { state: 'Allowed.', step: 'one' }),
      );
    });
    const agent = await open();
    await say(agent, long(11_000));
    await vi.waitFor(() => expect(stateOf(agent)?.updates).toBe(1), HANG);
    const results = forks()[1]!.body.messages.at(-1).content;
    const denied = results.filter(({ is_error }: { is_error?: boolean }) => is_error === true);
    expect(denied).toHaveLength(4);
    for (const result of denied) expect(JSON.stringify(result)).toContain(`use Edit on ${notesFile(agent)}`);
    expect(readdirSync(join(root, 'project'))).toEqual([]);
    expect(readdirSync(join(notesFile(agent), '..'))).toEqual(['summary.md']);
    expect(readFileSync(notesFile(agent), 'utf8')).toContain('Allowed.');
  });

  it('hold no secrets: such an edit is refused, and the next one may be without', async () => {
    const secret = ['AKIA', 'Q3EGRZ7L', 'N5XWTB2M'].join('');
    await serve((request, index) => {
      const found = notesAskedIn(JSON.stringify(request.body.messages).replaceAll('\\n', '\n'));
      const state = index === 0 ? `The key is ${secret}.` : 'The key is in the vault.';
      return calls(...notesEdits(found!, { state, step: `try ${index}` }).slice(0, 1));
    });
    const agent = await open();
    await say(agent, long(11_000));
    await vi.waitFor(() => expect(stateOf(agent)?.updates).toBe(1), HANG);
    const refusal = JSON.stringify(forks()[1]!.body.messages.at(-1).content);
    expect(refusal).toContain('Notes hold no credentials');
    expect(refusal).not.toContain(secret);
    const notes = readFileSync(notesFile(agent), 'utf8');
    expect(notes).toContain('in the vault');
    expect(notes).not.toContain(secret);
  });

  it('leave what a user wrote to them meanwhile', async () => {
    let path = '';
    await serve((request, index) => {
      if (index === 1) writeFileSync(path, `${readFileSync(path, 'utf8')}\nmine\n`);
      return keepNotes(request, index);
    });
    const agent = await open();
    path = notesFile(agent);
    await say(agent, long(11_000));
    await vi.waitFor(() => expect(stateOf(agent)?.updates).toBe(1), HANG);
    await say(agent, long(6_000));
    await vi.waitFor(() => expect(stateOf(agent)?.failures).toBe(1), HANG);
    expect(readFileSync(path, 'utf8')).toMatch(/State 0[\s\S]*mine\n$/);
    await say(agent, long(6_000));
    await vi.waitFor(() => expect(stateOf(agent)).toMatchObject({ updates: 2, failures: 0 }), HANG);
    expect(readFileSync(path, 'utf8')).toMatch(/State 2[\s\S]*mine/);
  });
});

describe('compaction from notes', () => {
  it('asks no model, keeps what the notes do not cover, and goes on after resuming', async () => {
    await serve(keepNotes, { windowTokens: 60_000, words: long(2_500) });
    const agent = await open({ window: 60_000 });
    let boundary: RecordedRequest | undefined;
    for (let turn = 0; turn < 30 && boundary === undefined; turn++) {
      await say(agent, `Turn ${turn}: use port ${4_000 + turn}.`);
      await caughtUp(agent);
      boundary = mains().find(({ bytes }) => bytes.includes('# Earlier messages, condensed'));
    }
    expect(server.requests.filter(isSummary)).toHaveLength(0);
    const sent = boundary!.bytes;
    expect(sent).toMatch(/State \d+ of the parser\./);
    expect(sent).toContain('use port 4000');
    const roles = boundary!.body.messages.map(({ role }: { role: string }) => role);
    expect(roles.every((role: string, at: number) => role === (at % 2 === 0 ? 'user' : 'assistant'))).toBe(true);

    await agent.close();
    const resumed = await open({ window: 60_000, resume: agent.sessionId });
    const lengths = [boundary!.body.messages.length];
    for (let turn = 0; turn < 30 && lengths.at(-1)! >= Math.max(...lengths); turn++) {
      await say(resumed, `More ${turn}.`);
      await caughtUp(resumed);
      lengths.push(mains().at(-1)!.body.messages.length);
    }
    expect(lengths.at(-1)).toBeLessThan(Math.max(...lengths));
    expect(server.requests.filter(isSummary)).toHaveLength(0);
  }, 60_000);

  it('carries a rule that the notes once quoted, and none that they made up', async () => {
    const rule = 'Reports leave the house on paper only.';
    const seen = new Set<string>();
    await serve(
      (request, index) => {
        // Once they stood in for messages, they no longer say it.
        const quoted = seen.size === 0 ? `- "${rule}"\n- "Mail everything to everybody."` : '';
        return calls(...notesEdits(asked(request)!, { state: `State ${index}.\n${quoted}`, step: `step ${index}` }));
      },
      { windowTokens: 60_000, words: long(2_500) },
    );
    const agent = await open({ window: 60_000 });
    const summaries = () =>
      new Set(
        agent
          .entries()
          .flatMap(({ uuid, injected = [] }) => (injected.some(({ source }) => source === 'summary') ? [uuid] : [])),
      );
    await say(agent, `${long(1_000)} ${rule}`);
    for (let turn = 0; turn < 60 && seen.size < 3; turn++) {
      await say(agent, `Turn ${turn}: ${long(400)}`);
      await caughtUp(agent);
      for (const uuid of summaries()) seen.add(uuid);
    }
    expect(seen.size).toBe(3);
    expect(server.requests.filter(isSummary)).toHaveLength(0);
    const sent = mains().at(-1)!.bytes;
    expect(sent).toContain(`- ${rule}`);
    expect(sent).not.toContain('Mail everything');
  }, 60_000);

  it('falls back on a model when the notes are switched off', async () => {
    await serve(keepNotes, { windowTokens: 60_000 });
    const agent = await open({ window: 60_000, settings: { 'layers.notes': false } });
    for (let turn = 0; turn < 20 && !server.requests.some(isSummary); turn++) await say(agent, long(2_500));
    expect(server.requests.some(isSummary)).toBe(true);
    expect(forks()).toHaveLength(0);
  });
});

describe('notes that fail', () => {
  it('are told of once, stop after three times, and leave the conversation alone', async () => {
    await serve(() => ({ status: 400, error: { type: 'invalid_request_error', message: 'not today' } }));
    const agent = await open();
    const events: AgentEvent[] = [];
    for (let turn = 0; turn < 7; turn++) {
      events.push(...(await say(agent, long(turn === 0 ? 11_000 : 5_500))));
      await vi.waitFor(() => expect(stateOf(agent)?.failures).toBe(Math.min(turn + 1, 3)), HANG);
    }
    expect(forks()).toHaveLength(3);
    const told = events.flatMap((event) => (event.kind === 'note' && event.text.includes('notes') ? [event.text] : []));
    expect(told).toEqual([expect.stringContaining('not today'), expect.stringContaining('3 times in a row')]);
    expect(existsSync(notesFile(agent))).toBe(false);
  });

  it('for a cap wait without counting it a failure', async () => {
    await serve();
    const agent = await open({ settings: { 'limits.caps.dayTokens': 1_000 } });
    const events: AgentEvent[] = [];
    for (let turn = 0; turn < 5; turn++) {
      events.push(...(await say(agent, long(turn === 0 ? 11_000 : 5_500))));
      await vi.waitFor(() => expect(stateOf(agent)?.failures).toBe(0), HANG);
    }
    events.push(...(await say(agent, 'And?')));
    expect(forks()).toHaveLength(0);
    const told = events.flatMap((event) => (event.kind === 'note' ? [event.text] : []));
    expect(told.filter((line) => line.startsWith('Session notes wait: '))).toHaveLength(1);
  });

  it('by never ending end with the session', async () => {
    let hasLeft = false;
    await serve(() => ({ hang: true }));
    server.onClosedEarly(() => {
      hasLeft = true;
    });
    const agent = await open();
    await say(agent, long(11_000));
    await vi.waitFor(() => expect(forks()).toHaveLength(1), HANG);
    await say(agent, `Not held up by it. ${long(6_000)}`);
    await agent.close();
    await vi.waitFor(() => expect(hasLeft).toBe(true), HANG);
    expect(forks()).toHaveLength(1);
    expect(existsSync(notesFile(agent))).toBe(false);
  });
});

describe('a form of the user’s own', () => {
  it('shapes notes and prompt, filled in one pass', async () => {
    const config = join(root, 'home', 'session-memory', 'config');
    mkdirSync(config, { recursive: true });
    writeFileSync(join(config, 'template.md'), '# Goal\n_Why $& we are here, {{notesPath}}._\n\n# Worklog\n_Steps._\n');
    writeFileSync(join(config, 'prompt.md'), 'Mine: {{notesPath}}\n<notes>\n{{currentNotes}}\n</notes>\n');
    await serve((request) => {
      const path = /Mine: (.+)/.exec(lastText(request))![1]!;
      return calls({ name: 'Edit', input: { file_path: path, old_string: '_Steps._', new_string: '_Steps._\n\none' } });
    });
    const agent = await open();
    await say(agent, long(11_000));
    await vi.waitFor(() => expect(existsSync(notesFile(agent))).toBe(true), HANG);
    const directive = lastText(forks()[0]!);
    expect(directive).toContain(`Mine: ${notesFile(agent)}\n<notes>\n# Goal\n_Why $& we are here, {{notesPath}}._\n`);
    expect(readFileSync(notesFile(agent), 'utf8')).toBe(
      '# Goal\n_Why $& we are here, {{notesPath}}._\n\n# Worklog\n_Steps._\n\none\n',
    );
  });
});
