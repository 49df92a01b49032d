/** A memory folder as plain files, for tools that think in paths: every write is one journalled change. */

import type { MemoryScope } from '../base/taxonomy.ts';
import { checkInside, type PathOperation } from '../disk/check-inside.ts';
import type { Change, ChangeKind, IndexLine } from '../disk/journal/change.ts';
import { ReverieError } from '../errors.ts';
import { adviceForIndex } from './files/save.ts';
import { secretInName, secretNameError } from './files/secret-name.ts';
import { INDEX_FILE } from './files/walk.ts';
import type { MemoryFolder } from './history/memory-folder.ts';
import { dropIndexLine, parseIndex, renderIndexLine } from './index/index-file.ts';
import { indexLineFor } from './index/upkeep.ts';
import type { FolderEntry, MemoryFiles, Saved } from './memory.ts';
import { NothingToChange, requestFor } from './plan-change.ts';
import { rememberProject } from './project-record.ts';
import { insideName, notFound, type Scopes } from './scopes.ts';
import { supersedeEdits } from './supersede.ts';
import { authorship } from './writes.ts';

export function memoryFiles(scopes: Scopes, scope: MemoryScope = 'project'): MemoryFiles {
  const folder = scopes.folder(scope);

  async function answer(change: Change, file: string): Promise<Saved> {
    await rememberProject(scopes.place, folder.scope);
    const warnings = adviceForIndex(folder.read(INDEX_FILE), scopes.place.limits);
    return { file, scope: folder.scope, warnings, change: change.id };
  }

  async function refuseSecrets(text: string, file: string): Promise<void> {
    const isNamed = (await scopes.secrets.describeSecretsIn(file)) !== null;
    if (isNamed) throw secretNameError(secretInName(file) ?? { label: 'credential', pieces: ['', '.md'] });
    const found = await scopes.secrets.describeSecretsIn(text);
    if (found !== null) throw new ReverieError({ code: 'secret', message: `${file} was not saved. ${found}` });
  }

  /** The file itself, or every file below the folder of that name. */
  function filesAt(path: string): string[] {
    const name = path.replace(/\/+$/, '');
    const below = folder.look().files.flatMap(({ file }) => (file.startsWith(`${name}/`) ? [file] : []));
    return below.length > 0 ? below : [checked(folder, name, 'delete')];
  }

  function readNow(file: string): Buffer {
    const bytes = folder.read(file);
    if (bytes === null) throw notFound(file, [folder]);
    return bytes;
  }

  return {
    unmarked: folder.unmarked,
    list: async () => entriesOf(folder),
    async read(name) {
      return readNow(insideName(folder, name)).toString('utf8');
    },
    async write(name, text, options) {
      const mustBeNew = options?.mustBeNew ?? false;
      const file = checked(folder, name, mustBeNew ? 'create' : 'write');
      await refuseSecrets(text, file);
      const change = await folder.change([file], () => {
        const kind: ChangeKind = folder.read(file) === null ? 'save' : 'update';
        const superseded = supersedeEdits(options?.supersedes ?? [], { by: file, read: readNow });
        return { ...authorship(options), kind, edits: [{ file, after: Buffer.from(text), mustBeNew }, ...superseded] };
      });
      return answer(change, file);
    },
    async edit(name, edit, options) {
      const file = checked(folder, name, 'write');
      const change = await folder.change([file], async () => {
        const from = readNow(file);
        const after = edit(textOf(from, file));
        await refuseSecrets(after, file);
        const change = { file, from, after: Buffer.from(after), mayLoseSecret: true };
        return { ...authorship(options), kind: 'update', edits: [change] };
      });
      return answer(change, file);
    },
    async remove(paths, options) {
      const files = [...new Set(paths.flatMap(filesAt))];
      const first = files[0];
      if (first === undefined) throw notFound('without a name', [folder]);
      const change = await folder.change(files, async () => {
        const edits = files.map((file) => ({ file, from: readNow(file), after: null }));
        return { ...authorship(options), kind: 'forget', edits };
      });
      return answer(change, first);
    },
    async rename(from, to, options) {
      const source = from.replace(/\/+$/, '');
      const target = to.replace(/\/+$/, '');
      if (folderNames(folder).has(target)) throw refused(target, 'it exists already');
      const moves = filesAt(source).map((file) => {
        const isBelow = file.startsWith(`${source}/`);
        return { file, to: checked(folder, isBelow ? target + file.slice(source.length) : target, 'create') };
      });
      const change = await folder.change(
        moves.map(({ file }) => file),
        async () => {
          const edits = [];
          for (const move of moves) edits.push(...(await planMove(move, readNow(move.file))));
          return { ...authorship({ reason: `renamed ${source} to ${target}`, ...options }), kind: 'update', edits };
        },
      );
      return answer(change, target);
    },
    async change(names, plan, options) {
      const files = [...new Set(names)].map((name) => insideName(folder, name));
      try {
        const { who } = authorship(options);
        const change = await folder.change(files, () => requestFor(plan, { folder, refuseSecrets, who }));
        return await answer(change, change.files[0]?.file ?? '');
      } catch (error) {
        if (error instanceof NothingToChange) return null;
        throw error;
      }
    },
  };

  async function planMove(move: { file: string; to: string }, bytes: Buffer) {
    await refuseSecrets(bytes.toString('utf8'), move.to);
    const line = lineAfterMove(folder.read(INDEX_FILE)?.toString('utf8') ?? '', { ...move, bytes });
    return [
      { file: move.file, from: bytes, after: null },
      { file: move.to, after: bytes, mustBeNew: true, ...(line === null ? {} : { lines: [line] }) },
    ];
  }
}

