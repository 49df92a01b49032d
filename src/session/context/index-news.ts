/** What changed in the index of memories since the conversation got it: told once, at its end, when a session goes on. */

import { createHash } from 'node:crypto';
import type { Attachment } from '../../agent/seams.ts';
import { atOnce, inTurns, type Steps } from '../../base/async/in-turns.ts';
import { MEMORY_SCOPES, type MemoryScope } from '../../base/taxonomy.ts';
import type { Limits } from '../../limits.ts';
import { type IndexEntry, parseIndex, parsingIndex, renderIndexLine } from '../../memory/index/index-file.ts';
import { escapeOwnTags, wrapReminder } from '../../toolbox/context-text.ts';

/** MEMORY.md of each scope that the conversation has an index of. */
export type IndexTexts = Readonly<Partial<Record<MemoryScope, string>>>;

/** Plain JSON, for the transcript: a hash of each line by its file. */
export type KnownIndex = Readonly<Partial<Record<MemoryScope, Readonly<Record<string, string>>>>>;

export interface IndexNews {
  /** For the first message after a session was resumed; nothing when nothing changed. */
  take(): readonly Attachment[];
  /** A compaction put the newest index at the conversation's beginning. */
  replaced(texts: IndexTexts): void;
  state(): KnownIndex;
  /** Makes that state ahead of time, while others have their turn. */
  prepare(): Promise<void>;
}

export function createIndexNews(facts: {
  readonly texts: IndexTexts;
  /** Of a session that goes on: what its conversation knows. */
  readonly resumed: KnownIndex | undefined;
  readonly limits: Limits['index'];
}): IndexNews {
  let known = facts.resumed ?? null;
  let untold = facts.resumed === undefined ? null : facts.texts;
  let knowing = facts.resumed === undefined ? knowingOf(facts.texts) : null;

  function* learning(steps: Steps<KnownIndex>): Steps<void> {
    const found = yield* steps;
    if (knowing === steps) [known, knowing] = [found, null];
  }
  return {
    take() {
      if (untold === null || known === null) return [];
      const lines = changedLines(known, untold);
      known = atOnce(knowingOf(untold));
      untold = null;
      return lines.length === 0 ? [] : [noteOf(lines, facts.limits.newsLines)];
    },
    replaced(newest) {
      known = null;
      untold = null;
      knowing = knowingOf(newest);
    },
    state() {
      if (knowing !== null) atOnce(learning(knowing));
      return known ?? {};
    },
    async prepare() {
      if (knowing !== null) await inTurns(learning(knowing));
    },
  };
}

export function isKnownIndex(value: unknown): value is KnownIndex {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).every((lines) => typeof lines === 'object' && lines !== null);
}

const ENTRIES_PER_STEP = 100;

function* knowingOf(texts: IndexTexts): Steps<KnownIndex> {
  const scopes: Partial<Record<MemoryScope, Record<string, string>>> = {};
  for (const scope of MEMORY_SCOPES) {
    const text = texts[scope];
    if (text === undefined) continue;
    const { entries } = yield* parsingIndex(text);
    const hashes: [string, string][] = [];
    for (const entry of entries) {
      if (hashes.length % ENTRIES_PER_STEP === 0) yield;
      hashes.push([entry.file, hashOf(entry)]);
    }
    scopes[scope] = Object.fromEntries(hashes);
  }
  return Object.freeze(scopes);
}

const HASH_CHARACTERS = 12;

function hashOf({ title, hook }: IndexEntry): string {
  return createHash('sha256').update(`${title}\n${hook}`).digest('hex').slice(0, HASH_CHARACTERS);
}

/** A scope that has no index, then or now, says nothing of its memories. */
function changedLines(known: KnownIndex, texts: IndexTexts): readonly string[] {
  return MEMORY_SCOPES.flatMap((scope) => {
    const before = known[scope];
    const text = texts[scope];
    if (before === undefined || text === undefined) return [];
    const { entries } = parseIndex(text);
    const where = scope === 'project' ? '' : ` (${scope === 'global' ? 'all projects' : 'team'})`;
    const now = new Set(entries.map(({ file }) => file));
    const added = entries.filter(({ file }) => !Object.hasOwn(before, file));
    const changed = entries.filter(
      (entry) => Object.hasOwn(before, entry.file) && before[entry.file] !== hashOf(entry),
    );
    const removed = Object.keys(before).filter((file) => !now.has(file));
    return [
      ...added.map((entry) => `Added${where}: ${lineOf(entry)}`),
      ...changed.map((entry) => `Changed${where}: ${lineOf(entry)}`),
      ...removed.map((file) => `Removed${where}: ${escapeOwnTags(file)}`),
    ];
  });
}

function lineOf(entry: IndexEntry): string {
  return escapeOwnTags(renderIndexLine(entry).replace(/^- /, ''));
}

const HEADING = 'The memory index at the beginning of this conversation is older than the memory. Since then:';

function noteOf(lines: readonly string[], most: number): Attachment {
  const more = lines.length > most ? [`and ${lines.length - most} more`] : [];
  const text = wrapReminder([[HEADING, ...lines.slice(0, most), ...more].join('\n')]);
  return { source: 'index', block: { type: 'text', text } };
}
