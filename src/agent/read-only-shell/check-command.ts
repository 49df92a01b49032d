/** The read-only shell's gate: decides whether a command line only reads, and only below the given folders. */

import { ReverieError } from '../../errors.ts';
import { LIMITS, type Limits, READ_ONLY_SHELL_LIMITS } from '../../limits.ts';
import { type Pipeline, parseCommand } from './parse.ts';
import { openPlaces, type Places } from './place.ts';
import { type PlannedStage, planStage } from './plan-stage.ts';
import { refuse } from './refuse.ts';

export interface ShellFacts {
  readonly cwd: string;
  /** Folders that may be read, by real path. */
  readonly roots: readonly string[];
  /** Whether a rule denies reading a file; left out where there is no such rule. */
  readonly isHidden?: ((path: string) => boolean) | undefined;
  readonly platform?: NodeJS.Platform;
  readonly limits?: Limits['readOnlyShell'];
}

/** Whether a shell line only reads, and why. */
export interface CommandVerdict {
  readonly verdict: 'allow' | 'deny';
  /** Of a denial: what was met, and what to write instead. */
  readonly reason: string;
}

export interface PlannedPipeline {
  readonly runs: Pipeline['runs'];
  readonly stages: readonly PlannedStage[];
}

export interface CommandPlan {
  readonly pipelines: readonly PlannedPipeline[];
  readonly places: Places;
}

/** Checks that a shell line only reads, inside the folders that may be read. */
export function checkCommand(command: string, facts: ShellFacts): CommandVerdict {
  try {
    planCommand(command, facts);
    return { verdict: 'allow', reason: 'every command of the line only reads, inside the folders that may be read' };
  } catch (error) {
    // Whatever else goes wrong while a line is looked at, it is not known to be harmless.
    if (error instanceof ReverieError) return { verdict: 'deny', reason: error.message };
    return { verdict: 'deny', reason: `the command could not be checked: ${String(error)}` };
  }
}

/** What would run, word for word. Throws a ReverieError, code `refused`, for a line that is denied. */
export function planCommand(command: string, facts: ShellFacts): CommandPlan {
  const limits = facts.limits ?? LIMITS.readOnlyShell;
  const platform = facts.platform ?? process.platform;
  if (platform === 'win32') refuse('the read-only shell has no programs on Windows; use Read, Grep and Glob');
  requireSeenText(command);
  const pipelines = parseCommand(command);
  const stages = pipelines.reduce((sum, pipeline) => sum + pipeline.stages.length, 0);
  if (stages > READ_ONLY_SHELL_LIMITS.stages)
    refuse(`the line starts ${stages} programs, ${READ_ONLY_SHELL_LIMITS.stages} are allowed; split it`);
  const places = openPlaces({ ...facts, links: READ_ONLY_SHELL_LIMITS.links });
  const budget = { entries: limits.globEntries, words: limits.words };
  const { isHidden } = facts;
  const planned = pipelines.map((pipeline) => ({
    runs: pipeline.runs,
    stages: pipeline.stages.map((stage, position) =>
      planStage(stage, { places, budget, isHidden, isLinux: platform === 'linux', hasInput: position > 0 }),
    ),
  }));
  return { pipelines: planned, places };
}

// Refuses a line that is not what it looks like: too long, or with characters that people do not see and programs read differently.

/** Control and format characters, blanks, what is drawn as nothing, halves of a character; space and tab are let through below. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\u2800]/gu;

function requireSeenText(command: string): void {
  if (command.length > READ_ONLY_SHELL_LIMITS.commandCharacters) {
    refuse(`the command is longer than ${READ_ONLY_SHELL_LIMITS.commandCharacters} characters; make it shorter`);
  }
  for (const [character] of command.matchAll(UNSEEN)) {
    if (character === ' ' || character === '\t') continue;
    if (character === '\n' || character === '\r') refuse('a line break is not allowed; join commands with ; or &&');
    const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
    refuse(`the character U+${code} cannot be seen or is a blank of another kind; leave it out`);
  }
}
