/** Recall over both scopes: keeps the derived index in step with the folders, ranks, verifies and renders. */

import type { LookedFile } from '../memory/look.ts';
import { parseMemoryFile } from '../memory/memory-file.ts';
import type { MemoryFolder } from '../memory/memory-folder.ts';
import { openEncoder } from '../model/encoder/encoder.ts';
import {
  type DocumentSource,
  type Embedder,
  explainHit,
  openLocalIndex,
  type RecallHit,
} from '../recall/local-index.ts';
import { isUsageOfRecentTool } from '../recall/recent-tools.ts';
import { renderSurfaced } from '../recall/render.ts';
import { claimsIn, verifyClaims } from '../recall/verify.ts';
import { hashOf } from '../store/contents.ts';
import { recallDirectory } from './derived-files.ts';
import type { Memory, Recalled } from './memory.ts';
import { memoryReads } from './memory-reads.ts';
import type { Scopes } from './scopes.ts';

export type RecallHalf = Pick<Memory, 'recall' | 'ready'> & {
  close(): Promise<void>;
};

const DEFAULT_LIMIT = 5;
/** Hits ranked beyond what was asked for, since some are left out afterwards. */
const SPARE_HITS = 10;
/** An edit in place changes no folder's stamp; so the folders are walked again after this long, in the background. */
const LOOK_AGAIN_MS = 2_000;

export function memoryRecall(scopes: Scopes, options: { readonly embed?: Embedder }): RecallHalf {
  const { place } = scopes;
  const directory = recallDirectory(place);
  const index = openLocalIndex({
    directory,
    encoder: () => openEncoder(),
    embed: options.embed,
    limits: place.limits.localIndex,
  });
  const reads = memoryReads(scopes);
  let indexed: { marks: string; atMs: number; listed: Map<string, Listed> } | null = null;
  let updating: Promise<void> = Promise.resolve();

  interface Listed {
    readonly folder: MemoryFolder;
    readonly looked: LookedFile;
  }

  async function update(): Promise<void> {
    const marks = scopes.folders.map((folder) => folder.mark()).join(' ');
    const listed = new Map<string, Listed>();
    for (const folder of scopes.folders) {
      for (const looked of folder.look().files) listed.set(`${folder.scope}:${looked.file}`, { folder, looked });
    }
    await index.update([...listed].map(([key, { folder, looked }]) => documentSource(key, folder, looked)));
    indexed = { marks, atMs: Date.now(), listed };
  }

  /** One after the other; a caller waits for its own. */
  function updateInTurn(): Promise<void> {
    updating = updating.then(update, update);
    return updating;
  }

  async function inStep(): Promise<Map<string, Listed>> {
    const marks = scopes.folders.map((folder) => folder.mark()).join(' ');
    if (indexed === null || indexed.marks !== marks) await updateInTurn();
    else if (Date.now() - indexed.atMs > LOOK_AGAIN_MS) {
      indexed = { ...indexed, atMs: Date.now() };
      updateInTurn().catch(() => undefined);
    }
    return indexed?.listed ?? new Map();
  }

  async function surface(hit: RecallHit, facts: { listed: Listed; deadlineMs: number }): Promise<Recalled | null> {
    const { folder, looked } = facts.listed;
    const entry = await reads.get(looked.file, { scope: folder.scope }).catch(() => null);
    if (entry === null) return null;
    // Only what may be shown unasked is worth a search of the work tree.
    const check = hit.certain
      ? await verifyClaims(claimsIn(`${entry.description}\n${entry.body}`), {
          projectRoot: place.projectRoot,
          userHome: place.userHome,
          budgetMs: Math.max(0, facts.deadlineMs - Date.now()),
          now: Date.now,
          except: scopes.folders.map(({ path }) => path),
        })
      : null;
    const text = renderSurfaced({ ...entry, check }, { now: scopes.now(), limits: place.limits.recall });
    const why = { ...hit.why, explain: explainHit({ ...hit, key: looked.file }) };
    return { file: looked.file, scope: folder.scope, score: hit.score, certain: hit.certain, why, text };
  }

  return {
    async recall(query, recallOptions) {
      const limit = recallOptions?.limit ?? DEFAULT_LIMIT;
      const listed = await inStep();
      await index.prepare(query);
      const exclude = excludedKeys(listed, new Set(recallOptions?.exclude));
      const tools = recallOptions?.recentTools ?? [];
      const hits = index
        .search(query, { limit: tools.length === 0 ? limit : limit + SPARE_HITS, exclude })
        .filter(({ key }) => {
          const facts = listed.get(key)?.looked.facts;
          return facts !== undefined && !isUsageOfRecentTool(facts, tools);
        })
        .slice(0, limit);
      const deadlineMs = Date.now() + place.limits.recall.verifyMs;
      const surfaced = await Promise.all(hits.map((hit) => surface(hit, { listed: listed.get(hit.key)!, deadlineMs })));
      return surfaced.filter((each) => each !== null);
    },
    async ready() {
      await inStep();
      await updating;
      await index.ready();
    },
    async close() {
      await updating.catch(() => undefined);
      await index.close();
    },
  };
}

/** What was superseded or refuted is no fact; what the caller has seen already would waste a place. */
function excludedKeys(
  listed: ReadonlyMap<string, { readonly looked: LookedFile }>,
  seen: ReadonlySet<string>,
): ReadonlySet<string> {
  const excluded = new Set<string>();
  for (const [key, { looked }] of listed) {
    const { supersededBy, refuted } = looked.facts;
    if (supersededBy !== null || refuted !== null || seen.has(looked.file) || seen.has(key)) excluded.add(key);
  }
  return excluded;
}

function documentSource(key: string, folder: MemoryFolder, looked: LookedFile): DocumentSource {
  const { inode, size, mtimeMs } = looked.stamp;
  const hash = looked.hash ?? `${inode}-${size}-${mtimeMs}`;
  return {
    key,
    hash,
    read() {
      const bytes = folder.read(looked.file);
      if (bytes === null) return null;
      const { name, description } = looked.facts;
      return {
        key,
        hash: looked.hash === null ? hash : hashOf(bytes),
        name,
        description,
        body: parseMemoryFile(bytes).body,
      };
    },
  };
}
