/** Editing a memory: the text, then what would change, then saving; somebody else's edit in between is never lost. */

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { change, Failed, type Problem } from '../answers.ts';
import { ProblemNote } from '../parts/bits.tsx';
import { Diff } from '../parts/diff.tsx';
import { useShell } from '../shell.tsx';
import type { MemoryFull, SavedChange } from './memory-detail.tsx';

export function MemoryEdit({ memory, onEnd }: { memory: MemoryFull; onEnd: () => void }) {
  const { tell, fail } = useShell();
  const [base, setBase] = useState(memory.text.text);
  const [text, setText] = useState(memory.text.text);
  const [isReviewed, setReviewed] = useState(false);
  const [conflict, setConflict] = useState<(Problem & { newest: string }) | null>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  const save = useRef<HTMLButtonElement>(null);
  // At once: what is typed before would be taken for keys of the page.
  useLayoutEffect(() => (isReviewed ? save : box).current?.focus(), [isReviewed]);
  // The file may change while it is edited: the page says so before anything is saved.
  const isChangedOutside = memory.text.text !== base && conflict === null;

  async function store(onto: string): Promise<void> {
    const body = { scope: memory.scope, file: memory.file, base: onto, text };
    try {
      const saved = await change<SavedChange>('edit', body);
      tell({ text: `Saved ${saved.file}.`, changes: [saved.change] });
    } catch (error) {
      const problem = error instanceof Failed ? error.problem : { message: String(error), fix: '' };
      if (problem.newest !== undefined) setConflict({ ...problem, newest: problem.newest });
      else fail(problem);
      return;
    }
    onEnd();
  }

  if (conflict !== null)
    return (
      <div class="box">
        <ProblemNote problem={conflict} />
        <h3>What it says now, against your text</h3>
        <Diff before={conflict.newest} after={text} label="The newest text and yours" />
        <div class="actions">
          <button type="button" onClick={() => void store(conflict.newest)}>
            Save mine over it
          </button>
          <button
            type="button"
            onClick={() => {
              setBase(conflict.newest);
              setConflict(null);
              setReviewed(false);
            }}
          >
            Go on editing mine
          </button>
          <button type="button" class="quiet" onClick={onEnd}>
            Keep theirs
          </button>
        </div>
        <p class="dim">Whichever you save, the other stays in the history.</p>
      </div>
    );
  return (
    <div class="box">
      {isChangedOutside && (
        <p class="note warn" role="status">
          The file was changed while you edit. Nothing is lost: saving will show you both.
        </p>
      )}
      {isReviewed ? (
        <Diff before={base} after={text} label="What would change" />
      ) : (
        <textarea
          ref={box}
          aria-label="Text of the memory, front matter included"
          value={text}
          rows={Math.min(30, Math.max(10, text.split('\n').length + 1))}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && text !== base) setReviewed(true);
            if (event.key === 'Escape') {
              event.stopPropagation();
              if (text === base) onEnd();
            }
          }}
        />
      )}
      <div class="actions">
        {isReviewed ? (
          <>
            <button ref={save} type="button" class="main" onClick={() => void store(base)}>
              Save
            </button>
            <button type="button" onClick={() => setReviewed(false)}>
              Back to the text
            </button>
          </>
        ) : (
          <button type="button" class="main" disabled={text === base} onClick={() => setReviewed(true)}>
            Review changes <kbd>Ctrl Enter</kbd>
          </button>
        )}
        <button type="button" class="quiet" onClick={onEnd}>
          Cancel
        </button>
      </div>
    </div>
  );
}
