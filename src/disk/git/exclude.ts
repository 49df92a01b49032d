/** Keeps a file of ours out of the user's `git status`: a line in the repository's own list of what it leaves alone, which is not shared. */

import { join } from 'node:path';
import { realPath } from '../disk.ts';
import { createFolder, openFolder } from '../folder.ts';
import { findGitFolders } from './git-folder.ts';

const FILE = 'exclude';
const MOST_BYTES = 1_048_576;

/** `pattern` is one of .gitignore, from the root of the work tree. Whatever goes wrong, the file merely shows as untracked. */
export async function excludeFromGit(projectRoot: string, pattern: string): Promise<void> {
  const folders = findGitFolders(realPath(projectRoot) ?? projectRoot);
  if (folders === null) return;
  try {
    const git = openFolder(folders.common);
    if (git === null) return;
    git.close();
    const info = createFolder(join(folders.common, 'info'), { isShared: true });
    try {
      const text = info.read(FILE, MOST_BYTES)?.toString('utf8') ?? '';
      if (text.split('\n').some((line) => line.trim() === pattern)) return;
      const gap = text === '' || text.endsWith('\n') ? '' : '\n';
      await info.append(FILE, Buffer.from(`${gap}${pattern}\n`), { durable: false });
    } finally {
      info.close();
    }
  } catch {
    // Somebody else's repository, or a disk that cannot be written.
  }
}
