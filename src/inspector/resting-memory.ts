/** A memory that is opened with the first question and let go of when nobody asks for a while: a page may stay open all day. */

import type { MemoryScope } from '../base/taxonomy.ts';
import type { Memory, MemoryFiles } from '../memory/memory.ts';
import { describeOff } from '../memory/off.ts';
import type { Place } from '../settings/place.ts';

export interface RestingMemory {
  readonly memory: Memory;
  /** Lets go of what is open; the next question opens it again. */
  rest(): Promise<void>;
}

type Functions = Readonly<Record<string, (...given: readonly unknown[]) => unknown>>;

export function restingMemory(place: Place, open: () => Promise<Memory>): RestingMemory {
  if (place.offReason !== null) return { memory: describeOff(place.offReason), rest: async () => {} };
  let opening: Promise<Memory> | null = null;
  let opened: Memory | null = null;
  /** Questions that are being answered. */
  let asked = 0;

  async function withMemory<Result>(work: (memory: Memory) => Result): Promise<Awaited<Result>> {
    asked += 1;
    try {
      opening ??= open().then(
        (memory) => {
          opened = memory;
          return memory;
        },
        (error: unknown) => {
          opening = null;
          throw error;
        },
      );
      return await work(await opening);
    } finally {
      asked -= 1;
    }
  }

  async function rest(): Promise<void> {
    if (asked > 0 || opened === null) return;
    const closing = opened;
    [opening, opened] = [null, null];
    await closing.close();
  }

  /** Each function of it waits until the memory is open. */
  function forwarded<Target extends object>(of: (memory: Memory) => Target, known: object): Target {
    return new Proxy(known, {
      get(target, name) {
        if (name in target) return Reflect.get(target, name);
        // It is no promise, whoever awaits it.
        if (typeof name === 'symbol' || name === 'then') return undefined;
        return (...given: readonly unknown[]) =>
          withMemory((memory) => (of(memory) as unknown as Functions)[name]!(...given));
      },
    }) as Target;
  }

  const filesOf = (scope?: MemoryScope) =>
    forwarded<MemoryFiles>((memory) => (scope === undefined ? memory.files : memory.filesOf(scope)), {});
  const memory = forwarded<Memory>((each) => each, {
    ...{ enabled: true, offReason: null },
    folders: Object.fromEntries(place.folders.map(({ scope, path }) => [scope, path])),
    files: filesOf(),
    filesOf,
    problems: () => opened?.problems() ?? [],
    close: rest,
  });
  return { memory, rest };
}
