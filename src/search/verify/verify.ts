/** Checks what a memory names against the current project: paths by looking, identifiers by one search, in little time. */

import type { Dirent } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isWithin } from '../../base/paths.ts';
import { errnoOf } from '../../errors.ts';
import type { Limits } from '../../limits.ts';
import type { Claims } from './claims.ts';
import { endsLike, searchWithGit, type TreeSearch } from './search.ts';
import { DERIVED_FOLDERS } from './words.ts';

export { type Claims, claimsIn } from './claims.ts';

export interface VerifyResult {
  readonly checked: 'all' | 'partly' | 'not-checked';
  readonly gone: readonly string[];
  readonly found: readonly string[];
}

export interface VerifyFacts {
  readonly projectRoot: string;
  readonly budgetMs: number;
  /** Milliseconds, from any start. */
  readonly now: () => number;
  readonly userHome?: string;
  readonly limits: Pick<Limits['recall'], 'searchedFiles' | 'searchedFileBytes'>;
  /** Absolute folders that are not searched, such as a memory folder inside the project. */
  readonly except?: readonly string[];
}

type Standing = 'found' | 'gone';

interface Check extends Pick<VerifyFacts, 'limits'> {
  readonly root: string;
  readonly userHome: string;
  readonly except: readonly string[];
  readonly signal: AbortSignal;
  readonly isOver: () => boolean;
  readonly standings: Map<string, Standing>;
}

/** Never throws and never exceeds its budget: what is not finished by then is not checked. */
export async function verifyClaims(claims: Claims, facts: VerifyFacts): Promise<VerifyResult> {
  const names = [...claims.paths, ...claims.identifiers];
  const startedAt = facts.now();
  const root = names.length === 0 ? null : await realFolder(facts.projectRoot);
  if (root === null) return { checked: 'all', gone: [], found: [] };

  const budget = new AbortController();
  const standings = new Map<string, Standing>();
  const isOver = () => {
    if (facts.now() - startedAt >= facts.budgetMs) budget.abort();
    return budget.signal.aborted;
  };
  const over = new Promise<void>((resolve) => budget.signal.addEventListener('abort', () => resolve(), { once: true }));
  const timer = setTimeout(() => budget.abort(), Math.max(0, facts.budgetMs));
  const check: Check = {
    root,
    userHome: facts.userHome ?? homedir(),
    limits: facts.limits,
    except: await Promise.all((facts.except ?? []).map(async (folder) => (await realFolder(folder)) ?? folder)),
    signal: budget.signal,
    isOver,
    standings,
  };
  if (!isOver()) await Promise.race([checkAll(claims, check).catch(() => undefined), over]);
  clearTimeout(timer);
  budget.abort();
  return summary({ names, standings, omitted: claims.omitted ?? 0 });
}

function summary(facts: { names: readonly string[]; standings: ReadonlyMap<string, Standing>; omitted: number }) {
  const { names, standings } = facts;
  const gone = names.filter((name) => standings.get(name) === 'gone');
  const found = names.filter((name) => standings.get(name) === 'found');
  const decided = gone.length + found.length;
  const isWhole = decided === names.length && facts.omitted === 0;
  return { checked: isWhole ? 'all' : decided === 0 ? 'not-checked' : 'partly', gone, found } as const;
}

async function checkAll(claims: Claims, check: Check): Promise<void> {
  const looks = await Promise.all(claims.paths.map(async (path) => ({ path, look: await lookAt(path, check) })));
  const endings: string[] = [];
  for (const { path, look } of looks) {
    if (look === 'absent-below') endings.push(path);
    else if (look !== 'unknown') check.standings.set(path, look);
  }
  if (endings.length + claims.identifiers.length === 0 || check.isOver()) return;

  const search: TreeSearch = {
    root: check.root,
    identifiers: claims.identifiers,
    endings,
    except: check.except,
    signal: check.signal,
    onFound: (claim) => check.standings.set(claim, 'found'),
  };
  const end = await searchTree(search, check);
  if (end !== 'finished' || check.isOver()) return;
  for (const claim of [...endings, ...claims.identifiers]) {
    if (!check.standings.has(claim)) check.standings.set(claim, 'gone');
  }
}

async function searchTree(search: TreeSearch, check: Check): Promise<'finished' | 'cut'> {
  if ((await searchWithGit(search)) === 'finished') return 'finished';
  if (check.isOver()) return 'cut';
  const isMissing = (claim: string) => !check.standings.has(claim);
  const rest = { identifiers: search.identifiers.filter(isMissing), endings: search.endings.filter(isMissing) };
  return searchByWalking({ ...search, ...rest }, check.limits);
}

