/** Recall over both scopes: keeps the derived index in step with the folders, ranks, verifies and renders. */

import { mapInTurns, nextTurn } from '../base/async/in-turns.ts';
import { within } from '../base/async/within.ts';
import { openingPackagedEncoder, packagedEncoder } from '../model/encoder/encoder.ts';
import {
  type DocumentSource,
  type Embedder,
  explainHit,
  type IndexPart,
  openLocalIndex,
  type RecallHit,
} from '../search/local-index.ts';
import { isPartMeant, passagesOf } from '../search/passages/passages.ts';
import type { RankOptions } from '../search/rank.ts';
import { claimsIn, verifyClaims } from '../search/verify/verify.ts';
import { memoryPaths, treeOf } from '../settings/place.ts';
import { findWorkTree } from '../settings/project.ts';
import { recallDirectory } from './derived-files.ts';
import type { LookedFile } from './files/look.ts';
import type { MemoryFolder } from './history/memory-folder.ts';
import { ListedMemory } from './listed-memory.ts';
import type { Memory, Recalled, RecallOptions } from './memory.ts';
import { projectParts, type Talk } from './project-parts.ts';
import { memoryReads } from './reads.ts';
import { documentSource, marksOf } from './recall-documents.ts';
import { keysOf, ownFirst, placeOf } from './recall-keys.ts';
import { type RecallMark, readRecallMark, recallMark, writeRecallMark } from './recall-mark.ts';
import type { Scopes } from './scopes.ts';
import { isUsageOfRecentTool } from './shown/recent-tools.ts';
import { partText, renderSurfaced } from './shown/render.ts';

export interface RecallHalf extends Pick<Memory, 'rank' | 'ready'> {
  recall(query: string, options?: RecallOptions): Promise<readonly Recalled[]>;
  /** False where no memory has all these words, as far as the index on disk is known to be in step; a process that asks once loads little for it. */
  mayHold(words: string): boolean;
  /** What it goes on without. */
  problems(): readonly string[];
  close(): Promise<void>;
}

export interface RecallHalfOptions {
  readonly embed?: Embedder;
  /** The model of the setting `recall.encoder`, which nobody waits for long. */
  readonly served?: Embedder;
  /** Where the conversation takes place, which in a project of several packages says what it is about. */
  readonly workingFolder?: string | undefined;
  /** `by-marks`: for a process that asks once, and walks through no folder whose mark says that it need not. */
  readonly look?: 'by-marks';
  /** Entries from which on the index is large, unless it is for the index to say. */
  readonly largeFrom?: number;
}

const DEFAULT_LIMIT = 5;
/** Hits ranked beyond what was asked for, since some are left out afterwards. */
const SPARE_HITS = 10;
/** An edit in place changes no folder's stamp; so the folders are walked again after this long, in the background. */
const LOOK_AGAIN_MS = 2_000;

/** A question over a large folder waits this long for what was saved just before it. */
const LARGE_UPDATE_MS = 25;

/** In a conversation the first request waits less, and what is found later joins the next one. */
const SERVED_PATIENCE = { queryMs: 250, restMs: 30_000, closeMs: 1_000 };

