/** What an agent takes from the one that starts it. */

import type { LoopParts } from '../../agent/loop.ts';
import type { Permissions } from '../../agent/permissions/permissions.ts';
import type { Tool } from '../../agent/tool.ts';
import type { ContentBlock } from '../../conversation/message.ts';
import type { AgentHooks } from '../../toolbox/hooks.ts';
import type { SessionContext } from '../../toolbox/session-context.ts';

export type ParentAgent = Pick<
  SessionContext,
  | 'place'
  | 'memory'
  | 'log'
  | 'ledger'
  | 'cwd'
  | 'environment'
  | 'now'
  | 'model'
  | 'rendered'
  | 'conversation'
  | 'tools'
  | 'tell'
  | 'forkSeams'
> & {
  readonly parts: () => Omit<LoopParts, 'onEvent'>;
  readonly permissions: Permissions;
  readonly hooks: Pick<AgentHooks, 'toolsEnded'>;
  /** Of MCP servers: one connection serves all. */
  readonly serverTools: readonly Tool[];
  /** In place of the built-in tools. */
  readonly given: readonly Tool[] | undefined;
  /** Instruction files and the state of git. */
  readonly agentContext: () => readonly ContentBlock[];
};
