/**
 * From a transcript back to the conversation. The file is read from its end, only as far as the conversation goes, and
 * its first record besides: a gigabyte that was compacted a moment ago opens like a small one.
 */

import { isObject } from '../../base/values.ts';
import type { Entry } from '../../conversation/entry.ts';
import { ReverieError } from '../../errors.ts';
import { LIMITS, type Limits } from '../../limits.ts';
import { createChain } from './chain.ts';
import { type ByteSource, type Line, linesBackwards, linesForward, openBytes } from './lines.ts';
import {
  type BoundaryRecord,
  type ClearedRecord,
  entryOf,
  type MetaRecord,
  type NoteRecord,
  parseRecord,
  type ReplacementRecord,
  type SessionRecord,
  type TranscriptRecord,
  type UnknownRecord,
} from './record.ts';

export interface Conversation {
  /** Null when the line is damaged. */
  readonly first: SessionRecord | null;
  /** The newest rendered prefix; null when both it and the first record are damaged. */
  readonly rendered: unknown;
  /** From the boundary on, oldest first. */
  readonly entries: readonly Entry[];
  /** The compaction that the conversation begins with. */
  readonly boundary: BoundaryRecord | null;
  readonly lastUuid: string | null;
  /** Records that belong to this part of the file, oldest first. */
  readonly replacements: readonly ReplacementRecord[];
  readonly cleared: readonly ClearedRecord[];
  readonly notes: readonly NoteRecord[];
  readonly unknown: readonly UnknownRecord[];
  /** The newest state of each layer. */
  readonly states: ReadonlyMap<string, unknown>;
  readonly meta: MetaRecord | null;
  /** Where damaged lines begin, in bytes. */
  readonly damaged: readonly number[];
  /** Messages whose parent was lost and that follow the nearest earlier one now. */
  readonly bridged: number;
  readonly unanswered: readonly UnansweredCall[];
  readonly orphaned: readonly OrphanedResult[];
}

export interface ReadOptions {
  readonly open?: (file: string) => Promise<ByteSource | null>;
  readonly limits?: Pick<Limits['transcripts'], 'chunkBytes' | 'recordBytes'>;
}

export async function readConversation(file: string, options: ReadOptions = {}): Promise<Conversation> {
  const source = await (options.open ?? openBytes)(file);
  if (source === null) {
    throw new ReverieError({
      code: 'not-found',
      message: `There is no transcript ${file}`,
      fix: 'List the sessions of this project: reverie sessions',
    });
  }
  try {
    return await readBack(source, options.limits ?? LIMITS.transcripts);
  } finally {
    await source.close();
  }
}

async function readBack(source: ByteSource, limits: Required<ReadOptions>['limits']): Promise<Conversation> {
  const found = gather();
  let first: SessionRecord | null = null;
  let lowest = source.size;
  for await (const line of linesBackwards(source, limits)) {
    lowest = line.start;
    const record = found.take(line);
    if (line.start === 0 && record?.type === 'session') first = record;
    if (found.chain.isComplete()) break;
  }
  if (lowest > 0) first = await readFirst(source, limits, (start) => found.damaged.push(start));

  const { entries, boundary, bridged } = found.chain.finish();
  const { rendered, states, meta } = found.newest;
  return {
    first,
    rendered: rendered === undefined ? (first?.rendered ?? null) : rendered,
    entries,
    boundary,
    lastUuid: entries.at(-1)?.uuid ?? null,
    replacements: found.replacements.reverse(),
    cleared: found.cleared.reverse(),
    notes: found.notes.reverse(),
    unknown: found.unknown.reverse(),
    states,
    meta,
    damaged: found.damaged.sort((one, other) => one - other),
    bridged,
    ...findBrokenRounds(entries),
  };
}

/** Takes lines newest first. */
function gather() {
  const chain = createChain();
  const damaged: number[] = [];
  const replacements: ReplacementRecord[] = [];
  const cleared: ClearedRecord[] = [];
  const notes: NoteRecord[] = [];
  const unknown: UnknownRecord[] = [];
  const newest = {
    rendered: undefined as unknown,
    states: new Map<string, unknown>(),
    meta: null as MetaRecord | null,
  };

  function keep(record: TranscriptRecord): void {
    switch (record.type) {
      case 'session':
      // What became of agents is read on its own, also from before a boundary.
      case 'agent':
      case 'agent-message':
        return;
      case 'rendered':
        if (newest.rendered === undefined) newest.rendered = record.rendered;
        return;
      case 'message':
        chain.message(entryOf(record));
        return;
      case 'boundary':
        chain.boundary(record);
        return;
      case 'replacement':
        replacements.push(record);
        return;
      case 'cleared':
        cleared.push(record);
        return;
      case 'state':
        if (!newest.states.has(record.layer)) newest.states.set(record.layer, record.state);
        return;
      case 'meta':
        newest.meta ??= record;
        return;
      case 'note': {
        notes.push(record);
        const last = record.reason === 'rewind' && isObject(record.detail) ? record.detail.last : undefined;
        if (last === null || typeof last === 'string') chain.rewound(last);
        return;
      }
    }
  }

  function take(line: Line): TranscriptRecord | null {
    const parsed = line.text === null ? ({ kind: 'damaged' } as const) : parseRecord(line.text);
    switch (parsed.kind) {
      case 'record':
        keep(parsed.record);
        return parsed.record;
      case 'unknown':
        unknown.push(parsed.record);
        return null;
      case 'damaged':
        damaged.push(line.start);
        chain.damaged(line.text);
        return null;
    }
  }

  return { chain, damaged, replacements, cleared, notes, unknown, newest, take };
}

async function readFirst(
  source: ByteSource,
  limits: Required<ReadOptions>['limits'],
  onDamaged: (start: number) => void,
): Promise<SessionRecord | null> {
  for await (const line of linesForward(source, limits)) {
    const parsed = line.text === null ? null : parseRecord(line.text);
    if (parsed?.kind === 'record' && parsed.record.type === 'session') return parsed.record;
    onDamaged(line.start);
    return null;
  }
  return null;
}

// Which tool calls of a conversation have no result and which results no call: what a crash in mid-round leaves behind.

interface UnansweredCall {
  /** The entry that holds the call. */
  readonly uuid: string;
  readonly toolUseId: string;
  readonly name: string;
}

interface OrphanedResult {
  /** The entry that holds the result. */
  readonly uuid: string;
  readonly toolUseId: string;
}

function findBrokenRounds(entries: readonly Entry[]): {
  readonly unanswered: readonly UnansweredCall[];
  readonly orphaned: readonly OrphanedResult[];
} {
  const open = new Map<string, UnansweredCall>();
  const orphaned: OrphanedResult[] = [];
  for (const { uuid, message } of entries) {
    for (const block of message.content) {
      if (block.type === 'tool_use') open.set(block.id, { uuid, toolUseId: block.id, name: block.name });
      if (block.type !== 'tool_result') continue;
      if (!open.delete(block.tool_use_id)) orphaned.push({ uuid, toolUseId: block.tool_use_id });
    }
  }
  return { unanswered: [...open.values()], orphaned };
}
