/** The memory part of the system prompt: the guide, which is the same for everybody, and the folders of this session. */

import { fillPrompt } from '../base/prompt-file.ts';
import { escapeMarkup } from '../base/text/visible-text.ts';

export interface MemoryPromptFacts {
  readonly projectFolder: string;
  /** Null when a folder stands alone. */
  readonly globalFolder: string | null;
  /** Where the team's memory is read; null without one. */
  readonly teamFolder?: string | null;
  /** Where earlier sessions can be searched; null when none are kept. */
  readonly transcriptsFolder: string | null;
  /** The user's or a host's own policy. */
  readonly guidelines?: string | undefined;
  /** Lines of the index that are loaded. */
  readonly indexLines: number;
  /** The agent adds to a log a day and writes no memories. */
  readonly dailyLog?: boolean;
}

export interface MemoryPrompt {
  /** Holds no path, so that all projects share its place in the provider's cache. */
  readonly guide: string;
  /** Names each folder once; belongs behind the static part. */
  readonly folders: string;
}

export function memoryPrompt(facts: MemoryPromptFacts): MemoryPrompt {
  const { transcriptsFolder, dailyLog = false } = facts;
  const guidelines = facts.guidelines?.trim() ?? '';
  const folders = [
    dailyLog ? logFolders(facts) : memoryFolders(facts),
    ...(transcriptsFolder === null
      ? []
      : [fillPrompt('memory-search', { transcriptsFolder: inline(transcriptsFolder) })]),
    ...(facts.teamFolder == null ? [] : [fillPrompt('memory-team', { folder: inline(facts.teamFolder) })]),
    ...(guidelines === '' ? [] : [`# Memory policy\n\n${escapeMarkup(guidelines)}`]),
  ];
  const guide = dailyLog ? fillPrompt('memory-log') : fillPrompt('memory', { indexLines: String(facts.indexLines) });
  return { guide, folders: folders.join('\n\n') };
}

function memoryFolders({ projectFolder, globalFolder }: MemoryPromptFacts): string {
  return globalFolder === null
    ? fillPrompt('memory-folder', { folder: inline(projectFolder) })
    : fillPrompt('memory-folders', { globalFolder: inline(globalFolder), projectFolder: inline(projectFolder) });
}

/** Logs are named by a pattern: a path of today's would be another one tomorrow, and the prompt with it. */
function logFolders({ projectFolder, globalFolder }: MemoryPromptFacts): string {
  const folders = [projectFolder, ...(globalFolder === null ? [] : [globalFolder])].map(inline).join(' and ');
  return fillPrompt('memory-log-folders', { folders, projectFolder: inline(projectFolder) });
}

/** A path on one line, whatever it is called. */
function inline(path: string): string {
  return escapeMarkup(path.replace(/[\0-\x1f\x7f\u0085\u2028\u2029]+/g, ' '));
}
