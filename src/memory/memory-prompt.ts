/** The memory part of the system prompt: the guide, which is the same for everybody, and the folders of this session. */

import { fillPrompt } from '../lib/prompt-file.ts';
import { escapeMarkup } from '../lib/visible-text.ts';

export interface MemoryPromptFacts {
  readonly projectFolder: string;
  /** Null when a folder stands alone. */
  readonly globalFolder: string | null;
  /** Where earlier sessions can be searched; null when none are kept. */
  readonly transcriptsFolder: string | null;
  /** The user's or a host's own policy. */
  readonly guidelines?: string | undefined;
  /** Lines of the index that are loaded. */
  readonly indexLines: number;
}

export interface MemoryPrompt {
  /** Holds no path, so that all projects share its place in the provider's cache. */
  readonly guide: string;
  /** Names each folder once; belongs behind the static part. */
  readonly folders: string;
}

export function memoryPrompt(facts: MemoryPromptFacts): MemoryPrompt {
  const { projectFolder, globalFolder, transcriptsFolder } = facts;
  const guidelines = facts.guidelines?.trim() ?? '';
  const folders = [
    globalFolder === null
      ? fillPrompt('memory-folder', { folder: inline(projectFolder) })
      : fillPrompt('memory-folders', { globalFolder: inline(globalFolder), projectFolder: inline(projectFolder) }),
    ...(transcriptsFolder === null
      ? []
      : [fillPrompt('memory-search', { transcriptsFolder: inline(transcriptsFolder) })]),
    ...(guidelines === '' ? [] : [`# Memory policy\n\n${escapeMarkup(guidelines)}`]),
  ];
  return { guide: fillPrompt('memory', { indexLines: String(facts.indexLines) }), folders: folders.join('\n\n') };
}

/** A path on one line, whatever it is called. */
function inline(path: string): string {
  return escapeMarkup(path.replace(/[\0-\x1f\x7f\u0085\u2028\u2029]+/g, ' '));
}
