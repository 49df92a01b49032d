/** Brings memories in from another folder, another program or an export. The source is only read. */

import { readFileSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { errnoOf, ReverieError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import type { FileEdit } from '../memory/change-files.ts';
import { parseExport } from '../memory/export-file.ts';
import { withImportOrigin } from '../memory/import-origin.ts';
import { findClaudeCodeMemory, type ImportCandidate, readMemoryDirectory } from '../memory/import-source.ts';
import { dropIndexLine, renderIndexLine } from '../memory/index-file.ts';
import { editIndex } from '../memory/index-upkeep.ts';
import { parseMemoryFile } from '../memory/memory-file.ts';
import type { MemoryFolder } from '../memory/memory-folder.ts';
import { freeName } from '../memory/save.ts';
import type { MemoryScope } from '../memory/taxonomy.ts';
import { INDEX_FILE } from '../memory/walk.ts';
import { openFolder } from '../store/folder.ts';
import { refuseWhenOff } from './memory-off.ts';
import { findPlace, type Place, type PlaceOptions } from './place.ts';
import { rememberProject } from './project-record.ts';
import { openScopes, type Scopes } from './scopes.ts';

export interface ImportRequest extends PlaceOptions {
  /** `claude-code`, a folder of memories, or a file that `export` wrote. */
  readonly source: string;
  readonly scope?: MemoryScope;
  /** Says what would happen and changes nothing. */
  readonly dryRun?: boolean;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface ImportedFile {
  readonly file: string;
  readonly scope: MemoryScope;
  readonly from: string;
}

export interface ImportResult {
  readonly source: string;
  readonly imported: readonly ImportedFile[];
  /** There already, with the same text. */
  readonly unchanged: readonly string[];
  readonly problems: readonly {
    readonly file: string;
    readonly line?: number;
    readonly problem: string;
    readonly fix: string;
  }[];
  /** One change per scope, for undo. */
  readonly changes: readonly string[];
}

interface Source {
  readonly path: string;
  readonly host: string | null;
  readonly isExport: boolean;
  readonly candidates: readonly ImportCandidate[];
  /** MEMORY.md as it is at the source, with the user's own lines. */
  readonly indexes: ReadonlyMap<MemoryScope, string>;
  readonly problems: ImportResult['problems'];
}

export async function importMemories(request: ImportRequest): Promise<ImportResult> {
  const place = findPlace(request);
  refuseWhenOff(place);
  const source = readSource(place, request);
  const scopes = await openScopes(place);
  try {
    await scopes.settled();
    return await bringIn(scopes, source, request);
  } finally {
    await scopes.settled();
    await Promise.all(scopes.folders.map((folder) => folder.close()));
  }
}

async function bringIn(scopes: Scopes, source: Source, request: ImportRequest): Promise<ImportResult> {
  const plan = await planImport(scopes, source, request);
  const changes: string[] = [];
  if (!request.dryRun) {
    for (const [folder, fileEdits] of plan.edits) {
      const edits = await withSourceIndex(scopes, { folder, fileEdits, source });
      const change = await folder.change([], () => {
        return { kind: 'import', who: 'import', why: `from ${source.path}`, edits };
      });
      changes.push(change.id);
      await rememberProject(scopes.place, folder.scope);
    }
  }
  const { imported, unchanged, problems } = plan;
  return { source: source.path, imported, unchanged, problems: [...source.problems, ...problems], changes };
}

async function planImport(scopes: Scopes, source: Source, request: ImportRequest) {
  const edits = new Map<MemoryFolder, FileEdit[]>();
  const imported: ImportedFile[] = [];
  const unchanged: string[] = [];
  const problems: { file: string; problem: string; fix: string }[] = [];
  const promised = new Map(scopes.folders.map((folder) => [folder, new Set<string>()]));
  const at = scopes.now().toISOString();

  for (const [position, candidate] of source.candidates.entries()) {
    request.onProgress?.(position, source.candidates.length);
    const folder = destination(scopes, request.scope ?? candidate.scope ?? 'project');
    const present = folder.read(candidate.file);
    if (present && sameMemory(present, candidate.bytes)) {
      unchanged.push(candidate.file);
      continue;
    }
    const secret = await scopes.secrets.describeSecretsIn(Buffer.from(candidate.bytes).toString('utf8'));
    if (secret !== null) {
      problems.push({
        file: candidate.file,
        problem: `not imported: ${secret}`,
        fix: 'Take the secret out and import again.',
      });
      continue;
    }
    const names = promised.get(folder)!;
    const file = freeName(candidate.file, (name) => names.has(name.toLowerCase()) || folder.isTaken(name));
    names.add(file.toLowerCase());
    const origin = { from: candidate.from, at, ...(source.host === null ? {} : { host: source.host }) };
    const after = source.isExport ? candidate.bytes : withImportOrigin(candidate.bytes, origin);
    const line = candidate.hook && renderIndexLine({ ...candidate.hook, file });
    const edit: FileEdit = {
      file,
      after,
      mustBeNew: true,
      ...(line ? { line: { at: Number.MAX_SAFE_INTEGER, text: line } } : {}),
    };
    edits.set(folder, [...(edits.get(folder) ?? []), edit]);
    imported.push({ file, scope: folder.scope, from: candidate.from });
  }
  return { edits, imported, unchanged, problems };
}

/** Where there is no index yet, the source's own comes along: its order, its wording, its other lines. */
async function withSourceIndex(
  scopes: Scopes,
  facts: { folder: MemoryFolder; fileEdits: readonly FileEdit[]; source: Source },
): Promise<readonly FileEdit[]> {
  const { folder, fileEdits, source } = facts;
  const text = source.indexes.get(folder.scope);
  if (text === undefined || folder.read(INDEX_FILE) !== null) return fileEdits;
  if ((await scopes.secrets.describeSecretsIn(text)) !== null) return fileEdits;
  const arriving = new Set(fileEdits.map((edit) => edit.file));
  const absent = source.candidates.map(({ file }) => file).filter((file) => !arriving.has(file));
  const pruned = absent.reduce((rest, file) => dropIndexLine(rest, file).text, text);
  const wishes = fileEdits.map(({ file, after }) => ({ file, before: after, after }));
  const index: FileEdit = { file: INDEX_FILE, after: Buffer.from(editIndex(pruned, wishes).text) };
  return [...fileEdits, index];
}

function destination(scopes: Scopes, scope: MemoryScope): MemoryFolder {
  const only = scopes.folders.length === 1 ? scopes.folders[0] : undefined;
  return only ?? scopes.folder(scope);
}

/** The same memory, whether or not an earlier import added where it came from. */
function sameMemory(one: Uint8Array, other: Uint8Array): boolean {
  if (Buffer.from(one).equals(other)) return true;
  const [left, right] = [parseMemoryFile(one), parseMemoryFile(other)];
  const keys = ['name', 'description'] as const;
  return (
    left.body === right.body &&
    left.type === right.type &&
    keys.every((key) => (left.meta[key] ?? right.meta[key]) === (right.meta[key] ?? left.meta[key]))
  );
}

function readSource(place: Place, request: ImportRequest): Source {
  const path =
    request.source === 'claude-code'
      ? claudeCodeFolder(place, request)
      : resolve(request.cwd ?? process.cwd(), request.source);
  const host = request.source === 'claude-code' ? 'claude-code' : null;
  if (isFolder(path)) {
    const { candidates, problems } = readMemoryDirectory(path);
    const index = readSourceIndex(path);
    const indexes = new Map<MemoryScope, string>(index === null ? [] : [['project', index]]);
    return { path, host, isExport: false, candidates, indexes, problems };
  }
  const parsed = parseExport(readFileSync(path));
  switch (parsed.kind) {
    case 'export': {
      const candidates = parsed.files.filter((file) => !file.index).map((file) => ({ ...file, from: path }));
      const indexes = parsed.files
        .filter((file) => file.index)
        .map((file) => [file.scope, Buffer.from(file.bytes).toString('utf8')] as const);
      return { path, host, isExport: true, candidates, indexes: new Map(indexes), problems: [] };
    }
    case 'damaged':
      throw new ReverieError({
        code: 'damaged',
        message: `${path}:${parsed.line}: ${parsed.problem}; nothing was imported`,
        fix: 'Export it again, or copy it again if the copy was cut off.',
      });
    case 'not-an-export':
      throw new ReverieError({
        code: 'usage',
        message: `${path} is neither a folder of memories nor a file that \`reverie export\` wrote`,
        fix: 'Give the folder itself, or `claude-code`.',
      });
  }
}

export function claudeCodeFolder(place: Place, request: Pick<ImportRequest, 'env'>): string {
  const { userHome, projectRoot } = place;
  const found = findClaudeCodeMemory({ userHome, env: request.env ?? process.env, projectRoot });
  if ('found' in found) return found.found;
  throw new ReverieError({
    code: 'not-found',
    message: `Claude Code has no memory of ${projectRoot}; looked in ${found.looked.join(', ')}`,
    fix: 'Run it in the project, or give the folder: reverie import <dir>.',
  });
}

/** The source may be anybody's: no link is followed, and no more is read than any one memory may hold. */
function readSourceIndex(directory: string): string | null {
  const folder = openFolder(realpathSync(directory));
  try {
    return folder?.read(INDEX_FILE, LIMITS.importing.fileBytes)?.toString('utf8') ?? null;
  } catch {
    return null;
  } finally {
    folder?.close();
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    throw new ReverieError({
      code: errnoOf(error) === 'ENOENT' ? 'not-found' : 'storage',
      message: `Cannot read ${path}: ${errnoOf(error) === 'ENOENT' ? 'there is nothing' : String(error)}`,
      fix: isAbsolute(path) ? 'Check the path.' : 'Give the absolute path.',
    });
  }
}
