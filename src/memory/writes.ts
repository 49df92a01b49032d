/** The writing half of a memory: every method is one journalled change. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultScope, isMemoryType, MEMORY_TYPES } from '../base/taxonomy.ts';
import { projectLayout } from '../disk/home.ts';
import type { Change, ChangeAuthor, ChangeKind } from '../disk/journal/change.ts';
import { purgeWorkLog } from '../disk/work-log/work-log.ts';
import { ReverieError } from '../errors.ts';
import type { Place } from '../settings/place.ts';
import { aliasesText, editMemoryFile, parseMemoryFile } from './files/memory-file.ts';
import {
  adviceFor,
  adviceForIndex,
  checkNewMemory,
  chooseFileName,
  type NewMemory,
  renderNewMemory,
  TwinError,
} from './files/save.ts';
import type { HeaderValue } from './files/value.ts';
import { INDEX_FILE } from './files/walk.ts';
import type { MemoryFolder } from './history/memory-folder.ts';
import { changeInWords } from './history/undo.ts';
import type { ChangeOptions, Memory, MemoryChanges, Saved } from './memory.ts';
import { rememberProject } from './project-record.ts';
import { findChange, logEntry } from './reads.ts';
import { insideName, notFound, type Scopes } from './scopes.ts';
import { supersedeEdits } from './supersede.ts';

type Writes = Pick<Memory, 'save' | 'update' | 'replace' | 'pin' | 'confirm' | 'forget' | 'purge' | 'undo'>;

export function memoryWrites(scopes: Scopes): Writes {
  const { place } = scopes;

  async function refuseSecrets(text: string, what: string): Promise<void> {
    const found = await scopes.secrets.describeSecretsIn(text);
    if (found !== null) throw new ReverieError({ code: 'secret', message: `${what} was not saved. ${found}` });
  }

  /** Lines are counted as the caller gave them, and a name that holds the secret is not repeated. */
  async function refuseSecretsInNew(text: string, { name, body }: { name: string; body: string }): Promise<void> {
    const { describeSecretsIn } = scopes.secrets;
    const found = await describeSecretsIn(text);
    if (found === null) return;
    const what = (await describeSecretsIn(name)) === null ? `"${name}"` : 'The memory';
    const inBody = await describeSecretsIn(body);
    throw new ReverieError({ code: 'secret', message: `${what} was not saved. ${inBody ?? found}` });
  }

  function answer(folder: MemoryFolder, change: Change, advice: readonly string[]): Saved {
    const file = change.files[0]?.file ?? '';
    const warnings = [...advice, ...adviceForIndex(folder.read(INDEX_FILE), place.limits)];
    return { file, scope: folder.scope, warnings, change: change.id };
  }

  /** Changes one file from its newest bytes, read under the lock. */
  async function changeOne(
    name: string,
    options: (ChangeOptions & { readonly kind?: ChangeKind }) | undefined,
    newText: (bytes: Buffer, file: string) => Promise<Uint8Array | null>,
  ): Promise<Saved> {
    const { folder, file } = scopes.locate(name, options?.scope);
    const change = await folder.change([file], async () => {
      const bytes = folder.read(file);
      if (bytes === null) throw notFound(file, [folder]);
      const after = await newText(bytes, file);
      const edit = { file, from: bytes, after, mayLoseSecret: after !== null };
      return { ...authorship(options), kind: options?.kind ?? 'update', edits: [edit] };
    });
    return answer(folder, change, []);
  }

  async function withChanges(bytes: Buffer, wanted: { file: string; changes: MemoryChanges }): Promise<Uint8Array> {
    const edited = applyChanges(bytes, wanted.changes, scopes.now());
    await refuseSecrets(Buffer.from(edited).toString('utf8'), wanted.file);
    return edited;
  }

  return {
    async save(request, options) {
      checkNewMemory(request);
      const scope = request.scope ?? options?.scope;
      const old = request.supersedes === undefined ? null : scopes.locate(request.supersedes, scope);
      const folder =
        old?.folder ?? (scope === undefined ? scopes.destination(defaultScope(request.type)) : scopes.folder(scope));
      const text = renderNewMemory(request, scopes.now());
      await refuseSecretsInNew(text, request);
      for (const each of scopes.folders) await each.learnNames?.();
      const isTaken = (file: string) => scopes.folders.some((each) => each.isTaken(file));
      const read = (file: string) => {
        const bytes = folder.read(file);
        if (bytes === null) throw notFound(file, [folder]);
        return bytes;
      };
      const change = await folder.change(old === null ? [] : [old.file], () => {
        const file = chooseFileName(request, isTaken);
        if (options?.refuseTwin === true) refuseTwin(folder, request);
        const superseded = supersedeEdits(old === null ? [] : [old.file], { by: file, read });
        const edits = [{ file, after: Buffer.from(text), mustBeNew: true }, ...superseded];
        return { ...authorship(options), kind: 'save', edits };
      });
      await rememberProject(place, folder.scope);
      const unnumbered = chooseFileName(request, () => false);
      const twin =
        change.files[0]?.file === unnumbered
          ? []
          : [
              `Another memory has this name already (${unnumbered}): if they say the same, update that one and forget this.`,
            ];
      return answer(folder, change, [...adviceFor(request), ...twin]);
    },
    update: (name, changes, options) =>
      changeOne(name, options, (bytes, file) => withChanges(bytes, { file, changes })),
    replace: (name, text, options) =>
      changeOne(name, options, async (_bytes, file) => {
        await refuseSecrets(text, file);
        return Buffer.from(text);
      }),
    pin: (name, options) =>
      changeOne(name, { reason: (options?.pinned ?? true) ? 'pinned' : 'unpinned', ...options }, (bytes, file) =>
        withChanges(bytes, { file, changes: { pinned: options?.pinned ?? true } }),
      ),
    confirm: (name, options) =>
      changeOne(name, { reason: 'confirmed by the user', ...options }, (bytes, file) =>
        withChanges(bytes, { file, changes: { source: 'said' } }),
      ),
    forget: (name, options) => changeOne(name, { ...options, kind: 'forget' }, async () => null),
    async purge(name, options) {
      await scopes.settled();
      const folder = folderToPurge(scopes, name, options);
      const file = insideName(folder, name);
      const bytes = folder.read(file) ?? lastContent(folder, file);
      const { records } = await folder.purge(file);
      const needles = tracesOf({ file, body: bytes ? parseMemoryFile(bytes).body : '' });
      purgeWorkLog(place.home, needles);
      const transcripts = transcriptsWith(place, needles);
      return { file, scope: folder.scope, records, transcripts };
    },
    async undo(changeId) {
      await scopes.settled();
      const folder = changeId === undefined ? folderOfNewest(scopes) : findChange(scopes, changeId).folder;
      const change = await folder?.undo(changeId);
      if (folder && change) return logEntry(change, { scope: folder.scope });
      throw new ReverieError({
        code: 'not-found',
        message: 'There is nothing to undo',
        fix: 'See `reverie memory log`.',
      });
    },
  };
}

