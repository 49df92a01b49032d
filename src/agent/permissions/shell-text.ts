/** A shell line while it is being read: where the reading stands, what was found, and what could not be followed. */

import { PERMISSION_LIMITS } from '../../limits.ts';

export interface ShellWord {
  /** After quote removal; what only a shell could know stays as it was written. */
  readonly text: string;
  /** False when a shell may make something else of it: variables, substitutions, globs, braces. */
  readonly isLiteral: boolean;
  /** The leading part that nobody quoted: only that can be a keyword or the name of an assignment. */
  readonly unquoted: string;
}

export interface ShellCommand {
  readonly words: readonly ShellWord[];
  readonly assignments: readonly { readonly name: string; readonly value: string; readonly isLiteral: boolean }[];
  readonly redirections: readonly { readonly operator: string; readonly target: ShellWord }[];
}

/** Shared by all readers of one text; those of texts inside of it share what was found. */
export interface ShellText {
  readonly text: string;
  at: number;
  depth: number;
  readonly found: ShellFound;
  readonly hereDocuments: { readonly delimiter: string; readonly isQuoted: boolean; readonly isIndented: boolean }[];
  /** Reads the commands up to the closing parenthesis, and steps over it. */
  readonly readNested: (inner: ShellText) => void;
  /** Reads another text as commands: what stood in backquotes. */
  readonly readText: (text: string, depth: number) => void;
}

export interface ShellFound {
  readonly commands: ShellCommand[];
  /** Why the line is no shell at all; null while it is. */
  broken: string | null;
  /** Constructs that are read past, but not followed. */
  readonly unclear: string[];
}

export function isAtEnd(shell: ShellText): boolean {
  return shell.at >= shell.text.length || shell.found.broken !== null;
}

export function giveUp(shell: ShellText, reason: string): void {
  shell.found.broken ??= reason;
  shell.at = shell.text.length;
}

export function goDeeper(shell: ShellText, read: () => void): void {
  shell.depth += 1;
  if (shell.depth > PERMISSION_LIMITS.shellDepth) giveUp(shell, 'it is nested too deeply');
  else read();
  shell.depth -= 1;
}

export function skipBlanks(shell: ShellText): void {
  while (!isAtEnd(shell)) {
    if (' \t'.includes(shell.text[shell.at]!)) shell.at += 1;
    else if (shell.text.startsWith('\\\n', shell.at)) shell.at += 2;
    else return;
  }
}

export function skipComment(shell: ShellText): void {
  const end = shell.text.indexOf('\n', shell.at);
  shell.at = end === -1 ? shell.text.length : end;
}
