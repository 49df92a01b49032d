/** The MCP servers of the settings as tools of the agent: connected in the background, fixed at the start of a session, ended with it. */

import { within } from '../../base/async/within.ts';
import { escapeMarkup } from '../../base/text/visible-text.ts';
import { type Limits, MCP_SERVER_LIMITS } from '../../limits.ts';
import type { Tool } from '../tool.ts';
import { type Connection, createConnection } from './connection.ts';
import { decideDeferral, deferredTools, describeTool } from './deferred-tools.ts';
import { type McpServerSettings, planServer } from './server-plan.ts';
import { type ServedTool, serverTool } from './server-tool.ts';
import { shownLine, shownText } from './shown-text.ts';
import { readDefinition } from './tool-definition.ts';
import { serverPart } from './tool-name.ts';

/** Characters of a server's instructions. */
const INSTRUCTION_CHARACTERS = 2_000;

export interface McpServersOptions {
  readonly servers: Readonly<Record<string, McpServerSettings>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly limits: Pick<Limits, 'mcpServers' | 'tools'>;
  /** Tokens of the model's window: schemas may take a share of it. */
  readonly windowTokens: number;
  /** Tools that a session which goes on had found already. */
  readonly found?: readonly string[];
  /** One line for the user. */
  onWarning(line: string): void;
  /** Closes all of it. */
  readonly signal?: AbortSignal;
}

export interface McpServerStatus {
  readonly name: string;
  readonly state: 'connecting' | 'connected' | 'failed' | 'closed';
  /** Why it is not connected; empty when it is. */
  readonly reason: string;
  /** Tools of it that the session has. */
  readonly tools: number;
  /** Their names as the server has them. */
  readonly toolNames: readonly string[];
}

export interface McpServers {
  /**
   * Waits for the servers that connect in time, then fixes `tools` and `notes`: they are part of the prefix. A server that is
   * late or dead costs one warning. Called again (at /clear) it takes in what changed meanwhile.
   */
  ready(withinMs: number): Promise<void>;
  /** By server, then by name; the same until `ready` is called again. */
  tools(): readonly Tool[];
  /** What servers say about their use, bounded, each with its server's name. */
  notes(): readonly string[];
  /** Tools outside the prefix that the model found, the newest last, each as it was shown. */
  found(): readonly { readonly name: string; readonly text: string }[];
  status(): readonly McpServerStatus[];
  /** Ends the servers; what does not end is killed. */
  close(): Promise<void>;
}

/** Returns at once. */
export function openMcpServers(options: McpServersOptions): McpServers {
  const limits = options.limits.mcpServers;
  const running = new Set<() => void>();
  const told = new Set<string>();
  let served: readonly ServedTool[] = [];
  let tools: readonly Tool[] = [];
  let notes: readonly string[] = [];
  const found = new Set(options.found);
  let closing: Promise<void> | null = null;

  function warn(line: string): void {
    const shown = shownLine(line, MCP_SERVER_LIMITS.warningCharacters);
    if (closing === null) options.onWarning(shown);
  }

  /** The newest last. */
  function onFound(name: string): void {
    found.delete(name);
    found.add(name);
  }

  /** For what would be found again each time that the tools are fixed. */
  function warnOnce(line: string): void {
    if (!told.has(line)) warn(line);
    told.add(line);
  }

  const connections = plannedConnections(options, { running, warn });
  const killAll = () => {
    for (const kill of running) kill();
  };
  const close = () => {
    closing ??= Promise.all(connections.map((each) => each.close())).then(() => {
      process.removeListener('exit', killAll);
      options.signal?.removeEventListener('abort', onAbort);
    });
    return closing;
  };
  const onAbort = () => void close();
  if (connections.length > 0) process.once('exit', killAll);
  options.signal?.addEventListener('abort', onAbort, { once: true });
  const connectAll = () => Promise.all(connections.map((each) => each.connect()));
  let firstAttempt: Promise<unknown> | null = null;
  if (options.signal?.aborted) void close();
  else firstAttempt = connectAll();

  function fix(): void {
    const connected = connections.filter((each) => each.state().kind === 'connected');
    served = connected.flatMap((each) => toolsOf(each, { warnOnce }));
    const definitions = served.map(({ definition }) => definition);
    const { kind } = decideDeferral(definitions, options.windowTokens * limits.schemaShare);
    tools =
      kind === 'deferred' ? deferredTools(served, { limits, onFound }) : served.map((each) => serverTool(each, limits));
    notes = connected.flatMap((each) => noteOf(each));
  }

  return {
    async ready(withinMs) {
      if (connections.length === 0 || closing !== null) return;
      const attempt = firstAttempt ?? connectAll();
      firstAttempt = null;
      await within(attempt, withinMs);
      if (closing !== null) return;
      for (const connection of connections) {
        const state = connection.state();
        if (state.kind === 'failed' && !state.isTold)
          warn(`MCP server ${connection.name} is left out: ${state.reason}`);
        if (state.kind === 'connecting')
          warn(
            `MCP server ${connection.name} is left out: it was not ready within ${withinMs / 1_000} s. Its tools are there after /clear, if it is ready then.`,
          );
      }
      fix();
    },
    tools: () => tools,
    notes: () => notes,
    found() {
      const byName = new Map(served.map(({ definition }) => [definition.name, definition]));
      return [...found].flatMap((name) => {
        const tool = byName.get(name);
        return tool === undefined ? [] : [{ name, text: describeTool(tool) }];
      });
    },
    status: () => connections.map((each) => statusOf(each, served)),
    close,
  };
}