/** Under the lock: whoever saved it before has its file in place. */
function refuseTwin(folder: MemoryFolder, request: NewMemory): void {
  const file = chooseFileName(request, () => false);
  const bytes = folder.read(file);
  if (bytes !== null && parseMemoryFile(bytes).body.trim() === request.body.trim()) throw new TwinError(file);
}

export function authorship(options: ChangeOptions | undefined): { who: ChangeAuthor; why: string } {
  return { who: options?.who ?? 'user', why: options?.reason ?? '' };
}

function applyChanges(bytes: Buffer, changes: MemoryChanges, now: Date): Uint8Array {
  if (changes.name?.trim() === '') {
    throw new ReverieError({ code: 'usage', message: "The memory's name is empty", fix: 'Give it a short name.' });
  }
  if (changes.type !== undefined && !isMemoryType(changes.type)) {
    throw new ReverieError({
      code: 'usage',
      message: `"${String(changes.type)}" is not a memory type`,
      fix: `Choose one of ${MEMORY_TYPES.join(', ')}.`,
    });
  }
  const set: Record<string, HeaderValue> = { modified: now.toISOString() };
  const remove: string[] = [];
  const fields = { ...changes, superseded_by: changes.supersededBy };
  for (const key of ['name', 'description', 'type', 'source', 'superseded_by', 'refuted', 'share'] as const) {
    const value = fields[key];
    if (value === null) remove.push(key);
    else if (value !== undefined) set[key] = value;
  }
  const aliases = changes.aliases === undefined ? undefined : aliasesText(changes.aliases);
  if (aliases === '') remove.push('aliases');
  else if (aliases !== undefined) set.aliases = aliases;
  if (changes.quote !== undefined) set.quote = changes.quote;
  if (changes.pinned === true) set.pinned = true;
  if (changes.pinned === false) remove.push('pinned');
  const edited = editMemoryFile(bytes, { set, remove, ...(changes.body === undefined ? {} : { body: changes.body }) });
  if ('bytes' in edited) return edited.bytes;
  throw new ReverieError({
    code: 'refused',
    message: `The front matter cannot be edited safely: ${edited.refused}`,
    fix: 'Fix it by hand with `reverie memory edit`.',
  });
}

