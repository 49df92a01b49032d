/** Makes a conversation that a provider accepts from entries with gaps: every call has its result, every result its call. */

import type { Entry } from './entry.ts';
import { type ContentBlock, type ToolResultBlock, toolUsesOf } from './message.ts';

const LOST = 'The record of this was damaged and is lost.';
const ENDED =
  'The program ended before this had a result; whether it was done is not known. Look before you do it again.';

/** Intact entries come back as the same objects: what was sent before is sent again byte for byte. */
export function repairConversation(entries: readonly Entry[]): readonly Entry[] {
  const repaired: Entry[] = [];
  let open: readonly string[] = [];
  for (const entry of entries) {
    const last = repaired.at(-1);
    if (entry.message.role === 'assistant') {
      // The user's side before it is lost: something has to take its place.
      if (open.length > 0) repaired.push(standIn(entry, resultsFor(open, LOST)));
      else if (last === undefined) repaired.push(standIn(entry, [{ type: 'text', text: LOST }]));
      repaired.push(entry);
      open = toolUsesOf(entry.message.content).map(({ id }) => id);
    } else {
      repaired.push(withResults(entry, open));
      open = [];
    }
  }
  return repaired;
}

/** The results that the conversation's last message is waiting for; null when it waits for none. */
export function missingResults(entries: readonly Entry[]): readonly ToolResultBlock[] | null {
  const last = entries.at(-1)?.message;
  const open = last?.role === 'assistant' ? toolUsesOf(last.content).map(({ id }) => id) : [];
  return open.length === 0 ? null : resultsFor(open, ENDED);
}

function withResults(entry: Entry, open: readonly string[]): Entry {
  const { content } = entry.message;
  const present = new Set(content.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : [])));
  const missing = open.filter((id) => !present.has(id));
  const isOrphan = (block: ContentBlock) => block.type === 'tool_result' && !open.includes(block.tool_use_id);
  if (missing.length === 0 && !content.some(isOrphan)) return entry;
  const kept = content.map((block) => (isOrphan(block) ? ({ type: 'text', text: LOST } as const) : block));
  const { injected: _, ...rest } = entry;
  return { ...rest, message: { role: 'user', content: [...resultsFor(missing, LOST), ...kept] } };
}

function standIn(before: Entry, content: readonly ContentBlock[]): Entry {
  // Its id is derived from its neighbour's, so that it is the same each time the file is read.
  return {
    uuid: `${before.uuid}-lost`,
    parentUuid: before.parentUuid,
    at: before.at,
    message: { role: 'user', content },
  };
}

function resultsFor(ids: readonly string[], text: string): readonly ToolResultBlock[] {
  return ids.map((id) => ({
    type: 'tool_result',
    tool_use_id: id,
    content: [{ type: 'text', text }],
    is_error: true,
  }));
}
