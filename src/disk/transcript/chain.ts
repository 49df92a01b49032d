/**
 * Which messages make up the conversation: from the last one back, parent by parent, to a boundary or the first. Records
 * are given newest first, as they are read, so that nothing before the boundary is read. A parent that was lost is
 * bridged to the nearest earlier message.
 */

import type { Entry } from '../../conversation/entry.ts';
import type { BoundaryRecord } from './record.ts';

export interface Chain {
  message(entry: Entry): void;
  boundary(boundary: BoundaryRecord): void;
  /** Somebody went back to behind this message, or to the beginning; counts only where nothing was said after it. */
  rewound(lastUuid: string | null): void;
  /** What is left of a line, or null when nothing is known of it. */
  damaged(text: string | null): void;
  /** Nothing further back belongs to the conversation. Never so without a compaction: records may stand before its first message. */
  isComplete(): boolean;
  /** The compaction that it begins with, as soon as it is come to. */
  cut(): BoundaryRecord | null;
  /** Oldest first. Bridges what the whole file did not hold. */
  finish(): { entries: Entry[]; boundary: BoundaryRecord | null; bridged: number };
}

/** The rest of a walk: the parent that is looked for, or why it ended and where. */
type Goal =
  | { readonly kind: 'last-message' }
  | { readonly kind: 'parent'; readonly uuid: string }
  | { readonly kind: 'nearest' }
  | { readonly kind: 'first-message' }
  | { readonly kind: 'cut'; readonly boundary: BoundaryRecord | null };

interface Walk {
  /** Newest first. */
  readonly entries: Entry[];
  readonly uuids: Set<string>;
  goal: Goal;
  /** The position of the newest record that is older than the walk's last entry. */
  next: number;
  hasPassedDamage: boolean;
}

/** From the message given, or from the last one of the file. */
export function createChain(lastUuid?: string): Chain {
  /** Messages and boundaries as they came, newest first. */
  const seen: (Entry | BoundaryRecord)[] = [];
  const positions = new Map<string, number>();
  const anchors = new Map<string, string>();
  const walk = startWalk(lastUuid === undefined ? { kind: 'last-message' } : { kind: 'parent', uuid: lastUuid }, 0);
  let segment: (Walk & { readonly head: string; readonly anchor: string | null }) | null = null;
  let bridged = 0;

  function add(record: Entry | BoundaryRecord): void {
    if (positions.has(record.uuid)) return;
    positions.set(record.uuid, seen.length);
    seen.push(record);
    settle();
  }

  function settle(): void {
    advance(walk);
    startSegment();
    if (segment) advance(segment);
  }

  function advance(path: Walk): void {
    for (let at = reached(path); at !== null; at = reached(path)) {
      const record = seen[at]!;
      if (!('message' in record)) {
        path.goal = { kind: 'cut', boundary: record };
        return;
      }
      path.entries.push(record);
      path.uuids.add(record.uuid);
      path.next = at + 1;
      path.hasPassedDamage = false;
      path.goal = goalAfter(path, record);
    }
  }

  function reached(path: Walk): number | null {
    const { goal } = path;
    if (goal.kind === 'cut' || goal.kind === 'first-message') return null;
    if (goal.kind === 'parent') return positions.get(goal.uuid) ?? null;
    const fits = (record: Entry | BoundaryRecord) => goal.kind === 'nearest' || 'message' in record;
    while (path.next < seen.length && (path.uuids.has(seen[path.next]!.uuid) || !fits(seen[path.next]!)))
      path.next += 1;
    return path.next < seen.length ? path.next : null;
  }

  function goalAfter(path: Walk, entry: Entry): Goal {
    if (path === segment && entry.uuid === segment.head) return { kind: 'cut', boundary: null };
    const parent = path === walk ? (anchors.get(entry.uuid) ?? entry.parentUuid) : entry.parentUuid;
    // A circle cannot be written; one that stands in the file must still end.
    if (parent === null || path.uuids.has(parent)) return { kind: 'first-message' };
    return { kind: 'parent', uuid: parent };
  }

  /** The walk ended at a boundary without having come through the messages that outlive it. */
  function startSegment(): void {
    if (segment !== null || walk.goal.kind !== 'cut') return;
    const preserved = walk.goal.boundary?.preserved;
    if (preserved === undefined || walk.uuids.has(preserved.head)) return;
    const { head, anchor, tail } = preserved;
    segment = { ...startWalk({ kind: 'parent', uuid: tail }, seen.length), head, anchor };
  }

  function paths(): Walk[] {
    return segment ? [walk, segment] : [walk];
  }

  function bridge(path: Walk): void {
    bridged += 1;
    path.goal = { kind: 'nearest' };
    settle();
  }

  return {
    message: add,
    boundary(boundary) {
      if (boundary.preserved?.anchor) anchors.set(boundary.preserved.head, boundary.preserved.anchor);
      add(boundary);
      // Looking beyond the boundary for what was most likely the damaged line would mean to read the whole file.
      for (const path of paths()) if (path.goal.kind === 'parent' && path.hasPassedDamage) bridge(path);
    },
    rewound(lastUuid) {
      if (walk.goal.kind !== 'last-message') return;
      walk.goal = lastUuid === null ? { kind: 'first-message' } : { kind: 'parent', uuid: lastUuid };
    },
    damaged(text) {
      for (const path of paths()) {
        if (path.goal.kind !== 'parent') continue;
        path.hasPassedDamage = true;
        if (text === null || !text.includes(`"uuid":${JSON.stringify(path.goal.uuid)}`)) continue;
        bridged += 1;
        const parent = /"parentUuid":"([^"\\]+)"/.exec(text)?.[1];
        if (text.startsWith('{"type":"boundary"')) path.goal = { kind: 'cut', boundary: null };
        else path.goal = parent === undefined ? { kind: 'nearest' } : { kind: 'parent', uuid: parent };
        path.next = seen.length;
      }
    },
    cut: () => (walk.goal.kind === 'cut' ? walk.goal.boundary : null),
    isComplete: () => paths().every(({ goal }) => goal.kind === 'cut'),
    finish() {
      while (walk.goal.kind === 'parent') bridge(walk);
      while (segment?.goal.kind === 'parent') bridge(segment);
      const boundary = walk.goal.kind === 'cut' ? walk.goal.boundary : null;
      const entries = segment ? withSegment(walk.entries, segment) : walk.entries;
      const cut = boundary === null ? seen.length : positions.get(boundary.uuid)!;
      return {
        entries: entries.map((entry) => (positions.get(entry.uuid)! > cut ? withoutResponse(entry) : entry)).reverse(),
        boundary,
        bridged,
      };
    },
  };
}

function startWalk(goal: Goal, next: number): Walk {
  return { entries: [], uuids: new Set(), goal, next, hasPassedDamage: false };
}

/** Both newest first. */
function withSegment(
  entries: readonly Entry[],
  segment: { readonly entries: readonly Entry[]; readonly anchor: string | null },
): Entry[] {
  const at = entries.findIndex(({ uuid }) => uuid === segment.anchor);
  const place = at === -1 ? entries.length : at;
  return [...entries.slice(0, place), ...segment.entries, ...entries.slice(place)];
}

/** The usage of what outlives a compaction was that of the longer conversation. */
function withoutResponse({ response: _, ...entry }: Entry): Entry {
  return entry;
}
