/** Which folder a project's memory lives in: a folder used in place, and a project that moved finding its own again. */

import { appendFileSync, existsSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { quoted } from '../../base/text/shell-words.ts';
import { checkMemoryRoot } from '../../disk/check-root.ts';
import { openFolder } from '../../disk/folder.ts';
import { projectLayout } from '../../disk/home.ts';
import { readSmallFile } from '../../disk/small-file.ts';
import { errnoOf, ReverieError } from '../../errors.ts';
import { findPlace, type Place, type PlaceOptions } from '../../settings/place.ts';
import { readProjectRecord } from '../../settings/project.ts';
import { findFormerPlaces } from '../former-places.ts';
import { projectRecordOf, writeProjectRecord } from '../project-record.ts';
import { claudeCodeFolder } from './import-sources.ts';

/** From now on this project's memory is that folder, as it is. */
export async function attachFolder(options: PlaceOptions & { readonly source: string }): Promise<{ folder: string }> {
  const place = findPlace(options);
  const isClaudeCode = options.source === 'claude-code';
  const path = isClaudeCode ? claudeCodeFolder(place, options) : resolve(options.cwd ?? process.cwd(), options.source);
  const check = checkMemoryRoot(path, { home: place.userHome });
  if (check.verdict === 'deny') {
    throw new ReverieError({
      code: 'refused',
      message: `${path} cannot be a memory folder: ${check.reason}`,
      fix: 'Import it instead: reverie import <dir>.',
    });
  }
  const folder = openFolder(path);
  if (folder === null) throw new ReverieError({ code: 'not-found', message: `There is no folder ${path}` });
  folder.close();
  await writeRecord(place, { attached: path });
  return { folder: path };
}

/** Back to the folder that Reverie keeps itself; the attached one stays as it is. */
export async function detachFolder(options: PlaceOptions): Promise<{ detached: string | null }> {
  const place = findPlace(options);
  const attached = readProjectRecord(place.home, place.slug)?.attached ?? null;
  if (attached !== null) await writeRecord(place, {});
  return { detached: attached };
}

async function writeRecord(place: Place, change: { readonly attached?: string }): Promise<void> {
  const { attached: _before, ...record } = projectRecordOf(place, readProjectRecord(place.home, place.slug));
  await writeProjectRecord(place, { ...record, ...change });
}

/** Gives a moved project its memory back, by one rename. */
export async function reattachProject(
  options: PlaceOptions & { readonly slug: string },
): Promise<{ from: string; to: string }> {
  const place = findPlace(options);
  const former = findFormerPlaces(place).find(({ slug }) => slug === options.slug);
  if (former === undefined) {
    throw new ReverieError({
      code: 'not-found',
      message: `No project ${options.slug} has moved here`,
      fix: 'See what can be re-attached with `reverie doctor`.',
    });
  }
  const from = projectLayout(place.home, former.slug).folder;
  const to = projectLayout(place.home, place.slug).folder;
  if (!isFreeForProject(to)) {
    throw new ReverieError({
      code: 'refused',
      message: `${to} has memories of its own already`,
      fix: `Bring the old ones in beside them: reverie import ${quoted(projectLayout(place.home, former.slug).memory)}`,
    });
  }
  if (existsSync(to)) bringSessions({ from: to, to: from });
  renameSync(from, to);
  const record = readProjectRecord(place.home, place.slug);
  await writeRecord(place, record?.attached === undefined ? {} : { attached: record.attached });
  return { from, to };
}

/** Whether a moved project's folder could take this place: sessions may be there, memories may not. */
export function isFreeForProject(folder: string): boolean {
  const record = readSmallFile(join(folder, 'project.json'));
  const isAttached = record.kind !== 'absent' && !(record.kind === 'text' && !record.text.includes('"attached"'));
  return !isAttached && isEmpty(join(folder, 'memory'));
}

function isEmpty(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0;
  } catch (error) {
    return errnoOf(error) === 'ENOENT';
  }
}

/** What the agent kept in the new place before the memory was re-attached; one entry at a time, so that a kill loses none. */
function bringSessions({ from, to }: { readonly from: string; readonly to: string }): void {
  for (const name of readdirSync(from)) {
    const [source, target] = [join(from, name), join(to, name)];
    if (name === 'memory') rmdirSync(source);
    else if (name === 'project.json') rmSync(source);
    else if (name.endsWith('.jsonl') && existsSync(target)) {
      appendFileSync(target, readFileSync(source));
      rmSync(source);
    } else renameSync(source, target);
  }
  rmdirSync(from);
}
