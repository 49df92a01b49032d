/** One change that a dream proposed: what it does and why, its evidence and diff, and the user's word on it. */

import { useLayoutEffect, useState } from 'preact/hooks';
import { Fact } from '../parts/bits.tsx';
import { Diff } from '../parts/diff.tsx';
import { pathTo, useShell } from '../shell.tsx';
import { visible } from '../words.ts';

export interface Change {
  readonly number: number;
  readonly action: string;
  readonly file: string;
  readonly reason: string;
  readonly evidence: readonly { readonly from: string; readonly quote: string }[];
  readonly why: string;
  readonly note: string;
  readonly landed: string | null;
  readonly state: string;
  readonly cannotLand: string | null;
  readonly diff: { readonly before: string | null; readonly after: string | null } | null;
}

export function ProposedChange({
  change,
  scope,
  project,
  decide,
  onUndone,
}: {
  change: Change;
  scope: string;
  /** Empty for this one. */
  project: string;
  decide: (what: 'approve' | 'reject') => void;
  onUndone: () => void;
}) {
  const { act, canChange } = useShell();
  const isWaiting = change.state === 'waiting';
  const [isOpen, setOpen] = useState(isWaiting);
  useLayoutEffect(() => setOpen(isWaiting), [isWaiting]);
  function onKeyDown(event: KeyboardEvent): void {
    if (!isWaiting || !canChange || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'a') decide('approve');
    else if (event.key === 'r') decide('reject');
    else return;
    event.preventDefault();
  }
  return (
    <section
      class="box change"
      tabIndex={0}
      aria-label={`Change ${change.number}: ${change.action} ${change.file}`}
      onKeyDown={onKeyDown}
    >
      <div class="line">
        <h3>
          {change.number} {change.action}{' '}
          {project === '' ? (
            <a href={pathTo('memory', scope, change.file)}>{visible(change.file)}</a>
          ) : (
            visible(change.file)
          )}
        </h3>
        <span class={`tag ${isWaiting ? 'accent' : ''}`}>{change.state}</span>
      </div>
      <p>{visible(change.reason)}</p>
      {(change.cannotLand ?? change.why) !== '' && <p class="note warn">{visible(change.cannotLand ?? change.why)}</p>}
      {change.note !== '' && <p class="note">{visible(change.note)}</p>}
      {change.evidence.length > 0 && (
        <dl class="facts">
          {change.evidence.map(({ from, quote }) => (
            <Fact key={`${from}${quote}`} name={visible(from)}>
              <blockquote>“{visible(quote)}”</blockquote>
            </Fact>
          ))}
        </dl>
      )}
      {change.diff !== null && isOpen && (
        <Diff before={change.diff.before} after={change.diff.after} label={`What change ${change.number} does`} />
      )}
      <div class="actions">
        {isWaiting && canChange && (
          <>
            <button type="button" class="main" onClick={() => decide('approve')}>
              Approve <kbd>a</kbd>
            </button>
            <button type="button" onClick={() => decide('reject')}>
              Reject <kbd>r</kbd>
            </button>
          </>
        )}
        {change.diff !== null && (
          <button type="button" class="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide the diff' : 'Show the diff'}
          </button>
        )}
        {canChange && change.landed !== null && (change.state === 'landed' || change.state === 'approved') && (
          <button
            type="button"
            class="quiet"
            onClick={() =>
              void act<{ undone: { id: string } }>('undo-dream', { project, change: change.landed }, ({ undone }) => ({
                text: 'Undid what the dream landed.',
                changes: project === '' ? [undone.id] : [],
              })).then(onUndone)
            }
          >
            Undo
          </button>
        )}
      </div>
    </section>
  );
}
