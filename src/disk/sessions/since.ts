/** How many sessions were touched since a time: by the names and times of their files alone, and no further than asked. */

import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Steps } from '../../base/async/in-turns.ts';
import { errnoOf } from '../../errors.ts';
import { homeLayout, isSessionId, projectLayout } from '../home.ts';
import { storageError } from '../storage-error.ts';

export interface SessionsSince {
  readonly home: string;
  /** Of one project; `all` for what concerns every project. */
  readonly projects: { readonly slug: string } | 'all';
  /** Milliseconds since the epoch; null for all there are. */
  readonly sinceMs: number | null;
  /** The session that asks. */
  readonly except: string | null;
  /** Counting stops here. */
  readonly most: number;
}

/** A file a step: of all projects there may be thousands. A sub-agent's transcript lies in the folder of its session, and does not count. */
export function* countingSessionsSince(options: SessionsSince): Steps<number> {
  const { projects } = homeLayout(options.home);
  const sinceMs = options.sinceMs ?? Number.NEGATIVE_INFINITY;
  const folders =
    options.projects === 'all'
      ? namesIn(projects).map((name) => join(projects, name))
      : [projectLayout(options.home, options.projects.slug).folder];
  let count = 0;
  for (const folder of folders) {
    for (const name of namesIn(folder)) {
      yield;
      if (count >= options.most) return count;
      const id = name.endsWith('.jsonl') ? name.slice(0, -'.jsonl'.length) : '';
      if (!isSessionId(id) || id === options.except) continue;
      const facts = lstatSync(join(folder, name), { throwIfNoEntry: false });
      if (facts?.isFile() && facts.mtimeMs > sinceMs) count += 1;
    }
  }
  return count;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return [];
    throw storageError({ path: folder, doing: 'list', error });
  }
}
