/** Codex: the hooks of Claude Code under the same names; what the user typed stands in its rollout file. */

import { join } from 'node:path';
import { answerClaudeStyle, parsed, readClaudeStyle, takesClaudeContext } from './claude-code.ts';
import type { Host, SaidText } from './host.ts';
import { contentText, type Fields, fieldsOf, textOf } from './payload.ts';

export const codex: Host = {
  name: 'codex',
  title: 'Codex',
  projectVariable: null,
  events: ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'PreCompact', 'Stop', 'SessionEnd'],
  read: readClaudeStyle,
  answer: answerClaudeStyle,
  takesContext: takesClaudeContext,
  // Of more than 2,500 tokens, each counted as four bytes, it shows both ends.
  contextBytes: 9_800,
  userTexts,
  assistantTexts,
  compactedAt,
  transcripts: ({ env, userHome }) => join(env.CODEX_HOME || join(userHome, '.codex'), 'sessions'),
};

/** The log of the display holds what was typed; the protocol's log also holds what Codex itself puts into that role. */
function userTexts(lines: readonly string[]): readonly SaidText[] {
  return lines.flatMap((line): SaidText[] => {
    if (!line.includes('"user_message"') && !line.includes('"UserMessage"')) return [];
    const record = parsed(line);
    const payload = record?.type === 'event_msg' ? fieldsOf(record.payload) : null;
    const text = payload === null ? null : typedText(payload);
    return text === null ? [] : [{ text, at: textOf(record?.timestamp) ?? '' }];
  });
}

/** In newer versions a message is an item that was completed; before, an event of its own. */
function typedText(payload: Fields): string | null {
  if (payload.type === 'user_message') return textOf(payload.message);
  const item = payload.type === 'item_completed' ? fieldsOf(payload.item) : null;
  return item?.type === 'UserMessage' ? contentText(item.content) : null;
}

function assistantTexts(lines: readonly string[]): readonly SaidText[] {
  return lines.flatMap((line): SaidText[] => {
    if (!line.includes('"agent_message"') && !line.includes('"AgentMessage"')) return [];
    const record = parsed(line);
    const payload = record?.type === 'event_msg' ? fieldsOf(record.payload) : null;
    const item = payload?.type === 'item_completed' ? fieldsOf(payload.item) : null;
    const text = payload?.type === 'agent_message' ? textOf(payload.message) : contentText(item?.content);
    return text === null ? [] : [{ text, at: textOf(record?.timestamp) ?? '' }];
  });
}

/** Older versions do not start again after a compaction; their rollout file says that there was one. */
function compactedAt(lines: readonly string[]): number | null {
  const line = lines.findLast((each) => each.includes('"compacted"') && parsed(each)?.type === 'compacted');
  return line === undefined ? null : Date.parse(textOf(parsed(line)?.timestamp) ?? '') || null;
}