/** Purging also reaches what was forgotten before. */
function folderToPurge(scopes: Scopes, name: string, options: ChangeOptions | undefined): MemoryFolder {
  const searched = options?.scope === undefined ? scopes.folders : [scopes.folder(options.scope)];
  const present = searched.filter((folder) => folder.read(insideName(folder, name)) !== null);
  if (present.length > 0) return scopes.locate(name, options?.scope).folder;
  const remembered = searched.find((folder) => lastContent(folder, insideName(folder, name)) !== undefined);
  if (remembered) return remembered;
  throw notFound(name, searched);
}

/** What the journal last held of a file; undefined when it never heard of it. */
function lastContent(folder: MemoryFolder, file: string): Buffer | null | undefined {
  for (const change of folder.history()) {
    const trace = change.files.find((each) => each.file === file);
    const hash = trace?.after ?? trace?.before;
    if (trace) return hash ? folder.content(hash) : null;
  }
  return undefined;
}

/** Of the folders in view. What was done in another project stands for the user to decide on, by its id. */
function folderOfNewest(scopes: Scopes): MemoryFolder | undefined {
  const candidates = scopes.folders.flatMap((folder) => {
    const change = folder.undoable();
    return change === null ? [] : [{ folder, change }];
  });
  const [newest, ...others] = candidates.sort((one, other) => (one.change.at < other.change.at ? 1 : -1));
  const elsewhere = newest?.change.project ?? scopes.place.projectRoot;
  if (newest === undefined || elsewhere === scopes.place.projectRoot) return newest?.folder;
  const here = others.find(({ change }) => change.kind !== 'purge')?.change;
  throw new ReverieError({
    code: 'refused',
    message: `The newest change, the ${changeInWords(newest.change)} in the ${newest.folder.scope} memory, was made elsewhere: in ${elsewhere}`,
    fix:
      `To undo it all the same: reverie memory undo ${newest.change.id}` +
      (here ? `. To undo the newest of this project, the ${changeInWords(here)}: reverie memory undo ${here.id}` : ''),
  });
}

// Which recorded conversations still hold a memory's text: a purge names them, since it does not rewrite them.

/** Shorter lines stand in many places by chance. */
const TELLING_CHARACTERS = 16;

/** As a line of JSON holds them. */
function tracesOf(memory: { readonly file: string; readonly body: string }): readonly string[] {
  const longestLine = memory.body.split(/\r?\n/).reduce((best, line) => (line.length > best.length ? line : best), '');
  const needles = [memory.file];
  if (longestLine.length >= TELLING_CHARACTERS) needles.push(JSON.stringify(longestLine.trim()).slice(1, -1));
  return needles;
}

function transcriptsWith(place: Place, needles: readonly string[]): string[] {
  return transcriptsOf(projectLayout(place.home, place.slug).folder).filter((path) => {
    const text = readFileSync(path, 'utf8');
    return needles.some((needle) => text.includes(needle));
  });
}

function transcriptsOf(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}
