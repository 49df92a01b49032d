/** Files as an extraction reaches them: it reads like its parent, and writes only memory, through the gate and in its own name. */

import { diskFiles } from '../../agent/disk-files.ts';
import type { Files } from '../../agent/files.ts';
import { createReadFiles } from '../../agent/read-files.ts';
import type { Tool } from '../../agent/tool.ts';
import { editTool } from '../../agent/tools/edit.ts';
import { readTool } from '../../agent/tools/read.ts';
import { writeTool } from '../../agent/tools/write.ts';
import type { Limits } from '../../limits.ts';
import type { WriteGuard } from '../../memory/gate/writer/judge-write.ts';
import type { Memory } from '../../memory/memory.ts';
import { agentFiles } from '../../toolbox/files.ts';
import type { AgentTools } from '../../toolbox/tools.ts';

export interface GuardedToolFacts {
  readonly memory: Memory;
  readonly tools: Pick<AgentTools, 'byName' | 'forFork' | 'readState'>;
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly limits: Limits;
}

/** The parent's tools for a fork, with the file tools over the guard; null when the host brought its own file tools. */
export function guardedTools(guard: WriteGuard, facts: GuardedToolFacts): ReadonlyMap<string, Tool> | null {
  const { memory, tools, cwd, environment, limits } = facts;
  const files = agentFiles({ memory, disk: readOnlyDisk(), who: 'extraction', guard });
  const read = createReadFiles(tools.readState());
  const ports = { cwd, environment, limits, files, read };
  const own = [readTool(ports), editTool(ports), writeTool(ports)];
  const areOurs = own.every(({ name, description }) => tools.byName.get(name)?.description === description);
  return areOurs ? new Map([...tools.forFork(), ...own.map((tool) => [tool.name, tool] as const)]) : null;
}

function readOnlyDisk(): Files {
  return {
    ...diskFiles(),
    write: async (path) => ({ kind: 'refused', reason: `${path} is in no memory folder.` }),
  };
}
