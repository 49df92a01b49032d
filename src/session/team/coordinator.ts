/** Coordinator mode: a leader that only directs. It starts agents, writes to others, keeps the list of tasks, and stops agents. */

import type { Tool } from '../../agent/tool.ts';
import { failed } from '../../agent/tools/answer.ts';
import type { AgentDefinition } from '../../layers/7-agents/index.ts';
import type { ToolSchema } from '../../model/model.ts';

const STOP_TOOL = 'StopAgent';
const COORDINATOR_TOOLS: ReadonlySet<string> = new Set([
  ...['Agent', 'SendMessage', 'TaskCreate', 'TaskUpdate', 'TaskList', STOP_TOOL],
]);

/** Of every kind of agent: whoever is in a team talks and claims. */
const TEAM_TOOLS: ReadonlySet<string> = new Set(['SendMessage', 'TaskCreate', 'TaskUpdate', 'TaskList']);

/** Which tools the session's own conversation has, of all that its agents can have. */
export function chosenTools(
  { coordinator, kind }: { readonly coordinator?: boolean | undefined; readonly kind: AgentDefinition | null },
  all: { readonly byName: ReadonlyMap<string, Tool>; readonly schemas: readonly ToolSchema[] },
) {
  const isChosen = (name: string) => isOffered({ coordinator, kind }, name);
  const own = {
    byName: new Map([...all.byName].filter(([name]) => isChosen(name))),
    schemas: all.schemas.filter(({ name }) => isChosen(name)),
  };
  // Whoever directs has others do what it cannot; else an agent never has more than the one that starts it.
  const forAgents = new Map([...all.byName].filter(([name]) => name !== STOP_TOOL));
  return { ...own, forAgents: coordinator === true ? forAgents : own.byName };
}

/** Whether the session's own conversation has a tool of this name, if there is one. */
export function isOffered(
  { coordinator, kind }: { readonly coordinator?: boolean | undefined; readonly kind: AgentDefinition | null },
  name: string,
): boolean {
  if (coordinator === true) return COORDINATOR_TOOLS.has(name);
  return kind === null || TEAM_TOOLS.has(name) || mayUse(kind, name);
}

function mayUse({ tools, disallowedTools, mcpServers }: AgentDefinition, name: string): boolean {
  if (disallowedTools.includes(name)) return false;
  const isOfServer = name.startsWith('mcp__');
  if (isOfServer && mcpServers !== null && !mcpServers.some((server) => name.startsWith(`mcp__${server}__`)))
    return false;
  return tools === null || tools.includes(name);
}

/** Ends an agent that this session started. */
export function stopTool(stop: (name: string) => boolean): Tool {
  return {
    name: STOP_TOOL,
    description:
      'End an agent that you started, when its work is no longer wanted. A teammate in another process is asked with SendMessage and `shutdown_request`.',
    inputSchema: {
      type: 'object',
      properties: { name: { type: 'string', description: 'The name of the agent.' } },
      required: ['name'],
      additionalProperties: false,
    },
    // It ends what this session itself began.
    isReadOnly: () => true,
    async run(input) {
      const name = String(input.name);
      return stop(name) ? { content: `${name} was stopped.` } : failed(`No agent called ${name} runs here.`);
    },
  };
}
