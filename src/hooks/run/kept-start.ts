/**
 * What a conversation was last told at its start, kept while nothing has changed: a host waits for it at every start. It lies beside the
 * recall index, and goes with it when something is purged.
 */

import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { homeLayout, TEAM_FOLDER } from '../../disk/home.ts';
import { recallDirectory } from '../../memory/derived-files.ts';
import { INDEX_FILE } from '../../memory/files/walk.ts';
import { readRecallMark } from '../../memory/recall-mark.ts';
import type { Place } from '../../settings/place.ts';

export interface KeptStart {
  /** Null when something changed, or nobody has looked at all files for a while. */
  read(): string | null;
  /** Never throws: the next start makes it again. */
  write(text: string): void;
}

/** `wording`: what else it is made of. */
export function keptStart(place: Place, facts: { bytes: number; wording: string; now: Date }): KeptStart {
  const directory = recallDirectory(place);
  const path = join(directory, `start-${facts.bytes}.txt`);
  const key = keyOf(place, facts.wording);
  return {
    read() {
      const lookedAtMs = readRecallMark(directory)?.atMs ?? 0;
      const ageMs = facts.now.getTime() - lookedAtMs;
      if (ageMs < 0 || ageMs >= place.limits.hooks.lookAgainMs) return null;
      try {
        const text = readFileSync(path, 'utf8');
        return text.startsWith(key) ? text.slice(key.length) : null;
      } catch {
        return null;
      }
    },
    write(text) {
      const temporary = `${path}.${process.pid}.temporary`;
      try {
        mkdirSync(directory, { recursive: true, mode: 0o700 });
        writeFileSync(temporary, key + text, { mode: 0o600, flag: 'wx' });
        renameSync(temporary, path);
      } catch {}
    },
  };
}

/** A line of what it was made from: the folders and indexes as they are, and the words around them. */
function keyOf(place: Place, wording: string): string {
  const stamps = place.folders.flatMap(({ path, workTree }) => {
    // What a pull brought is in the repository before it is in the folder that is made from it.
    const repository = workTree === undefined ? [] : [join(workTree, TEAM_FOLDER), homeLayout(place.home).trustFile];
    return [path, join(path, INDEX_FILE), ...repository].map(stampOf);
  });
  const { memoryGuidelines = '' } = place.settings.values;
  const parts = [process.version, wording, memoryGuidelines, JSON.stringify(place.limits.index), ...stamps];
  return `${JSON.stringify(parts)}\n`;
}

function stampOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? 'none' : `${path} ${stats.ino} ${stats.size} ${stats.mtimeMs}`;
}
