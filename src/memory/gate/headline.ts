/** A name or a description that tells what to do stands in the index, which every session reads: neither may tell more than the memory. */

import type { Support } from './evidence.ts';
import { isOrder } from './phrasing.ts';
import { eachWord } from './words.ts';

export interface HeadlineFacts {
  readonly claimed: readonly Support[];
  /** How much of it the user said. */
  readonly said: (support: Support) => number;
  readonly traceShare: number;
}

/** The first that rests neither on the body nor on the user's words; null where there is none. */
export function findStrayHeadline({ claimed, said, traceShare }: HeadlineFacts): string | null {
  const unsaid = claimed.filter(
    (support) =>
      (support.part.kind === 'name' || support.part.kind === 'description') &&
      isOrder(support.part.text) &&
      said(support) < traceShare,
  );
  if (unsaid.length === 0) return null;
  const body = new Set<string>();
  for (const { part } of claimed.filter(({ part }) => part.kind === 'core' || part.kind === 'how')) {
    eachWord(part.text, new Map(), ({ keys }) => {
      for (const key of keys) body.add(key);
    });
  }
  return unsaid.find(({ part }) => shareIn(body, part.text) < traceShare)?.part.text ?? null;
}

function shareIn(body: ReadonlySet<string>, text: string): number {
  let [all, met] = [0, 0];
  eachWord(text, new Map(), ({ keys }) => {
    all += 1;
    if (keys.some((key) => body.has(key))) met += 1;
  });
  return all === 0 ? 1 : met / all;
}
