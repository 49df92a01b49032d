/** What files were before the agent's tools changed them, kept beside the transcript, so that going back can put them back. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { diskFiles } from '../agent/disk-files.ts';
import type { Files } from '../agent/files.ts';
import { isObject } from '../base/values.ts';
import { hashOf } from '../disk/contents.ts';
import { createFolder, openFolder } from '../disk/folder.ts';

export interface Checkpoints {
  /** The same files; what a write replaces is kept first. */
  watched(files: Files, isWatched: (path: string) => boolean): Files;
  /** Back to what they were at an ISO time. */
  restore(since: string): Promise<RestoredFiles>;
}

/** Absolute paths. */
export interface RestoredFiles {
  readonly restored: readonly string[];
  /** Somebody else changed them since, or what they held is no longer kept. */
  readonly left: readonly string[];
}

/** Hashes; null for a file that was not there. */
interface FileChange {
  readonly at: string;
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
}

const FOLDER = 'checkpoints';
const CHANGES = 'changes.jsonl';

/** `folder` is the session's; without one nothing is kept. */
export function openCheckpoints({
  folder: session,
  now,
}: {
  readonly folder: string | null;
  readonly now: () => Date;
}): Checkpoints {
  const folder = session === null ? null : join(session, FOLDER);

  async function keep(bytes: Buffer): Promise<string> {
    const hash = hashOf(bytes);
    const held = createFolder(folder!);
    try {
      const name = await held.stage(bytes, { durable: false });
      held.moveIn({ from: held, name }, hash, 'replace');
    } finally {
      held.close();
    }
    return hash;
  }

  async function note(change: FileChange): Promise<void> {
    const held = createFolder(folder!);
    try {
      await held.append(CHANGES, Buffer.from(`${JSON.stringify(change)}\n`), { durable: false });
    } finally {
      held.close();
    }
  }

  function kept(name: string): Buffer | null {
    const held = folder === null ? null : openFolder(folder);
    try {
      return held?.read(name) ?? null;
    } finally {
      held?.close();
    }
  }

  async function putBack(path: string, changes: readonly FileChange[], since: string): Promise<boolean | null> {
    const disk = diskFiles();
    const wanted = changes.find(({ at }) => at >= since)!.before;
    const present = await disk.read(path).catch(() => null);
    const hash = present === null ? null : hashOf(present);
    if (hash === wanted) return null;
    if (!changes.some(({ before, after }) => before === hash || after === hash)) return false;
    if (wanted === null) {
      rmSync(path);
      return true;
    }
    const bytes = kept(wanted);
    return bytes !== null && (await disk.write(path, bytes, { ifUnchanged: hash })).kind === 'written';
  }

  return {
    watched(files, isWatched) {
      if (folder === null) return files;
      return {
        ...files,
        async write(path, bytes, options) {
          if (!isWatched(path)) return files.write(path, bytes, options);
          // A checkpoint that cannot be kept does not keep anybody from working.
          const present = options.ifUnchanged === null ? null : await files.read(path).catch(() => null);
          const before = present === null ? null : await keep(present).catch(() => null);
          const outcome = await files.write(path, bytes, options);
          if (outcome.kind !== 'written') return outcome;
          if (present !== null && before === null) return outcome;
          const after = hashOf(outcome.bytes ?? bytes);
          await note({ at: now().toISOString(), path, before, after }).catch(() => {});
          return outcome;
        },
      };
    },
    async restore(since) {
      const all = readChanges(kept(CHANGES));
      const [restored, left]: [string[], string[]] = [[], []];
      for (const path of new Set(all.map((change) => change.path))) {
        const changes = all.filter((change) => change.path === path);
        if (!changes.some(({ at }) => at >= since)) continue;
        const isBack = await putBack(path, changes, since).catch(() => false);
        if (isBack !== null) (isBack ? restored : left).push(path);
      }
      return { restored, left };
    },
  };
}

/** A damaged line costs only that line. */
function readChanges(bytes: Buffer | null): FileChange[] {
  return (bytes?.toString('utf8') ?? '').split('\n').flatMap((line): FileChange[] => {
    try {
      const value: unknown = JSON.parse(line);
      return isChange(value) ? [value] : [];
    } catch {
      return [];
    }
  });
}

function isChange(value: unknown): value is FileChange {
  if (!isObject(value)) return false;
  const { at, path, before, after } = value;
  return [at, path, after].every((each) => typeof each === 'string') && (before === null || typeof before === 'string');
}
