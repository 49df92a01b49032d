/** What became of a memory, change by change: who, when, why, the diff, and undo. */

import { useState } from 'preact/hooks';
import { ProblemNote } from '../parts/bits.tsx';
import { Diff } from '../parts/diff.tsx';
import { useShell } from '../shell.tsx';
import { useAnswer } from '../use-answer.ts';
import { ago, count, counted, visible } from '../words.ts';
import type { MemoryFull } from './memory-detail.tsx';

interface LogEntry {
  readonly id: string;
  readonly at: string;
  readonly kind: string;
  readonly who: string;
  readonly why: string;
  /** Files that the same change touched. */
  readonly others: number;
  readonly undoes?: string;
  readonly undoneBy?: string;
}

export function History({ memory, onUndone }: { memory: MemoryFull; onUndone: () => void }) {
  const [open, setOpen] = useState<string | null>(null);
  const { act, canChange } = useShell();
  const { scope, file } = memory;
  const { data, problem } = useAnswer<{ changes: readonly LogEntry[] }>(
    'history',
    { scope, file },
    { kinds: ['memories'] },
  );
  const log = data?.changes ?? [];
  return (
    <section>
      <h3>History</h3>
      {problem !== null && <ProblemNote problem={problem} />}
      {data !== null && log.length === 0 && <p class="dim">No change is on record: the file was there before.</p>}
      <ul class="plain">
        {log.map((entry) => (
          <li key={entry.id}>
            <div class="line">
              <span>
                <strong>{entry.kind}</strong> by {entry.who}
                {entry.why !== '' && <span class="dim"> · {visible(entry.why)}</span>}
                {entry.others > 0 && <span class="dim"> · with {counted(entry.others, 'other file')}</span>}{' '}
                {entry.undoneBy !== undefined && <span class="tag">undone</span>}
              </span>
              <span class="nowrap">
                <span class="dim">{ago(entry.at)} </span>
                <button
                  type="button"
                  class="quiet"
                  aria-expanded={open === entry.id}
                  onClick={() => setOpen(open === entry.id ? null : entry.id)}
                >
                  {open === entry.id ? 'Hide' : 'Show'}
                </button>
                {canChange && entry.undoneBy === undefined && (
                  <button
                    type="button"
                    class="quiet"
                    onClick={() =>
                      void act<{ undone: { id: string } }>('undo', { change: entry.id }, ({ undone }) => ({
                        text: `Undid the ${entry.kind}.`,
                        changes: [undone.id],
                      })).then(onUndone)
                    }
                  >
                    {entry.others > 0 ? `Undo all ${count(entry.others + 1)}` : 'Undo'}
                  </button>
                )}
              </span>
            </div>
            {open === entry.id && <ChangeDiff id={entry.id} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface Changed {
  readonly files: readonly {
    readonly file: string;
    readonly before: string | null;
    readonly after: string | null;
    readonly withheld: boolean;
  }[];
}

function ChangeDiff({ id }: { id: string }) {
  const { data, problem } = useAnswer<Changed>('change', { id });
  if (problem !== null) return <ProblemNote problem={problem} />;
  if (data === null) return null;
  return (
    <>
      {data.files.map(({ file, before, after, withheld }) => (
        <div key={file}>
          <p class="dim">{visible(file)}</p>
          {withheld ? (
            <p class="note">The text held a secret and was not kept.</p>
          ) : (
            <Diff before={before} after={after} label={`What changed in ${file}`} />
          )}
        </div>
      ))}
    </>
  );
}
