/** The MCP servers of a session; where settings name none, nothing is loaded and nothing is waited for. */

import type { McpServerStatus } from '../agent/mcp-client/open-mcp-servers.ts';
import type { Attachment } from '../agent/seams.ts';
import type { Tool } from '../agent/tool.ts';
import { wrapReminder } from '../toolbox/context-text.ts';
import type { SessionContext } from '../toolbox/session-context.ts';
import { stateOf } from '../toolbox/start.ts';

export interface AgentServers {
  readonly tools: readonly Tool[];
  /** What the servers say about their use. */
  readonly notes: readonly Attachment[];
  /** Tools outside the prefix that the model found by searching, the newest last. */
  found(): readonly { readonly name: string; readonly text: string }[];
  status(): readonly McpServerStatus[];
  close(): Promise<void>;
}

export async function openAgentServers({
  place,
  log,
  cwd,
  environment,
  model,
  tell,
}: Pick<SessionContext, 'place' | 'log' | 'cwd' | 'environment' | 'model' | 'tell'>): Promise<AgentServers> {
  // The highest place that names a server says what it is.
  const gathered = place.isBare ? [] : place.settings.gathered('mcpServers').toReversed();
  const servers = Object.assign({}, ...gathered.map(({ value }) => value)) as (typeof gathered)[number]['value'];
  if (Object.keys(servers).length === 0) return NO_SERVERS;
  const { openMcpServers } = await import('../agent/mcp-client/open-mcp-servers.ts');
  const { windowTokens } = model().capabilities;
  const opened = openMcpServers({
    ...{ servers, environment, cwd, limits: place.limits, windowTokens, onWarning: tell },
    found: stateOf(log, FOUND_TOOLS, isNames) ?? [],
  });
  await opened.ready(place.limits.mcpServers.startWaitMs);
  const notes = opened.notes().map((note): Attachment => {
    return { source: 'context', block: { type: 'text', text: wrapReminder([note]) } };
  });
  return { tools: opened.tools(), notes, found: opened.found, status: opened.status, close: opened.close };
}

/** The name of the state that keeps what was found. */
export const FOUND_TOOLS = 'foundTools';

const NO_SERVERS: AgentServers = { tools: [], notes: [], found: () => [], status: () => [], close: async () => {} };

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}
