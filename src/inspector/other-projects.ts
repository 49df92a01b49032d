/** Pending changes in the memories of other projects, and deciding on them there: each is opened for the one question alone. */

import { basename } from 'node:path';
import { projectLayout } from '../disk/home.ts';
import { waitingOf } from '../layers/6-dreaming/inbox/choose.ts';
import { readEndedDreams } from '../layers/6-dreaming/records/dead.ts';
import type { Memory } from '../memory/memory.ts';
import { openMemoryAt } from '../session/open-memory.ts';
import { findPlace } from '../settings/place.ts';
import { listProjectRecords } from '../settings/project.ts';
import type { InspectorContext } from './context.ts';
import { Refusal } from './refusal.ts';

export interface WaitingElsewhere {
  /** The project's slug. */
  readonly project: string;
  readonly name: string;
  readonly root: string;
  readonly id: string;
  readonly startedAt: string;
  readonly status: string;
  readonly changes: number;
  readonly waiting: number;
}

/** Newest first. */
export function waitingElsewhere({ place }: Pick<InspectorContext, 'place'>): readonly WaitingElsewhere[] {
  const { home } = place;
  const others = listProjectRecords(home).filter(({ slug }) => slug !== place.slug);
  const found = others.flatMap(({ slug, record: { root } }) =>
    readEndedDreams(projectLayout(home, slug).memory).records.flatMap((record) => {
      const waiting = waitingOf(record).length;
      const { id, startedAt, status, changes } = record;
      const facts = { project: slug, name: basename(root), root, id, startedAt, status, changes: changes.length };
      return waiting === 0 ? [] : [{ ...facts, waiting }];
    }),
  );
  return found.sort((one, other) => (one.startedAt < other.startedAt ? 1 : -1));
}

/** The names of all projects, by slug. */
export function projectNames(home: string): ReadonlyMap<string, string> {
  return new Map(listProjectRecords(home).map(({ slug, record }) => [slug, basename(record.root)]));
}

/** Only one whose folder is still where its record says; nothing else leads to a memory. */
export async function inProject<Result>(
  { place }: Pick<InspectorContext, 'place'>,
  slug: string,
  work: (memory: Memory) => Promise<Result>,
): Promise<Result> {
  const known = listProjectRecords(place.home).find((each) => each.slug === slug);
  if (known === undefined) throw new Refusal({ status: 404, message: 'There is no such project.' });
  const { root } = known.record;
  const env = { HOME: place.userHome };
  const found = findPlace({ cwd: root, home: place.home, env });
  if (found.slug !== slug)
    throw new Refusal({
      status: 409,
      message: `${root} is not there any more.`,
      fix: 'Open the project where it is now.',
    });
  const memory = await openMemoryAt(found, { cwd: root, env });
  try {
    return await work(memory);
  } finally {
    await memory.close();
  }
}
