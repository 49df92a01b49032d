/**
 * The team's memory as a folder like the others, for reading. What is in the repository is brought to a folder of this user's, whole and without
 * markers, and read from there; it is changed by sharing and by git alone.
 */

import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../base/values.ts';
import { hashOf } from '../disk/contents.ts';
import { type Folder, openFolder } from '../disk/folder.ts';
import { projectLayout, TEAM_FOLDER } from '../disk/home.ts';
import { readSmallFile } from '../disk/small-file.ts';
import { stampOf } from '../disk/stamp.ts';
import { ReverieError } from '../errors.ts';
import { factsOf } from '../memory/files/header.ts';
import type { Look } from '../memory/files/look.ts';
import { parseMemoryFile } from '../memory/files/memory-file.ts';
import { INDEX_FILE } from '../memory/files/walk.ts';
import type { MemoryFolder } from '../memory/history/memory-folder.ts';
import type { Place, ScopeFolder } from '../settings/place.ts';
import { isTrusted } from '../settings/trust.ts';
import { teamIndexText } from './index-text.ts';
import { REMOVED_FOLDER } from './layout.ts';
import { type Manifest, readManifest, type ShownFile, writeManifest } from './manifest.ts';
import { readKnownProvenance, refreshProvenance } from './provenance.ts';
import { putFile } from './put-file.ts';
import { readTeamFolder, readTeamText, type Skipped, type TeamFile } from './read-folder.ts';
import { shownText } from './shown-text.ts';
import { readTeamState, type TeamState, teamStateFile } from './state.ts';
import { type TeamView, type ViewedMemory, viewTeam } from './view.ts';

export interface TeamFolder extends MemoryFolder {
  /** As of the last look. */
  view(): TeamView;
  skipped(): readonly Skipped[];
}

/** An edit in place, which no mark shows, is found after this long. */
const LOOK_AGAIN_MS = 15_000;

export function openTeamFolder(scope: ScopeFolder, place: Place): TeamFolder {
  const { path, cacheDirectory } = scope;
  const workTree = scope.workTree ?? place.projectRoot;
  let manifest: Manifest | null = null;
  let viewed: TeamView = { memories: [], hidden: [] };
  let skipped: readonly Skipped[] = [];
  let problem: string | null = null;
  let looked = { marks: '', atMs: 0 };

  function look(): Manifest {
    const before = manifest ?? readManifest(cacheDirectory);
    try {
      const reading = readTeamFolder(workTree, new Map(before.files.map((each) => [each.file, each])));
      skipped = reading.skipped;
      const known = readKnownProvenance(cacheDirectory);
      viewed = viewTeam(reading.files, {
        removed: reading.removed,
        provenance: new Map(Object.entries(known?.files ?? {})),
        isTrusted: isTrusted(place.home, place.projectRoot),
        isOwn: ownership(place, readTeamState(place)),
      });
      const shown = bringAll(viewed.memories, { before, path, workTree });
      manifest = { ...before, files: reading.files, shown };
      if (isChanged(before, manifest)) keep(manifest, { path, cacheDirectory, before });
      looked = { marks: marksBelow(workTree, place), atMs: Date.now() };
      putFile(cacheDirectory, MARK_FILE, `${looked.atMs} ${looked.marks}`);
      problem = null;
    } catch (error) {
      manifest ??= before;
      const fix = error instanceof ReverieError && error.fix !== '' ? `. ${error.fix}` : '';
      problem = `Team memory cannot be read: ${messageOf(error)}${fix}`;
    }
    return manifest;
  }

  const read = <T>(fallback: T, use: (root: Folder) => T): T => {
    const root = openFolder(path);
    try {
      return root === null ? fallback : use(root);
    } finally {
      root?.close();
    }
  };
  // An edit in place is looked for in the background, since whoever opens the memory waits.
  if (lookedAt(cacheDirectory, marksBelow(workTree, place)) === null) look();

  const isInStep = () => looked.marks === marksBelow(workTree, place) && Date.now() - looked.atMs < LOOK_AGAIN_MS;
  const lookOf = ({ shown }: Manifest): Look => ({
    files: shown.map(({ file, stamp, facts, hash }) => ({ file, stamp, facts, hash })),
    changedOutside: [],
    removedOutside: [],
    passedOver: skipped,
  });

  return {
    ...{ path, scope: 'team', unmarked: 'imported' },
    look: () => lookOf(look()),
    // Recall looks every few seconds while somebody types: git replaces files, which the marks show without a walk.
    lookInTurns: async () => lookOf(manifest !== null && isInStep() ? manifest : look()),
    read: (file) => read(null, (root) => (isPlainName(file) ? root.read(file) : null)),
    modified: (file) => read(new Date(0), (root) => root.stat(file)?.mtime ?? new Date(0)).toISOString(),
    isTaken: () => false,
    prepare: async () => undefined,
    change: refuse,
    undo: refuse,
    undoable: () => null,
    purge: refuse,
    *history() {},
    problems: () => [...(problem === null ? [] : [problem]), ...skippedLine(skipped)],
    content: () => null,
    mark: () => marksBelow(workTree, place),
    isCutOff: () => false,
    async settle() {
      const ageMs = Date.now() - (lookedAt(cacheDirectory, marksBelow(workTree, place)) ?? 0);
      const isOld = ageMs < 0 || ageMs >= place.limits.hooks.lookAgainMs;
      if ((await refreshProvenance(workTree, cacheDirectory)) !== null || isOld) look();
      return [];
    },
    close: async () => undefined,
    view: () => viewed,
    skipped: () => skipped,
  };
}

