/** What a permission is asked for: one call, with the commands it would run and the files it names. */

import { type CallPath, commandPaths, toolPaths } from './call-paths.ts';
import type { ProtectedPlace } from './protected-paths.ts';
import { parseShell, type ShellLine, type ShellWord } from './shell-commands.ts';
import { runsOf } from './wrapped-commands.ts';

export interface PermissionPlace extends ProtectedPlace {
  /** Where the call would run. */
  readonly cwd: string;
  /** Where the paths of file tools begin, should that be another folder than the one the shell is in by now. */
  readonly fileCwd?: string | undefined;
  /** The project first, then where the session was started, should that be another work tree. */
  readonly roots: readonly string[];
  /** May be read without asking, though not changed: transcripts and tool results of this project's sessions. */
  readonly readableFolders: readonly string[];
  /** Whether the user trusts the project: what its repository configures may run. */
  readonly isTrusted?: boolean;
  /** Nobody's to read or change, in any mode: keys that seal what agents say, and messages on their way. */
  readonly closedFolders?: readonly string[];
  /** Folders that the user added: as if they were in the project. */
  readonly additionalDirectories: readonly string[];
}

export interface Subject {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly paths: readonly CallPath[];
  /** Only of a call that runs a shell line. */
  readonly command: CommandSubject | null;
}

export interface CommandSubject {
  readonly text: string;
  readonly line: ShellLine;
  /** Every command that it may run, also through others. */
  readonly runs: readonly (readonly ShellWord[])[];
  /** What it runs cannot be told from the line. */
  readonly isUnknown: boolean;
}

export function subjectOf(
  call: { readonly name: string; readonly input: Readonly<Record<string, unknown>> },
  facts: { readonly place: PermissionPlace; readonly realPath: (path: string) => string },
): Subject {
  const { cwd, fileCwd, userHome } = facts.place;
  const pathFacts = { cwd, userHome, realPath: facts.realPath };
  const { name, input } = call;
  if (name !== 'Bash') {
    return { name, input, paths: toolPaths(call, { ...pathFacts, cwd: fileCwd ?? cwd }), command: null };
  }
  const text = typeof input.command === 'string' ? input.command : '';
  const line = parseShell(text);
  const { runs, isUnknown } = runsOf(line);
  return { name, input, paths: commandPaths(line, runs, pathFacts), command: { text, line, runs, isUnknown } };
}
