/** Which results a later one has made worthless, kept as results arrive: a repeated search, a file read or written again. */

import { subjectOf } from './clearable.ts';
import type { KnownResult } from './result-index.ts';

export interface Repeated {
  add(result: KnownResult): void;
  isSuperseded(result: KnownResult): boolean;
}

export function createRepeated(): Repeated {
  const superseded = new Set<KnownResult>();
  /** Results of a subject that nothing repeats so far, and reads that a write of their file would make stale. */
  const bySubject = new Map<string, KnownResult[]>();
  const byWrite = new Map<string, KnownResult[]>();

  function supersede(map: Map<string, KnownResult[]>, key: string, isRepeated: (before: KnownResult) => boolean): void {
    const before = map.get(key);
    if (before === undefined) return;
    for (const result of before) if (isRepeated(result)) superseded.add(result);
    map.set(
      key,
      before.filter((result) => !superseded.has(result)),
    );
  }

  return {
    add(result) {
      const about = subjectOf(result.call);
      if (about === null) return;
      if (!result.isError) {
        // A much shorter one is no repetition: Read may only have said that nothing changed.
        supersede(bySubject, about.subject, ({ tokens }) => result.tokens * 2 >= tokens);
        supersede(byWrite, about.subject, () => true);
      }
      if (result.call.name !== 'Write') append(bySubject, about.subject, result);
      if (about.staleBy !== null) append(byWrite, about.staleBy, result);
    },
    isSuperseded: (result) => superseded.has(result),
  };
}

function append(map: Map<string, KnownResult[]>, key: string, result: KnownResult): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [result]);
  else list.push(result);
}
