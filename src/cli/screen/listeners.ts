/** A list of subscribers, and notifying them. */

export interface Listeners<Value> {
  add(listener: (value: Value) => void): () => void;
  tell(value: Value): void;
}

export function createListeners<Value>(): Listeners<Value> {
  const listeners = new Set<(value: Value) => void>();
  return {
    add(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell(value) {
      for (const listener of [...listeners]) listener(value);
    },
  };
}
