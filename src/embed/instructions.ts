/** The memory's part of a host's system prompt: how memory works, where it is, and the index as it is now. */

import type { Memory } from '../memory/memory.ts';
import { memoryPrompt } from '../memory/prompt.ts';
import { renderIndexes } from '../session/context/index.ts';
import type { Place } from '../settings/place.ts';

export async function hostInstructions(memory: Memory | undefined, place: Place): Promise<string> {
  const projectFolder = memory?.folders.project;
  if (memory === undefined || !memory.enabled || projectFolder === undefined) return '';
  const { guide, folders } = memoryPrompt({
    projectFolder,
    globalFolder: memory.folders.global ?? null,
    transcriptsFolder: null,
    guidelines: place.settings.values.memoryGuidelines,
    indexLines: place.limits.index.lines,
  });
  const { parts } = await renderIndexes({ place, memory });
  return [guide, folders, ...parts].join('\n\n');
}
