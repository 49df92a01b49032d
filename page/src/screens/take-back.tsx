/** One click, and a second one to be sure, takes back all that one conversation taught. */

import { useState } from 'preact/hooks';
import { useShell } from '../shell.tsx';
import { count, counted } from '../words.ts';

export function TakeBack({ session, count: learnt }: { session: string; count: number }) {
  const { act, canChange } = useShell();
  const [isSure, setSure] = useState(false);
  if (!canChange) return null;
  if (!isSure)
    return (
      <button type="button" class="link" onClick={() => setSure(true)}>
        take them back…
      </button>
    );
  const takeBack = () =>
    act<{ changes: readonly string[]; files: readonly string[] }>('take-back', { session }, ({ changes, files }) => ({
      text: `Took back ${counted(files.length, 'memory', 'memories')}.`,
      changes,
    })).then(() => setSure(false));
  return (
    <>
      <button type="button" onClick={() => void takeBack()}>
        Forget all {count(learnt)}
      </button>{' '}
      <button type="button" class="quiet" onClick={() => setSure(false)}>
        Cancel
      </button>
    </>
  );
}
