/** All memories: search by words as you type and by meaning a moment later, filters, and the one that is open. */

import { useEffect, useMemo, useState } from 'preact/hooks';
import {
  type Filters,
  filtered,
  type Hit,
  haystacks,
  keyOf,
  type MemoryRow,
  NO_FILTERS,
  reasonOf,
  type Scope,
  wholeRow,
} from '../memories.ts';
import { Choice, Empty, ProblemNote } from '../parts/bits.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { go, move } from '../shell.tsx';
import { useAnswer } from '../use-answer.ts';
import { useDeferred } from '../use-deferred.ts';
import { ago, count, counted, visible } from '../words.ts';
import { MemoryDetail } from './memory-detail.tsx';
import { MemoryMapScreen, VIEWS } from './memory-map.tsx';
import { TakeBack } from './take-back.tsx';

interface Listed {
  readonly memories: readonly MemoryRow[];
  readonly problems: readonly string[];
}

interface Uses {
  readonly uses: readonly { readonly key: string; readonly recalled: number; readonly used: number }[];
}

interface Row {
  readonly memory: MemoryRow;
  readonly reason: string | null;
}

const ROW_PX = 54;
/** After the last key, so that a ranking is not asked for with each. */
const MEANING_MS = 180;

export function MemoryScreen({ path }: { path: readonly string[] }) {
  return path[0] === 'map' ? <MemoryMapScreen group={path[1] ?? null} /> : <MemoryList path={path} />;
}

function MemoryList({ path }: { path: readonly string[] }) {
  const { data, problem, again } = useAnswer<Listed>('memories', {}, { kinds: ['memories'] });
  const { data: uses } = useAnswer<Uses>('uses', {}, { kinds: ['ledger'] });
  const [filters, setFilters] = useState<Filters>(NO_FILTERS);
  /** Enter on a row, or a click, moves the focus into the memory once it is there; arrows do not. */
  const [entered, setEntered] = useState<string | null>(null);
  const set = (part: Partial<Filters>) => setFilters((before) => ({ ...before, ...part }));
  const [scope, file, session] = path[0] === 'from' ? [undefined, undefined, path[1]] : [path[0], path[1], undefined];
  const chosen = scope !== undefined && file !== undefined ? `${scope}:${file}` : null;

  const all = useMemo(() => {
    const counts = new Map(uses?.uses.map((use) => [use.key, use]));
    const rows = (data?.memories ?? []).map((row) => wholeRow({ ...row, ...counts.get(keyOf(row)) }));
    return session === undefined ? rows : rows.filter((row) => row.session === session);
  }, [data, uses, session]);
  const texts = useMemo(() => haystacks(all), [all]);
  const question = useDeferred(filters.words.trim(), MEANING_MS);
  const { data: found } = useAnswer<{ hits: readonly Hit[] }>(
    question.length < 3 ? null : 'search',
    { q: question },
    { kinds: ['memories'] },
  );
  const rows = useMemo(() => {
    const kept = filtered(all, texts, filters, Date.now());
    const hits = question === filters.words.trim() ? (found?.hits ?? []) : [];
    return withHits(kept, hits, { all, texts, filters });
  }, [all, texts, filters, found, question]);

  useEffect(() => {
    const hear = (event: KeyboardEvent) => event.key === 'Escape' && chosen !== null && go('memory');
    addEventListener('keydown', hear);
    return () => removeEventListener('keydown', hear);
  }, [chosen]);

  if (data === null)
    return problem === null ? (
      <p class="loading">Reading memories…</p>
    ) : (
      <ProblemNote problem={problem} again={again} />
    );
  return (
    <section class={`two ${chosen === null ? 'at-list' : 'at-detail'}`}>
      <div class="pane">
        <header class="head">
          <p class="title" aria-hidden="true">
            Memory
          </p>
          <p class="dim" role="status">
            {rows.length === data.memories.length
              ? counted(rows.length, 'memory', 'memories')
              : `${count(rows.length)} of ${counted(data.memories.length, 'memory', 'memories')}`}
          </p>
          <Choice label="As" value="list" options={VIEWS} onChange={(view) => view === 'map' && go('memory', 'map')} />
        </header>
        <input
          type="search"
          aria-label="Search memories"
          placeholder="Search by words or meaning"
          value={filters.words}
          onInput={(event) => set({ words: event.currentTarget.value })}
          onKeyDown={(event) =>
            event.key === 'ArrowDown' && document.querySelector<HTMLElement>('[role=listbox]')?.focus()
          }
        />
        <FilterBar filters={filters} set={set} />
        {session !== undefined && (
          <p class="note">
            {counted(all.length, 'memory was', 'memories were')} learnt in one conversation.{' '}
            <a href="#/memory">Show all memories</a>{' '}
            {all.length > 0 && <TakeBack session={session} count={all.length} />}
          </p>
        )}
        {data.problems.map((line) => (
          <p key={line} class="note warn">
            {line}
          </p>
        ))}
        {rows.length === 0 ? (
          <NoRows isEmpty={data.memories.length === 0} onClear={() => setFilters(NO_FILTERS)} />
        ) : (
          <VirtualList
            id="memory"
            label="Memories"
            items={rows}
            rowHeight={ROW_PX}
            keyOf={({ memory }) => keyOf(memory)}
            chosen={chosen}
            onChoose={({ memory }) => move('memory', memory.scope, memory.file)}
            onOpen={({ memory }) => {
              setEntered(keyOf(memory));
              go('memory', memory.scope, memory.file);
            }}
            render={(row) => <MemoryLine row={row} />}
          />
        )}
      </div>
      <div class="pane detail">
        {chosen === null ? (
          <Empty title="No memory is open">
            <p>Choose one to read, edit or undo it.</p>
          </Empty>
        ) : (
          <MemoryDetail
            key={chosen}
            scope={scope as Scope}
            file={file!}
            takesFocus={entered === chosen}
            onFocused={() => setEntered(null)}
          />
        )}
      </div>
    </section>
  );
}

