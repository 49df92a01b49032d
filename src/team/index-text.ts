/** The index of the team's memory: one line for each that holds, and of a long one the part that a conversation begins with. */

import { join } from 'node:path';
import { readSmallFile } from '../disk/small-file.ts';
import {
  type IndexLimits,
  indexWarnings,
  type LoadedIndex,
  loadIndex,
  renderIndexLine,
} from '../memory/index/index-file.ts';
import { manifestMark, readManifest, type ShownFile } from './manifest.ts';
import { putFile } from './put-file.ts';

export function teamIndexText(shown: readonly ShownFile[]): string {
  const lines = shown.flatMap(({ file, facts }) => {
    if (facts.supersededBy !== null || facts.refuted !== null) return [];
    return [renderIndexLine({ title: facts.name, file, hook: facts.description })];
  });
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

const LOADED_FILE = 'loaded-index.json';
const LOADED_BYTES = 1_048_576;

/** Rules first, then the newest. A long one is cut once and kept until something changes: a start does not read a thousand headers. */
export function loadTeamIndex(
  text: string,
  { limits, cacheDirectory }: { readonly limits: IndexLimits; readonly cacheDirectory: string },
): LoadedIndex {
  if (indexWarnings(text, limits).length === 0)
    return loadIndex(text, { limits, isPinned: () => false, modified: () => 0 });
  const key = `${manifestMark(cacheDirectory)} ${limits.lines} ${limits.bytes}`;
  const kept = readLoaded(cacheDirectory);
  if (kept?.key === key) return kept.index;
  const index = cutIndex(readManifest(cacheDirectory).shown, limits);
  putFile(cacheDirectory, LOADED_FILE, JSON.stringify({ key, index }));
  return index;
}

function cutIndex(all: readonly ShownFile[], limits: IndexLimits): LoadedIndex {
  const holding = all.filter(({ facts }) => facts.supersededBy === null && facts.refuted === null);
  const isRule = ({ facts }: ShownFile) => Number(facts.type === 'feedback');
  const modified = ({ facts, stamp }: ShownFile) => Date.parse(facts.modified ?? '') || stamp.mtimeMs;
  const first = holding.toSorted((one, other) => isRule(other) - isRule(one) || modified(other) - modified(one));
  const chosen = new Map(first.slice(0, limits.lines).map((each, at) => [each.file, -at]));
  const text = teamIndexText(holding.filter(({ file }) => chosen.has(file)));
  const index = loadIndex(text, {
    limits,
    isPinned: () => false,
    modified: (file) => chosen.get(file) ?? -limits.lines,
  });
  const notice = `(${index.loadedEntries} of the team's ${holding.length} memories. The others are found by recall.)`;
  return { ...index, totalEntries: holding.length, truncated: index.truncated ?? { by: 'lines' }, notice };
}

function readLoaded(cacheDirectory: string): { readonly key: string; readonly index: LoadedIndex } | null {
  const file = readSmallFile(join(cacheDirectory, LOADED_FILE), LOADED_BYTES);
  try {
    const parsed = file.kind === 'text' ? JSON.parse(file.text) : null;
    return typeof parsed?.key === 'string' && typeof parsed.index?.text === 'string' ? parsed : null;
  } catch {
    return null;
  }
}
