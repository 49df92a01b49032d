/** What a finished dream reports: one line for the user, with the files and how to undo it. */

import type { MemoryScope } from '../../base/taxonomy.ts';
import { parseMemoryFile } from '../../memory/files/memory-file.ts';
import type { LandingMode } from './ports.ts';
import type { DreamChange, DreamRecord } from './records/record.ts';

const NAMED_FILES = 6;

export function closingLine(
  record: Pick<DreamRecord, 'id' | 'status' | 'problem' | 'change' | 'changes'>,
  facts: { readonly mode: LandingMode; readonly remarks: readonly string[]; readonly scope?: MemoryScope },
): string {
  const { status, problem } = record;
  const of = facts.scope === 'global' ? ' of the global memory' : '';
  if (status === 'killed')
    return `The dream${of} was stopped; nothing was changed. The next one by itself waits: an hour after a first stop, then longer.`;
  const { landed, waiting, refused } = countsOf(record);
  const waits =
    waiting === 0 ? [] : [`${waiting} ${waiting === 1 ? 'waits' : 'wait'} for you: reverie dream show ${record.id}`];
  if (status !== 'completed') {
    const what =
      record.change === null ? 'nothing was changed' : `what it changed: reverie memory diff ${record.change}`;
    return [`The dream${of} failed`, what, ...waits, problem ?? 'no reason is known'].join('; ');
  }
  const parts = [
    landed === 0 ? 'nothing was changed' : `${summaryOf(record.changes)} (${namesOf(record.changes)})`,
    ...waits,
    ...suggestedPart(record.changes),
    ...(refused === 0 ? [] : [`${refused} refused`]),
    ...(facts.remarks.length === 0 ? [] : [remarkOf(facts.remarks)]),
    ...(record.change === null ? [] : [`undo with: reverie memory undo ${record.change}`]),
  ];
  const lead = facts.mode === 'dry-run' ? 'Dry run, nothing was kept: ' : `Dreamt${of}: `;
  return `${lead}${parts.join('; ')}`;
}

/** They stay private until the user shares them. */
function suggestedPart(changes: readonly DreamChange[]): readonly string[] {
  const isSuggested = ({ state, text }: DreamChange) =>
    state === 'landed' && text !== null && parseMemoryFile(Buffer.from(text)).meta.share === 'team';
  const count = changes.filter(isSuggested).length;
  return count === 0
    ? []
    : [`${count} for the team too, if you share ${count === 1 ? 'it' : 'them'}: reverie team review`];
}

export function countsOf({ changes }: Pick<DreamRecord, 'changes'>) {
  const count = (state: DreamChange['state']) => changes.filter((change) => change.state === state).length;
  return { landed: count('landed'), waiting: count('waiting'), refused: count('refused') };
}

/** "1 merged, 2 updated"; the journal describes the change the same way. */
export function summaryOf(changes: readonly Pick<DreamChange, 'state' | 'action' | 'into'>[]): string {
  const words = changes.flatMap((change) => (change.state === 'landed' ? [wordOf(change)] : []));
  const kinds = [...new Set(words)].sort((one, other) => ORDER.indexOf(one) - ORDER.indexOf(other));
  return kinds.map((kind) => `${words.filter((word) => word === kind).length} ${kind}`).join(', ');
}

const ORDER: readonly string[] = ['merged', 'removed', 'updated', 'created', 'listed', 'unlisted'];

function wordOf({ action, into }: Pick<DreamChange, 'action' | 'into'>): string {
  switch (action) {
    case 'remove':
      return into.length > 0 ? 'merged' : 'removed';
    case 'update':
      return 'updated';
    case 'create':
      return 'created';
    case 'list':
      return 'listed';
    case 'unlist':
      return 'unlisted';
  }
}

function namesOf(changes: readonly DreamChange[]): string {
  const files = changes.flatMap(({ state, file }) => (state === 'landed' ? [file] : []));
  const more = files.length - NAMED_FILES;
  return [...files.slice(0, NAMED_FILES), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

function remarkOf(remarks: readonly string[]): string {
  const more = remarks.length > 1 ? ` (and ${remarks.length - 1} more)` : '';
  return `${remarks[0]?.replace(/\.$/, '')}${more}`;
}
