/** What changed in the index of memories since the conversation got it: told once, at its end, when a session goes on. */

import { createHash } from 'node:crypto';
import type { Attachment } from '../../agent/seams.ts';
import { inTurns } from '../../base/async/in-turns.ts';
import { MEMORY_SCOPES, type MemoryScope } from '../../base/taxonomy.ts';
import type { Limits } from '../../limits.ts';
import { type IndexEntry, parseIndex, parsingIndex, renderIndexLine } from '../../memory/index/index-file.ts';
import { escapeOwnTags, wrapReminder } from '../../toolbox/context-text.ts';

/** The index of each scope as the conversation has it, which is bounded however many memories there are. */
export type ShownIndexes = Readonly<Partial<Record<MemoryScope, ShownIndex>>>;

export interface ShownIndex {
  readonly text: string;
  /** All of MEMORY.md where the text is only a part of it; else null. */
  readonly whole: string | null;
}

/** Plain JSON, for the transcript: a hash of each shown line by its file. */
export type KnownIndex = Readonly<Partial<Record<MemoryScope, Readonly<Record<string, string>>>>>;

export interface IndexNews {
  /** For the first message after a session was resumed; nothing when nothing changed. */
  take(): Promise<readonly Attachment[]>;
  /** A compaction put the newest index at the conversation's beginning. */
  replaced(indexes: ShownIndexes): void;
  state(): KnownIndex;
}

export function createIndexNews(facts: {
  readonly indexes: ShownIndexes;
  /** Of a session that goes on: what its conversation knows. */
  readonly resumed: KnownIndex | undefined;
  readonly limits: Limits['index'];
}): IndexNews {
  let known = facts.resumed ?? knownOf(facts.indexes);
  let untold = facts.resumed === undefined ? null : facts.indexes;
  return {
    async take() {
      if (untold === null) return [];
      const [before, now] = [known, untold];
      [known, untold] = [knownOf(now), null];
      const lines = await changedLines(before, now);
      return lines.length === 0 ? [] : [noteOf(lines, facts.limits.newsLines)];
    },
    replaced(newest) {
      [known, untold] = [knownOf(newest), null];
    },
    state: () => known,
  };
}

export function isKnownIndex(value: unknown): value is KnownIndex {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).every((lines) => typeof lines === 'object' && lines !== null);
}

function knownOf(indexes: ShownIndexes): KnownIndex {
  const scopes = MEMORY_SCOPES.flatMap((scope) => {
    const index = indexes[scope];
    if (index === undefined) return [];
    const { entries } = parseIndex(index.text);
    return [[scope, Object.fromEntries(entries.map((entry) => [entry.file, hashOf(entry)]))]];
  });
  return Object.fromEntries(scopes);
}

const HASH_CHARACTERS = 12;

function hashOf({ title, hook }: IndexEntry): string {
  return createHash('sha256').update(`${title}\n${hook}`).digest('hex').slice(0, HASH_CHARACTERS);
}

/** A scope that has no index, then or now, says nothing of its memories. */
async function changedLines(known: KnownIndex, indexes: ShownIndexes): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const scope of MEMORY_SCOPES) {
    const before = known[scope];
    const index = indexes[scope];
    if (before === undefined || index === undefined) continue;
    const { entries } = parseIndex(index.text);
    const where = scope === 'project' ? '' : ` (${scope === 'global' ? 'all projects' : 'team'})`;
    const added = entries.filter(({ file }) => !Object.hasOwn(before, file));
    const changed = entries.filter(
      (entry) => Object.hasOwn(before, entry.file) && before[entry.file] !== hashOf(entry),
    );
    const shown = new Set(entries.map(({ file }) => file));
    const gone = Object.keys(before).filter((file) => !shown.has(file));
    lines.push(
      ...added.map((entry) => `Added${where}: ${lineOf(entry)}`),
      ...changed.map((entry) => `Changed${where}: ${lineOf(entry)}`),
      ...(await withoutHidden(gone, index)).map((file) => `Removed${where}: ${escapeOwnTags(file)}`),
    );
  }
  return lines;
}

/** Less those that only gave way to newer ones in a long index. */
async function withoutHidden(gone: readonly string[], { whole }: ShownIndex): Promise<readonly string[]> {
  if (gone.length === 0 || whole === null) return gone;
  const { entries } = await inTurns(parsingIndex(whole));
  const listed = new Set(entries.map(({ file }) => file));
  return gone.filter((file) => !listed.has(file));
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
