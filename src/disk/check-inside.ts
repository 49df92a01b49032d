/** Tells whether a path stays inside a memory folder, part by part and on real paths, with a reason fit for people. */

import { isAbsolute, join, relative, sep } from 'node:path';
import { PATH_LIMITS } from '../limits.ts';
import { type BelowRoot, placeBelowRoot } from './check-inside-root.ts';
import type { Verdict } from './check-root.ts';
import { type Disk, type DiskEntry, diskFor, reach } from './disk.ts';
import { nameProblem, textProblem, twinKey } from './safe-name.ts';

/** `restore` puts back a file that was there before, whatever its name. */
export type PathOperation = 'read' | 'write' | 'create' | 'delete' | 'index-write' | 'restore';

export interface InsideVerdict extends Verdict {
  /** The path below the root when it is allowed: forward slashes, as it is spelt on disk, NFC where it is new. */
  readonly file?: string;
}

const INDEX_NAME = 'MEMORY.md';

/**
 * Checks that a path stays inside a memory folder, and says why not. Between the check and the use of the path someone may
 * swap a folder for a link; what holds then is that the store opens folder after folder by descriptor, without following links.
 */
export function checkInside(
  root: string,
  path: string,
  op: PathOperation,
  facts: { readonly platform?: NodeJS.Platform; readonly disk?: Disk } = {},
): InsideVerdict {
  const platform = facts.platform ?? process.platform;
  const disk = facts.disk ?? diskFor(platform);
  if (path.trim() === '') return deny('the path is empty');
  if (Buffer.byteLength(path) > PATH_LIMITS.pathBytes) return deny('the path is too long');
  const unusable = textProblem(path);
  if (unusable !== null) return deny(unusable);
  if (/(?:^|[\\/])\.{0,2}$/.test(path)) return deny('it names a folder, not a file');
  const below = placeBelowRoot({ root, path, platform, disk });
  if ('reason' in below) return deny(below.reason);
  const walked = walk(below, { op, platform, disk });
  if ('reason' in walked) return deny(walked.reason);
  return judgeFile(walked, { op, realRoot: below.realRoot });
}

function deny(reason: string): InsideVerdict {
  return { verdict: 'deny', reason };
}

interface WalkFacts {
  readonly op: PathOperation;
  readonly platform: NodeJS.Platform;
  readonly disk: Disk;
}

interface Walked {
  /** Parts from the real root on, links resolved. */
  readonly names: readonly string[];
  readonly entry: DiskEntry;
}

type Refusal = { readonly reason: string };

const LEAVES: Refusal = { reason: 'it leaves the memory folder' };

function walk(below: BelowRoot, facts: WalkFacts): Walked | Refusal {
  const { realRoot, parts } = below;
  const { op, disk } = facts;
  let names: string[] = [];
  let entry = disk.look(realRoot);
  let hasCrossedLink = false;
  for (const [index, part] of parts.entries()) {
    if (entry.kind !== 'folder' && entry.kind !== 'missing') return blockedBy(entry);
    if (part === '..') {
      if (names.length === 0) return LEAVES;
      if (hasCrossedLink) return { reason: '`..` after a link leads to the folder above the link’s target' };
      names.pop();
      entry = disk.look(join(realRoot, ...names));
      continue;
    }
    const role = index === parts.length - 1 ? 'file' : 'folder';
    const found = find({ disk, op, folder: join(realRoot, ...names), parent: entry, name: part });
    const problem = problemOf(found, { ...facts, role });
    if (problem !== null) return problem;
    names.push(found.name);
    entry = found.entry;
    if (entry.kind !== 'link') continue;

    const target = follow({ ...facts, realRoot, role, link: join(realRoot, ...names) });
    if ('reason' in target) return target;
    ({ names, entry } = target);
    hasCrossedLink = true;
  }
  if (names.length === 0) return { reason: 'it names the memory folder itself' };
  if (entry.kind === 'unknown') return blockedBy(entry);
  return confirm({ names, entry }, { ...facts, realRoot });
}

type Role = 'folder' | 'file';

function problemOf(found: Found, facts: WalkFacts & { readonly role: Role }): Refusal | null {
  const problem = nameProblem(found.name, facts);
  if (problem?.refused === 'always') return problem;
  if (problem !== null && found.entry.kind === 'missing' && facts.op !== 'restore') return problem;
  return found.twin === null ? null : twinOf(found.twin);
}

function twinOf(twin: string): Refusal {
  return { reason: `${JSON.stringify(twin)} is there already and differs only in how it is written` };
}

/** Some disks find a file under another spelling, and some ways out of a folder are no links to them: the real path tells. */
function confirm(walked: Walked, facts: WalkFacts & { readonly realRoot: string }): Walked | Refusal {
  const reached = reach(facts.disk, join(facts.realRoot, ...walked.names));
  if (reached === null) return { reason: 'it changed while it was examined' };
  const below = relative(facts.realRoot, reached.real);
  if (leaves(below)) return LEAVES;
  const spelt = below.split(sep).join('/');
  const isSame = spelt.normalize('NFC') === walked.names.join('/').normalize('NFC');
  return isSame || facts.op === 'read' ? walked : twinOf(spelt);
}

