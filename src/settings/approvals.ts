/** What the user answered when a project wanted to include files from outside of it; kept beside the project's memory. */

import { join } from 'node:path';
import { createFolder } from '../disk/folder.ts';
import { projectLayout } from '../disk/home.ts';
import { readSmallFile } from '../disk/small-file.ts';
import type { Place } from './place.ts';

/** Real paths. */
export interface IncludeAnswers {
  readonly approved: readonly string[];
  readonly declined: readonly string[];
}

type ProjectPlace = Pick<Place, 'home' | 'slug' | 'projectRoot'>;

const FILE = 'includes.json';

/** A damaged record, or that of another project, approves nothing: the user is asked again. */
export function readIncludeAnswers(place: ProjectPlace): IncludeAnswers {
  const file = readSmallFile(join(projectLayout(place.home, place.slug).folder, FILE));
  const fields = file.kind === 'text' ? parseObject(file.text) : {};
  if (fields.root !== place.projectRoot) return { approved: [], declined: [] };
  return { approved: textsOf(fields.approved), declined: textsOf(fields.declined) };
}

/** The newest answer about a path counts. */
export async function recordIncludeAnswers(place: ProjectPlace, answers: IncludeAnswers): Promise<void> {
  const known = readIncludeAnswers(place);
  const approved = [...without(known.approved, answers.declined), ...answers.approved];
  const declined = [...without(known.declined, answers.approved), ...answers.declined];
  const record = { root: place.projectRoot, approved: [...new Set(approved)], declined: [...new Set(declined)] };
  const folder = createFolder(projectLayout(place.home, place.slug).folder);
  try {
    const name = await folder.stage(Buffer.from(`${JSON.stringify(record, null, 2)}\n`));
    folder.moveIn({ from: folder, name }, FILE, 'replace');
    await folder.sync();
  } finally {
    folder.close();
  }
}

function without(paths: readonly string[], others: readonly string[]): string[] {
  return paths.filter((path) => !others.includes(path));
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : {};
  } catch {
    return {};
  }
}
