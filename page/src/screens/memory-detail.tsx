/** One memory: what it says, where it comes from, what became of it, its history, and what can be done with it. */

import { useEffect, useState } from 'preact/hooks';
import type { MemoryRow, Scope } from '../memories.ts';
import { Fact, ProblemNote, Text } from '../parts/bits.tsx';
import { Diff } from '../parts/diff.tsx';
import { go, pathTo, useShell } from '../shell.tsx';
import { useAnswer } from '../use-answer.ts';
import { ago, count, counted, moment, visible } from '../words.ts';
import { MemoryEdit } from './memory-edit.tsx';
import { ShareButton } from './share-button.tsx';

interface CutText {
  readonly text: string;
  readonly cutCharacters: number;
}

export interface MemoryFull extends MemoryRow {
  readonly path: string;
  readonly quote: readonly { readonly text: string; readonly at: string | null }[];
  readonly origin: Readonly<Record<string, string>> | null;
  readonly warnings: readonly string[];
  readonly body: CutText;
  readonly text: CutText;
  readonly usefulness: {
    readonly recalled: number;
    readonly watched: number;
    readonly used: number;
    readonly contradicted: number;
    readonly lastRecalledAt: string;
  } | null;
  readonly replaces: readonly string[];
}

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

export interface SavedChange {
  readonly file: string;
  readonly change: string;
  readonly warnings: readonly string[];
}

export function MemoryDetail({
  scope,
  file,
  takesFocus,
  onFocused,
}: {
  scope: Scope;
  file: string;
  takesFocus: boolean;
  onFocused: () => void;
}) {
  const { data: memory, problem, again } = useAnswer<MemoryFull>('memory', { scope, file }, { kinds: ['memories'] });
  const { act, canChange } = useShell();
  const [mode, setMode] = useState<'read' | 'edit' | 'purge'>('read');
  const named = { scope, file };
  const isRead = memory !== null;
  useEffect(() => {
    if (!isRead || !takesFocus) return;
    document.getElementById('memory-name')?.focus();
    onFocused();
  }, [isRead, takesFocus]);

  const forget = () =>
    act<SavedChange>('forget', named, ({ change }) => ({ text: `Forgot ${file}.`, changes: [change] })).then(
      (answer) => answer !== null && go('memory'),
    );
  const pin = (pinned: boolean) =>
    act<SavedChange>('pin', { ...named, pinned }, ({ change }) => ({
      text: pinned ? 'Pinned.' : 'Unpinned.',
      changes: [change],
    })).then(again);

  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      const isTyping = /^(?:INPUT|TEXTAREA|SELECT)$/.test((event.target as HTMLElement).tagName);
      if (
        !canChange ||
        memory === null ||
        mode !== 'read' ||
        isTyping ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey
      )
        return;
      if (event.key === 'e') setMode('edit');
      else if (event.key === 'p') void pin(!memory.pinned);
      else if (event.key === 'f') void forget();
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', hear);
    return () => removeEventListener('keydown', hear);
  });

  if (memory === null)
    return problem === null ? <p class="loading">Reading…</p> : <ProblemNote problem={problem} again={again} />;
  const isWhole = memory.text.cutCharacters === 0;
  return (
    <article>
      <a class="back" href="#/memory">
        All memories
      </a>
      <h2 id="memory-name" tabIndex={-1}>
        {visible(memory.name)}
      </h2>
      <p>{visible(memory.description)}</p>
      {canChange && mode === 'read' && (
        <div class="actions">
          <button type="button" disabled={!isWhole} onClick={() => setMode('edit')}>
            Edit <kbd>e</kbd>
          </button>
          <button type="button" onClick={() => void pin(!memory.pinned)}>
            {memory.pinned ? 'Unpin' : 'Pin'} <kbd>p</kbd>
          </button>
          {memory.source !== 'said' && (
            <button
              type="button"
              onClick={() =>
                void act<SavedChange>('confirm', named, ({ change }) => ({
                  text: 'Confirmed: it counts as your word now.',
                  changes: [change],
                })).then(again)
              }
            >
              Confirm
            </button>
          )}
          <ShareButton named={named} />
          <button type="button" onClick={() => void forget()}>
            Forget <kbd>f</kbd>
          </button>
          <button type="button" class="quiet" onClick={() => setMode('purge')}>
            Purge…
          </button>
        </div>
      )}
      {canChange && !isWhole && (
        <p class="note">
          Too long to edit here: <code>reverie memory edit {file}</code>
        </p>
      )}
      {mode === 'purge' && <Purge named={named} onEnd={() => setMode('read')} />}
      {mode === 'edit' ? (
        <MemoryEdit
          memory={memory}
          onEnd={() => {
            setMode('read');
            again();
          }}
        />
      ) : (
        <Text text={memory.body.text} cut={memory.body.cutCharacters} label="What it says" />
      )}
      {memory.warnings.map((line) => (
        <p key={line} class="note warn">
          {visible(line)}
        </p>
      ))}
      <Facts memory={memory} />
      <History memory={memory} onUndone={again} />
    </article>
  );
}

