/** An answer of the server that is asked for again when what it shows has changed. */

import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ask, Failed, type Kind, onServerEvent, type Problem, type Query } from './answers.ts';

export interface Answered<Answer> {
  readonly data: Answer | null;
  readonly problem: Problem | null;
  readonly isLoading: boolean;
  again(): void;
}

/** Null asks nothing. What was shown stays until the new answer is there. */
export function useAnswer<Answer>(
  name: string | null,
  query: Query = {},
  changes: { readonly kinds?: readonly Kind[]; readonly session?: string | null } = {},
): Answered<Answer> {
  const key = name === null ? null : JSON.stringify([name, query]);
  const [state, setState] = useState<{ key: string | null; data: Answer | null; problem: Problem | null }>({
    key: null,
    data: null,
    problem: null,
  });
  const [asked, setAsked] = useState(0);
  const again = useCallback(() => setAsked((times) => times + 1), []);
  const wanted = useRef(changes);
  wanted.current = changes;
  /** A burst of events is one question behind the one that is asked now. */
  const asking = useRef({ isAsked: false, isStale: false });

  useEffect(() => {
    if (name === null || key === null) return;
    const leaving = new AbortController();
    asking.current = { isAsked: true, isStale: false };
    ask<Answer>(name, query, leaving.signal)
      .then((data) => setState({ key, data, problem: null }))
      .catch((error: unknown) => {
        if (leaving.signal.aborted) return;
        const problem = error instanceof Failed ? error.problem : { message: String(error), fix: '' };
        setState((before) => ({ key, data: before.key === key ? before.data : null, problem }));
      })
      .finally(() => {
        if (leaving.signal.aborted) return;
        const { isStale } = asking.current;
        asking.current = { isAsked: false, isStale: false };
        if (isStale) again();
      });
    return () => leaving.abort();
  }, [key, asked]);

  useEffect(
    () =>
      onServerEvent((event) => {
        const { kinds = [], session } = wanted.current;
        if (!kinds.includes(event.kind)) return;
        if (event.id !== undefined && session !== undefined && event.id !== session) return;
        if (asking.current.isAsked) asking.current.isStale = true;
        else again();
      }),
    [],
  );
  const isCurrent = state.key === key;
  return {
    data: isCurrent ? state.data : null,
    problem: isCurrent ? state.problem : null,
    isLoading: key !== null && !isCurrent,
    again,
  };
}
