/** Coordinator mode: a leader that only directs. It starts agents, writes to others, keeps the list of tasks, and stops agents. */

import type { Attachment } from '../../agent/seams.ts';
import type { Tool } from '../../agent/tool.ts';
import { failed } from '../../agent/tools/answer.ts';
import { fillPrompt } from '../../base/prompt-file.ts';
import type { ToolSchema } from '../../model/model.ts';
import { wrapReminder } from '../../toolbox/context-text.ts';

const STOP_TOOL = 'StopAgent';
const COORDINATOR_TOOLS: ReadonlySet<string> = new Set([
  ...['Agent', 'SendMessage', 'TaskCreate', 'TaskUpdate', 'TaskList', STOP_TOOL],
]);

/** Which tools the session's own conversation has, of all that its agents can have. */
export function chosenTools(
  options: { readonly coordinator?: boolean; readonly onlyTools?: readonly string[] },
  all: { readonly byName: ReadonlyMap<string, Tool>; readonly schemas: readonly ToolSchema[] },
) {
  const only = options.coordinator === true ? COORDINATOR_TOOLS : options.onlyTools && new Set(options.onlyTools);
  const isChosen = (name: string) => only === undefined || only.has(name);
  const own = {
    byName: new Map([...all.byName].filter(([name]) => isChosen(name))),
    schemas: all.schemas.filter(({ name }) => isChosen(name)),
  };
  // Whoever directs has others do what it cannot; else an agent never has more than the one that starts it.
  const forAgents = new Map([...all.byName].filter(([name]) => name !== STOP_TOOL));
  return { ...own, forAgents: options.coordinator === true ? forAgents : own.byName };
}

/** What a coordinator is told once, before the first prompt. */
export function coordinatorNotes({ coordinator }: { readonly coordinator?: boolean }): readonly Attachment[] {
  if (coordinator !== true) return [];
  return [{ source: 'context', block: { type: 'text', text: wrapReminder([fillPrompt('coordinator')]) } }];
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
