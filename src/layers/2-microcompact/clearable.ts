/** Which results may be cleared, what replaces them, and which later call makes an earlier one worthless. */

import type { Message, ToolResultBlock, ToolUseBlock } from '../../conversation/message.ts';
import { estimateTextTokens } from '../../conversation/tokens.ts';

export const CLEARED_TEXT = '[Old tool result content cleared]';

export const CLEARED_TOKENS = estimateTextTokens(CLEARED_TEXT);

/** Results that can be fetched again by calling again. For an MCP server that is not certain. */
const CLEARABLE_TOOLS: ReadonlySet<string> = new Set([
  'Read',
  'Bash',
  'Grep',
  'Glob',
  'WebSearch',
  'WebFetch',
  'Edit',
  'Write',
]);

export function isClearable(tool: string): boolean {
  return CLEARABLE_TOOLS.has(tool);
}

/** A cache, not state: the same ids of the same message always give the same view, so requests share one object. */
const views = new WeakMap<Message, { readonly ids: string; readonly view: Message }>();

/** The message itself if nothing in it was cleared. */
export function viewOf(message: Message, cleared: ReadonlySet<string>): Message {
  const ids = message.content.flatMap((block) => (isCleared(block, cleared) ? [block.tool_use_id] : []));
  if (ids.length === 0) return message;
  const key = ids.join('\n');
  const known = views.get(message);
  if (known?.ids === key) return known.view;
  const content = message.content.map((block) => (isCleared(block, cleared) ? clearedBlock(block) : block));
  const view: Message = { ...message, content };
  views.set(message, { ids: key, view });
  return view;
}

function isCleared(block: Message['content'][number], cleared: ReadonlySet<string>): block is ToolResultBlock {
  return block.type === 'tool_result' && cleared.has(block.tool_use_id);
}

/** That a call failed is still worth knowing when its text is gone. */
function clearedBlock(block: ToolResultBlock): ToolResultBlock {
  return { ...block, content: [{ type: 'text', text: CLEARED_TEXT }] };
}

/** Two calls with one subject show the same. `staleBy` is the subject of calls that make this one out of date. */
export function subjectOf(call: ToolUseBlock): { readonly subject: string; readonly staleBy: string | null } | null {
  const { name, input } = call;
  switch (name) {
    case 'Read': {
      const { file_path: path, offset, limit } = input;
      return { subject: `Read ${path} ${offset} ${limit}`, staleBy: `Write ${path}` };
    }
    case 'Write':
      return { subject: `Write ${input.file_path}`, staleBy: null };
    case 'Grep':
    case 'Glob':
    case 'WebSearch':
    case 'WebFetch':
      return { subject: `${name} ${JSON.stringify(input)}`, staleBy: null };
    default:
      return null;
  }
}
