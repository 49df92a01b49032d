/** A value that follows another once that has stood still for a moment. */

import { useEffect, useState } from 'preact/hooks';

export function useDeferred<Value>(value: Value, milliseconds: number): Value {
  const [deferred, setDeferred] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDeferred(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return deferred;
}
