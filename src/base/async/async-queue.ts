/** A queue between a caller and an iterator: what is pushed is kept until it is requested. */

export interface AsyncQueue<Item> extends AsyncIterable<Item> {
  push(item: Item): void;
  /** No more items; those pushed before are still handed out. */
  end(): void;
}

export function createAsyncQueue<Item>(options: { readonly onAbandoned?: () => void } = {}): AsyncQueue<Item> {
  let items: Item[] = [];
  let isEnded = false;
  let wake: (() => void) | null = null;

  function signal(): void {
    wake?.();
    wake = null;
  }

  return {
    push(item) {
      items.push(item);
      signal();
    },
    end() {
      isEnded = true;
      signal();
    },
    async *[Symbol.asyncIterator]() {
      let isDrained = false;
      try {
        for (;;) {
          const batch = items;
          items = [];
          yield* batch;
          if (items.length > 0) continue;
          if (isEnded) break;
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        isDrained = true;
      } finally {
        // A consumer that stops early does not want the rest either.
        if (!isDrained) options.onAbandoned?.();
      }
    },
  };
}