/** `absent-below`: not there as written, but a file further down in the project may be meant. */
async function lookAt(path: string, check: Check): Promise<Standing | 'absent-below' | 'unknown'> {
  const isHome = path.startsWith('~/');
  if (isHome || isAbsolute(path)) {
    const absent = await absence(() => stat(isHome ? join(check.userHome, path.slice(2)) : path));
    return absent === null ? 'found' : absent === 'absent' ? 'gone' : 'unknown';
  }
  const target = resolve(check.root, path);
  if (!isWithin(target, check.root)) return 'unknown';
  const absent = await absence(() => realpath(target));
  if (absent === 'unknown' || !(await staysInside(check.root, target))) return 'unknown';
  return absent === null ? 'found' : 'absent-below';
}

/** False when a link leads out of the project: what is there is none of the project's business. */
async function staysInside(root: string, target: string): Promise<boolean> {
  for (let path = target; path !== root; path = dirname(path)) {
    const real = await realpath(path).catch(() => null);
    if (real !== null) return isWithin(real, root);
  }
  return true;
}

/** Null when the call succeeds. */
async function absence(call: () => Promise<unknown>): Promise<'absent' | 'unknown' | null> {
  try {
    await call();
    return null;
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes(errnoOf(error)) ? 'absent' : 'unknown';
  }
}

async function realFolder(path: string): Promise<string | null> {
  if (path === '') return null;
  try {
    const real = await realpath(path);
    return (await stat(real)).isDirectory() ? real : null;
  } catch {
    return null;
  }
}

// The same search without git: a limited walk over the files that people write.

/** `cut`: there were more files than may be searched, or some cannot be read, so nothing is known about what was not found. */
type WalkEnd = 'finished' | 'cut';

export async function searchByWalking(
  search: TreeSearch,
  limits: Pick<Limits['recall'], 'searchedFiles' | 'searchedFileBytes'>,
): Promise<WalkEnd> {
  const identifiers = new Set(search.identifiers);
  const endings = new Set(search.endings);
  const folders = [search.root];
  let filesLeft = limits.searchedFiles;
  let hasPassedOver = false;

  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    const entries = await entriesOf(folder);
    if (entries === null) hasPassedOver = true;
    for (const entry of entries ?? []) {
      if (search.signal.aborted) return 'cut';
      if (identifiers.size === 0 && endings.size === 0) return 'finished';
      const path = join(folder, entry.name);
      const isFolder = entry.isDirectory();
      if (isFolder && (DERIVED_FOLDERS.has(entry.name) || search.except.includes(path))) continue;
      if (!isFolder && !entry.isFile()) continue;
      takeEndings(relative(search.root, path).split(sep).join('/'), endings, search.onFound);
      if (isFolder) folders.push(path);
      else if (filesLeft-- <= 0) return 'cut';
      else if (identifiers.size > 0) {
        const text = await readText(path, limits.searchedFileBytes);
        if (text === null) hasPassedOver = true;
        else takeIdentifiers(text, identifiers, search.onFound);
      }
    }
  }
  return hasPassedOver ? 'cut' : 'finished';
}

function takeEndings(file: string, endings: Set<string>, onFound: (claim: string) => void): void {
  for (const ending of endings) {
    if (!endsLike(file, ending)) continue;
    endings.delete(ending);
    onFound(ending);
  }
}

function takeIdentifiers(text: string, identifiers: Set<string>, onFound: (claim: string) => void): void {
  for (const identifier of identifiers) {
    if (!hasWord(text, identifier)) continue;
    identifiers.delete(identifier);
    onFound(identifier);
  }
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!isWordCharacter(text[at - 1]) && !isWordCharacter(text[at + word.length])) return true;
  }
  return false;
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /\w/.test(character);
}

async function entriesOf(folder: string): Promise<readonly Dirent[] | null> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch {
    return null;
  }
}

/** Empty for files that are not text or too large to be source; null when unreadable. */
async function readText(path: string, maxBytes: number): Promise<string | null> {
  try {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      if (size > maxBytes) return '';
      const bytes = await file.readFile();
      return bytes.includes(0) ? '' : bytes.toString('latin1');
    } finally {
      await file.close();
    }
  } catch {
    return null;
  }
}
