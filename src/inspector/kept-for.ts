/** A reading that several questions need within a moment is done once. */

export function keptFor<Value>(milliseconds: number, read: () => Promise<Value>): () => Promise<Value> {
  let kept: { readonly value: Promise<Value>; readonly untilMs: number } | null = null;
  return () => {
    if (kept !== null && performance.now() < kept.untilMs) return kept.value;
    const value = read();
    kept = { value, untilMs: performance.now() + milliseconds };
    value.catch(() => {
      kept = null;
    });
    return value;
  };
}
