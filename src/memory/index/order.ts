/** Which memories come first where not all can be shown: pinned ones, then how to work, then the newest. */

import type { MemoryType } from '../../base/taxonomy.ts';

interface Ordered {
  readonly pinned: boolean;
  readonly type: MemoryType | null;
  /** ISO time. */
  readonly modified: string;
}

export function byUse(one: Ordered, other: Ordered): number {
  if (one.pinned !== other.pinned) return one.pinned ? -1 : 1;
  if ((one.type === 'feedback') !== (other.type === 'feedback')) return one.type === 'feedback' ? -1 : 1;
  return (Date.parse(other.modified) || 0) - (Date.parse(one.modified) || 0);
}