function plannedConnections(
  options: McpServersOptions,
  ports: { running: Set<() => void>; warn(line: string): void },
): readonly Connection[] {
  const { limits } = options;
  const taken = new Map<string, string>();
  // By code unit, not by locale: the same order on every machine.
  const entries = Object.entries(options.servers).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return entries.flatMap(([name, settings]) => {
    const server = serverPart(name);
    const plan = planServer(settings, options);
    const other = taken.get(server);
    if (other !== undefined || plan.kind === 'wrong') {
      const reason =
        plan.kind === 'wrong' ? plan.reason : `its tools would be named like those of ${other}; rename one of them`;
      ports.warn(`MCP server ${name} is left out: ${reason}.`);
      return [];
    }
    taken.set(server, name);
    return [createConnection({ name, server, plan, limits, running: ports.running, onWarning: ports.warn })];
  });
}

/** What cannot be offered is told in one line, however much it is. */
function toolsOf(connection: Connection, { warnOnce }: { warnOnce(line: string): void }): readonly ServedTool[] {
  const state = connection.state();
  if (state.kind !== 'connected') return [];
  const byName = new Map<string, ServedTool>();
  const leftOut: string[] = [];
  for (const listed of state.tools) {
    const read = readDefinition(listed, { server: connection.server });
    if (read.kind === 'left-out') leftOut.push(`${read.tool} (${read.reason})`);
    else if (byName.has(read.definition.name)) leftOut.push(`${read.definition.name} (another tool has this name)`);
    else byName.set(read.definition.name, { definition: read.definition, connection });
  }
  if (leftOut.length > 0)
    warnOnce(`MCP server ${connection.name}: ${leftOut.length} of its tools are left out: ${leftOut.join(', ')}`);
  if (state.tools.length >= MCP_SERVER_LIMITS.tools)
    warnOnce(`MCP server ${connection.name}: it has ${MCP_SERVER_LIMITS.tools} tools or more; only so many are taken.`);
  return [...byName.values()].toSorted((one, other) => (one.definition.name < other.definition.name ? -1 : 1));
}

/** Its words must not be taken for ours: nothing in them can close what they are wrapped in. */
function noteOf(connection: Connection): readonly string[] {
  const state = connection.state();
  const said = state.kind === 'connected' ? shownText(state.instructions, INSTRUCTION_CHARACTERS) : '';
  return said === '' ? [] : [`MCP server ${connection.server} says of itself: ${escapeMarkup(said)}`];
}

function statusOf(connection: Connection, served: readonly ServedTool[]): McpServerStatus {
  const state = connection.state();
  const toolNames = served.flatMap((each) => (each.connection === connection ? [each.definition.remoteName] : []));
  const reason = state.kind === 'failed' ? state.reason : '';
  return { name: connection.name, state: state.kind, reason, tools: toolNames.length, toolNames };
}
