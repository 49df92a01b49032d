/** Dreams: what runs, what waits for you, and each proposed change with its reason, its evidence and its diff. */

import type { Query } from '../answers.ts';
import { Empty, ProblemNote } from '../parts/bits.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { go, move, useShell } from '../shell.tsx';
import { useAnswer } from '../use-answer.ts';
import { ago, count, counted, moment, money, visible } from '../words.ts';
import { type Change, ProposedChange } from './proposed-change.tsx';

interface DreamRow {
  readonly id: string;
  /** Null for this project. */
  readonly project?: string;
  /** Of another project. */
  readonly name?: string;
  readonly root?: string;
  readonly scope: string;
  readonly startedAt: string;
  readonly status: string;
  readonly problem: string | null;
  readonly changes: number;
  readonly waiting: number;
}

interface Running {
  readonly id: string;
  readonly scope: string;
  readonly startedAt: string;
  readonly state: string;
  readonly rounds: number;
  readonly toolCalls: number;
  readonly files: readonly string[];
  readonly equivalentTokens: number;
  readonly money: number | null;
  readonly lastRounds: readonly { readonly at: string; readonly text: string; readonly tools: readonly string[] }[];
}

interface Dreams {
  readonly running: readonly Running[];
  /** Of other projects, those with changes that wait. */
  readonly elsewhere: readonly DreamRow[];
  readonly dreams: readonly DreamRow[];
  readonly damaged: readonly { readonly file: string; readonly reason: string }[];
}

export function DreamsScreen({ path }: { path: readonly string[] }) {
  const { data, problem, again } = useAnswer<Dreams>('dreams', {}, { kinds: ['dreams', 'memories'] });
  const [id = null, project = ''] = path;
  if (data === null)
    return problem === null ? <p class="loading">Reading dreams…</p> : <ProblemNote problem={problem} again={again} />;
  const all = [...data.dreams, ...data.elsewhere];
  const waiting = all.reduce((sum, dream) => sum + dream.waiting, 0);
  const rows = all.sort((one, other) => Number(other.waiting > 0) - Number(one.waiting > 0));
  const projects = new Set(data.elsewhere.map((dream) => dream.project)).size;
  return (
    <section class={`two ${id === null ? 'at-list' : 'at-detail'}`}>
      <div class="pane">
        <header class="head">
          <p class="title" aria-hidden="true">
            Dreams
          </p>
          <p class="dim">
            {waiting === 0 ? 'nothing waits' : `${counted(waiting, 'change waits', 'changes wait')} for you`}
            {projects > 0 && `, some in ${counted(projects, 'other project')}`}
          </p>
        </header>
        {data.running.map((running) => (
          <RunningDream key={running.id} running={running} />
        ))}
        {data.damaged.map(({ file, reason }) => (
          <p key={file} class="note warn">
            {visible(file)} is skipped: {visible(reason)}
          </p>
        ))}
        {rows.length === 0 ? (
          <Empty title="No dream yet">
            <p>
              A dream consolidates the memory: it merges, shortens and dates what is there. It runs by itself after some
              sessions, or now: <code>reverie dream</code>
            </p>
          </Empty>
        ) : (
          <VirtualList
            id="dream"
            label="Dreams"
            items={rows}
            rowHeight={54}
            keyOf={(dream) => `${dream.id}/${dream.project ?? ''}`}
            chosen={id === null ? null : `${id}/${project}`}
            onChoose={(dream) => move('dreams', ...pathOf(dream))}
            onOpen={(dream) => go('dreams', ...pathOf(dream))}
            render={(dream) => (
              <>
                <span class="line">
                  <strong>{dream.id}</strong>
                  <span class="tags">
                    {dream.waiting > 0 && <span class="tag accent">{count(dream.waiting)} waiting</span>}
                    {dream.status !== 'completed' && <span class="tag">{dream.status}</span>}
                    <span class="tag" title={dream.root}>
                      {visible(dream.name ?? dream.scope)}
                    </span>
                  </span>
                </span>
                <span class="line dim">
                  <span>{counted(dream.changes, 'change')}</span>
                  <span class="nowrap">{ago(dream.startedAt)}</span>
                </span>
              </>
            )}
          />
        )}
      </div>
      <div class="pane detail">
        {id === null ? (
          <NoDream waiting={waiting} />
        ) : (
          <DreamDetail
            key={`${id}/${project}`}
            id={id}
            project={project}
            root={data.elsewhere.find((dream) => dream.project === project)?.root ?? null}
          />
        )}
      </div>
    </section>
  );
}