function leaves(below: string): boolean {
  return isAbsolute(below) || below === '..' || below.startsWith(`..${sep}`);
}

function blockedBy(entry: DiskEntry): Refusal {
  if (entry.kind === 'unknown') return { reason: `the disk does not let us look (${entry.errno})` };
  return { reason: 'a file is used as a folder' };
}

interface Found {
  readonly name: string;
  readonly entry: DiskEntry;
  /** Another entry that the same name could be taken for. */
  readonly twin: string | null;
}

/** The entry of that name in a folder, or of one that is spelt with other code points for the same letters. */
function find(facts: {
  readonly disk: Disk;
  readonly op: PathOperation;
  readonly folder: string;
  readonly parent: DiskEntry;
  readonly name: string;
}): Found {
  const { disk, folder, name, op } = facts;
  const composed = name.normalize('NFC');
  const absent = { name: composed, entry: { kind: 'missing' }, twin: null } as const;
  if (facts.parent.kind === 'missing') return absent;
  for (const spelling of new Set([composed, name])) {
    const entry = disk.look(join(folder, spelling));
    if (entry.kind !== 'missing') return { name: spelling, entry, twin: null };
  }
  const isNew = op === 'write' || op === 'create' || op === 'index-write' || op === 'restore';
  if (!isNew && /^[\x20-\x7E]*$/.test(name)) return absent;
  const key = twinKey(name);
  const twins = disk.names(folder).filter((other) => twinKey(other) === key);
  const same = twins.find((twin) => twin.normalize('NFC') === composed);
  if (same !== undefined) return { name: same, entry: disk.look(join(folder, same)), twin: null };
  return { ...absent, twin: isNew ? (twins[0] ?? null) : null };
}

/** A link may be read through as long as it leads to another memory of the same folder. */
function follow(
  facts: WalkFacts & { readonly realRoot: string; readonly link: string; readonly role: Role },
): { names: string[]; entry: DiskEntry } | Refusal {
  if (facts.op !== 'read') return { reason: 'a link is on the way, and nothing is written or removed through links' };
  const target = facts.disk.real(facts.link);
  if (target === null) return { reason: 'it is a link that leads nowhere' };
  const below = relative(facts.realRoot, target);
  if (leaves(below)) return { reason: 'it is a link out of the memory folder' };
  const names = below === '' ? [] : below.split(sep);
  const isNoMemory = (name: string, index: number) => {
    const role = index === names.length - 1 ? facts.role : 'folder';
    return nameProblem(name, { role, platform: facts.platform })?.refused === 'always';
  };
  if (names.some(isNoMemory)) return { reason: 'it is a link to something that is not a memory' };
  return { names, entry: facts.disk.look(target) };
}

function judgeFile(walked: Walked, facts: { readonly op: PathOperation; readonly realRoot: string }): InsideVerdict {
  const { names, entry } = walked;
  const { op, realRoot } = facts;
  const file = names.join('/');
  if (entry.kind === 'folder') return deny('it is a folder');
  if (entry.kind === 'other') return deny('it is a pipe, a socket or a device, not a file');
  if (names.length - 1 > PATH_LIMITS.depth) return deny(`it is deeper than ${PATH_LIMITS.depth} folders`);
  if (Buffer.byteLength(join(realRoot, file)) > PATH_LIMITS.pathBytes) return deny('the path is too long');
  if (op === 'create' && entry.kind === 'file') return deny('it exists already');
  const indexProblem = judgeIndexName(walked, op);
  if (indexProblem !== null) return deny(indexProblem);
  return { verdict: 'allow', reason: whyAllowed(entry), file };
}

/** MEMORY.md follows from the memories: only its own writer touches it, and nothing may pass for it. */
function judgeIndexName({ names, entry }: Walked, op: PathOperation): string | null {
  const name = names.at(-1)!;
  if (op === 'index-write') return names.length === 1 && name === INDEX_NAME ? null : `only ${INDEX_NAME} is the index`;
  if (op === 'read' || op === 'restore') return null;
  if (name === INDEX_NAME) return `${INDEX_NAME} is the index, which follows from the memories`;
  if (entry.kind === 'missing' && twinKey(name) === twinKey(INDEX_NAME)) return `it could be taken for ${INDEX_NAME}`;
  return null;
}

function whyAllowed(entry: DiskEntry): string {
  if (entry.kind === 'missing') return 'it is inside the memory folder; there is no such file yet';
  if (entry.kind === 'file' && entry.hardLinks > 1)
    return 'it is inside the memory folder, but the same file has another name elsewhere (a hard link)';
  return 'it is inside the memory folder';
}
