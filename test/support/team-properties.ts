/** What must hold of the team's memory after whatever happened to it. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { parseIndex } from '../../src/memory/index/index-file.ts';
import type { History } from './team-histories.ts';
import { openTeamAt, placeAt } from './team-place.ts';

const MARKER = /^(?:<{7}|>{7}|\|{7})/m;

export function expectWhole(history: History, home: string): void {
  const team = openTeamAt(placeAt(history.workTree, home));
  const { files } = team.look();
  const texts = files.map(({ file }) => team.read(file)!.toString('utf8'));
  const all = texts.join('\n');
  const isWilled = (id: string) => history.removed.has(id) || history.deleted.has(id);
  const lost = [...history.sentences].filter(([sentence, id]) => !isWilled(id) && !all.includes(sentence));
  expect(lost).toEqual([]);
  const ids = team.view().memories.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const isLoose = (id: string) => history.deleted.has(id) || history.retitled.has(id) || !history.ids.has(id);
  const expected = [...history.ids].filter((id) => !history.removed.has(id) && !isLoose(id));
  expect(ids.filter((id) => !isLoose(id)).toSorted()).toEqual(expected.toSorted());
  expect(texts.filter((text) => MARKER.test(text))).toEqual([]);
  const index = parseIndex(readFileSync(join(team.path, 'MEMORY.md'), 'utf8')).entries.map(({ file }) => file);
  const live = files.filter(({ facts }) => facts.supersededBy === null).map(({ file }) => file);
  expect(index.toSorted()).toEqual(live.toSorted());
  expect(history.conflicts.filter(({ isSharedEdit }) => !isSharedEdit)).toEqual([]);
}
