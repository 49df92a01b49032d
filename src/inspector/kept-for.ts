/** A reading that several questions need within a moment is done once. */

export function keptFor<Value>(milliseconds: number, read: () => Promise<Value>): () => Promise<Value> {
  let kept: Promise<Value> | null = null;
  return () => {
    if (kept !== null) return kept;
    const value = read();
    kept = value;
    // Let go of, not only outdated: ten thousand memories are not kept for nobody.
    const letGo = () => {
      if (kept === value) kept = null;
    };
    setTimeout(letGo, milliseconds).unref();
    value.catch(letGo);
    return value;
  };
}
