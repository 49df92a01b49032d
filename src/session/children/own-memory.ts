/** The memory that a definition asks for, as its agent has it: behind its file tools, in its prompt and in its first message. */

import type { Files } from '../../agent/files.ts';
import type { Entry } from '../../conversation/entry.ts';
import type { ContentBlock } from '../../conversation/message.ts';
import type { AgentDefinition } from '../../layers/7-agents/index.ts';
import { wrapReminder } from '../../toolbox/context-text.ts';
import { agentFiles } from '../../toolbox/files.ts';
import type { Closers } from '../../toolbox/start.ts';
import { openAgentMemory } from '../agent-memory/agent-memory.ts';
import type { ParentAgent } from './parent.ts';

export interface OwnMemory {
  readonly folder: string;
  readonly prompt: string;
  /** Its index as it is now. */
  context(): Promise<readonly ContentBlock[]>;
  /** The same files, with the gate and the journal in front of this folder. */
  files(disk: Files): Files;
}

/** Null where the definition asks for none, or where memory is off. */
export async function ownMemoryOf(
  definition: AgentDefinition | null,
  facts: {
    readonly parent: ParentAgent;
    readonly cwd: string;
    readonly opened: Closers;
    readonly entries: () => readonly Entry[];
  },
): Promise<OwnMemory | null> {
  const { parent, cwd, entries } = facts;
  if (definition === null || definition.memory === null || !parent.memory.enabled) return null;
  const { place, log, now } = parent;
  const own = await openAgentMemory({ place, agent: definition.name, scope: definition.memory });
  facts.opened.push(own.close);
  const guard = own.guard({ cwd, entries, sessionId: log.sessionId, now });
  return {
    folder: own.folder,
    prompt: own.prompt,
    async context() {
      const { text } = await own.index();
      return text === '' ? [] : [{ type: 'text', text: wrapReminder([text]) }];
    },
    files: (disk) => agentFiles({ memory: own.memory, disk, guard }),
  };
}
