/** Which tool calls of a conversation have no result and which results no call: what a crash in mid-round leaves behind. */

import type { Entry } from '../../conversation/entry.ts';

export interface UnansweredCall {
  /** The entry that holds the call. */
  readonly uuid: string;
  readonly toolUseId: string;
  readonly name: string;
}

export interface OrphanedResult {
  /** The entry that holds the result. */
  readonly uuid: string;
  readonly toolUseId: string;
}

export function findBrokenRounds(entries: readonly Entry[]): {
  readonly unanswered: readonly UnansweredCall[];
  readonly orphaned: readonly OrphanedResult[];
} {
  const open = new Map<string, UnansweredCall>();
  const orphaned: OrphanedResult[] = [];
  for (const { uuid, message } of entries) {
    for (const block of message.content) {
      if (block.type === 'tool_use') open.set(block.id, { uuid, toolUseId: block.id, name: block.name });
      if (block.type !== 'tool_result') continue;
      if (!open.delete(block.tool_use_id)) orphaned.push({ uuid, toolUseId: block.tool_use_id });
    }
  }
  return { unanswered: [...open.values()], orphaned };
}
