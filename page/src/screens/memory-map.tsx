/** The map of memories by meaning, the same as a list of groups, and the memories of the group that is chosen. */

import { useMemo, useState } from 'preact/hooks';
import { haystacks, keyOf, type MemoryRow, wholeRow } from '../memories.ts';
import { Choice, Empty, ProblemNote } from '../parts/bits.tsx';
import { type MapGroup, MemoryMap } from '../parts/memory-map.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { go, move, pathTo } from '../shell.tsx';
import { useAnswer } from '../use-answer.ts';
import { count, counted, visible } from '../words.ts';

export const VIEWS = [
  ['list', 'a list'],
  ['map', 'a map'],
] as const;

interface Group extends MapGroup {
  readonly at: number;
}

export function MemoryMapScreen({ group }: { group: string | null }) {
  const { data, problem, again } = useAnswer<{ groups: readonly MapGroup[] }>('map', {}, { kinds: ['memories'] });
  const { data: listed } = useAnswer<{ memories: readonly MemoryRow[] }>('memories', {}, { kinds: ['memories'] });
  const [words, setWords] = useState('');
  const [pointed, setPointed] = useState<string | null>(null);
  const rows = useMemo(() => new Map(listed?.memories.map((row) => [keyOf(row), wholeRow(row)])), [listed]);
  const found = useMemo(() => foundIn([...rows.values()], words), [rows, words]);
  const groups = useMemo(
    () =>
      (data?.groups ?? [])
        .toSorted((one, other) => other.members.length - one.members.length)
        .map((each, at) => ({ ...each, at })),
    [data],
  );
  const chosen = group === null ? -1 : Number(group);
  const members = groups[chosen]?.members ?? [];
  const open = (key: string) => go('memory', ...placeOf(key));
  if (data === null)
    return problem === null ? <p class="loading">Drawing the map…</p> : <ProblemNote problem={problem} again={again} />;
  const total = groups.reduce((sum, each) => sum + each.members.length, 0);
  return (
    <section class={`two map-screen ${group === null ? 'at-list' : 'at-detail'}`}>
      <div class="pane">
        <header class="head">
          <p class="title" aria-hidden="true">
            Memory
          </p>
          <p class="dim" role="status">
            {found === null
              ? `${counted(total, 'memory', 'memories')} in ${counted(groups.length, 'group')}`
              : `${count(found.size)} of ${counted(total, 'memory', 'memories')}`}
          </p>
          <Choice label="As" value="map" options={VIEWS} onChange={(view) => view === 'list' && go('memory')} />
        </header>
        <input
          type="search"
          aria-label="Search on the map"
          placeholder="Search by words"
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
        {groups.length === 0 ? (
          <Empty title="Nothing is remembered yet">
            <p>
              Save something first: <code>reverie remember "we use pnpm"</code>
            </p>
          </Empty>
        ) : (
          <MemoryMap
            groups={groups}
            chosen={chosen}
            found={found}
            onChoose={(at) => move('memory', 'map', String(at))}
            onOpen={open}
            onPoint={setPointed}
          />
        )}
        <p class="dim cut pointed">{pointed === null ? ' ' : visible(rows.get(pointed)?.name ?? pointed)}</p>
      </div>
      <div class="pane detail">
        {groups[chosen] === undefined ? (
          <div class="map-list">
            <h2>Groups by meaning</h2>
            <VirtualList
              id="group"
              label="Groups by meaning"
              items={groups}
              rowHeight={34}
              keyOf={({ at }) => String(at)}
              chosen={null}
              onChoose={({ at }) => move('memory', 'map', String(at))}
              render={(each) => <GroupLine group={each} found={found} />}
            />
          </div>
        ) : (
          <div class="map-list">
            <a href={pathTo('memory', 'map')}>All groups</a>
            <h2>{visible(groups[chosen]!.label)}</h2>
            <VirtualList
              id="member"
              label={`Memories about ${groups[chosen]!.label}`}
              items={found === null ? members : members.filter((key) => found.has(key))}
              rowHeight={34}
              keyOf={(key) => key}
              chosen={pointed}
              onChoose={setPointed}
              onOpen={open}
              render={(key) => <span class="cut">{visible(rows.get(key)?.name ?? key)}</span>}
            />
          </div>
        )}
      </div>
    </section>
  );
}

function GroupLine({ group, found }: { group: Group; found: ReadonlySet<string> | null }) {
  const shown = found === null ? group.members.length : group.members.filter((key) => found.has(key)).length;
  return (
    <span class="line">
      <span class="cut">{visible(group.label)}</span>
      <span class="dim">{count(shown)}</span>
    </span>
  );
}

/** Null without words; each word must be there. */
function foundIn(rows: readonly MemoryRow[], words: string): ReadonlySet<string> | null {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return null;
  const texts = haystacks(rows);
  return new Set(rows.filter((_, at) => wanted.every((word) => texts[at]!.includes(word))).map(keyOf));
}

function placeOf(key: string): readonly [string, string] {
  const colon = key.indexOf(':');
  return [key.slice(0, colon), key.slice(colon + 1)];
}
