/** Files in a host's folders that are ours as a whole: a plugin, a policy. */

import type { SettingsEdit, SettingsFile } from './settings.ts';

export const SERVER_NAME = 'reverie';
export const ALLOW_RULES = 'allow rules for reading memory';
/** The tools of our server that only read. */
export const READING_TOOLS = ['memory_search', 'memory_get', 'memory_list'] as const;

const POLICY_MARK = '# Written by `reverie install gemini`.';
const POLICY = `${POLICY_MARK} The tools that only read memory need no question.
[[rule]]
mcpName = "${SERVER_NAME}"
toolName = ${JSON.stringify(READING_TOOLS)}
decision = "allow"
priority = 100
`;

/** A policy of Gemini CLI's, which reads all files of a folder. */
export function policyFile(path: string, isWanted: boolean): SettingsFile {
  return ownFile(path, { what: ALLOW_RULES, mark: POLICY_MARK, text: isWanted ? POLICY : null });
}

/** A file that is ours as a whole, known by how it begins. Without a text there is to be none. */
export function ownFile(
  path: string,
  { what, mark, text: wanted }: { readonly what: string; readonly mark: string; readonly text: string | null },
): SettingsFile {
  const theirs = (text: string): SettingsEdit => (wanted === null ? { kind: 'text', text } : refused);
  const refused: SettingsEdit = {
    kind: 'refused',
    problem: 'it is not a file of ours',
    fix: `Move ${path} away, then try again.`,
  };
  const isOurs = (text: string) => text.startsWith(mark);
  return {
    path,
    what,
    install: (text) => (text === null || isOurs(text) ? { kind: 'text', text: wanted } : theirs(text)),
    uninstall: (text) => ({ kind: 'text', text: isOurs(text) ? null : text }),
  };
}
