/** One short line of a transcript for each message: why recall stayed silent, or what was nearest and how near it had to be. */

import type { NoteRecord } from '../disk/transcript/record.ts';
import type { RankedMemory } from '../memory/memory.ts';

export const RECALL_NOTE = 'recall';
/** Of one line, its end included. */
const MOST_BYTES = 200;

export type RecallNote = { readonly closed: string } | { readonly near: readonly RankedMemory[] };

/** As many of the candidates, best first, as the line has room for. */
export function recallNote(at: string, note: RecallNote): NoteRecord {
  const record = (detail: unknown): NoteRecord => ({ type: 'note', at, reason: RECALL_NOTE, detail });
  if ('closed' in note) return record({ closed: note.closed });
  const near: unknown[] = [];
  for (const { key, evidence, threshold, certain } of note.near) {
    const next = [
      key.replace(/^project:/, '').replace(/\.md$/, ''),
      rounded(evidence),
      rounded(threshold),
      Number(certain),
    ];
    const bytes = Buffer.byteLength(JSON.stringify(record({ near: [...near, next] }))) + 1;
    if (bytes > MOST_BYTES) break;
    near.push(next);
  }
  return record({ near });
}

/** Null for a note of something else. */
export function readRecallNote({ reason, detail }: NoteRecord): RecallNote | null {
  if (reason !== RECALL_NOTE || typeof detail !== 'object' || detail === null) return null;
  const { closed, near } = detail as { closed?: unknown; near?: unknown };
  if (typeof closed === 'string') return { closed };
  return Array.isArray(near) ? { near: near.flatMap(candidateOf) } : null;
}

function candidateOf(value: unknown): readonly RankedMemory[] {
  const [name, evidence, threshold, certain] = Array.isArray(value) ? value : [];
  if (typeof name !== 'string' || typeof evidence !== 'number' || typeof threshold !== 'number') return [];
  const key = /^(?:global|team):/.test(name) ? `${name}.md` : `project:${name}.md`;
  return [{ key, evidence, threshold, certain: certain === 1 }];
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
