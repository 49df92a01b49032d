/** However the agent ends, nothing that it started runs on: servers, commands, hooks, and what left their process groups. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AgentHome, createAgentHome } from '../support/agent-process.ts';
import { toolServer } from '../support/mcp-servers.ts';
import {
  type MessagesServer,
  type RecordedRequest,
  type ServerAnswer,
  startMessagesServer,
} from '../support/messages-server.ts';
import { hasTmux, openTerminal, type TmuxTerminal } from '../support/tmux.ts';

const PROMPT = 'From now on, please start the watcher first.';
const PATIENCE = { timeout: 25_000, interval: 50 };
const canSee = process.platform === 'linux';

let server: MessagesServer;
let home: AgentHome;
let terminal: TmuxTerminal | null;
/** In the command line of everything that is started, and of nothing else. */
let token: string;

beforeEach(async () => {
  token = String(Math.floor(Math.random() * 1e12)).padStart(12, '1');
  server = await startMessagesServer(answer);
  home = createAgentHome(server.url);
  terminal = null;
});

afterEach(async () => {
  for (const pid of started().keys()) process.kill(pid, 'SIGKILL');
  terminal?.close();
  home.remove();
  await server.close();
});

const isFork = ({ bytes }: RecordedRequest) => bytes.includes('<fork-directive>');

function answer(request: RecordedRequest): ServerAnswer {
  if (isFork(request)) return { hang: true };
  if (request.bytes.includes('tool_result')) return { content: [{ type: 'text', text: 'It runs.' }] };
  // One stays in its group and does not want to go, the other leaves it.
  const command = `setsid sleep 3000.${token} & trap '' TERM; while :; do sleep 1000.${token}; done`;
  const input = { command, run_in_background: true };
  return { content: [{ type: 'tool_use', id: 'toolu_watch', name: 'Bash', input }] };
}

function settings(state: 'hook' | 'extraction'): string {
  const hooks = { PostToolUse: [{ hooks: [{ type: 'command', command: `sleep 2000.${token}`, timeout: 500 }] }] };
  return JSON.stringify({
    permissionMode: 'bypass',
    mcpServers: { tools: toolServer({ unused: token }) },
    ...(state === 'hook' ? { hooks } : {}),
    'recall.selector': 'local',
    'limits.extraction.closeWaitMs': 300,
    'limits.caps.sessionShare': 100,
  });
}

/** By their numbers: what the command line says of those that carry the token, the agent itself aside. */
function started(): ReadonlyMap<number, string> {
  const found = readdirSync('/proc').flatMap((name): [number, string][] => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const line = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return line.includes(token) && !line.includes('dist/main.js') ? [[Number(name), line]] : [];
    } catch {
      return [];
    }
  });
  return new Map(found);
}

async function untilStarted(state: 'hook' | 'extraction'): Promise<void> {
  const wanted = [`sleep 1000.${token}`, `sleep 3000.${token}`, 'mcp-tool-server'];
  await vi.waitFor(() => {
    const lines = [...started().values()].join('\n');
    for (const each of state === 'hook' ? [...wanted, `sleep 2000.${token}`] : wanted) expect(lines).toContain(each);
    if (state === 'extraction') expect(server.requests.some(isFork)).toBe(true);
  }, PATIENCE);
}

async function expectNobodyLeft(): Promise<void> {
  await vi.waitFor(() => expect([...started().values()]).toEqual([]), PATIENCE);
}

describe.runIf(canSee)('print mode', () => {
  it.each([
    ['SIGTERM', 'hook'],
    ['SIGTERM', 'extraction'],
    ['SIGHUP', 'hook'],
    ['SIGKILL', 'hook'],
    ['SIGKILL', 'extraction'],
  ] as const)('ended by %s with %s under way leaves nobody behind', { timeout: 80_000 }, async (signal, state) => {
    const running = home.start(['-p', PROMPT, '--settings', settings(state)]);
    await untilStarted(state);
    running.child.kill(signal);
    await running.ended;
    await expectNobodyLeft();
  });
});

describe.runIf(canSee && hasTmux)('the chat', () => {
  async function talk(state: 'hook' | 'extraction'): Promise<void> {
    const environment = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'test-key' };
    terminal = openTerminal({ environment, columns: 120 });
    mkdirSync(terminal.home, { recursive: true });
    writeFileSync(join(terminal.home, 'settings.json'), settings(state));
    await terminal.reverie();
    await terminal.until('>');
    terminal.type(PROMPT);
    terminal.press('Enter');
    await untilStarted(state);
  }

  function agentPid(): number {
    const found = readdirSync('/proc').find((name) => {
      try {
        const line = readFileSync(`/proc/${name}/cmdline`, 'utf8');
        return line.includes('dist/main.js') && readFileSync(`/proc/${name}/environ`, 'utf8').includes(terminal!.root);
      } catch {
        return false;
      }
    });
    return Number(found);
  }

  it('that is left leaves nobody behind', { timeout: 80_000 }, async () => {
    await talk('extraction');
    await terminal!.until('It runs.');
    terminal!.type('/quit');
    terminal!.press('Enter');
    await terminal!.until('To go on:');
    await expectNobodyLeft();
  });

  it('whose terminal is closed leaves nobody behind', { timeout: 80_000 }, async () => {
    await talk('hook');
    const pid = agentPid();
    terminal!.close();
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), PATIENCE);
    await expectNobodyLeft();
  });

  it('that is killed leaves nobody behind', { timeout: 80_000 }, async () => {
    await talk('hook');
    process.kill(agentPid(), 'SIGKILL');
    await expectNobodyLeft();
  });
});
