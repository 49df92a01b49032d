/** The files that somebody may have meant by a name that is not there. */

import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { shownPath } from './answer.ts';
import { nearest } from './likeness.ts';

const MOST_NEAR = 3;

/** A sentence, or nothing. */
export async function nearFiles(path: string, cwd: string): Promise<string> {
  const folder = dirname(path);
  const names = await readdir(folder).catch(() => null);
  if (names === null) return ` There is no folder ${shownPath(folder, cwd)} either. Find it with Glob.`;
  const near = nearest(basename(path), names, MOST_NEAR).map((name) => shownPath(join(folder, name), cwd));
  return near.length === 0 ? ' Find it with Glob.' : ` Did you mean ${near.join(' or ')}?`;
}