function isPlainName(file: string): boolean {
  return !file.includes('/') && !file.includes('\\');
}

async function refuse(): Promise<never> {
  throw new ReverieError({
    code: 'refused',
    message: "The team's memory is not changed in place",
    fix: 'Share a memory of yours: `reverie memory share FILE`; correct one with `--supersedes`; take one back: `reverie memory unshare FILE`.',
  });
}

/** One line, however much a pull brought. */
function skippedLine(skipped: readonly Skipped[]): readonly string[] {
  const [first] = skipped;
  if (first === undefined) return [];
  const more = skipped.length === 1 ? '' : `, and ${skipped.length - 1} more`;
  return [`Team memory: ${first.file} is skipped (${first.reason})${more}. To see them all: reverie team check`];
}

/** What changes with a pull, a checkout, a share and a change of trust; an edit in place is found by the next full look. */
function marksBelow(workTree: string, place: Place): string {
  const files = [join(workTree, TEAM_FOLDER), join(workTree, TEAM_FOLDER, REMOVED_FOLDER), teamStateFile(place)];
  const marks = [...files, join(place.home, 'trusted.json')].map((file) => {
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats === undefined ? '-' : `${stats.ino}/${stats.mtimeMs}/${stats.size}`;
  });
  return marks.join(' ');
}

const MARK_FILE = 'looked.txt';

/** When somebody last looked at all files, if nothing came or went since: then even a large folder costs a start nothing. */
function lookedAt(cacheDirectory: string, marks: string): number | null {
  const kept = readSmallFile(join(cacheDirectory, MARK_FILE));
  if (kept.kind !== 'text' || kept.text.slice(kept.text.indexOf(' ') + 1) !== marks) return null;
  const atMs = Number.parseInt(kept.text, 10);
  return Number.isNaN(atMs) ? null : atMs;
}

/** What this user shared is theirs while nobody changed it and they still have it. */
function ownership(place: Place, { shared }: TeamState): (file: TeamFile) => boolean {
  const folders = new Map(place.folders.map(({ scope, path }) => [scope, path]));
  return ({ id, hash }) => {
    const own = Object.hasOwn(shared, id) ? shared[id] : undefined;
    if (own === undefined || own.hash !== hash) return false;
    const folder = folders.get(own.scope) ?? projectLayout(place.home, place.slug).memory;
    return statSync(join(folder, own.file), { throwIfNoEntry: false })?.isFile() ?? false;
  };
}

interface Bringing {
  readonly before: Manifest;
  readonly path: string;
  readonly workTree: string;
}

function bringAll(memories: readonly ViewedMemory[], { before, path, workTree }: Bringing): readonly ShownFile[] {
  const known = new Map(before.shown.map((each) => [each.file, each]));
  const present = new Set(existsSync(path) ? readdirSync(path) : []);
  return memories.flatMap((memory) => {
    const key = keyOf(memory);
    const kept = known.get(memory.file);
    if (kept?.key === key && present.has(memory.file)) return [kept];
    const texts = memory.sources.flatMap(({ file }) => readTeamText(workTree, file) ?? []);
    return texts.length === 0 ? [] : [bring(memory, { text: shownText(memory, texts), key, path })];
  });
}

function bring(memory: ViewedMemory, { text, key, path }: { text: string; key: string; path: string }): ShownFile {
  const { file, id } = memory;
  putFile(path, file, text);
  const { body: _body, ...parsed } = parseMemoryFile(Buffer.from(text));
  const stamp = stampOf(statSync(join(path, file)));
  return { file, id, key, hash: hashOf(Buffer.from(text)), facts: factsOf(file, parsed, 'imported'), stamp };
}

function keyOf({ sources, supersededBy, provenance }: ViewedMemory): string {
  return JSON.stringify([sources.map(({ file, hash }) => [file, hash]), supersededBy, provenance]);
}

function isChanged(before: Manifest, now: Manifest): boolean {
  const isSame = <T>(one: readonly T[], other: readonly T[]) =>
    one.length === other.length && one.every((each, at) => each === other[at]);
  return !isSame(before.files, now.files) || !isSame(before.shown, now.shown);
}

function keep(
  manifest: Manifest,
  { path, cacheDirectory, before }: { path: string; cacheDirectory: string; before: Manifest },
): void {
  const shown = new Set(manifest.shown.map(({ file }) => file));
  for (const { file } of before.shown) if (!shown.has(file)) rmSync(join(path, file), { force: true });
  putFile(path, INDEX_FILE, teamIndexText(manifest.shown));
  writeManifest(cacheDirectory, manifest);
}
