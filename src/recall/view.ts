/** Recall's view of a session's memory: what the local index finds, and each memory in its current form, checked. */

import { keyOf, placeOf } from '../memory/key.ts';
import type { Memory, MemoryEntry, MemoryHeader } from '../memory/memory.ts';
import type { ListedMemory } from '../memory/shown/manifest.ts';
import { isUsageOfRecentTool } from '../memory/shown/recent-tools.ts';
import { renderSurfaced } from '../memory/shown/render.ts';
import { claimsIn, verifyClaims } from '../search/verify/verify.ts';
import { memoryPaths, type Place, treeOf } from '../settings/place.ts';
import type { FoundMemory, PrefetchPorts } from './prefetch.ts';

export interface RecallViewFacts {
  readonly memory: Memory;
  readonly place: Place;
  readonly now: () => Date;
  /** Tools of servers in use: memories that only document them are left out. */
  readonly recentTools: () => readonly string[];
}

export function recallView(facts: RecallViewFacts): Pick<PrefetchPorts, 'rank' | 'candidates' | 'surface'> {
  const { memory, place } = facts;

  async function entryOf(key: string): Promise<MemoryEntry | null> {
    const { scope, file } = placeOf(key);
    const entry = await memory.get(file, { scope }).catch(() => null);
    const isFact = entry !== null && entry.supersededBy === null && entry.refuted === null;
    return isFact && !isUsageOfRecentTool(entry, facts.recentTools()) ? entry : null;
  }

  async function newest(limit: number, exclude: readonly string[]): Promise<readonly ListedMemory[]> {
    const seen = new Set(exclude);
    const listed = (await memory.list()).filter(
      (entry) => !seen.has(keyOf(entry)) && entry.supersededBy === null && entry.refuted === null,
    );
    const byAge = listed.sort((one, other) => (one.modified < other.modified ? 1 : -1));
    return byAge.slice(0, limit).map(listedMemory);
  }

  return {
    async rank(query, wanted) {
      const hits = await memory.recall(query, { ...wanted, recentTools: facts.recentTools() });
      return hits.map((hit) => ({
        key: keyOf(hit),
        text: hit.text,
        certain: hit.certain,
        isWorded: hit.why.lexical > 0,
        score: { score: hit.score, explain: hit.why.explain },
      }));
    },
    async candidates(query, { by, limit, exclude }) {
      if (by === 'newest') return newest(limit, exclude);
      const headers = await memory.rank(query, { limit, exclude, recentTools: facts.recentTools() });
      return headers.map(listedMemory);
    },
    async surface(key): Promise<FoundMemory | null> {
      const entry = await entryOf(key);
      if (entry === null) return null;
      const check = await verifyClaims(claimsIn(`${entry.description}\n${entry.body}`, place.limits.recall), {
        limits: place.limits.recall,
        projectRoot: treeOf(place, entry.scope),
        userHome: place.userHome,
        budgetMs: place.limits.recall.verifyMs,
        now: Date.now,
        except: memoryPaths(place),
      });
      const text = renderSurfaced({ ...entry, check }, { now: facts.now(), limits: place.limits.recall });
      return { key, text, certain: true, isWorded: false };
    },
  };
}

function listedMemory(entry: MemoryHeader): ListedMemory {
  const { file, type, modified, name, description } = entry;
  return { key: keyOf(entry), file, type, modified, name, description };
}
