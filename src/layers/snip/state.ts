/** What was removed, so that resuming removes the same: plain JSON; the messages stay in the transcript. */

export interface Snip {
  /** Entries in their order; the marker takes the place and the name of the last, so that what follows still has its parent. */
  readonly uuids: readonly string[];
  /** ISO time: counts up to then included these messages. */
  readonly at: string;
  /** The user unless given. */
  readonly by?: 'agent';
}

/** From a transcript; damaged parts are left out. */
export function readSnips(found: unknown): readonly Snip[] {
  return Array.isArray(found) ? found.filter(isSnip) : [];
}

function isSnip(value: unknown): value is Snip {
  if (typeof value !== 'object' || value === null) return false;
  const { uuids, at } = value as Partial<Record<keyof Snip, unknown>>;
  return Array.isArray(uuids) && uuids.every((uuid) => typeof uuid === 'string') && typeof at === 'string';
}
