/** Work that nobody waits for, kept in order and done a little later: what somebody waits for goes first. */

export interface Later {
  add(work: () => void): void;
  /** Does now what is left. */
  flush(): void;
}

/** It does not keep the process alive. What is added must not throw. */
export function createLater(afterMs: number): Later {
  const waiting: (() => void)[] = [];
  let timer: NodeJS.Timeout | null = null;

  function flush(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    for (const work of waiting.splice(0)) work();
  }

  return {
    add(work) {
      waiting.push(work);
      timer ??= setTimeout(flush, afterMs).unref();
    },
    flush,
  };
}