function pathOf({ id, project }: DreamRow): readonly string[] {
  return project === undefined ? [id] : [id, project];
}

function NoDream({ waiting }: { waiting: number }) {
  return (
    <Empty
      title={waiting === 0 ? 'Nothing waits for you' : `${counted(waiting, 'change waits', 'changes wait')} for you`}
    >
      <p>
        {waiting === 0
          ? 'What a dream cannot prove waits here until you approve it.'
          : 'Open a dream to approve or reject them.'}
      </p>
    </Empty>
  );
}

function RunningDream({ running }: { running: Running }) {
  const { act, canChange } = useShell();
  const last = running.lastRounds.at(-1);
  return (
    <div class="box" role="status">
      <p>
        <strong>A dream is running</strong> in the {running.scope} memory: {counted(running.rounds, 'round')},{' '}
        {counted(running.toolCalls, 'tool call')}, {counted(running.files.length, 'file')}, {money(running.money)}
      </p>
      {last !== undefined && <p class="dim">{visible(last.text).slice(0, 200) || last.tools.join(', ')}</p>}
      {canChange && (
        <button
          type="button"
          onClick={() =>
            void act('stop-dream', { id: running.id, scope: running.scope }, () => ({
              text: 'It ends after this round.',
              changes: [],
            }))
          }
        >
          Stop it
        </button>
      )}
    </div>
  );
}

interface Dream {
  readonly id: string;
  readonly scope: string;
  readonly startedAt: string;
  readonly status: string;
  readonly problem: string | null;
  readonly model: string;
  readonly rounds: number;
  readonly money: number | null;
  readonly remarks: readonly string[];
  readonly changes: readonly Change[];
}

interface Decided {
  readonly change: string | null;
  readonly decisions: readonly { readonly number: number; readonly outcome: string; readonly why: string }[];
}

function DreamDetail({ id, project, root }: { id: string; project: string; root: string | null }) {
  const named: Query = project === '' ? { id } : { id, project };
  const { data: dream, problem, again } = useAnswer<Dream>('dream', named, { kinds: ['dreams', 'memories'] });
  const { act, canChange } = useShell();
  if (dream === null)
    return problem === null ? <p class="loading">Reading…</p> : <ProblemNote problem={problem} again={again} />;
  const waiting = dream.changes.filter(({ state }) => state === 'waiting');
  const decide = (what: 'approve' | 'reject', numbers: readonly number[]) =>
    act<Decided>(what, { ...named, numbers }, ({ decisions, change }) => {
      const odd = decisions.filter(({ outcome }) => outcome !== (what === 'approve' ? 'approved' : 'rejected'));
      const done = decisions.length - odd.length;
      const text = [
        `${what === 'approve' ? 'Approved' : 'Rejected'} ${counted(done, 'change')}.`,
        ...odd.map(({ number, outcome, why }) => `${number}: ${outcome}${why === '' ? '' : `, ${why}`}`),
      ];
      return { text: text.join(' '), changes: what === 'approve' && change !== null && project === '' ? [change] : [] };
    }).then(again);
  return (
    <article>
      <a class="back" href="#/dreams">
        All dreams
      </a>
      <h2>Dream {dream.id}</h2>
      <p class="dim">
        {root === null ? `${dream.scope} memory` : visible(root)} · {moment(dream.startedAt)} · {dream.model} ·{' '}
        {counted(dream.rounds, 'round')} · {money(dream.money)}
      </p>
      {dream.problem !== null && <p class="note warn">{visible(dream.problem)}</p>}
      {dream.remarks.map((line) => (
        <p key={line} class="note">
          {visible(line)}
        </p>
      ))}
      {canChange && waiting.length > 1 && (
        <div class="actions">
          <button
            type="button"
            class="main"
            onClick={() =>
              void decide(
                'approve',
                waiting.map(({ number }) => number),
              )
            }
          >
            Approve all {count(waiting.length)}
          </button>
          <button
            type="button"
            onClick={() =>
              void decide(
                'reject',
                waiting.map(({ number }) => number),
              )
            }
          >
            Reject all
          </button>
        </div>
      )}
      {dream.changes.length === 0 && <p class="dim">It proposed nothing.</p>}
      {dream.changes.map((change) => (
        <ProposedChange
          key={change.number}
          change={change}
          scope={dream.scope}
          project={project}
          decide={(what) => void decide(what, [change.number])}
          onUndone={again}
        />
      ))}
    </article>
  );
}
