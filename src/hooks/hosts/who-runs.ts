/** Who runs this process, a person or an agent, by the marks that coding agents leave in the environment of their commands. */

import { AGENT_MARK_NAME, hasAgentMark } from '../../base/agent-mark.ts';
import type { HostName } from './host.ts';

interface CommandMark {
  readonly host: HostName;
  readonly variable: string;
  /** Whether the host's hooks, which it runs itself, have it too; true also where nothing public says. */
  readonly isInHooks: boolean;
  /** Its editor extension sets it in terminals where a person types. */
  readonly isInTerminals?: true;
}

/** As the hosts' documentation or source has it. A host whose marks change is one row here. */
const COMMAND_MARKS: readonly CommandMark[] = [
  { host: 'claude-code', variable: 'CLAUDECODE', isInHooks: true, isInTerminals: true },
  { host: 'claude-code', variable: 'CLAUDE_CODE_CHILD_SESSION', isInHooks: true },
  { host: 'codex', variable: 'CODEX_THREAD_ID', isInHooks: true },
  { host: 'codex', variable: 'CODEX_SANDBOX', isInHooks: true },
  { host: 'gemini', variable: 'GEMINI_CLI', isInHooks: false },
  // Set as opencode starts, so that its plugins have it as well.
  { host: 'opencode', variable: 'OPENCODE', isInHooks: true },
  { host: 'cursor', variable: 'CURSOR_AGENT', isInHooks: true },
];

/** Every variable that tells an agent from a person. */
export const AGENT_MARKS: readonly string[] = [AGENT_MARK_NAME, ...COMMAND_MARKS.map(({ variable }) => variable)];

export type Runner = 'person' | 'agent';

interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether standard input is a terminal. */
  readonly hasTerminal: boolean;
}

export function whoRuns({ environment, hasTerminal }: Surroundings): Runner {
  if (hasAgentMark(environment)) return 'agent';
  const isMarked = ({ variable, isInTerminals }: CommandMark) =>
    isSet(environment[variable]) && !(isInTerminals && hasTerminal);
  return COMMAND_MARKS.some(isMarked) ? 'agent' : 'person';
}

/** Whether a hook was called by a command of an agent: a host that calls one itself has no mark of another, and not all of its own. */
export function isForgedHook(host: HostName, environment: Surroundings['environment']): boolean {
  if (hasAgentMark(environment)) return true;
  return COMMAND_MARKS.some(
    (mark) => isSet(environment[mark.variable]) && !(mark.host === host && mark.isInHooks) && !mark.isInTerminals,
  );
}

/** For what a hook that its host itself called starts: neither an agent's command, nor a program inside another one's session. */
export function withoutCommandMarks(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const marks = new Set(COMMAND_MARKS.map(({ variable }) => variable));
  return Object.fromEntries(Object.entries(environment).filter(([variable]) => !marks.has(variable)));
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value.toLowerCase() !== 'false';
}
