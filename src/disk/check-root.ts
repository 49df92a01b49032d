/** Tells whether a folder may hold a memory: an absolute one of the user's own, away from what other programs obey. */

import { homedir } from 'node:os';
import { dirname, posix, win32 } from 'node:path';
import { homeOfAnother, placeProblem } from './check-root-places.ts';
import { type Disk, diskFor, reach } from './disk.ts';
import { textProblem } from './safe-name.ts';

/** Allowed or denied, with the reason. */
export interface Verdict {
  readonly verdict: 'allow' | 'deny';
  /** In words that complete "refused: …", or say why it is fine. */
  readonly reason: string;
}

export interface RootFacts {
  readonly home?: string;
  readonly platform?: NodeJS.Platform;
  readonly uid?: number;
}

/** `~` and `~/…` alone: `~other` names the home of somebody else. */
export function expandHome(path: string, home: string): string {
  if (path === '~') return home;
  const isWindowsHome = /^[A-Za-z]:[\\/]/.test(home);
  if (!path.startsWith('~/') && !(isWindowsHome && path.startsWith('~\\'))) return path;
  return `${home.replace(isWindowsHome ? /[\\/]+$/ : /\/+$/, '')}${isWindowsHome ? '\\' : '/'}${path.slice(2)}`;
}

/** Checks that a folder may hold a memory: absolute, the user’s own, and not one that other programs obey. */
export function checkMemoryRoot(path: string, facts: RootFacts = {}): Verdict {
  const platform = facts.platform ?? process.platform;
  const home = facts.home ?? homedir();
  const disk = diskFor(platform);
  const reason =
    textProblem(path) ??
    formProblem(path, platform) ??
    spellingsProblem(expandHome(path, home), { platform, disk, home }) ??
    ownerProblem(normalise(expandHome(path, home), platform), { disk, userId: facts.uid ?? process.getuid?.() });
  return reason === null ? { verdict: 'allow', reason: 'it is a folder of your own' } : { verdict: 'deny', reason };
}

function formProblem(path: string, platform: NodeJS.Platform): string | null {
  if (path.trim() === '') return 'the path is empty';
  if (/^\s|\s$/u.test(path)) return 'it begins or ends with a blank';
  if (/^~[^\\/]/.test(path)) return 'it names the home of another user';
  if (/\$\{?\w|\$\(|`/.test(path)) return 'it holds a variable or a command that nobody has filled in';
  if (/^(?:\\\\|\/\/)/.test(path)) return 'it is on another machine, or goes around the usual names';
  if (/^~(?:$|[\\/])/.test(path)) return null;
  if (platform === 'win32') return /^[A-Za-z]:[\\/]/.test(path) ? null : 'it is not an absolute path with its drive';
  if (!path.startsWith('/')) return 'it is not an absolute path';
  return path.includes('\\') ? 'it holds a backslash' : null;
}

interface SpellingFacts {
  readonly platform: NodeJS.Platform;
  readonly disk: Disk;
  readonly home: string;
}

/** The path is judged as written and as the disk resolves it: a harmless name can be a link to a harmful place. */
function spellingsProblem(path: string, facts: SpellingFacts): string | null {
  const { platform, disk } = facts;
  const written = normalise(path, platform);
  const homes = [normalise(facts.home, platform), disk.real(facts.home)].filter((home) => home !== null);
  if (!isAbsoluteOn(written, platform)) return 'it is not an absolute path';
  const problem = placeProblem(written, { platform, homes });
  if (problem !== null) return problem;
  for (const spelling of new Set([written, path])) {
    const reached = reach(disk, spelling);
    if (reached === null) return 'a file or a broken link is in the way, or it may not be examined';
    const real = normalise(reached.real, platform);
    const realProblem = placeProblem(real, { platform, homes });
    if (realProblem !== null) return realProblem;
    const other = homeOfAnother(real, { platform, homes });
    // Where the folder exists its owner decides; where it does not, its name is all there is to go by.
    if (other !== null && disk.look(other).kind === 'missing') return 'it is in the home of another user';
  }
  return null;
}

interface OwnerFacts {
  readonly disk: Disk;
  readonly userId: number | undefined;
}

/** On a shared machine someone else may have made the folder, a folder around it, or a link on the way to it. */
function ownerProblem(path: string, facts: OwnerFacts): string | null {
  const { disk, userId } = facts;
  const reached = reach(disk, path);
  if (reached?.existing == null) return null;
  const folder = disk.look(reached.existing);
  if (folder.kind === 'unknown') return `the disk does not let us look (${folder.errno})`;
  if (folder.kind !== 'folder') return 'it is not a folder';
  if (userId === undefined) return null;
  const isItself = reached.existing === reached.real;
  if (folder.ownerId !== userId && (isItself || folder.ownerId !== 0)) return 'it belongs to another user';
  for (let at = path; dirname(at) !== at; at = dirname(at)) {
    const entry = disk.look(at);
    if (entry.kind === 'link' && entry.ownerId !== userId && entry.ownerId !== 0)
      return 'a link of another user is on the way';
  }
  return null;
}

function normalise(path: string, platform: NodeJS.Platform): string {
  if (platform === 'win32') return win32.normalize(path);
  return posix.normalize(path).replace(/(?<=.)\/+$/, '');
}

function isAbsoluteOn(path: string, platform: NodeJS.Platform): boolean {
  return platform === 'win32' ? /^[A-Za-z]:\\/.test(path) : path.startsWith('/');
}
