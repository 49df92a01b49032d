/** Brings memories in from another folder, another program or an export. The source is only read. */

import { setImmediate } from 'node:timers/promises';
import type { MemoryScope } from '../../base/taxonomy.ts';
import { checkInside } from '../../disk/check-inside.ts';
import { diskFor } from '../../disk/disk.ts';
import { findPlace, type PlaceOptions } from '../../settings/place.ts';
import { addWholeLog } from '../daily-log/daily-log.ts';
import { dayOfLogFile, isInLogs } from '../daily-log/place.ts';
import { parseMemoryFile } from '../files/memory-file.ts';
import { freeName, numberedName } from '../files/save.ts';
import { secretInName, shownName } from '../files/secret-name.ts';
import type { HeaderValue } from '../files/value.ts';
import { INDEX_FILE } from '../files/walk.ts';
import { withSource } from '../files/with-source.ts';
import type { FileEdit } from '../history/change-files.ts';
import type { MemoryFolder } from '../history/memory-folder.ts';
import { dropIndexLine, renderIndexLine } from '../index/index-file.ts';
import { editIndex } from '../index/upkeep.ts';
import { refuseWhenOff } from '../off.ts';
import { rememberProject } from '../project-record.ts';
import { openScopes, type Scopes } from '../scopes.ts';
import type { ImportCandidate } from './import-source.ts';
import { type ImportSource, readImportSource } from './import-sources.ts';
import type { ImportProblem } from './import-walk.ts';

