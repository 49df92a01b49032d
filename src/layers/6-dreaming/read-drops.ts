/** The sentences that a change says it drops, as the dreamer listed them: each checked, and what cannot be read is named. */

import { isObject } from './read-list.ts';
import type { DreamDrop } from './records/record.ts';
import { isDrop } from './records/shape.ts';

export interface ReadDrops {
  readonly drops: readonly DreamDrop[];
  readonly problems: readonly string[];
}

export function readDrops(value: unknown, fileName: (written: string) => string): ReadDrops {
  if (value === undefined || value === null) return { drops: [], problems: [] };
  const listed = Array.isArray(value) ? value : [value];
  const drops = listed.flatMap((each): DreamDrop[] => (isDrop(each) ? [plainDrop(each, fileName)] : []));
  const missing = new Set(listed.filter((each) => !isDrop(each)).map(problemOf));
  return { drops, problems: [...missing] };
}

/** Nothing but what is known of a drop is kept on record. */
function plainDrop(drop: DreamDrop, fileName: (written: string) => string): DreamDrop {
  const quote = drop.quote.trim();
  switch (drop.because) {
    case 'duplicate':
      return { quote, because: drop.because, of: { file: fileName(drop.of.file), quote: drop.of.quote.trim() } };
    case 'superseded':
      return { quote, because: drop.because, by: { file: fileName(drop.by.file), quote: drop.by.quote.trim() } };
    case 'expired':
      return { quote, because: drop.because, day: drop.day.trim() };
    case 'gone':
      return { quote, because: drop.because, path: drop.path.trim() };
  }
}

const NEEDED: Readonly<Record<string, string>> = {
  duplicate: 'of: {file, quote}',
  superseded: 'by: {file, quote}',
  expired: 'a day',
  gone: 'a path',
};

function problemOf(entry: unknown): string {
  if (!isObject(entry) || typeof entry.quote !== 'string') return 'a drop without a quote';
  const needed = typeof entry.because === 'string' ? NEEDED[entry.because] : undefined;
  return needed === undefined
    ? `a drop without a reason of ${Object.keys(NEEDED).join(', ')}`
    : `a drop as ${String(entry.because)} without ${needed}`;
}