/** A renamed file keeps its place in the index and the wording that a person gave it. */
function lineAfterMove(index: string, move: { file: string; to: string; bytes: Buffer }): IndexLine | null {
  const { file, to, bytes } = move;
  const present = dropIndexLine(index, file).before;
  const entry = parseIndex(index).entries.find((each) => each.file === file);
  if (present === null || entry === undefined) return null;
  const isOurs = present.text === indexLineFor(file, bytes);
  return { at: present.at, text: isOurs ? indexLineFor(to, bytes) : renderIndexLine({ ...entry, file: to }) };
}

/** The name as it is spelt on disk; refused with the reason when the operation may not touch it. */
function checked(folder: MemoryFolder, name: string, operation: PathOperation): string {
  const check = checkInside(folder.path, name, operation);
  if (check.verdict === 'allow' && check.file !== undefined) return check.file;
  throw refused(name, check.reason);
}

function refused(name: string, reason: string): ReverieError {
  return new ReverieError({ code: 'refused', message: `${name}: ${reason}`, fix: 'Choose another name.' });
}

/** Text that would come back changed is not edited: the rest of the file would be damaged with it. */
function textOf(bytes: Buffer, file: string): string {
  const text = bytes.toString('utf8');
  if (Buffer.from(text).equals(bytes)) return text;
  throw new ReverieError({
    code: 'damaged',
    message: `${file} is not UTF-8 text`,
    fix: 'Save it as UTF-8 with an editor first.',
  });
}

function folderNames(folder: MemoryFolder): Set<string> {
  return new Set(folder.look().files.flatMap(({ file }) => parentsOf(file)));
}

function parentsOf(file: string): string[] {
  const parts = file.split('/').slice(0, -1);
  return parts.map((_, depth) => parts.slice(0, depth + 1).join('/'));
}

/** Folders follow from their files: one that holds no memory is not shown. */
function entriesOf(folder: MemoryFolder): readonly FolderEntry[] {
  const index = folder.read(INDEX_FILE);
  const sizes = new Map<string, number>();
  const files = folder.look().files.map(({ file, stamp }): FolderEntry => {
    for (const parent of parentsOf(file)) sizes.set(parent, (sizes.get(parent) ?? 0) + stamp.size);
    return { path: file, kind: 'file', bytes: stamp.size };
  });
  const folders = [...sizes].map(([path, bytes]): FolderEntry => ({ path, kind: 'folder', bytes }));
  const own: FolderEntry[] = index === null ? [] : [{ path: INDEX_FILE, kind: 'file', bytes: index.length }];
  // A folder stands right before what it holds: the separator sorts before every character of a name.
  const key = (entry: FolderEntry) => entry.path.replaceAll('/', '\0');
  return [...own, ...folders, ...files].toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
}
