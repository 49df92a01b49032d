/** opencode: it has plugins in place of hooks, so ours sends payloads in the shape of Claude Code's. */

import { readClaudeStyle, takesClaudeContext } from './claude-code.ts';
import type { Host } from './host.ts';

const takesContext = (eventName: string) => takesClaudeContext(eventName) || eventName === 'PostCompact';

export const opencode: Host = {
  name: 'opencode',
  title: 'opencode',
  projectVariable: null,
  events: ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'PreCompact', 'PostCompact', 'Stop', 'SessionEnd'],
  read: readClaudeStyle,
  answer: ({ context }, eventName) => (context === null || !takesContext(eventName) ? {} : { context }),
  takesContext,
  // It keeps its conversations in a database of its own.
  userTexts: () => [],
  transcripts: () => null,
  tellsOnlyBeforeCompaction: true,
};
