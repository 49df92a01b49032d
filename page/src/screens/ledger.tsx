/** The ledger: what was spent by day, purpose, model, agent and project, what the cache did, and what each memory brought. */

import { useMemo, useState } from 'preact/hooks';
import { Bar, Choice, Empty, ProblemNote } from '../parts/bits.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { spaced } from '../requests.ts';
import { pathTo } from '../shell.tsx';
import { useAnswer } from '../use-answer.ts';
import { ago, count, counted, moment, money, percent, shortCount, visible } from '../words.ts';

interface Spending {
  readonly day: string;
  readonly purpose: string;
  readonly model: string;
  readonly agent: string;
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
          <div class="pair">
            <Split rows={data.rows} by="agent" title="By agent" />
            <Split rows={data.rows} by="project" title="By project" />
          </div>
          <Breaks breaks={stats.cache.breaks} />
          <Layers layers={data.layers} />
          <Memories memories={data.memories} />
        </>
      )}
    </section>
  );
}

interface Sum {
  readonly name: string;
  readonly calls: number;
  readonly tokens: number;
  readonly money: number;
}

/** A table and its chart in one: each row has its bar. */
function Split({
  rows,
  by,
  title,
  isNewestFirst = false,
}: {
  rows: readonly Spending[];
  by: 'day' | 'purpose' | 'model' | 'agent' | 'project';
  title: string;
  isNewestFirst?: boolean;
}) {
  const sums = useMemo(() => {
    const all = sumsOf(rows, by);
    return isNewestFirst
      ? all.sort((one, other) => (one.name < other.name ? 1 : -1))
      : all.sort((one, other) => other.money - one.money || other.tokens - one.tokens);
  }, [rows, by]);
  const isPriced = sums.some((sum) => sum.money > 0);
  const of = (sum: Sum) => (isPriced ? sum.money : sum.tokens);
  const most = Math.max(...sums.map(of), Number.MIN_VALUE);
  const columns: readonly Column<Sum>[] = [
    { name: `${by[0]!.toUpperCase()}${by.slice(1)}`, cell: ({ name }) => visible(name) },
    { name: 'Calls', look: 'number', cell: ({ calls }) => count(calls) },
    { name: 'Tokens', look: 'number', cell: ({ tokens }) => count(tokens) },
    { name: 'Cost', look: 'number', cell: (sum) => money(sum.money) },
    { name: 'As a bar', look: 'wide', isUnnamed: true, cell: (sum) => <Bar share={of(sum) / most} /> },
  ];
  return (
    <section>
      <h2>{title}</h2>
      <Table label={title} columns={columns} rows={sums.slice(0, SHOWN)} keyOf={({ name }) => name} />
    </section>
  );
}

function sumsOf(rows: readonly Spending[], by: 'day' | 'purpose' | 'model' | 'agent' | 'project'): Sum[] {
  const found = new Map<string, Sum>();
  for (const row of rows) {
    const name = row[by];
    const { calls, tokens, money: spent } = found.get(name) ?? { calls: 0, tokens: 0, money: 0 };
    found.set(name, { name, calls: calls + row.calls, tokens: tokens + row.tokens, money: spent + row.money });
  }
  return [...found.values()];
}

const BREAKS: readonly Column<Ledger['stats']['cache']['breaks'][number]>[] = [
  { name: 'When', cell: ({ session, at }) => <a href={pathTo('window', session)}>{moment(at)}</a> },
  { name: 'Tokens paid again', look: 'number', cell: ({ tokens }) => count(tokens) },
  { name: 'Cause', cell: ({ cause }) => visible(cause) },
];

function Breaks({ breaks }: { breaks: Ledger['stats']['cache']['breaks'] }) {
  return (
    <section>
      <h2>Cache breaks</h2>
      {breaks.length === 0 ? (
        <p class="dim">None in this period.</p>
      ) : (
        <Table label="Cache breaks" columns={BREAKS} rows={breaks.slice(0, SHOWN)} keyOf={(_, at) => at} />
      )}
    </section>
  );
}

const LAYERS: readonly Column<Ledger['layers'][number]>[] = [
  { name: 'Layer', cell: ({ name }) => name.replaceAll('-', ' ') },
  { name: 'Times', look: 'number', cell: ({ times }) => count(times) },
  {
    name: 'Altogether',
    cell: ({ numbers }) =>
      Object.entries(numbers)
        .map(([what, value]) => `${spaced(what)} ${count(value)}`)
        .join(', '),
  },
];

function Layers({ layers }: { layers: Ledger['layers'] }) {
  if (layers.length === 0) return null;
  return (
    <section>
      <h2>What each layer did</h2>
      <Table label="What each layer did" columns={LAYERS} rows={layers} keyOf={({ name }) => name} />
    </section>
  );
}

const MEMORIES: readonly Column<Ledger['memories']['rows'][number]>[] = [
  { name: 'Memory', cell: ({ scope, file }) => <a href={pathTo('memory', scope, file)}>{visible(file)}</a> },
  { name: 'Recalled', look: 'number', cell: ({ recalled }) => count(recalled) },
  { name: 'Used', look: 'number', cell: ({ used }) => count(used) },
  { name: 'Contradicted', look: 'number', cell: ({ contradicted }) => count(contradicted) },
  { name: 'Last recalled', cell: ({ lastRecalledAt }) => ago(lastRecalledAt) },
];

function Memories({ memories }: { memories: Ledger['memories'] }) {
  return (
    <section>
      <h2>What memories brought</h2>
      <p class="dim">{counted(memories.neverRecalled, 'memory was', 'memories were')} not recalled in this period.</p>
      {memories.rows.length > 0 && (
        <Table
          label="What memories brought"
          columns={MEMORIES}
          rows={memories.rows.slice(0, SHOWN)}
          keyOf={({ scope, file }) => `${scope}:${file}`}
        />
      )}
    </section>
  );
}
