/**
 * `.consolidate-lock`, the public record of consolidation in a memory folder: its first line is a PID, its mtime the time
 * of the last consolidation. Other hosts that share the folder read and write it, so it excludes nobody; our own forms
 * have a second line, which tells them apart from another host's.
 */

import { lstatSync, lutimesSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Folder } from '../../../disk/folder.ts';
import { hasRunSince } from '../../../disk/process-identity.ts';
import { CONSOLIDATION_LIMITS } from '../../../limits.ts';

export const CONSOLIDATE_LOCK = '.consolidate-lock';

/** Who is consolidating a folder now. */
export interface DreamHolder {
  readonly pid: number;
  readonly host: string;
  readonly sinceMs: number;
  /** Another program that shares the folder: only its PID is known. */
  readonly isOtherHost: boolean;
}

export interface LastConsolidation {
  /** Of the file: exact enough for a gate of a day. Null when there never was one. */
  readonly atMs: number | null;
  /** Nothing says it has ended: it is running, its process died, or another host wrote the file. */
  readonly isOpen: boolean;
}

/** One stat, by path: it is asked after every turn, and what it finds is not touched. */
export function readLastConsolidation(memoryFolder: string): LastConsolidation {
  try {
    const stats = lstatSync(join(memoryFolder, CONSOLIDATE_LOCK), { throwIfNoEntry: false });
    if (stats?.isFile()) {
      return { atMs: stats.mtimeMs, isOpen: stats.size < CONSOLIDATION_LIMITS.settledBytes };
    }
  } catch {
    // If it cannot be read now, taking the lock will say so.
  }
  return { atMs: null, isOpen: false };
}

export interface PublicRecord {
  readonly bytes: Buffer;
  readonly mtimeMs: number;
}

export type PublicForm =
  | { readonly kind: 'under-way'; readonly pid: number; readonly token: string }
  | { readonly kind: 'settled'; readonly pid: number }
  | { readonly kind: 'other-host'; readonly pid: number | null };

/** Null when there is none; a link or anything else in its place is refused. */
export function readPublicRecord(root: Folder): PublicRecord | null {
  const bytes = root.read(CONSOLIDATE_LOCK, CONSOLIDATION_LIMITS.publicBytes);
  const stats = bytes === null ? null : root.stat(CONSOLIDATE_LOCK);
  return bytes === null || stats === null ? null : { bytes, mtimeMs: stats.mtimeMs };
}

export function underWayRecord(facts: { pid: number; token: string; atMs: number }): PublicRecord {
  return { bytes: Buffer.from(`${facts.pid}\n${facts.token}\n`), mtimeMs: facts.atMs };
}

/** Longer than the running form, whatever the PID, so that a stat alone tells them apart. */
export function settledRecord(facts: { pid: number; atMs: number }): PublicRecord {
  const text = `${facts.pid}\nconsolidated at ${new Date(facts.atMs).toISOString()}\n`;
  return { bytes: Buffer.from(text), mtimeMs: facts.atMs };
}

export function formOf(record: PublicRecord): PublicForm {
  const text = record.bytes.toString('latin1');
  const [, pid, token] = /^(\d{1,10})\n(?:([0-9a-f]{16})|consolidated at \S+)\n$/.exec(text) ?? [];
  if (token !== undefined) return { kind: 'under-way', pid: Number(pid), token };
  if (pid !== undefined) return { kind: 'settled', pid: Number(pid) };
  const first = /^\s*(\d{1,10})\s*$/.exec(text.split('\n', 1)[0] ?? '')?.[1];
  return { kind: 'other-host', pid: first === undefined || Number(first) === 0 ? null : Number(first) };
}

/** Another program whose PID is alive and whose mark is recent. Whether it has ended since cannot be known. */
export function otherHostHolding(
  record: PublicRecord | null,
  facts: { readonly nowMs: number; readonly staleMs: number },
): DreamHolder | null {
  const form = record === null ? null : formOf(record);
  if (record === null || form?.kind !== 'other-host' || form.pid === null) return null;
  // If this process had written it, it would have our form; so the writer is gone and its PID was reused for us.
  if (form.pid === process.pid) return null;
  if (Math.abs(facts.nowMs - record.mtimeMs) >= facts.staleMs) return null;
  if (!hasRunSince(form.pid, record.mtimeMs)) return null;
  return { pid: form.pid, host: hostname(), sinceMs: record.mtimeMs, isOtherHost: true };
}

export interface PublicPlaces {
  readonly root: Folder;
  /** Where the new file is created: content and time arrive in one step. */
  readonly staging: Folder;
}

/** Null removes the file. `isAllowed` is asked right before that step; returns false when it refused. */
export async function putPublicRecord(
  places: PublicPlaces,
  change: { readonly record: PublicRecord | null; isAllowed(): boolean },
): Promise<boolean> {
  const { root, staging } = places;
  if (change.record === null) {
    if (!change.isAllowed()) return false;
    root.remove(CONSOLIDATE_LOCK);
    return true;
  }
  const staged = await staging.stage(change.record.bytes);
  try {
    const seconds = change.record.mtimeMs / 1_000;
    lutimesSync(staging.at(staged), seconds, seconds);
    return change.isAllowed() && root.moveIn({ from: staging, name: staged }, CONSOLIDATE_LOCK, 'replace');
  } finally {
    // Once moved in, the name is already gone.
    staging.discard(staged);
  }
}
