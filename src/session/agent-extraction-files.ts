/** Files as an extraction reaches them: it reads like its parent, and writes memory only, past the gate and in its own name. */

import { diskFiles } from '../agent/disk-files.ts';
import type { Files } from '../agent/files.ts';
import { createReadFiles } from '../agent/read-files.ts';
import type { Tool } from '../agent/tool.ts';
import { editTool } from '../agent/tools/edit.ts';
import { readTool } from '../agent/tools/read.ts';
import { writeTool } from '../agent/tools/write.ts';
import { ReverieError } from '../errors.ts';
import type { Limits } from '../limits.ts';
import type { MemoryScope } from '../memory/taxonomy.ts';
import { agentFiles } from './agent-files.ts';
import type { AgentTools } from './agent-tools.ts';
import type { Memory, MemoryFiles } from './memory.ts';
import type { GuardedWrite, Judged } from './write-gate.ts';

export interface WriteGuard {
  judge(write: GuardedWrite): Promise<Judged>;
  onWritten(write: GuardedWrite): void;
}

export interface GuardedToolFacts {
  readonly memory: Memory;
  readonly tools: Pick<AgentTools, 'byName' | 'forFork' | 'readState'>;
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly limits: Limits;
}

/** The parent's tools for a fork, those for files over the guard; null where the host brought file tools of its own. */
export function guardedTools(guard: WriteGuard, facts: GuardedToolFacts): ReadonlyMap<string, Tool> | null {
  const { memory, tools, cwd, environment, limits } = facts;
  const files = agentFiles({ memory: guardedMemory(memory, guard), disk: readOnlyDisk() });
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

function guardedMemory(memory: Memory, guard: WriteGuard): Memory {
  return { ...memory, filesOf: (scope) => guardedFiles(memory.filesOf(scope), { scope, guard }) };
}

function guardedFiles(
  inner: MemoryFiles,
  { scope, guard }: { readonly scope: MemoryScope; readonly guard: WriteGuard },
): MemoryFiles {
  const author = { who: 'extraction' } as const;

  async function passed(write: GuardedWrite): Promise<GuardedWrite> {
    const judged = await guard.judge(write);
    if (judged.kind === 'pass') return { ...write, text: judged.text };
    throw new ReverieError({ code: 'refused', message: judged.reason });
  }

  return {
    ...inner,
    async write(file, text, options) {
      const write = await passed({ scope, file, text, isNew: true });
      const saved = await inner.write(file, write.text, { ...options, ...author });
      guard.onWritten(write);
      return saved;
    },
    async edit(file, edit, options) {
      const write = await passed({ scope, file, text: edit(await inner.read(file)), isNew: false });
      // Asked again under the lock: it throws when somebody wrote in between.
      const replace = (present: string) => {
        edit(present);
        return write.text;
      };
      const saved = await inner.edit(file, replace, { ...options, ...author });
      guard.onWritten(write);
      return saved;
    },
  };
}
