/** Takes one change back, byte for byte; refused, naming it, when a later change touched the same file. */

import type { Contents } from '../../disk/contents.ts';
import type { Change, FileChange } from '../../disk/journal/change.ts';
import type { Journal } from '../../disk/journal/journal.ts';
import { ReverieError } from '../../errors.ts';
import { INDEX_FILE } from '../files/walk.ts';
import type { ChangeRequest, FileEdit } from './change-files.ts';

export interface UndoTarget {
  readonly change: Change;
  /** Changes made after it, newest first. */
  readonly later: readonly Change[];
  /** Where a purge stands in the way: what an undo would take back without it. */
  readonly behind?: Change | undefined;
  /** Asked for without an id, and a newer change cannot be read: whoever says "undo" may mean that one. */
  readonly isBehindDamage?: boolean;
}

/**
 * Without an id: the newest change that is neither an undo nor undone, nor a person's new file. A purge is given too, though it
 * cannot be undone: whoever says "undo" after it does not mean the change before.
 */
export function findUndoTarget(journal: Journal, id: string | undefined): UndoTarget | null {
  const later: Change[] = [];
  const undone = new Set<string>();
  let purge: UndoTarget | null = null;
  let isDamaged = false;
  const noteDamage = () => {
    isDamaged = true;
  };
  for (const change of journal.newestFirst(noteDamage)) {
    const isWanted = id === undefined ? isUndoneByDefault(change) && !undone.has(change.id) : change.id === id;
    if (isWanted && purge !== null) return { ...purge, behind: change };
    if (isWanted) return { change, later, isBehindDamage: id === undefined && isDamaged };
    if (id === undefined && change.kind === 'purge') purge ??= { change, later: [...later] };
    // An undo that was itself undone has put its change back in force.
    if (change.undoes !== undefined && !undone.has(change.id)) undone.add(change.undoes);
    later.push(change);
  }
  return purge;
}

/** Files that a person put there, and index lines that were mended, are not what someone means who says "undo". */
function isUndoneByDefault(change: Change): boolean {
  if (change.kind === 'undo' || change.kind === 'purge') return false;
  return change.kind !== 'edit' || change.files.some(({ before, after }) => before !== null && before !== after);
}

/** The change that takes the target back. */
export function planUndo(target: UndoTarget, contents: Contents): ChangeRequest {
  const { change, later } = target;
  if (change.kind === 'purge') throw refusePurge(target);
  if (target.isBehindDamage) throw refuseDamage(change);
  const inForce = changesInForce(later);
  const undoer = inForce.find((each) => each.undoes === change.id);
  if (undoer)
    throw refuse(`Change ${change.id} was already undone by ${undoer.id}`, `reverie memory undo ${undoer.id}`);
  return {
    kind: 'undo',
    who: 'user',
    why: `undo of ${change.id}: ${change.kind}${change.why === '' ? '' : `, ${change.why}`}`,
    undoes: change.id,
    // Lines were taken out one after the other; in reverse order each finds its place again.
    edits: change.files.toReversed().map((file) => planFile(file, { inForce, contents })),
    removeEmptyIndex: change.madeIndex ?? false,
  };
}

/** A change and the undo that took it back cancel out: the file is as it was before both. */
function changesInForce(later: readonly Change[]): Change[] {
  const cancelled = new Set<string>();
  for (const change of later) {
    if (change.undoes === undefined || cancelled.has(change.id)) continue;
    if (later.some((each) => each.id === change.undoes)) {
      cancelled.add(change.id);
      cancelled.add(change.undoes);
    }
  }
  return later.filter((change) => !cancelled.has(change.id));
}

function planFile(file: FileChange, facts: { inForce: readonly Change[]; contents: Contents }): FileEdit {
  const blocker = facts.inForce.find((each) => each.files.some((other) => touches(other, file.file)));
  if (blocker) {
    throw refuse(
      `${file.file} was changed later by ${blocker.id} (${blocker.kind}, ${blocker.at})`,
      wayBehind(blocker),
    );
  }
  const lines = file.line?.before ?? 'keep';
  if (file.before === null) return { file: file.file, after: null, lines };
  const before = facts.contents.get(file.before);
  if (before === null) {
    throw refuse(
      `The earlier text of ${file.file} was not kept, because it held a secret or was purged, or its record is damaged`,
    );
  }
  return { file: file.file, after: before, lines };
}

/** What a person put there is not to go unnoticed because somebody followed a hint. */
function wayBehind({ id, kind, files }: Change): string {
  const own = kind === 'edit' ? files.flatMap(({ file, before }) => (before === null ? [file] : [])) : [];
  if (own.length === 0) return `Undo that one first: reverie memory undo ${id}`;
  return (
    `Undoing that one first takes out what was put there by hand, ${own.join(', ')}: reverie memory undo ${id}. ` +
    'Or take back another change by its id: reverie memory log'
  );
}

/** Putting an old index back would lose the lines that came since. */
function touches(other: FileChange, file: string): boolean {
  return other.file === file || (file === INDEX_FILE && other.line !== undefined);
}

function refusePurge({ change, behind }: UndoTarget): ReverieError {
  const message = `The change ${change.id} is a purge, which cannot be undone: what was purged is gone for good`;
  if (behind === undefined) return refuse(message);
  return refuse(
    message,
    `To undo the change before it, the ${changeInWords(behind)}: reverie memory undo ${behind.id}`,
  );
}

function refuseDamage(change: Change): ReverieError {
  return refuse(
    `The newest change cannot be undone: its line in the journal is damaged. Nothing was changed`,
    `To undo the one before it, the ${changeInWords(change)}: reverie memory undo ${change.id}. To see which file is damaged: reverie doctor`,
  );
}

/** `save of a.md`: for people, in a sentence. */
export function changeInWords({ kind, files }: Change): string {
  const [first, ...others] = files.map(({ file }) => file);
  if (first === undefined) return kind;
  return `${kind} of ${first}${others.length === 0 ? '' : ` and ${others.length} more`}`;
}

function refuse(message: string, fix = ''): ReverieError {
  return new ReverieError({ code: 'refused', message, fix });
}
