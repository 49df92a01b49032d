/** Checks the shape of stored dream data: a memory folder may come from anywhere, and so may these files. */

import { MEMORY_SCOPES, type MemoryScope } from '../../../base/taxonomy.ts';
import { isObject } from '../../../base/values.ts';
import { isProcess } from '../../../disk/process-identity.ts';
import { DREAM_ACTIONS, type DreamChange, type DreamDrop, type DreamEvidence, type DreamRecord } from './record.ts';

/** What a running dream shows, as other processes read it. */
export interface KeptProgress {
  readonly id: string;
  readonly scope: MemoryScope;
  readonly startedAt: string;
  readonly status: DreamRecord['status'];
  readonly state: 'starting' | 'updating';
  readonly rounds: number;
  readonly lastRounds: readonly { readonly at: string; readonly text: string; readonly tools: readonly string[] }[];
  readonly toolCalls: number;
  readonly files: readonly string[];
  readonly equivalentTokens: number;
  readonly money: number | null;
  readonly closing: string | null;
}

/** Other files next to the records. */
const OTHER_FILES = ['progress', 'last'];

/** It names a file, and people type it. */
export function isDreamId(id: unknown): id is string {
  return typeof id === 'string' && /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/.test(id) && !OTHER_FILES.includes(id);
}

/** Whether a file with that name should be a record; a file whose name no dream could have is damaged. */
export function isRecordName(name: string): boolean {
  return name.endsWith('.json') && !OTHER_FILES.includes(name.slice(0, -'.json'.length));
}

/** Null for anything else. */
export function asDreamRecord(value: unknown): DreamRecord | null {
  const record = value as DreamRecord;
  const isRecord =
    isObject(value) &&
    isDreamId(record.id) &&
    isTime(record.startedAt) &&
    (record.endedAt === null || isTime(record.endedAt)) &&
    isOneOf(record.by, ['itself', 'hand', 'timer']) &&
    isOneOf(record.status, STATUSES) &&
    isTextOrNull(record.problem) &&
    isProcess(record.process) &&
    isText(record.model) &&
    [record.rounds, record.toolCalls, record.equivalentTokens].every(isAmount) &&
    (record.money === null || isAmount(record.money)) &&
    isTextOrNull(record.change) &&
    isArrayOf(record.changes, isChange) &&
    (record.remarks === undefined || isArrayOf(record.remarks, isText)) &&
    (record.landing === undefined || isArrayOf(record.landing, isAmount));
  if (!isRecord) return null;
  const numbers = new Set(record.changes.map((change) => change.number));
  return numbers.size === record.changes.length ? record : null;
}

export function asKeptProgress(value: unknown): KeptProgress | null {
  const progress = value as KeptProgress;
  const isProgress =
    isObject(value) &&
    isDreamId(progress.id) &&
    isOneOf(progress.scope, MEMORY_SCOPES) &&
    isTime(progress.startedAt) &&
    isOneOf(progress.status, STATUSES) &&
    isOneOf(progress.state, ['starting', 'updating']) &&
    [progress.rounds, progress.toolCalls, progress.equivalentTokens].every(isAmount) &&
    isArrayOf(progress.lastRounds, isRound) &&
    isArrayOf(progress.files, isText) &&
    (progress.money === null || isAmount(progress.money)) &&
    isTextOrNull(progress.closing);
  return isProgress ? progress : null;
}

const STATUSES = ['running', 'completed', 'failed', 'killed'];

function isChange(value: unknown): value is DreamChange {
  const change = value as DreamChange;
  return (
    isObject(value) &&
    Number.isSafeInteger(change.number) &&
    change.number > 0 &&
    isOneOf(change.action, DREAM_ACTIONS) &&
    isText(change.file) &&
    isText(change.reason) &&
    isArrayOf(change.evidence, isEvidence) &&
    isArrayOf(change.into, isText) &&
    isOneOf(change.state, ['landed', 'waiting', 'refused', 'approved', 'rejected']) &&
    isText(change.why) &&
    isHashOrNull(change.base) &&
    isTextOrNull(change.text) &&
    (change.drops === undefined || isArrayOf(change.drops, isDrop)) &&
    (change.decidedAt === undefined || isTime(change.decidedAt)) &&
    (change.intoBase === undefined || isArrayOf(change.intoBase, isHashOrNull))
  );
}

function isHashOrNull(value: unknown): boolean {
  return value === null || (isText(value) && /^[0-9a-f]{64}$/.test(value));
}

function isEvidence(value: unknown): value is DreamEvidence {
  const evidence = value as DreamEvidence;
  return isObject(value) && isText(evidence.from) && isText(evidence.quote);
}

export function isDrop(value: unknown): value is DreamDrop {
  if (!isObject(value) || !isText((value as DreamDrop).quote)) return false;
  const drop = value as DreamDrop;
  switch (drop.because) {
    case 'duplicate':
      return isMemoryQuote(drop.of);
    case 'superseded':
      return isMemoryQuote(drop.by);
    case 'expired':
      return isText(drop.day);
    case 'gone':
      return isText(drop.path);
  }
  return false;
}

function isMemoryQuote(value: unknown): boolean {
  const quoted = value as { readonly file?: unknown; readonly quote?: unknown };
  return isObject(value) && isText(quoted.file) && isText(quoted.quote);
}

function isRound(value: unknown): boolean {
  const round = value as KeptProgress['lastRounds'][number];
  return isObject(value) && isText(round.at) && isText(round.text) && isArrayOf(round.tools, isText);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTextOrNull(value: unknown): boolean {
  return value === null || isText(value);
}

function isAmount(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function isTime(value: unknown): boolean {
  return isText(value) && !Number.isNaN(Date.parse(value));
}

function isOneOf(value: unknown, words: readonly string[]): boolean {
  return isText(value) && words.includes(value);
}

function isArrayOf<Item>(value: unknown, isItem: (item: unknown) => item is Item): value is Item[];
function isArrayOf(value: unknown, isItem: (item: unknown) => boolean): value is unknown[];
function isArrayOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}
