/** The ledger: what was spent by day, purpose, model and project, what the cache did, and what each memory brought. */

import { useMemo, useState } from 'preact/hooks';
import { Bar, Choice, Empty, ProblemNote, Scroll } from '../parts/bits.tsx';
import { spaced } from '../requests.ts';
import { pathTo } from '../shell.tsx';
import { useAnswer } from '../use-answer.ts';
import { ago, count, counted, moment, money, percent, shortCount, visible } from '../words.ts';

interface Spending {
  readonly day: string;
  readonly purpose: string;
  readonly model: string;
  readonly project: string;
  readonly calls: number;
  readonly tokens: number;
  readonly money: number;
}

interface Ledger {
  readonly days: number;
  readonly stats: {
    readonly sessions: number;
    readonly rounds: number;
    readonly cacheHitShare: number | null;
    readonly backgroundShare: number | null;
    readonly byPurpose: readonly {
      readonly name: string;
      readonly calls: number;
      readonly money: number;
      readonly unpriced: number;
    }[];
    readonly cache: {
      readonly breaks: readonly {
        readonly at: string;
        readonly session: string;
        readonly tokens: number;
        readonly cause: string;
      }[];
    };
  };
  readonly rows: readonly Spending[];
  readonly layers: readonly {
    readonly name: string;
    readonly times: number;
    readonly numbers: Readonly<Record<string, number>>;
  }[];
  readonly caps: { readonly dayTokens: number; readonly spentTokens: number };
  readonly memories: {
    readonly rows: readonly {
      readonly scope: string;
      readonly file: string;
      readonly recalled: number;
      readonly used: number;
      readonly contradicted: number;
      readonly lastRecalledAt: string;
      readonly verdict: string;
    }[];
    readonly neverRecalled: number;
  };
  readonly problems: readonly string[];
}

const PERIODS = [
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['366', 'a year'],
] as const;
const SHOWN = 50;