function Facts({ memory }: { memory: MemoryFull }) {
  const { origin, usefulness } = memory;
  return (
    <dl class="facts">
      <Fact name="Type">{memory.type ?? 'none'}</Fact>
      <Fact name="Scope">{memory.scope}</Fact>
      <Fact name="Standing">{STANDINGS[memory.source] ?? memory.source}</Fact>
      {memory.quote.length > 0 && (
        <Fact name="Your words">
          {memory.quote.map(({ text, at }) => (
            <blockquote key={text}>
              “{visible(text)}” {at !== null && <span class="dim">{moment(at)}</span>}
            </blockquote>
          ))}
        </Fact>
      )}
      {origin?.session !== undefined && (
        <Fact name="Learnt in">
          <a href={pathTo('sessions', origin.session, ...(origin.message === undefined ? [] : [origin.message]))}>
            the conversation it comes from
          </a>
          {' · '}
          <a href={pathTo('memory', 'from', origin.session)}>all that was learnt there</a>
        </Fact>
      )}
      {memory.supersededBy !== null && (
        <Fact name="Replaced by">
          <a href={pathTo('memory', memory.scope, memory.supersededBy)}>{memory.supersededBy}</a>
        </Fact>
      )}
      {memory.refuted !== null && <Fact name="Refuted">{visible(memory.refuted)}</Fact>}
      {memory.replaces.length > 0 && (
        <Fact name="Replaces">
          {memory.replaces.map((file) => (
            <a key={file} href={pathTo('memory', memory.scope, file)}>
              {file}{' '}
            </a>
          ))}
        </Fact>
      )}
      <Fact name="Use">
        {usefulness === null
          ? 'never recalled'
          : `recalled ${counted(usefulness.recalled, 'time')}, used ${counted(usefulness.used, 'time')}${usefulness.contradicted > 0 ? `, contradicted ${counted(usefulness.contradicted, 'time')}` : ''}; last ${ago(usefulness.lastRecalledAt)}`}
      </Fact>
      <Fact name="Changed">
        {moment(memory.modified)}
        {memory.created !== null && `, created ${moment(memory.created)}`}
      </Fact>
      <Fact name="File">
        <code>{visible(memory.path)}</code>
      </Fact>
    </dl>
  );
}

const STANDINGS: Readonly<Record<string, string>> = {
  said: 'said: your own word',
  seen: 'seen in output or a file; not confirmed',
  inferred: 'inferred by a model; not confirmed',
  imported: 'imported from elsewhere',
};

function History({ memory, onUndone }: { memory: MemoryFull; onUndone: () => void }) {
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

export function ChangeDiff({ id }: { id: string }) {
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

function Purge({ named, onEnd }: { named: { scope: string; file: string }; onEnd: () => void }) {
  const { act } = useShell();
  const [typed, setTyped] = useState('');
  const purge = () =>
    act<{ transcripts: readonly string[] }>('purge', { ...named, confirm: typed }, ({ transcripts }) => ({
      text: `Purged. ${transcripts.length === 0 ? 'No transcript holds its text.' : `${counted(transcripts.length, 'transcript')} still hold its text.`}`,
      changes: [],
    })).then((answer) => answer !== null && go('memory'));
  return (
    <form
      class="box"
      onSubmit={(event) => {
        event.preventDefault();
        void purge();
      }}
    >
      <p>
        A purge deletes the memory and its history for good. Type <code>{named.file}</code> to confirm.
      </p>
      <input aria-label="Name of the file" value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
      <div class="actions">
        <button type="submit" class="danger" disabled={typed !== named.file}>
          Purge for good
        </button>
        <button type="button" onClick={onEnd}>
          Cancel
        </button>
      </div>
    </form>
  );
}
