/** The index of each memory folder as the conversation gets it at its beginning, within its limits. */

import { inTurns, nextTurn } from '../../base/async/in-turns.ts';
import { MEMORY_SCOPES, type MemoryScope } from '../../base/taxonomy.ts';
import { openFolder } from '../../disk/folder.ts';
import { INDEX_FILE } from '../../memory/files/walk.ts';
import { indexWarnings, type LoadedIndex, loadingIndex } from '../../memory/index/index-file.ts';
import type { Memory } from '../../memory/memory.ts';
import type { Place } from '../../settings/place.ts';
import { attribute, escapeOwnTags } from '../../toolbox/context-text.ts';
import type { ShownIndexes } from './index-news.ts';

export interface RenderedIndexes {
  readonly parts: readonly string[];
  readonly shown: ShownIndexes;
  readonly warnings: readonly string[];
}

/** Nothing when memory is off, or when the setting leaves the index out. */
export async function renderIndexes({ place, memory }: { place: Place; memory: Memory }): Promise<RenderedIndexes> {
  if (!memory.enabled || place.settings.values['recall.skipIndex'] === true)
    return { parts: [], shown: {}, warnings: [] };
  const parts: string[] = [];
  const shown: { -readonly [Scope in MemoryScope]?: ShownIndexes[Scope] } = {};
  const warnings: string[] = [];
  // Global first: what stands later weighs more, and the project is nearer.
  for (const scope of MEMORY_SCOPES.toReversed()) {
    const folder = memory.folders[scope];
    if (folder === undefined) continue;
    const bytes = readIndexFile(folder);
    if (bytes === null) {
      warnings.push(`${folder}/${INDEX_FILE} cannot be read, so that this conversation has no index of it.`);
      continue;
    }
    await nextTurn();
    const text = bytes.toString('utf8');
    const index = await load({ bytes, text }, { place, memory, scope });
    shown[scope] = { text: index.text, whole: index.truncated === null ? null : text };
    parts.push(indexTag(index, { folder, scope }));
    // Nobody can shrink the team's by themselves.
    if (index.notice !== null && scope !== 'team') warnings.push(`${folder}: ${index.notice}`);
  }
  if (memory.folders.team !== undefined) {
    warnings.push(...(await (await import('../../team/announce.ts')).announceRules(place)));
  }
  return { parts: parts.length === 0 ? [] : [HEADING, ...parts], shown, warnings };
}

const HEADING = [
  '# Memory index',
  '',
  'One line for each memory: its title, its file, and what it is about. Read a file when its line bears on the task.',
].join('\n');

const WHOSE = {
  project: 'this project',
  global: 'all projects',
  team: 'the team, what colleagues said',
} as const satisfies Record<MemoryScope, string>;

function indexTag(index: LoadedIndex, facts: { folder: string; scope: MemoryScope }): string {
  const open = `<memory-index folder="${attribute(facts.folder)}" of="${WHOSE[facts.scope]}">`;
  const text = index.text.trim() === '' ? '(empty so far, which is normal)' : escapeOwnTags(index.text);
  return [open, text, ...(index.notice === null ? [] : [index.notice]), '</memory-index>'].join('\n');
}

async function load(
  { bytes, text }: { readonly bytes: Buffer; readonly text: string },
  facts: { place: Place; memory: Memory; scope: MemoryScope },
): Promise<LoadedIndex> {
  const limits = facts.place.limits.index;
  if (facts.scope === 'team') {
    const [{ loadTeamIndex }, { teamScope }] = await Promise.all([
      import('../../team/index-text.ts'),
      import('../../team/news.ts'),
    ]);
    return loadTeamIndex(text, { limits, cacheDirectory: teamScope(facts.place).cacheDirectory });
  }
  // The files are looked at only when the index is too long: then it matters which are pinned, and which are new.
  const isLong = indexWarnings(bytes, limits).length > 0;
  await nextTurn();
  const entries = isLong ? await facts.memory.list() : [];
  const ofScope = new Map(entries.filter(({ scope }) => scope === facts.scope).map((entry) => [entry.file, entry]));
  return inTurns(
    loadingIndex(text, {
      limits,
      isPinned: (file) => ofScope.get(file)?.pinned === true,
      modified: (file) => Date.parse(ofScope.get(file)?.modified ?? '') || 0,
    }),
  );
}

/** Through the folder's descriptor: a link in place of the index leads nowhere. Empty when there is none yet, null when it cannot be read. */
function readIndexFile(path: string): Buffer | null {
  try {
    const folder = openFolder(path);
    try {
      return folder?.read(INDEX_FILE) ?? Buffer.alloc(0);
    } finally {
      folder?.close();
    }
  } catch {
    return null;
  }
}