export function LedgerScreen(_: { path: readonly string[] }) {
  const [days, setDays] = useState('30');
  const { data, problem, again } = useAnswer<Ledger>('ledger', { days }, { kinds: ['ledger'] });
  const total = useMemo(() => (data?.rows ?? []).reduce((sum, row) => sum + row.money, 0), [data]);
  if (data === null)
    return problem === null ? (
      <p class="loading">Reading the ledger…</p>
    ) : (
      <ProblemNote problem={problem} again={again} />
    );
  const { stats, caps } = data;
  const facts = [
    ['Cost', money(total)],
    ['Sessions', count(stats.sessions)],
    ['Requests', count(stats.rounds)],
    ['From the cache', percent(stats.cacheHitShare)],
    ['In the background', percent(stats.backgroundShare)],
    [
      'Cap of today',
      `${percent(caps.spentTokens / Math.max(1, caps.dayTokens))} of ${shortCount(caps.dayTokens)} tokens`,
    ],
  ] as const;
  return (
    <section class="single">
      <header class="head">
        <p class="title" aria-hidden="true">
          Ledger
        </p>
        <Choice label="Period" value={days} options={PERIODS} onChange={setDays} />
      </header>
      {data.problems.map((line) => (
        <p key={line} class="note warn">
          {visible(line)}
        </p>
      ))}
      {data.rows.length === 0 ? (
        <Empty title="Nothing was spent in this period">
          <p>Every call to a model leaves a line here: what it was for, what it cost, what the cache saved.</p>
        </Empty>
      ) : (
        <>
          <dl class="numbers">
            {facts.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          <Split rows={data.rows} by="day" title="By day" isNewestFirst />
          <div class="pair">
            <Split rows={data.rows} by="purpose" title="By purpose" />
            <Split rows={data.rows} by="model" title="By model" />
          </div>
          <Split rows={data.rows} by="project" title="By project" />
          <Breaks breaks={stats.cache.breaks} />
          <Layers layers={data.layers} />
          <Memories memories={data.memories} />
        </>
      )}
    </section>
  );
}

/** A table and its chart in one: each row has its bar. */
function Split({
  rows,
  by,
  title,
  isNewestFirst = false,
}: {
  rows: readonly Spending[];
  by: 'day' | 'purpose' | 'model' | 'project';
  title: string;
  isNewestFirst?: boolean;
}) {
  const sums = useMemo(() => {
    const found = new Map<string, { calls: number; tokens: number; money: number }>();
    for (const row of rows) {
      const before = found.get(row[by]) ?? { calls: 0, tokens: 0, money: 0 };
      found.set(row[by], {
        calls: before.calls + row.calls,
        tokens: before.tokens + row.tokens,
        money: before.money + row.money,
      });
    }
    const all = [...found].map(([name, sum]) => ({ name, ...sum }));
    return isNewestFirst
      ? all.sort((one, other) => (one.name < other.name ? 1 : -1))
      : all.sort((one, other) => other.money - one.money || other.tokens - one.tokens);
  }, [rows, by]);
  const isPriced = sums.some((sum) => sum.money > 0);
  const of = (sum: { money: number; tokens: number }) => (isPriced ? sum.money : sum.tokens);
  const most = Math.max(...sums.map(of), Number.MIN_VALUE);
  return (
    <section>
      <h2>{title}</h2>
      <Scroll label={title}>
        <table>
          <thead>
            <tr>
              <th scope="col">{title.slice(3).replace(/^./, (letter) => letter.toUpperCase())}</th>
              <th scope="col" class="number">
                Calls
              </th>
              <th scope="col" class="number">
                Tokens
              </th>
              <th scope="col" class="number">
                Cost
              </th>
              <th scope="col" class="wide">
                <span class="hidden">As a bar</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {sums.slice(0, SHOWN).map((sum) => (
              <tr key={sum.name}>
                <th scope="row">{visible(sum.name)}</th>
                <td class="number">{count(sum.calls)}</td>
                <td class="number">{count(sum.tokens)}</td>
                <td class="number">{money(sum.money)}</td>
                <td class="wide">
                  <Bar share={of(sum) / most} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}

function Breaks({ breaks }: { breaks: Ledger['stats']['cache']['breaks'] }) {
  return (
    <section>
      <h2>Cache breaks</h2>
      {breaks.length === 0 ? (
        <p class="dim">None in this period.</p>
      ) : (
        <Scroll label="Cache breaks">
          <table>
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col" class="number">
                  Tokens paid again
                </th>
                <th scope="col">Cause</th>
              </tr>
            </thead>
            <tbody>
              {breaks.slice(0, SHOWN).map((each, at) => (
                <tr key={at}>
                  <th scope="row">
                    <a href={pathTo('window', each.session)}>{moment(each.at)}</a>
                  </th>
                  <td class="number">{count(each.tokens)}</td>
                  <td>{visible(each.cause)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </section>
  );
}

function Layers({ layers }: { layers: Ledger['layers'] }) {
  if (layers.length === 0) return null;
  return (
    <section>
      <h2>What each layer did</h2>
      <Scroll label="What each layer did">
        <table>
          <thead>
            <tr>
              <th scope="col">Layer</th>
              <th scope="col" class="number">
                Times
              </th>
              <th scope="col">Altogether</th>
            </tr>
          </thead>
          <tbody>
            {layers.map(({ name, times, numbers }) => (
              <tr key={name}>
                <th scope="row">{name.replaceAll('-', ' ')}</th>
                <td class="number">{count(times)}</td>
                <td>
                  {Object.entries(numbers)
                    .map(([what, value]) => `${spaced(what)} ${count(value)}`)
                    .join(', ')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}

function Memories({ memories }: { memories: Ledger['memories'] }) {
  return (
    <section>
      <h2>What memories brought</h2>
      <p class="dim">{counted(memories.neverRecalled, 'memory was', 'memories were')} not recalled in this period.</p>
      {memories.rows.length > 0 && (
        <Scroll label="What memories brought">
          <table>
            <thead>
              <tr>
                <th scope="col">Memory</th>
                <th scope="col" class="number">
                  Recalled
                </th>
                <th scope="col" class="number">
                  Used
                </th>
                <th scope="col" class="number">
                  Contradicted
                </th>
                <th scope="col">Last recalled</th>
              </tr>
            </thead>
            <tbody>
              {memories.rows.slice(0, SHOWN).map((row) => (
                <tr key={`${row.scope}:${row.file}`}>
                  <th scope="row">
                    <a href={pathTo('memory', row.scope, row.file)}>{visible(row.file)}</a>
                  </th>
                  <td class="number">{count(row.recalled)}</td>
                  <td class="number">{count(row.used)}</td>
                  <td class="number">{count(row.contradicted)}</td>
                  <td>{ago(row.lastRecalledAt)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </section>
  );
}
