/** The MCP servers of a session; where settings name none, nothing is loaded and nothing is waited for. */

import type { Attachment } from '../agent/seams.ts';
import type { Tool } from '../agent/tool.ts';
import { wrapReminder } from '../toolbox/context-text.ts';
import type { SessionContext } from '../toolbox/session-context.ts';

export interface AgentServers {
  readonly tools: readonly Tool[];
  /** What the servers say about their use. */
  readonly notes: readonly Attachment[];
  close(): Promise<void>;
}

export async function openAgentServers({
  place,
  cwd,
  environment,
  model,
  tell,
}: Pick<SessionContext, 'place' | 'cwd' | 'environment' | 'model' | 'tell'>): Promise<AgentServers> {
  // The highest place that names a server says what it is.
  const gathered = place.isBare ? [] : place.settings.gathered('mcpServers').toReversed();
  const servers = Object.assign({}, ...gathered.map(({ value }) => value)) as (typeof gathered)[number]['value'];
  if (Object.keys(servers).length === 0) return { tools: [], notes: [], close: async () => {} };
  const { openMcpServers } = await import('../agent/mcp-client/open-mcp-servers.ts');
  const { windowTokens } = model().capabilities;
  const opened = openMcpServers({ servers, environment, cwd, limits: place.limits, windowTokens, onWarning: tell });
  await opened.ready(place.limits.mcpServers.startWaitMs);
  const notes = opened.notes().map((note): Attachment => {
    return { source: 'context', block: { type: 'text', text: wrapReminder([note]) } };
  });
  return { tools: opened.tools(), notes, close: opened.close };
}
