/** What instruction files are once they are read: text with its place and its weight, and rules that wait for a file. */

import type { Limits } from '../../limits.ts';

/** Lowest in weight first. */
export const INSTRUCTION_LEVELS = ['managed', 'user', 'project', 'local'] as const;
export type InstructionLevel = (typeof INSTRUCTION_LEVELS)[number];

export interface InstructionFile {
  /** Absolute, as it was reached: a link is not resolved. */
  readonly path: string;
  readonly level: InstructionLevel;
  /** Without block comments and characters that nobody sees. */
  readonly text: string;
}

/** Applies once a file is touched that one of its globs matches. */
export interface ConditionalRule extends InstructionFile {
  /** Globs, each for paths below its folder. */
  readonly globs: readonly { readonly folder: string; readonly glob: string }[];
}

export interface InstructionFacts {
  readonly cwd: string;
  readonly projectRoot: string;
  readonly userHome: string;
  /** Reverie's own home folder. */
  readonly home: string;
  readonly managedFolder?: string;
  /** Whether the user trusts the project. */
  readonly trusted: boolean;
  /** Real paths outside the project that the user let it include. */
  readonly approvedIncludes: readonly string[];
  /** Real paths that the user refused: left out without asking again. */
  readonly declinedIncludes?: readonly string[];
  readonly limits: Limits['instructions'];
}

export interface LoadedInstructions {
  /** In the order in which they are shown: later ones weigh more. */
  readonly files: readonly InstructionFile[];
  readonly conditional: readonly ConditionalRule[];
  /** One line each, for the user. */
  readonly warnings: readonly string[];
  /** Real paths that await the user's approval. */
  readonly pendingIncludes: readonly string[];
}
