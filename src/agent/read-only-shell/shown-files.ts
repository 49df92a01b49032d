/** Files whose text a command line shows: those of its commands that only read, whatever the others of the line do. */

import { LIMITS, READ_ONLY_SHELL_LIMITS } from '../../limits.ts';
import type { ShellFacts } from './check-command.ts';
import { type Pipeline, parseCommand } from './parse.ts';
import { openPlaces } from './place.ts';
import { type PlannedStage, planStage } from './plan-stage.ts';

/** What prints text as it is, or the beginning or the end of it. */
const SHOWS = new Set(['cat', 'head', 'tail']);

/** Real paths; none where the line cannot be read. */
export function shownFiles(command: string, facts: ShellFacts): readonly string[] {
  if ((facts.platform ?? process.platform) === 'win32') return [];
  const limits = facts.limits ?? LIMITS.readOnlyShell;
  if (command.length > READ_ONLY_SHELL_LIMITS.commandCharacters) return [];
  const pipelines = orNothing(() => parseCommand(command)) ?? [];
  const places = orNothing(() => openPlaces({ ...facts, links: READ_ONLY_SHELL_LIMITS.links }));
  if (places === null) return [];
  const budget = { entries: limits.globEntries, words: limits.words };
  const plan = (stage: Pipeline['stages'][number], position: number): PlannedStage | null =>
    orNothing(() => planStage(stage, { places, budget, isLinux: true, hasInput: position > 0 }));
  return pipelines.slice(0, READ_ONLY_SHELL_LIMITS.stages).flatMap(({ stages }) => {
    const planned = stages.slice(0, READ_ONLY_SHELL_LIMITS.stages).map(plan);
    // What counts or picks lines behind it hides the text.
    const from = planned.findLastIndex((stage) => stage === null || !SHOWS.has(stage.program)) + 1;
    const shown = planned.slice(from).flatMap((stage) => stage?.places ?? []);
    return shown.filter(({ kind }) => kind === 'file').map(({ real }) => real);
  });
}

/** A line that is refused shows nothing that is known of. */
function orNothing<T>(look: () => T): T | null {
  try {
    return look();
  } catch {
    return null;
  }
}
