/** A session in somebody else's loop as plain JSON, and as the layers find it again: what a transcript is for our own agent. */

import { randomUUID } from 'node:crypto';
import type { Entry, EntryResponse } from '../conversation/entry.ts';
import { isSessionId } from '../disk/home.ts';
import { ReverieError } from '../errors.ts';
import type { SessionLog } from '../toolbox/session-log.ts';

const STATE_VERSION = 1;

/** What was decided once, so that a session that goes on sends the same bytes. A host keeps it as it is. */
export interface SessionState {
  readonly version: number;
  readonly sessionId: string;
  /** What was seen of the host's messages, as a chain of hashes. */
  readonly chain: readonly string[];
  /** How many of them stood before the last compaction: from there on each is an entry. */
  readonly compactedUpTo: number;
  /** The conversation as it is sent. */
  readonly entries: readonly Entry[];
  readonly replacements: readonly { readonly toolUseId: string; readonly decision: unknown }[];
  /** States of the layers, by name. */
  readonly layers: Readonly<Record<string, unknown>>;
  readonly recalled: readonly SurfacedMemory[];
  /** The response whose message the host has not sent back yet. */
  readonly answered: AnsweredRequest | null;
  /** Whether the last request left out what the next one has again. */
  readonly isCutToFit: boolean;
}

/** A memory that joined the conversation with one of its entries. */
export interface SurfacedMemory {
  /** `scope:file`. */
  readonly key: string;
  readonly bytes: number;
  readonly uuid: string;
}

export interface AnsweredRequest {
  /** ISO time. */
  readonly at: string;
  readonly response: EntryResponse | null;
}

export const NEW_STATE = (): SessionState => ({
  version: STATE_VERSION,
  sessionId: randomUUID(),
  chain: [],
  compactedUpTo: 0,
  entries: [],
  replacements: [],
  layers: {},
  recalled: [],
  answered: null,
  isCutToFit: false,
});

/** Throws where it is no state of ours: going on with half of one would send other bytes without saying so. */
export function checkState(value: SessionState | undefined): SessionState {
  if (value === undefined) return NEW_STATE();
  const { version, sessionId, chain, compactedUpTo, entries, replacements, layers, recalled } = value;
  const lists = [chain, entries, replacements, recalled];
  const isWhole = lists.every(Array.isArray) && typeof layers === 'object' && typeof compactedUpTo === 'number';
  if (version === STATE_VERSION && isWhole && typeof sessionId === 'string' && isSessionId(sessionId)) return value;
  throw new ReverieError({
    code: 'usage',
    message: 'What was given as `resumed` is no state of a session of this version.',
    fix: 'Leave `resumed` out: the session then begins with the messages as the host has them.',
  });
}

export interface HostLog {
  readonly log: SessionLog;
  /** Decisions about results of tools, by their calls. */
  readonly replacements: ReadonlyMap<string, unknown>;
  clearedResults(): number;
}

/** Keeps in memory what a transcript would keep on disk. */
export function createHostLog(state: SessionState, { toolResults }: { readonly toolResults: string }): HostLog {
  const replacements = new Map(state.replacements.map(({ toolUseId, decision }) => [toolUseId, decision]));
  let clearedResults = 0;
  const append: SessionLog['append'] = (record) => {
    if (record.type === 'replacement') replacements.set(record.toolUseId, record.decision);
    if (record.type === 'cleared') clearedResults += record.toolUseIds.length;
  };
  return {
    replacements,
    clearedResults: () => clearedResults,
    log: {
      sessionId: state.sessionId,
      forkedFrom: null,
      kept: {
        rendered: { system: [], tools: [], context: [], thinking: { kind: 'off' }, cacheTtl: '5m' },
        model: '',
        entries: state.entries,
        states: new Map(Object.entries(state.layers)),
        replacements: state.replacements.map((made) => ({ type: 'replacement', at: '', ...made })),
        cleared: [],
        title: null,
      },
      file: null,
      folder: null,
      toolResults,
      begin: () => {},
      append,
      appendAll: (records) => records.forEach(append),
      flush: async () => {},
      close: async () => {},
    },
  };
}
