/**
 * What stands before the conversation in every request: rendered once a session and kept in its transcript. A compaction,
 * after which the cache is written again anyway, renders all but the tools again.
 */

import type { ContentBlock } from '../conversation/message.ts';
import type { CacheTtl, SystemBlock, Thinking, ToolSchema } from '../model/model.ts';

export interface Rendered {
  readonly system: readonly SystemBlock[];
  readonly tools: readonly ToolSchema[];
  /** The first user-side message: instruction files and the memory index. */
  readonly context: readonly ContentBlock[];
  readonly thinking: Thinking;
  readonly cacheTtl: CacheTtl;
}
