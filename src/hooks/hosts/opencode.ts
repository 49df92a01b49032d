/** opencode: it has plugins in place of hooks, so ours sends payloads in the shape of Claude Code's. */

import { parseLine } from '../../disk/tail.ts';
import { readClaudeStyle, takesClaudeContext } from './claude-code.ts';
import type { Host, SaidText } from './host.ts';
import { typedFirst } from './opencode-run.ts';
import { fieldsOf, textOf } from './payload.ts';

const takesContext = (eventName: string) => takesClaudeContext(eventName) || eventName === 'PostCompact';

export const opencode: Host = {
  name: 'opencode',
  title: 'opencode',
  projectVariable: null,
  events: ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'PreCompact', 'PostCompact', 'Stop', 'SessionEnd'],
  read: readClaudeStyle,
  answer: ({ context }, eventName) => (context === null || !takesContext(eventName) ? {} : { context }),
  takesContext,
  // It keeps its conversations in a database of its own, and writes one out as JSON.
  exportsSessions: true,
  userTexts: (lines) =>
    textsIn(lines, 'user').map((said) => ({ ...said, text: typedFirst(said.text, isOfRun(lines)) })),
  assistantTexts: (lines) => textsIn(lines, 'assistant'),
  transcripts: () => null,
};

/** In a sub-agent's session, which has a parent, another agent is the user. */
function textsIn(lines: readonly string[], role: 'user' | 'assistant'): readonly SaidText[] {
  const exported = parseLine(lines.join('\n'));
  const session = fieldsOf(exported?.info);
  if (session === null || textOf(session.parentID) !== null) return [];
  const messages = Array.isArray(exported?.messages) ? exported.messages.map(fieldsOf) : [];
  return messages.flatMap((message) => {
    const info = fieldsOf(message?.info);
    const createdMs = Number(fieldsOf(info?.time)?.created);
    const parts = Array.isArray(message?.parts) ? message.parts.map(fieldsOf) : [];
    // What is synthetic was put there by the program or by a plugin, ours among them.
    const own = parts.filter((part) => part?.type === 'text' && part.synthetic !== true && part.ignored !== true);
    const text = own.flatMap((part) => textOf(part?.text) ?? []).join('\n');
    if (info?.role !== role || text === '' || !Number.isFinite(createdMs)) return [];
    return [{ text, at: new Date(createdMs).toISOString() }];
  });
}

/** A session that `opencode run` began cannot ask its user anything. */
function isOfRun(lines: readonly string[]): boolean {
  const rules = fieldsOf(parseLine(lines.join('\n'))?.info)?.permission;
  const denied = (Array.isArray(rules) ? rules : []).map(fieldsOf).filter((rule) => rule?.action === 'deny');
  return denied.some((rule) => rule?.permission === 'question');
}
