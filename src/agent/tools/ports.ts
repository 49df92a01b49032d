/** What the built-in tools are given beyond what every file tool shares; each extra has a default that does without it. */

import { LIMITS, type Limits } from '../../limits.ts';
import type { Confinement } from '../permission.ts';
import type { ReadOnlyRun } from '../read-only-shell/run-read-only.ts';
import type { ToolPorts } from '../tool.ts';
import type { AskUser } from './ask-user.ts';
import type { ConfinedStart, Shells } from './shell/shells.ts';
import type { Todos } from './todo-write.ts';
import type { SearchService } from './web/search-services.ts';

export interface ReadOnlyShell {
  check(command: string): { readonly verdict: 'allow' | 'deny'; readonly reason: string };
  run(command: string, signal: AbortSignal): Promise<ReadOnlyRun>;
}

export interface ShellSandbox {
  /** Throws a ReverieError where a command cannot be held in. */
  start(script: string, facts: { readonly cwd: string; readonly confined: Confinement }): Promise<ConfinedStart>;
}

export interface BuiltInPorts extends ToolPorts {
  readonly limits?: Limits;
  /** The commands of the session and its working directory; whoever gives them closes them. */
  readonly shells?: Shells;
  readonly todos?: Todos;
  /** Whether a rule of the user's forbids reading a file: searches leave it out. */
  readonly isHidden?: (path: string) => boolean;
  /** For commands that may run in the sandbox only. */
  readonly sandbox?: ShellSandbox;
  /** For commands that are proven to change nothing: they run without a shell. Without it none is. */
  readonly readOnlyShell?: ReadOnlyShell;
  /** Asks the user; without it the agent is told that nobody can be asked. */
  readonly askUser?: AskUser | undefined;
  /** What WebSearch asks; without it there is no such tool. */
  readonly searchService?: SearchService | null;
  /** Answers a question about a page with a small model; without it the page's text itself is the answer. */
  readonly summarise?: (text: string, prompt: string, signal: AbortSignal) => Promise<string>;
}

export function limitsOf(ports: BuiltInPorts): Limits {
  return ports.limits ?? LIMITS;
}
