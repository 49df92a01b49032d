/** Which of the chosen changes of a dream may land now, and what each does to its file. Pure, so every case is a row of a table. */

import { hashOf } from '../../../disk/contents.ts';
import { factsOf } from '../../../memory/files/header.ts';
import { parseMemoryFile } from '../../../memory/files/memory-file.ts';
import type { PlannedFile } from '../../../memory/memory.ts';
import { type DreamChange, holdersOf } from '../records/record.ts';

/** `done`: the file is already like this, as after a kill between landing and recording. */
export type ApprovalVerdict =
  | { readonly kind: 'land' }
  | { readonly kind: 'done' }
  | { readonly kind: 'keep'; readonly why: string };

/** The bytes of a file as they are now; null when there is none. */
export type ReadNow = (file: string) => Uint8Array | null;

/** `all` are the changes of the dream, for what else happened to a file. */
export function judgeApproval(
  facts: { readonly chosen: readonly DreamChange[]; readonly all: readonly DreamChange[] },
  read: ReadNow,
): ReadonlyMap<number, ApprovalVerdict> {
  const verdicts = new Map<number, ApprovalVerdict>();
  for (const change of facts.chosen) verdicts.set(change.number, judgeAlone(change, read(change.file)));
  // Holding one back may hold back what rests on it, and so on.
  for (let isSettled = false; !isSettled; ) {
    isSettled = true;
    for (const change of facts.chosen) {
      if (verdicts.get(change.number)?.kind !== 'land') continue;
      const why = missingHolder(change, { ...facts, verdicts, read });
      if (why === null) continue;
      verdicts.set(change.number, { kind: 'keep', why });
      isSettled = false;
    }
  }
  return verdicts;
}

function judgeAlone(change: DreamChange, now: Uint8Array | null): ApprovalVerdict {
  const { action, file, text, base } = change;
  const keep = (why: string): ApprovalVerdict => ({ kind: 'keep', why });
  const isAsProposed = now !== null && text !== null && Buffer.from(text).equals(now);
  switch (action) {
    case 'create':
      if (text === null) return keep('its text is not kept');
      if (isAsProposed) return { kind: 'done' };
      return now === null ? { kind: 'land' } : keep(`a file ${file} has come meanwhile`);
    case 'update':
      if (text === null) return keep('its text is not kept');
      if (isAsProposed) return { kind: 'done' };
      break;
    case 'remove':
      if (now === null) return { kind: 'done' };
      if (isPinned(file, now)) return keep(`${file} is pinned, and pinned memories are not removed`);
      break;
    case 'unlist':
      // A line that points nowhere.
      if (now === null && base === null) return { kind: 'land' };
      break;
    case 'list':
  }
  if (now === null) return keep(`${file} is gone`);
  return hashOf(now) === base ? { kind: 'land' } : keep(`${file} was changed since the dream`);
}

/** A memory is removed only if the one that replaces it is there afterwards, with what the dream put into it. */
function missingHolder(
  change: DreamChange,
  facts: {
    readonly chosen: readonly DreamChange[];
    readonly all: readonly DreamChange[];
    readonly verdicts: ReadonlyMap<number, ApprovalVerdict>;
    readonly read: ReadNow;
  },
): string | null {
  for (const file of holdersOf(change)) {
    const writer = writerOf(file, facts.all);
    const isChosen = writer !== null && facts.chosen.some(({ number }) => number === writer.number);
    if (isChosen && facts.verdicts.get(writer.number)?.kind === 'keep')
      return `it rests on change ${writer.number} of ${file}, which did not land`;
    if (writer !== null && !isChosen && (writer.state === 'rejected' || writer.state === 'refused'))
      return `change ${writer.number}, which was to put it into ${file}, was ${writer.state}`;
    if (writer !== null && !isChosen && isTakenBack(writer, facts.read(file)))
      return `change ${writer.number}, which put it into ${file}, was taken back`;
    const goes = facts.chosen.find(
      (other) => other.action === 'remove' && other.file === file && facts.verdicts.get(other.number)?.kind !== 'keep',
    );
    if (goes !== undefined) return `${file}, which is to hold it, goes too by change ${goes.number}`;
    const comes = isChosen && facts.verdicts.get(writer.number)?.kind === 'land';
    if (!comes && facts.read(file) === null) return `${file}, which is to hold it, is not there`;
  }
  return null;
}

/** It landed, but the file is as it was before: somebody undid it. */
function isTakenBack({ state, base }: DreamChange, now: Uint8Array | null): boolean {
  return (state === 'landed' || state === 'approved') && base !== null && now !== null && hashOf(now) === base;
}

/** Changes that must be approved too, because a chosen one rests on them and they are still waiting. */
export function missingCompanions(
  chosen: readonly DreamChange[],
  all: readonly DreamChange[],
): readonly { readonly change: DreamChange; readonly needs: DreamChange }[] {
  const isChosen = new Set(chosen.map(({ number }) => number));
  return chosen.flatMap((change) =>
    holdersOf(change).flatMap((file) => {
      const needs = writerOf(file, all);
      return needs !== null && needs.state === 'waiting' && !isChosen.has(needs.number) ? [{ change, needs }] : [];
    }),
  );
}

function writerOf(file: string, all: readonly DreamChange[]): DreamChange | null {
  return all.find((other) => other.file === file && (other.action === 'create' || other.action === 'update')) ?? null;
}

/** One entry per file, however many changes affect it. */
export function plannedFiles(landing: readonly DreamChange[]): readonly PlannedFile[] {
  const planned = new Map<string, PlannedFile>();
  for (const { action, file, text } of landing) {
    const wish: Omit<PlannedFile, 'file'> =
      action === 'create'
        ? { text, mustBeNew: true }
        : action === 'update'
          ? { text }
          : action === 'remove'
            ? { text: null }
            : { line: action };
    planned.set(file, { ...planned.get(file), ...wish, file });
  }
  return [...planned.values()];
}

function isPinned(file: string, bytes: Uint8Array): boolean {
  const { body: _body, ...parsed } = parseMemoryFile(bytes);
  return factsOf(file, parsed).pinned;
}
