/** What was taken out, so that resuming takes out the same: plain JSON; the messages stay in the transcript. */

export interface Snip {
  /** Entries in their order; the marker takes the place and the name of the last, so that what follows still has its parent. */
  readonly uuids: readonly string[];
  /** ISO time: what was counted up to then had these messages in it. */
  readonly at: string;
}

/** From a transcript; what is damaged is left out. */
export function readSnips(found: unknown): readonly Snip[] {
  return Array.isArray(found) ? found.filter(isSnip) : [];
}

function isSnip(value: unknown): value is Snip {
  if (typeof value !== 'object' || value === null) return false;
  const { uuids, at } = value as Partial<Record<keyof Snip, unknown>>;
  return Array.isArray(uuids) && uuids.every((uuid) => typeof uuid === 'string') && typeof at === 'string';
}
