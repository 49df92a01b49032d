/** However the agent ends, nothing that it started runs on: servers, commands, hooks, and what left their process groups. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { type AgentHome, createAgentHome } from '../support/agent-process.ts';
import { toolServer } from '../support/mcp-servers.ts';
import {
  type MessagesServer,
  type RecordedRequest,
  type ServerAnswer,
  startMessagesServer,
} from '../support/messages-server.ts';
import { hasTmux, openTerminal, type TmuxTerminal } from '../support/tmux.ts';
import { canSeeProcesses as canSee, endAllWith, newToken, startedWith } from './started-with.ts';

const PROMPT = 'From now on, please start the watcher first.';
/** Eight programs start at once, on a machine that may do much else. */
const PATIENCE = { timeout: 60_000, interval: 50 };

type State = 'hook' | 'extraction';

/** One agent with a home and a server of its own, so that several run side by side. */
interface Place {
  readonly server: MessagesServer;
  readonly home: AgentHome;
  /** In the command line of everything that is started, and of nothing else. */
  readonly token: string;
  readonly settings: string;
}

const isFork = ({ bytes }: RecordedRequest) => bytes.includes('<fork-directive>');

async function inPlace(state: State, work: (place: Place) => Promise<void>): Promise<void> {
  const token = newToken();
  const server = await startMessagesServer((request) => answerTo(request, token));
  const home = createAgentHome(server.url);
  try {
    await work({ server, home, token, settings: settingsOf(state, token) });
  } finally {
    endAllWith(token);
    home.remove();
    await server.close();
  }
}

function answerTo(request: RecordedRequest, token: string): ServerAnswer {
  if (isFork(request)) return { hang: true };
  if (request.bytes.includes('tool_result')) return { content: [{ type: 'text', text: 'It runs.' }] };
  // One stays in its group and does not want to go, the other leaves it.
  const command = `setsid sleep 3000.${token} & trap '' TERM; while :; do sleep 1000.${token}; done`;
  const input = { command, run_in_background: true };
  return { content: [{ type: 'tool_use', id: 'toolu_watch', name: 'Bash', input }] };
}

function settingsOf(state: State, token: string): string {
  const hooks = { PostToolUse: [{ hooks: [{ type: 'command', command: `sleep 2000.${token}`, timeout: 500 }] }] };
  return JSON.stringify({
    permissionMode: 'bypass',
    mcpServers: { tools: toolServer({ unused: token }) },
    ...(state === 'hook' ? { hooks } : {}),
    'recall.selector': 'local',
    'limits.extraction.closeWaitMs': 300,
    // What does not want to go is given this long.
    'limits.shell.killGraceMs': 300,
    'limits.caps.floorTokens': 100_000_000,
  });
}

async function untilStarted(state: State, { server, token }: Place): Promise<void> {
  const wanted = [`sleep 1000.${token}`, `sleep 3000.${token}`, 'mcp-tool-server'];
  await vi.waitFor(() => {
    const lines = [...startedWith(token).values()].join('\n');
    for (const each of state === 'hook' ? [...wanted, `sleep 2000.${token}`] : wanted) expect(lines).toContain(each);
    if (state === 'extraction') expect(server.requests.some(isFork)).toBe(true);
  }, PATIENCE);
}

async function expectNobodyLeft({ token }: Place): Promise<void> {
  await vi.waitFor(() => expect([...startedWith(token).values()]).toEqual([]), PATIENCE);
}

// A hook running is waited for a while, so those cases begin first.
describe.runIf(canSee).concurrent('print mode', () => {
  it.each([
    ['SIGTERM', 'hook'],
    ['SIGHUP', 'hook'],
    ['SIGTERM', 'extraction'],
    ['SIGKILL', 'hook'],
    ['SIGKILL', 'extraction'],
  ] as const)('ended by %s with %s running leaves nobody behind', { timeout: 180_000 }, (signal, state) =>
    inPlace(state, async (place) => {
      const running = place.home.start(['-p', PROMPT, '--settings', place.settings]);
      await untilStarted(state, place);
      running.child.kill(signal);
      await running.ended;
      await expectNobodyLeft(place);
    }),
  );
});

describe.runIf(canSee && hasTmux).concurrent('the chat', () => {
  async function talking(state: State, work: (terminal: TmuxTerminal, place: Place) => Promise<void>): Promise<void> {
    await inPlace(state, async (place) => {
      const environment = { ANTHROPIC_BASE_URL: place.server.url, ANTHROPIC_API_KEY: 'test-key' };
      const terminal = openTerminal({ environment, columns: 120 });
      try {
        mkdirSync(terminal.home, { recursive: true });
        writeFileSync(join(terminal.home, 'settings.json'), place.settings);
        await terminal.reverie();
        await terminal.until('>');
        terminal.type(PROMPT);
        terminal.press('Enter');
        await untilStarted(state, place);
        await work(terminal, place);
      } finally {
        terminal.close();
      }
    });
  }

  function agentPid({ root }: TmuxTerminal): number {
    const found = readdirSync('/proc').find((name) => {
      try {
        const line = readFileSync(`/proc/${name}/cmdline`, 'utf8');
        return line.includes('dist/main.js') && readFileSync(`/proc/${name}/environ`, 'utf8').includes(root);
      } catch {
        return false;
      }
    });
    return Number(found);
  }

  it('whose terminal is closed leaves nobody behind', { timeout: 180_000 }, () =>
    talking('hook', async (terminal, place) => {
      const pid = agentPid(terminal);
      terminal.close();
      await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), PATIENCE);
      await expectNobodyLeft(place);
    }),
  );

  it('that is left leaves nobody behind', { timeout: 180_000 }, () =>
    talking('extraction', async (terminal, place) => {
      await terminal.until('It runs.');
      terminal.type('/quit');
      terminal.press('Enter');
      await terminal.until('To go on:');
      await expectNobodyLeft(place);
    }),
  );

  it('that is killed leaves nobody behind', { timeout: 180_000 }, () =>
    talking('hook', async (terminal, place) => {
      process.kill(agentPid(terminal), 'SIGKILL');
      await expectNobodyLeft(place);
    }),
  );
});