export function memoryRecall(scopes: Scopes, options: RecallHalfOptions): RecallHalf {
  const { place } = scopes;
  const directory = recallDirectory(place);
  const problems = new Map<IndexPart, string>();
  const index = openLocalIndex({
    directory,
    encoder: packagedEncoder,
    encoderInSteps: openingPackagedEncoder,
    embed: options.embed ?? options.served,
    ...(options.look !== 'by-marks' && { aside: { from: options.largeFrom } }),
    ...(options.embed === undefined && options.served !== undefined && { patience: SERVED_PATIENCE }),
    limits: place.limits.localIndex,
    onProblem(part, reason) {
      if (reason === null) problems.delete(part);
      else problems.set(part, problemLine(part, { reason, directory }));
    },
  });
  const { workingFolder } = options;
  const root = (workingFolder === undefined ? null : findWorkTree(workingFolder)) ?? place.projectRoot;
  const parts = projectParts({ root, workingFolder, limits: place.limits.recall });
  const reads = memoryReads(scopes);
  let indexed: { marks: string; atMs: number; listed: Map<string, Listed>; noFacts: readonly string[] } | null = null;
  let updating: Promise<void> = Promise.resolve();

  interface Listed {
    readonly folder: MemoryFolder;
    readonly looked: LookedFile;
  }

  async function update(): Promise<void> {
    const marks = marksOf(scopes);
    const listed = new Map<string, Listed>();
    const documents: DocumentSource[] = [];
    const noFacts: string[] = [];
    for (const folder of scopes.folders) {
      const isOnce = options.look === 'by-marks' || folder.lookInTurns === undefined;
      const { files } = isOnce ? folder.look() : await folder.lookInTurns!();
      await mapInTurns(files, (looked) => {
        const key = `${folder.scope}:${looked.file}`;
        listed.set(key, { folder, looked });
        documents.push(documentSource(key, folder, looked));
        if (isNoFact(looked.facts)) noFacts.push(key);
      });
    }
    const { unsaved } = await index.update(documents);
    indexed = { marks, atMs: Date.now(), listed, noFacts };
    if (options.look !== 'by-marks' || unsaved !== null) return;
    const mark = recallMark(directory, {
      marks,
      documents,
      noFacts,
      count: index.size(),
      atMs: scopes.now().getTime(),
    });
    if (mark !== null) writeRecallMark(directory, mark);
  }

  /** What is no fact, where the index is known to be in step without a look at the files; null where it is not. */
  function noFactsByMark(): readonly string[] | null {
    const mark = freshMark();
    return mark !== null && index.size() === mark.count ? mark.noFacts : null;
  }

  function freshMark(): RecallMark | null {
    const mark = options.look === 'by-marks' ? readRecallMark(directory) : null;
    if (mark === null || mark.marks !== marksOf(scopes)) return null;
    const ageMs = scopes.now().getTime() - mark.atMs;
    return ageMs >= 0 && ageMs < place.limits.hooks.lookAgainMs ? mark : null;
  }

  /** Memories that are not to be ranked, and those that the caller has. */
  async function leftOut(seen: Iterable<string> = []): Promise<Pick<RankOptions, 'exclude' | 'seen'>> {
    const byMark = noFactsByMark();
    if (byMark === null) await inStep();
    return { exclude: new Set(byMark ?? indexed?.noFacts ?? []), seen: keysOf(new Set(seen)) };
  }

  /** One after the other; a caller waits for its own. */
  function updateInTurn(): Promise<void> {
    updating = updating.then(update, update);
    return updating;
  }

  async function inStep(): Promise<void> {
    const marks = marksOf(scopes);
    if (indexed === null || indexed.marks !== marks) {
      const updated = updateInTurn();
      // What is there answers meanwhile; what is gone or no fact any more is noticed as it is read.
      updated.catch(() => undefined);
      await (options.look !== 'by-marks' && (await index.isLarge()) ? within(updated, LARGE_UPDATE_MS) : updated);
    } else if (Date.now() - indexed.atMs > LOOK_AGAIN_MS) {
      indexed = { ...indexed, atMs: Date.now() };
      updateInTurn().catch(() => undefined);
    }
  }

  /** More than asked for where some may be left out, or give way to what the user said. */
  function searched(limit: number, tools: readonly string[]): number {
    const hasTeam = scopes.folders.some(({ scope }) => scope === 'team');
    return tools.length === 0 && !hasTeam ? limit : limit + SPARE_HITS;
  }

  async function surface(hit: RecallHit, facts: Surfacing): Promise<Recalled | null> {
    const { scope, file } = placeOf(hit.key);
    const entry = await reads.get(file, { scope }).catch(() => null);
    // As it is in the file now, which may say more than the listing.
    if (entry === null || isNoFact(entry) || isUsageOfRecentTool(entry, facts.tools)) return null;
    const other = hit.certain ? parts.otherThan(facts.talk, `${entry.description}\n${entry.body}`) : null;
    const certain = hit.certain && (other === null || hit.why.named.length > 0);
    if (!certain && facts.only === 'certain') return null;
    // Only what may be shown unasked is worth a search of the work tree.
    const check = certain
      ? await verifyClaims(claimsIn(`${entry.description}\n${entry.body}`, place.limits.recall), {
          limits: place.limits.recall,
          projectRoot: treeOf(place, scope),
          userHome: place.userHome,
          budgetMs: Math.max(0, facts.deadlineMs - Date.now()),
          now: Date.now,
          except: memoryPaths(place),
        })
      : null;
    const found = hit.passage === null ? undefined : passagesOf(entry.body)[hit.passage];
    const part = found !== undefined && isPartMeant(found, hit.why) ? found : undefined;
    const text = renderSurfaced({ ...entry, check, part }, { now: scopes.now(), limits: place.limits.recall });
    const explained = [
      explainHit({ ...hit, certain, key: file }),
      ...(part === undefined ? [] : [`  ${partText(part)}`]),
      ...(other === null ? [] : [`  about another part of the project: ${other}`]),
    ];
    const why = { ...hit.why, explain: explained.join('\n') };
    return { file, scope, score: hit.score, certain, why, text };
  }

  /** Read one after the other, with a turn for others between; checked all at once. */
  async function surfaceAll(hits: readonly RecallHit[], facts: Surfacing): Promise<readonly (Recalled | null)[]> {
    const surfacing: Promise<Recalled | null>[] = [];
    for (const hit of hits) {
      const surfaced = surface(hit, facts);
      // Reported below, once all have been started.
      surfaced.catch(() => undefined);
      surfacing.push(surfaced);
      await nextTurn();
    }
    return Promise.all(surfacing);
  }

  return {
    async recall(query, recallOptions) {
      const limit = recallOptions?.limit ?? DEFAULT_LIMIT;
      const without = await leftOut(recallOptions?.exclude);
      await index.prepare(query);
      const tools = recallOptions?.recentTools ?? [];
      const hits = ownFirst(await index.find(query, { limit: searched(limit, tools), ...without }));
      recallOptions?.onRanked?.(
        hits.map(({ key, certain, why }) => ({ key, certain, evidence: why.evidence, threshold: why.threshold })),
      );
      const wanted = hits.filter((hit) => isWanted(hit, recallOptions?.only));
      const deadlineMs = Date.now() + place.limits.recall.verifyMs;
      // Ranking has had its turn.
      await nextTurn();
      const facts = { tools, deadlineMs, talk: parts.talkAbout(query), only: recallOptions?.only };
      const surfaced: Recalled[] = [];
      for (let from = 0; from < wanted.length && surfaced.length < limit; from += limit) {
        const next = await surfaceAll(wanted.slice(from, from + limit), facts);
        surfaced.push(...next.filter((each) => each !== null));
      }
      return surfaced.slice(0, limit);
    },
    mayHold(words) {
      const mark = freshMark();
      return mark === null || index.storedSize() !== mark.count || index.storedHolds(words);
    },
    async rank(query, recallOptions) {
      const { limit = DEFAULT_LIMIT, recentTools = [] } = recallOptions ?? {};
      const without = await leftOut(recallOptions?.exclude);
      await index.prepare(query);
      const hits = ownFirst(await index.find(query, { limit: searched(limit, recentTools), ...without }));
      const headers = hits.flatMap(({ key }) => {
        const found = indexed?.listed.get(key);
        return found === undefined ? [] : [new ListedMemory(found.folder, found.looked)];
      });
      return headers.filter((header) => !isUsageOfRecentTool(header, recentTools)).slice(0, limit);
    },
    async ready() {
      await inStep();
      await updating;
      await index.ready();
    },
    problems: () => [...problems.values()],
    async close() {
      await updating.catch(() => undefined);
      await index.close();
    },
  };
}

function problemLine(part: IndexPart, facts: { readonly reason: string; readonly directory: string }): string {
  const { reason, directory } = facts;
  switch (part) {
    case 'saving':
      return `The index of memories cannot be kept in ${directory}, so that each start makes it again: ${reason}. Fix it: reverie doctor`;
    case 'embedding':
      return `Your embedding model failed, and memories are ranked without it for now: ${reason}`;
  }
}

function isWanted({ certain, why }: RecallHit, only: RecallOptions['only']): boolean {
  switch (only) {
    case 'certain':
      return certain;
    case 'worded':
      return why.lexical > 0;
    case undefined:
      return true;
  }
}

interface Surfacing extends Pick<RecallOptions, 'only'> {
  readonly talk: Talk;
  readonly tools: readonly string[];
  readonly deadlineMs: number;
}

/** What was superseded or refuted. */
function isNoFact(facts: Pick<LookedFile['facts'], 'supersededBy' | 'refuted'>): boolean {
  return facts.supersededBy !== null || facts.refuted !== null;
}
