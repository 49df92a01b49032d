/** One change of a dream with the texts before and after: against the current file while it waits, from the journal once it landed. */

import type { MemoryScope } from '../../../base/taxonomy.ts';
import { hashOf } from '../../../disk/contents.ts';
import type { FileDiff, Memory } from '../../../memory/memory.ts';
import type { DreamChange } from '../records/record.ts';
import type { Journalled } from './journal.ts';

export interface ShownChange {
  readonly change: DreamChange;
  /** Null when there is nothing to compare: only the index changes, or the texts are not kept. */
  readonly diff: { readonly before: string | null; readonly after: string | null } | null;
  /** What to know about the diff; empty when there is nothing. */
  readonly note: string;
  /** The id of the change that undid it; null when it holds or never landed. */
  readonly takenBackBy: string | null;
}

export async function showChange(
  memory: Memory,
  facts: {
    readonly scope: MemoryScope;
    readonly change: DreamChange;
    readonly journalled: ReadonlyMap<number, Journalled>;
  },
): Promise<ShownChange> {
  const landed = facts.journalled.get(facts.change.number);
  return {
    ...(await textsOf(memory, { ...facts, landed: landed?.change ?? null })),
    takenBackBy: landed?.undoneBy ?? null,
  };
}

async function textsOf(
  memory: Memory,
  facts: { readonly scope: MemoryScope; readonly change: DreamChange; readonly landed: string | null },
): Promise<Omit<ShownChange, 'takenBackBy'>> {
  const { change, scope, landed } = facts;
  if (change.action === 'list' || change.action === 'unlist') {
    return { change, diff: null, note: 'Only the line in MEMORY.md changes; the memory stays.' };
  }
  switch (change.state) {
    case 'waiting': {
      const before = await readNow(memory, { scope, file: change.file });
      return { change, diff: { before, after: change.text }, note: changedNote(change, before) };
    }
    case 'landed':
    case 'approved':
      return fromJournal(change, await diffOf(memory, { id: landed, file: change.file }));
    case 'refused':
    case 'rejected':
      return { change, diff: null, note: `It was ${change.state}, and its text is not kept.` };
  }
}

async function readNow(memory: Memory, at: { scope: MemoryScope; file: string }): Promise<string | null> {
  try {
    return await memory.filesOf(at.scope).read(at.file);
  } catch {
    return null;
  }
}

function changedNote({ action, file, text, base }: DreamChange, before: string | null): string {
  if (action === 'create') return before === null || before === text ? '' : `A file ${file} has come meanwhile.`;
  if (before === null) return `${file} is gone by now.`;
  return before === text || hashOf(Buffer.from(before)) === base ? '' : `${file} was changed since the dream.`;
}

async function diffOf(memory: Memory, wanted: { id: string | null; file: string }): Promise<FileDiff | null> {
  if (wanted.id === null) return null;
  try {
    return (await memory.diff(wanted.id)).find(({ file }) => file === wanted.file) ?? null;
  } catch {
    return null;
  }
}

function fromJournal(change: DreamChange, diff: FileDiff | null): Omit<ShownChange, 'takenBackBy'> {
  if (diff === null || diff.withheld)
    return { change, diff: null, note: 'The journal does not hold its text any more.' };
  return { change, diff: { before: diff.before, after: diff.after }, note: '' };
}
