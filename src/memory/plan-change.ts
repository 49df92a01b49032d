/** Makes one journalled change of a plan for several files: what each becomes, and which lines of the index come or go. */

import type { ChangeAuthor, ChangeKind } from '../disk/journal/change.ts';
import { ReverieError } from '../errors.ts';
import { editMemoryFile } from './files/memory-file.ts';
import { INDEX_FILE } from './files/walk.ts';
import type { ChangeRequest, FileEdit } from './history/change-files.ts';
import type { MemoryFolder } from './history/memory-folder.ts';
import { takeIndexLines } from './index/index-file.ts';
import { isUnlisted } from './index/upkeep.ts';
import type { MemoryFiles, PlannedChange, PlannedFile } from './memory.ts';
import { insideName, notFound } from './scopes.ts';

/** Thrown out of a plan that came to nothing, so that nothing is journalled. */
export class NothingToChange extends Error {}

interface Planning {
  readonly folder: MemoryFolder;
  readonly who: ChangeAuthor;
  readonly refuseSecrets: (text: string, file: string) => Promise<void>;
}

type Read = (file: string) => Buffer | null;

/** Somebody who goes on saving the same files is told, rather than waited for. */
const MOST_PLANS = 3;

/**
 * A plan holds for the bytes that it was shown. Scanning what it wants takes a while; where a person saved one of the files
 * meanwhile, it is made again, and after that `from` in each edit lets the person win.
 */
export async function requestFor(
  plan: Parameters<MemoryFiles['change']>[1],
  planning: Planning,
): Promise<ChangeRequest> {
  const { folder } = planning;
  for (let plans = 1; ; plans += 1) {
    const seen = new Map<string, Buffer | null>();
    const read: Read = (file) => {
      if (!seen.has(file)) seen.set(file, folder.read(file));
      return seen.get(file)!;
    };
    const planned = await plan((name) => read(insideName(folder, name)));
    const request = await requestOf(planned, { ...planning, read });
    const isAsSeen = [...seen].every(([file, bytes]) => isSame(folder.read(file), bytes));
    if (isAsSeen || plans === MOST_PLANS) return request;
  }
}

function isSame(one: Buffer | null, other: Buffer | null): boolean {
  return one === null || other === null ? one === other : one.equals(other);
}

async function requestOf(planned: PlannedChange, planning: Planning & { readonly read: Read }): Promise<ChangeRequest> {
  const files = planned.files.map((each) => ({ ...each, file: insideName(planning.folder, each.file) }));
  const twice = files.find(({ file }, position) => files.findIndex((other) => other.file === file) !== position);
  if (twice !== undefined) throw new ReverieError({ code: 'usage', message: `${twice.file} is in one change twice` });
  const edits: FileEdit[] = [];
  for (const each of files) {
    const edit = await editFor(each, planning);
    if (edit !== null) edits.push(edit);
  }
  if (edits.length === 0) throw new NothingToChange();
  return { kind: kindOf(edits), who: planning.who, why: planned.reason, edits };
}

async function editFor(
  planned: PlannedFile,
  { folder, read, refuseSecrets }: Planning & { readonly read: Read },
): Promise<FileEdit | null> {
  const { file, text, line, mustBeNew = false } = planned;
  const present = read(file);
  const isStaleLine = present === null && text === undefined && line === 'unlist' && isLineDue(folder, { file, line });
  // Nothing is there, and nothing that comes into being in this moment goes with the line.
  if (isStaleLine) return { file, after: null, mustBeNew: true, lines: [] };
  if (present === null && (text === null || text === undefined)) throw notFound(file, [folder]);
  if (text === null) return { file, from: present!, after: null };
  if (text !== undefined) await refuseSecrets(text, file);
  const wanted = text === undefined ? present! : Buffer.from(text);
  const after = line === undefined ? wanted : withListing(wanted, { file, line });
  if (present?.equals(after) && !mustBeNew && !isLineDue(folder, { file, line })) return null;
  const origin = present === null || mustBeNew ? { mustBeNew: true } : { from: present };
  return { file, after, ...origin, ...(line === 'unlist' ? { lines: [] } : {}) };
}

/** The wish stands in the file itself: a start that finds a memory without a line would give it one. */
function withListing(bytes: Buffer, wish: { readonly file: string; readonly line: 'list' | 'unlist' }): Buffer {
  const isOut = isUnlisted(bytes);
  if (isOut === (wish.line === 'unlist')) return bytes;
  const edited = editMemoryFile(
    bytes,
    wish.line === 'unlist' ? { set: { unlisted: 'true' } } : { remove: ['unlisted'] },
  );
  if ('bytes' in edited) return Buffer.from(edited.bytes);
  throw new ReverieError({ code: 'refused', message: `${wish.file}: ${edited.refused}` });
}

function isLineDue(folder: MemoryFolder, { file, line }: Pick<PlannedFile, 'file' | 'line'>): boolean {
  if (line === undefined) return false;
  const index = folder.read(INDEX_FILE)?.toString('utf8') ?? '';
  return takeIndexLines(index, file).lines.length > 0 !== (line === 'list');
}

function kindOf(edits: readonly FileEdit[]): ChangeKind {
  const isNew = ({ mustBeNew = false }: FileEdit) => mustBeNew;
  if (edits.every((edit) => edit.after === null && !isNew(edit))) return 'forget';
  return edits.every((edit) => edit.after !== null && isNew(edit)) ? 'save' : 'update';
}
