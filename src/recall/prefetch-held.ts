/** Which memories a conversation holds: those it was shown and those the agent read itself, each with its message. */

import type { Limits } from '../limits.ts';

/** A memory that joined with an entry. Null: with the one about to be appended, whose id is not known yet. */
export interface SurfacedMemory {
  readonly key: string;
  readonly bytes: number;
  readonly uuid: string | null;
}

export type KnownMemory = Omit<SurfacedMemory, 'bytes'>;

/** Plain JSON: stored in the transcript, so that a resumed session shows nothing twice. */
export interface RecallState {
  readonly surfaced: readonly SurfacedMemory[];
  /** What the agent has read or written itself, or what came from this conversation. */
  readonly known: readonly KnownMemory[];
}

export interface HeldMemories {
  has(key: string): boolean;
  keys(): readonly string[];
  /** Of what was shown. */
  bytes(): number;
  /** With the next entry. */
  surface(memory: { readonly key: string; readonly bytes: number }): void;
  /** What was shown last joined with this entry; null: with none. */
  joined(uuid: string | null): void;
  know(keys: readonly string[], uuid: string | null): void;
  keepOnly(isThere: (uuid: string) => boolean): void;
  reset(): void;
  state(): RecallState;
}

export function holdMemories(resumed: RecallState = { surfaced: [], known: [] }): HeldMemories {
  let surfaced = new Map(resumed.surfaced.map((each) => [each.key, each]));
  /** Once for each entry that has it: one of them may be removed. */
  let known = byKey(resumed.known);
  let bytes = sizeOf(surfaced);

  function hold(told: readonly SurfacedMemory[], read: readonly KnownMemory[]): void {
    surfaced = new Map(told.map((each) => [each.key, each]));
    known = byKey(read);
    bytes = sizeOf(surfaced);
  }

  const allKnown = () => [...known].flatMap(([key, uuids]) => [...uuids].map((uuid) => ({ key, uuid })));

  return {
    has: (key) => surfaced.has(key) || known.has(key),
    keys: () => [...surfaced.keys(), ...known.keys()],
    bytes: () => bytes,
    surface(memory) {
      surfaced.set(memory.key, { ...memory, uuid: null });
      bytes += memory.bytes;
    },
    joined(uuid) {
      const placed = [...surfaced.values()].map((each) => (each.uuid === null ? { ...each, uuid } : each));
      surfaced = new Map(placed.filter((each) => each.uuid !== null).map((each) => [each.key, each]));
      bytes = sizeOf(surfaced);
    },
    know(keys, uuid) {
      for (const key of keys) known.set(key, (known.get(key) ?? new Set()).add(uuid));
    },
    keepOnly(isThere) {
      const isKept = ({ uuid }: KnownMemory) => uuid !== null && isThere(uuid);
      hold([...surfaced.values()].filter(isKept), allKnown().filter(isKept));
    },
    reset: () => hold([], []),
    state: () => ({ surfaced: [...surfaced.values()], known: allKnown() }),
  };
}

function byKey(known: readonly KnownMemory[]): Map<string, Set<string | null>> {
  const uuids = new Map<string, Set<string | null>>();
  for (const { key, uuid } of known) uuids.set(key, (uuids.get(key) ?? new Set()).add(uuid));
  return uuids;
}

function sizeOf(surfaced: ReadonlyMap<string, SurfacedMemory>): number {
  return [...surfaced.values()].reduce((sum, { bytes }) => sum + bytes, 0);
}

export function isRecallState(value: unknown): value is RecallState {
  if (typeof value !== 'object' || value === null) return false;
  const { surfaced, known } = value as Record<string, unknown>;
  const isSized = (each: KnownMemory & { readonly bytes?: unknown }) =>
    typeof each.bytes === 'number' && each.bytes >= 0;
  return isKnown(surfaced) && surfaced.every(isSized) && isKnown(known);
}

function isKnown(value: unknown): value is readonly KnownMemory[] {
  const isOne = (each: unknown): each is KnownMemory => {
    if (typeof each !== 'object' || each === null) return false;
    const { key, uuid } = each as Record<string, unknown>;
    return typeof key === 'string' && (uuid === null || typeof uuid === 'string');
  };
  return Array.isArray(value) && value.every(isOne);
}

// Running questions to a selector: a limited number at a time, for a limited time; and why one ended without an answer.

interface Selections {
  /** Null when nobody wants the answer any more, which is not a failure. Throws on failure and on timeout. */
  run<Answer>(ask: (signal: AbortSignal) => Promise<Answer>): Promise<Answer | null>;
  /** Cancels what is running. */
  leave(): void;
}

export function createSelections(limits: Pick<Limits['prefetch'], 'selections' | 'selectionMs'>): Selections {
  const unwanted = new Error('nobody waits for the selector any more');
  let underWay: AbortController[] = [];

  return {
    async run(ask) {
      const stop = new AbortController();
      underWay.push(stop);
      // One that hangs must not block the next ones.
      if (underWay.length > limits.selections) underWay[0]!.abort(unwanted);
      const late = new Error(`The selector did not answer within ${limits.selectionMs} ms`);
      const timer = setTimeout(() => stop.abort(late), limits.selectionMs);
      timer.unref();
      // Not every model reacts to an abort.
      const stopped = new Promise<never>((_, reject) => {
        stop.signal.addEventListener('abort', () => reject(stop.signal.reason), { once: true });
      });
      try {
        return await Promise.race([ask(stop.signal), stopped]);
      } catch (error) {
        const reason = stop.signal.aborted ? stop.signal.reason : error;
        if (reason === unwanted) return null;
        throw reason;
      } finally {
        clearTimeout(timer);
        underWay = underWay.filter((each) => each !== stop);
      }
    },
    leave() {
      for (const stop of underWay) stop.abort(unwanted);
    },
  };
}
