/** Which recorded conversations still hold a memory's text: a purge names them, since it does not rewrite them. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectLayout } from '../disk/home.ts';
import type { Place } from '../settings/place.ts';

/** Shorter lines stand in many places by chance. */
const TELLING_CHARACTERS = 16;

export function findTranscriptTraces(place: Place, memory: { readonly file: string; readonly body: string }): string[] {
  const longestLine = memory.body.split(/\r?\n/).reduce((best, line) => (line.length > best.length ? line : best), '');
  const needles = [memory.file];
  if (longestLine.length >= TELLING_CHARACTERS) needles.push(JSON.stringify(longestLine.trim()).slice(1, -1));
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
