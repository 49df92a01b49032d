/** Joins store, memory files, scopes and recall into the one object that programs use. */

import { resolve } from 'node:path';
import { nextTurn } from '../base/async/in-turns.ts';
import { ReverieError } from '../errors.ts';
import { memoryFiles } from '../memory/as-files.ts';
import { removeRecallIndexes } from '../memory/derived-files.ts';
import type { Memory, NoticedEdit } from '../memory/memory.ts';
import { describeOff } from '../memory/off.ts';
import { fileDiff, memoryReads } from '../memory/reads.ts';
import type { RecallHalf } from '../memory/recall.ts';
import { openScopes } from '../memory/scopes.ts';
import { servedEncoder } from '../memory/served-encoder.ts';
import { memoryWrites } from '../memory/writes.ts';
import type { Embedder } from '../search/local-index.ts';
import { findPlace, type Place, type PlaceOptions } from '../settings/place.ts';
import { teamOpener } from '../team/opener.ts';

/** Options of `openMemory`. */
export interface OpenMemoryOptions extends PlaceOptions {
  /** An embedding model of your own, which then counts beside the one that comes with the package. */
  readonly embed?: Embedder;
}

/**
 * Opens the memory of a project together with the user's global one, or a folder that stands alone. What a killed
 * process left half done is finished first; edits made with an editor are journalled in the background.
 */
export async function openMemory(options: OpenMemoryOptions = {}): Promise<Memory> {
  return openMemoryAt(findPlace(options), options);
}

/** The same for a place that was found, or made. */
export async function openMemoryAt(
  place: Place,
  options: Pick<OpenMemoryOptions, 'embed' | 'env' | 'cwd'> = {},
): Promise<Memory> {
  if (place.offReason !== null) return describeOff(place.offReason);
  await nextTurn();
  const scopes = await openScopes(place, await teamOpener(place));
  let recalling: Promise<RecallHalf> | null = null;
  let opened: RecallHalf | null = null;
  // Loaded at the first recall: the encoder and its vocabulary are of no use to any other command.
  const recall = () => {
    recalling ??= import('../memory/recall.ts').then(async ({ memoryRecall }) => {
      await nextTurn();
      const served = await servedEncoder(place, options.env ?? process.env);
      const workingFolder = resolve(options.cwd ?? process.cwd());
      opened = memoryRecall(scopes, { embed: options.embed, workingFolder, ...(served !== null && { served }) });
      return opened;
    });
    return recalling;
  };
  const writes = memoryWrites(scopes);
  return {
    enabled: true,
    offReason: null,
    folders: Object.fromEntries(scopes.folders.map((folder) => [folder.scope, folder.path])),
    ...memoryReads(scopes),
    ...writes,
    files: memoryFiles(scopes),
    filesOf: (scope) => memoryFiles(scopes, scope),
    async noticeOutsideEdits(by) {
      await scopes.settled();
      const noticed: NoticedEdit[] = [];
      for (const folder of scopes.folders) {
        const changes = await folder.settle(by);
        noticed.push(
          ...changes.map(({ id, files }) => ({ change: id, files: files.map((file) => fileDiff(folder, file)) })),
        );
      }
      return noticed;
    },
    async purge(file, purgeOptions) {
      const purged = await writes.purge(file, purgeOptions);
      await (await recalling)?.close();
      recalling = null;
      await removeRecallIndexes(place, purged.scope);
      const { purgeDreamsOf } = await import('../layers/6-dreaming/records/purge-dreams.ts');
      await purgeDreamsOf(purged, { place, memoryFolder: scopes.folder(purged.scope).path });
      return purged;
    },
    async recall(query, recallOptions) {
      refuseMissing(query);
      return (await recall()).recall(query, recallOptions);
    },
    async rank(query, recallOptions) {
      refuseMissing(query);
      return (await recall()).rank(query, recallOptions);
    },
    ready: async () => (await recall()).ready(),
    problems: () => [
      ...[...scopes.problems, ...scopes.offers],
      ...scopes.folders.flatMap((folder) => folder.problems()),
      ...(opened?.problems() ?? []),
    ],
    async close() {
      await scopes.settled();
      await (await recalling)?.close();
      await Promise.all(scopes.folders.map((folder) => folder.close()));
    },
  };
}

function refuseMissing(query: unknown): void {
  if (typeof query !== 'string') throw new ReverieError({ code: 'usage', message: 'The question is missing' });
}
