/** One memory: what it says, where it comes from, what became of it, its history, and what can be done with it. */

import { useEffect, useState } from 'preact/hooks';
import type { MemoryRow, Scope } from '../memories.ts';
import { Fact, ProblemNote, Text } from '../parts/bits.tsx';
import { go, pathTo, useShell } from '../shell.tsx';
import { useAnswer } from '../use-answer.ts';
import { ago, counted, moment, visible } from '../words.ts';
import { MemoryEdit } from './memory-edit.tsx';
import { History } from './memory-history.tsx';
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
