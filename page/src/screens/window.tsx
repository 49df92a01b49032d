/** The window of a session, request by request: what it was made of, what each part says, and what it cost. */

import { useMemo, useState } from 'preact/hooks';
import { Choice, Empty, ProblemNote } from '../parts/bits.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { WindowChart } from '../parts/window-chart.tsx';
import { type RequestRow, type SessionWindow, sourcesOf, totalOf } from '../requests.ts';
import { go, move } from '../shell.tsx';
import { useAnswer } from '../use-answer.ts';
import { count, counted, moment, money, percent, shortCount } from '../words.ts';
import { Policies } from './policies.tsx';
import { RequestDetail } from './request-detail.tsx';
import { SessionChoice, useSessions } from './session-choice.tsx';

const RANGES = [
  ['0', 'all'],
  ['500', 'last 500'],
  ['100', 'last 100'],
  ['30', 'last 30'],
] as const;

export function WindowScreen({ path }: { path: readonly string[] }) {
  const { sessions, problem: noSessions } = useSessions();
  const id = path[0] ?? sessions?.[0]?.id ?? null;
  const { data, problem, again } = useAnswer<SessionWindow>(
    id === null ? null : 'session',
    { id: id ?? '' },
    { kinds: ['session', 'ledger'], session: id },
  );
  const [view, setView] = useState(path[1] === 'policies' ? 'policies' : 'chart');
  const [range, setRange] = useState('0');
  const [opened, setOpened] = useState<{ readonly request: string; readonly part: string | null } | null>(null);
  const requests = data?.requests ?? [];
  const from = range === '0' ? 0 : Math.max(0, requests.length - Number(range));
  const asked = path[1] === undefined ? requests.length - 1 : Number(path[1]) - 1;
  const chosen = Math.min(requests.length - 1, Math.max(0, Number.isFinite(asked) ? asked : 0));
  const sources = useMemo(() => sourcesOf(data?.names ?? []), [data]);
  const choose = (index: number) => id !== null && move('window', id, String(index + 1));
  // A part is open for one request only; what is derived cannot close a part that was opened a moment before.
  const request = `${id}/${chosen}`;
  const openPart = opened?.request === request ? opened.part : null;

  if (sessions !== null && sessions.length === 0)
    return (
      <section class="single">
        <p class="title" aria-hidden="true">
          Window
        </p>
        <Empty title="No session is recorded here">
          <p>
            Start one with <code>reverie</code>, or look at a transcript of another agent:{' '}
            <code>reverie serve session.jsonl</code>
          </p>
        </Empty>
      </section>
    );
  return (
    <section class="single">
      <header class="head">
        <p class="title" aria-hidden="true">
          Window
        </p>
        <SessionChoice sessions={sessions ?? []} id={id} onChoose={(next) => go('window', next)} />
        <Choice label="Show" value={range} options={RANGES} onChange={setRange} />
        <Choice
          label="As"
          value={view}
          options={[
            ['chart', 'chart'],
            ['table', 'table'],
            ['policies', 'policies compared'],
          ]}
          onChange={setView}
        />
      </header>
      {problem !== null && <ProblemNote problem={problem} again={again} />}
      {noSessions !== null && <ProblemNote problem={noSessions} />}
      {data !== null && requests.length === 0 && (
        <Empty title="This session has sent no request yet">
          <p>Its first column appears with the first answer.</p>
        </Empty>
      )}
      {data !== null && requests.length > 0 && (
        <>
          <Summary session={data} />
          {view === 'policies' ? (
            <Policies id={id!} />
          ) : view === 'table' ? (
            <RequestTable session={data} from={from} chosen={chosen} onChoose={choose} />
          ) : (
            <>
              <WindowChart
                session={data}
                sources={sources}
                from={from}
                chosen={chosen}
                onChoose={choose}
                onOpen={() => document.getElementById('request')?.focus()}
              />
              <ul class="legend" aria-label="Colours">
                {sources.map(({ name, colour }) => (
                  <li key={name}>
                    <span class="swatch" style={{ background: `var(${colour})` }} /> {name}
                  </li>
                ))}
                <li class="apart">
                  <span class="swatch" style={{ background: 'var(--read)' }} /> read from the cache
                </li>
                <li>
                  <span class="swatch" style={{ background: 'var(--written)' }} /> written to it
                </li>
                <li>
                  <span class="swatch" style={{ background: 'var(--fresh)' }} /> neither
                </li>
                <li>
                  <span class="swatch" style={{ background: 'var(--bad)' }} /> cache break
                </li>
              </ul>
            </>
          )}
          {view !== 'policies' && (
            <RequestDetail
              session={data}
              sources={sources}
              index={chosen}
              openPart={openPart}
              onPart={(part) => setOpened({ request, part })}
            />
          )}
        </>
      )}
    </section>
  );
}

function Summary({ session }: { session: SessionWindow }) {
  const { requests, marks, window } = session;
  const sum = (of: (row: RequestRow) => number) => requests.reduce((total, row) => total + of(row), 0);
  const prompt = sum(({ read, written, fresh }) => read + written + fresh);
  const priced = requests.filter((row) => row.money !== null);
  const last = requests.at(-1)!;
  const facts = [
    ['Requests', count(requests.length)],
    ['Window now', `${shortCount(totalOf(last))} of ${shortCount(window.window)}`],
    ['Compacts at', shortCount(window.compactAt)],
    ['From the cache', prompt === 0 ? '–' : percent(sum(({ read }) => read) / prompt)],
    ['Cost', priced.length === 0 ? '–' : money(sum((row) => row.money ?? 0))],
    ['Cache breaks', count(requests.filter(({ broke }) => broke !== null).length)],
    ['Compactions', count(marks.filter(({ name }) => name === 'compaction' || name === 'notes-compaction').length)],
  ] as const;
  return (
    <>
      <dl class="numbers">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {!session.isRecorded && (
        <p class="note">
          No composition was recorded with these requests: parts are estimated from the transcript, totals are as the
          provider counted.
        </p>
      )}
    </>
  );
}

function RequestTable({
  session,
  from,
  chosen,
  onChoose,
}: {
  session: SessionWindow;
  from: number;
  chosen: number;
  onChoose: (index: number) => void;
}) {
  const rows = session.requests.map((row, index) => ({ row, index })).slice(from);
  return (
    <div class="table-list">
      <div class="line table-head" aria-hidden="true">
        <span>request</span>
        <span>time</span>
        <span>tokens</span>
        <span>read</span>
        <span>written</span>
        <span>fresh</span>
        <span>answer</span>
        <span>cost</span>
      </div>
      <VirtualList
        id="request-row"
        label={`${counted(rows.length, 'request')} as a table`}
        items={rows}
        rowHeight={28}
        keyOf={({ index }) => String(index)}
        chosen={String(chosen)}
        onChoose={({ index }) => onChoose(index)}
        render={({ row, index }) => (
          <span class="line table-row">
            <span>{count(index + 1)}</span>
            <span>{moment(row.at)}</span>
            <span>{count(totalOf(row))}</span>
            <span>{count(row.read)}</span>
            <span>{count(row.written)}</span>
            <span>{count(row.fresh)}</span>
            <span>{count(row.output)}</span>
            <span>{money(row.money)}</span>
          </span>
        )}
      />
    </div>
  );
}
