/** MCP servers as the agent has them, for tests: real programs, warnings gathered, and whoever is still there at the end found. */

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { checkInput } from '../../src/agent/check-input.ts';
import { type McpServers, openMcpServers } from '../../src/agent/mcp-client/open-mcp-servers.ts';
import type { McpServerSettings } from '../../src/agent/mcp-client/server-plan.ts';
import type { ToolInput, ToolResult, ToolRun } from '../../src/agent/tool.ts';
import { LIMITS, type Limits } from '../../src/limits.ts';
import { temporaryFolder } from './temporary-folder.ts';

const TOOL_SERVER = fileURLToPath(new URL('./mcp-tool-server.mjs', import.meta.url));
const RAW_SERVER = fileURLToPath(new URL('./mcp-raw-server.mjs', import.meta.url));
/** Generous: a guard against hanging, not a measure. */
export const PATIENCE_MS = 20_000;

export function toolServer(options: object = {}): Extract<McpServerSettings, { command: string }> {
  return { command: process.execPath, args: [TOOL_SERVER, JSON.stringify(options)] };
}

export function rawServer(options: object = {}): Extract<McpServerSettings, { command: string }> {
  return { command: process.execPath, args: [RAW_SERVER, JSON.stringify(options)] };
}

export function script(source: string): Extract<McpServerSettings, { command: string }> {
  return { command: process.execPath, args: ['-e', source] };
}

export interface McpPlace {
  readonly root: string;
  open(servers: Readonly<Record<string, McpServerSettings>>, options?: PlaceOptions): OpenedServers;
  /** A server over HTTP, ready to be spoken to. */
  startHttp(options?: object): Promise<{ readonly url: string; stop(): Promise<void> }>;
  clear(): Promise<void>;
}

export interface PlaceOptions {
  readonly limits?: Partial<Limits['mcpServers']>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly windowTokens?: number;
  readonly signal?: AbortSignal;
}

export interface OpenedServers extends McpServers {
  readonly warnings: readonly string[];
  /** As the loop calls it. */
  call(name: string, input?: ToolInput, run?: Partial<ToolRun>): Promise<ToolResult & { readonly text: string }>;
}

export function createMcpPlace(): McpPlace {
  const root = temporaryFolder('mcp-servers');
  const opened: McpServers[] = [];
  const stops: (() => Promise<void>)[] = [];
  return {
    root,
    open(servers, options = {}) {
      const warnings: string[] = [];
      const openedNow = openMcpServers({
        servers,
        cwd: root,
        environment: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: root, ...options.environment },
        limits: { ...LIMITS, mcpServers: { ...LIMITS.mcpServers, restartDelayMs: 10, ...options.limits } },
        windowTokens: options.windowTokens ?? LIMITS.window.defaultTokens,
        onWarning: (line) => void warnings.push(line),
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      });
      opened.push(openedNow);
      return { ...openedNow, warnings, call: (name, input, run) => callTool(openedNow, { name, input, run }) };
    },
    async startHttp(options = {}) {
      const child = spawn(process.execPath, [TOOL_SERVER, JSON.stringify({ http: true, ...options })], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      const stop = async () => {
        child.kill('SIGKILL');
        await ended;
      };
      stops.push(stop);
      const url = await new Promise<string>((resolve) =>
        child.stdout.once('data', (line) => resolve(String(line).trim())),
      );
      return { url, stop };
    },
    async clear() {
      await Promise.all(opened.map((each) => each.close()));
      await Promise.all(stops.map((stop) => stop()));
    },
  };
}

async function callTool(
  servers: McpServers,
  { name, input = {}, run = {} }: { name: string; input?: ToolInput; run?: Partial<ToolRun> },
): Promise<ToolResult & { text: string }> {
  const tool = servers.tools().find((each) => each.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}`);
  const checked = checkInput(tool.inputSchema, input);
  if (checked.kind === 'wrong') return { content: checked.reason, isError: true, text: checked.reason };
  const { signal } = new AbortController();
  const result = await tool.run(checked.input, { signal, toolUseId: 'call', onProgress: () => undefined, ...run });
  return { ...result, text: textOf(result) };
}

function textOf({ content }: ToolResult): string {
  if (typeof content === 'string') return content;
  return content.map((each) => (each.type === 'text' ? each.text : '')).join('');
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