/** What answers by meaning comes first, with its reason; then what holds the words. */
function withHits(
  kept: readonly MemoryRow[],
  hits: readonly Hit[],
  facts: { readonly all: readonly MemoryRow[]; readonly texts: readonly string[]; readonly filters: Filters },
): readonly Row[] {
  const plain = kept.map((memory) => ({ memory, reason: null }));
  if (hits.length === 0) return plain;
  const open = new Map(
    filtered(facts.all, facts.texts, { ...facts.filters, words: '' }, Date.now()).map((memory) => [
      keyOf(memory),
      memory,
    ]),
  );
  const near = hits.flatMap((hit): Row[] => {
    const memory = open.get(keyOf(hit));
    return memory === undefined ? [] : [{ memory, reason: reasonOf(hit) }];
  });
  const shown = new Set(near.map(({ memory }) => keyOf(memory)));
  return [...near, ...plain.filter(({ memory }) => !shown.has(keyOf(memory)))];
}

function MemoryLine({ row: { memory, reason } }: { row: Row }) {
  const { name, description, type, scope, source, pinned, modified, supersededBy, refuted } = memory;
  const isOver = supersededBy !== null || refuted !== null;
  return (
    <>
      <span class="line">
        <strong class={isOver ? 'over' : ''}>{visible(name)}</strong>
        <span class="tags">
          {pinned && <span class="tag accent">pinned</span>}
          {source !== 'said' && <span class="tag">{source}</span>}
          <span class="tag">{scope === 'project' ? (type ?? 'no type') : scope}</span>
        </span>
      </span>
      <span class="line">
        <span class={`cut ${reason === null ? 'dim' : 'reason'}`}>{reason ?? visible(description)}</span>
        <span class="dim nowrap">{ago(modified)}</span>
      </span>
    </>
  );
}

const CHOICES = {
  type: [
    'Type',
    [
      ['', 'any'],
      ['user', 'user'],
      ['feedback', 'feedback'],
      ['project', 'project'],
      ['reference', 'reference'],
      ['none', 'none'],
    ],
  ],
  scope: [
    'Scope',
    [
      ['', 'any'],
      ['project', 'project'],
      ['global', 'global'],
      ['team', 'team'],
    ],
  ],
  standing: [
    'Standing',
    [
      ['', 'any'],
      ['said', 'said'],
      ['seen', 'seen'],
      ['inferred', 'inferred'],
      ['imported', 'imported'],
    ],
  ],
  age: [
    'Changed',
    [
      ['', 'any time'],
      ['1', 'last day'],
      ['7', 'last week'],
      ['30', 'last month'],
      ['-90', 'over 90 days ago'],
      ['-365', 'over a year ago'],
    ],
  ],
  use: [
    'Use',
    [
      ['', 'any'],
      ['never-recalled', 'never recalled'],
      ['never-used', 'recalled, never used'],
      ['used', 'used'],
      ['pinned', 'pinned'],
      ['replaced', 'replaced or refuted'],
    ],
  ],
} as const;

function FilterBar({ filters, set }: { filters: Filters; set: (part: Partial<Filters>) => void }) {
  return (
    <fieldset class="filters">
      <legend class="hidden">Filters</legend>
      {Object.entries(CHOICES).map(([name, [label, options]]) => (
        <Choice
          key={name}
          label={label}
          value={filters[name as keyof Filters]}
          options={options}
          onChange={(value) => set({ [name]: value })}
        />
      ))}
    </fieldset>
  );
}

function NoRows({ isEmpty, onClear }: { isEmpty: boolean; onClear: () => void }) {
  if (isEmpty)
    return (
      <Empty title="Nothing is remembered yet">
        <p>
          Tell the agent something worth keeping, or save it yourself: <code>reverie remember "we use pnpm"</code>
        </p>
      </Empty>
    );
  return (
    <Empty title="No memory fits">
      <p>Fewer words or filters find more.</p>
      <button type="button" onClick={onClear}>
        Clear search and filters
      </button>
    </Empty>
  );
}