/** What to import, and from where. */
export interface ImportRequest extends PlaceOptions {
  /** The name of another program (`claude-code`, `mem0`, …), a folder of memories, or a file that `export` wrote. */
  readonly source: string;
  /** Where that program's memories are, when they are not in their usual place. */
  readonly path?: string;
  readonly scope?: MemoryScope;
  /** Says what would happen and changes nothing. */
  readonly dryRun?: boolean;
  /** An agent imports, not a person: what comes is only seen, and neither an index nor daily logs come along. */
  readonly byAgent?: boolean;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface ImportedFile {
  readonly file: string;
  readonly scope: MemoryScope;
  readonly from: string;
}

/** What an import brought in, and what it left out. */
export interface ImportResult {
  readonly source: string;
  readonly imported: readonly ImportedFile[];
  /** Daily logs of days that had none here; no change of the journal, and not undone with the memories. */
  readonly logs: readonly ImportedFile[];
  /** There already, with the same text. */
  readonly unchanged: readonly string[];
  readonly problems: readonly ImportProblem[];
  /** One change per scope, for undo. */
  readonly changes: readonly string[];
}

/** Imports memories from another program, a folder or an export; the source is only read. */
export async function importMemories(request: ImportRequest): Promise<ImportResult> {
  const place = findPlace(request);
  refuseWhenOff(place);
  const source = await readImportSource(place, request);
  const scopes = await openScopes(place);
  try {
    await scopes.settled();
    return await bringIn(scopes, source, request);
  } finally {
    await scopes.settled();
    await Promise.all(scopes.folders.map((folder) => folder.close()));
  }
}

async function bringIn(scopes: Scopes, source: ImportSource, request: ImportRequest): Promise<ImportResult> {
  const memories = { ...source, candidates: source.candidates.filter((candidate) => !isLog(candidate)) };
  const plan = await planImport(scopes, memories, request);
  const changes: string[] = [];
  if (!request.dryRun) {
    for (const [folder, fileEdits] of plan.edits) {
      await folder.prepare(fileEdits.flatMap(({ after }) => (after ? [after] : [])));
      const change = await folder.change([], async () => {
        const edits = request.byAgent
          ? fileEdits
          : await withSourceIndex(scopes, { folder, fileEdits, source: memories });
        return { kind: 'import', who: 'import', why: `from ${source.path}`, edits };
      });
      changes.push(change.id);
      await rememberProject(scopes.place, folder.scope);
    }
  }
  const logs = await importLogs(request.byAgent ? [] : source.candidates.filter(isLog), { ...request, scopes });
  return {
    source: source.path,
    imported: plan.imported,
    logs: logs.imported,
    unchanged: plan.unchanged,
    problems: [...source.problems, ...plan.problems, ...logs.problems],
    changes,
  };
}

async function planImport(scopes: Scopes, source: ImportSource, request: ImportRequest) {
  const edits = new Map<MemoryFolder, FileEdit[]>();
  const imported: ImportedFile[] = [];
  const unchanged: string[] = [];
  const problems: { file: string; problem: string; fix: string }[] = [];
  const promised = new Map(scopes.folders.map((folder) => [folder, new Set<string>()]));
  const at = scopes.now().toISOString();

  for (const [position, candidate] of source.candidates.entries()) {
    // So that an interruption is heard before everything is planned.
    if (position % 32 === 0) await setImmediate();
    request.onProgress?.(position, source.candidates.length);
    const folder = scopes.destination(request.scope ?? candidate.scope ?? 'project');
    if (isThereAlready(folder, candidate)) {
      unchanged.push(candidate.file);
      continue;
    }
    const inName = secretInName(candidate.file);
    if (inName !== null) {
      const problem = `not imported: its name holds a secret (${inName.label})`;
      problems.push({ file: shownName(candidate.file), problem, fix: 'Rename it and import again.' });
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
    const refusal = refusalOf(folder, candidate.file);
    if (refusal !== null) {
      problems.push({ file: candidate.file, problem: `not imported: ${refusal}`, fix: 'Rename it and import again.' });
      continue;
    }
    const names = promised.get(folder)!;
    const file = freeName(candidate.file, (name) => names.has(name.toLowerCase()) || folder.isTaken(name));
    names.add(file.toLowerCase());
    const origin = { from: candidate.from, at, ...(source.host === null ? {} : { host: source.host }) };
    const { byAgent = false } = request;
    const isOurs = source.isExport && !byAgent;
    const after = isOurs ? candidate.bytes : withImportOrigin(candidate.bytes, { ...origin, byAgent });
    const line = candidate.hook && !byAgent && renderIndexLine({ ...candidate.hook, file });
    const edit: FileEdit = {
      file,
      after,
      mustBeNew: true,
      ...(line ? { wording: line } : {}),
    };
    const planned = edits.get(folder) ?? [];
    planned.push(edit);
    edits.set(folder, planned);
    imported.push({ file, scope: folder.scope, from: candidate.from });
  }
  return { edits, imported, unchanged, problems };
}

/** Where there is no index yet, the source's own comes along: its order, its wording, its other lines. */
async function withSourceIndex(
  scopes: Scopes,
  facts: { folder: MemoryFolder; fileEdits: readonly FileEdit[]; source: ImportSource },
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

/** Why a file of that name may not come into being here; one odd name must not stop the others. */
function refusalOf(folder: MemoryFolder, file: string): string | null {
  // Whether the name is taken is asked of names that are kept; listing the folder for each file would cost too much.
  const disk = { ...diskFor(process.platform), names: () => [] };
  const check = checkInside(folder.path, file, 'write', { disk });
  return check.verdict === 'deny' ? check.reason : null;
}

/** Under its own name, or under the number that an earlier import had to give it. */
function isThereAlready(
  folder: MemoryFolder,
  candidate: { readonly file: string; readonly bytes: Uint8Array },
): boolean {
  for (let number = 1; ; number += 1) {
    const present = folder.read(numberedName(candidate.file, number));
    if (present === null) return false;
    if (sameMemory(present, candidate.bytes)) return true;
  }
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

// Notes in an imported memory that it was imported, and where from; changes nothing else in it.

/** What the file says about its origin stays, since it knows better; whose word it is was settled elsewhere, and does not count here. */
export function withImportOrigin(
  bytes: Uint8Array,
  origin: { from: string; at: string; host?: string; byAgent?: boolean },
): Uint8Array {
  const parsed = parseMemoryFile(bytes);
  const { from, at, host } = origin;
  const set: Record<string, HeaderValue> =
    parsed.origin === null ? { origin: { from, imported: at, ...(host === undefined ? {} : { host }) } } : {};
  // Nobody looked at what an agent brings in: it neither quotes the user nor was it pinned by them.
  if (origin.byAgent) return withSource(bytes, 'seen', { set, remove: ['quote', 'pinned'] });
  if (parsed.meta.source === 'imported' && parsed.origin !== null) return bytes;
  return withSource(bytes, 'imported', { set });
}

// Daily logs that come along with an import: each is put in place whole where its day has none yet, and never over another.

interface ImportedLogs {
  readonly imported: readonly { readonly file: string; readonly scope: MemoryScope; readonly from: string }[];
  readonly problems: readonly ImportProblem[];
}

function isLog({ file }: { readonly file: string }): boolean {
  return isInLogs(file.toLowerCase());
}

async function importLogs(
  logs: readonly ImportCandidate[],
  facts: { readonly scopes: Scopes; readonly scope?: MemoryScope | undefined; readonly dryRun?: boolean | undefined },
): Promise<ImportedLogs> {
  const imported: { file: string; scope: MemoryScope; from: string }[] = [];
  const problems: ImportProblem[] = [];
  for (const { file, bytes, from, scope } of logs) {
    const folder = facts.scopes.destination(facts.scope ?? scope ?? 'project');
    const present = folder.read(file);
    if (present?.equals(bytes)) continue;
    const problem = present === null ? await problemOf({ file, bytes }, facts.scopes) : TAKEN;
    const isIn = problem === null && (facts.dryRun === true || (await addWholeLog({ file, bytes }, putFacts(folder))));
    if (isIn) imported.push({ file, scope: folder.scope, from });
    else problems.push({ file, ...(problem ?? TAKEN) });
  }
  return { imported, problems };

  function putFacts(folder: { readonly path: string }) {
    return { folder: folder.path, limits: facts.scopes.place.limits };
  }
}

const TAKEN = {
  problem: 'not imported: that day has another log here, and a log is only added to',
  fix: 'Add what is missing to it with an editor.',
};

async function problemOf(
  log: { readonly file: string; readonly bytes: Uint8Array },
  scopes: Scopes,
): Promise<Omit<ImportProblem, 'file'> | null> {
  if (dayOfLogFile(log.file) === null) {
    return {
      problem: 'not imported: it lies among daily logs and is none',
      fix: 'Move it elsewhere and import again.',
    };
  }
  const secret = await scopes.secrets.describeSecretsIn(Buffer.from(log.bytes).toString('utf8'));
  if (secret === null) return null;
  return { problem: `not imported: ${secret}`, fix: 'Take the secret out and import again.' };
}
