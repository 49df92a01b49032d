/** Recall: for each prompt what joined it or why nothing did, and what any question would bring up now. */

import { useLayoutEffect, useState } from 'preact/hooks';
import type { Hit } from '../memories.ts';
import { Empty, ProblemNote } from '../parts/bits.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { go, pathTo } from '../shell.tsx';
import { useAnswer } from '../use-answer.ts';
import { useDeferred } from '../use-deferred.ts';
import { counted, moment, visible } from '../words.ts';
import { SessionChoice, useSessions } from './session-choice.tsx';

interface Prompt {
  readonly uuid: string;
  readonly at: string;
  readonly text: string;
  readonly closed: string | null;
  /** Null where nothing was noted down. */
  readonly candidates: readonly Candidate[] | null;
  readonly joined: readonly JoinedMemory[];
}

interface Candidate {
  readonly file: string;
  readonly scope: string;
  readonly evidence: number;
  readonly threshold: number;
  readonly certain: boolean;
}

interface JoinedMemory {
  readonly file: string;
  readonly scope: string;
  readonly trigger: string | null;
  readonly selector: string | null;
  readonly score: number | null;
  readonly used: boolean;
}

const SILENCES: Readonly<Record<string, string>> = {
  'one-word': 'too short to search for',
  'budget-spent': 'this conversation was given as much as it may be',
  'no-memories': 'there are no memories',
  off: 'recall was off',
};

export function RecallScreen({ path }: { path: readonly string[] }) {
  const { sessions } = useSessions();
  const id = path[0] ?? sessions?.[0]?.id ?? null;
  const { data, problem } = useAnswer<{ prompts: readonly Prompt[] }>(
    id === null ? null : 'recall',
    { id: id ?? '' },
    { kinds: ['session'], session: id },
  );
  const [chosen, setChosen] = useState<string | null>(null);
  const [question, setQuestion] = useState('');
  const prompts = data?.prompts ?? [];
  const prompt = prompts.find(({ uuid }) => uuid === chosen) ?? null;
  useLayoutEffect(() => setChosen(null), [id]);
  useLayoutEffect(() => setQuestion(prompt?.text ?? ''), [prompt?.uuid]);
  return (
    <section class={`two ${prompt === null && question === '' ? 'at-list' : 'at-detail'}`}>
      <div class="pane">
        <header class="head">
          <p class="title" aria-hidden="true">
            Recall
          </p>
          {sessions !== null && sessions.length > 0 && (
            <SessionChoice sessions={sessions} id={id} onChoose={(next) => go('recall', next)} />
          )}
        </header>
        {problem !== null && <ProblemNote problem={problem} />}
        {prompts.length === 0 && problem === null ? (
          <Empty title="No prompt is recorded here">
            <p>Once something is asked, this shows which memories joined it. You can ask for a ranking at any time.</p>
          </Empty>
        ) : (
          <VirtualList
            id="prompt"
            label="Prompts"
            items={prompts}
            rowHeight={54}
            keyOf={({ uuid }) => uuid}
            chosen={chosen}
            onChoose={({ uuid }) => setChosen(uuid)}
            render={(each) => (
              <>
                <span class="line">
                  <span class="cut">{visible(each.text)}</span>
                </span>
                <span class="line dim">
                  <span>
                    {each.joined.length > 0
                      ? counted(each.joined.length, 'memory joined', 'memories joined')
                      : (SILENCES[each.closed ?? ''] ?? 'nothing was certain')}
                  </span>
                  <span class="nowrap">{moment(each.at)}</span>
                </span>
              </>
            )}
          />
        )}
      </div>
      <div class="pane detail">
        <button
          type="button"
          class="back"
          onClick={() => {
            setChosen(null);
            setQuestion('');
          }}
        >
          All prompts
        </button>
        {prompt !== null && <Joined prompt={prompt} />}
        <h2>What a question would bring up now</h2>
        <input
          type="search"
          aria-label="Question to rank memories by"
          placeholder="Ask as a prompt would"
          value={question}
          onInput={(event) => setQuestion(event.currentTarget.value)}
        />
        <Ranking question={question} />
      </div>
    </section>
  );
}

const memoryLink = ({ scope, file }: { scope: string; file: string }) => (
  <a href={pathTo('memory', scope, file)}>{visible(file)}</a>
);

const JOINED: readonly Column<JoinedMemory>[] = [
  { name: 'Memory', cell: memoryLink },
  { name: 'Called by', cell: ({ trigger }) => trigger ?? '–' },
  { name: 'Picked by', cell: ({ selector }) => selector ?? '–' },
  { name: 'Score', look: 'number', cell: ({ score }) => score?.toFixed(2) ?? '–' },
  { name: 'Used', cell: ({ used }) => (used ? 'yes' : 'not seen') },
];

const CANDIDATES: readonly Column<Candidate>[] = [
  { name: 'Memory', cell: memoryLink },
  { name: 'Evidence', look: 'number', cell: ({ evidence }) => evidence.toFixed(2) },
  { name: 'Needed', look: 'number', cell: ({ threshold }) => threshold.toFixed(2) },
  { name: 'Certain', cell: ({ certain }) => (certain ? 'yes' : 'no') },
];

function Joined({ prompt }: { prompt: Prompt }) {
  const { joined, candidates, closed } = prompt;
  return (
    <section>
      <h2>What joined this prompt</h2>
      {joined.length === 0 ? (
        <p>
          Nothing: {SILENCES[closed ?? ''] ?? 'no memory was certain enough to be shown unasked, or recall was off'}.
        </p>
      ) : (
        <Table label="Memories that joined" columns={JOINED} rows={joined} keyOf={(_, at) => at} />
      )}
      {candidates !== null && candidates.length > 0 && (
        <>
          <h3>The nearest at that time</h3>
          <Table label="The nearest at that time" columns={CANDIDATES} rows={candidates} keyOf={(_, at) => at} />
        </>
      )}
      {candidates?.length === 0 && <p class="dim">No memory was near it.</p>}
    </section>
  );
}

const HITS: readonly Column<Hit>[] = [
  { name: 'Memory', cell: memoryLink },
  { name: 'Evidence', look: 'number', cell: ({ why }) => why.evidence.toFixed(2) },
  { name: 'Needs', look: 'number', cell: ({ why }) => why.threshold.toFixed(2) },
  { name: 'Joins', cell: ({ certain }) => (certain ? 'yes' : 'no') },
  {
    name: 'Because of',
    cell: ({ why }) =>
      why.matched
        .slice(0, 4)
        .map(({ word, met }) => (word === met ? word : `${word} ≈ ${met}`))
        .join(', ') || '–',
  },
];

function Ranking({ question }: { question: string }) {
  const asked = useDeferred(question.trim(), 180);
  const { data, problem } = useAnswer<{ closed: string | null; hits: readonly Hit[] }>(asked === '' ? null : 'rank', {
    q: asked,
  });
  if (asked === '') return <p class="dim">Type a question, or choose a prompt.</p>;
  if (problem !== null) return <ProblemNote problem={problem} />;
  if (data === null) return <p class="loading">Ranking…</p>;
  return (
    <>
      {data.closed !== null && <p class="note">Recall would stay silent: {SILENCES[data.closed] ?? data.closed}.</p>}
      {data.closed === null && !data.hits.some(({ certain }) => certain) && (
        <p class="note">Nothing would join by itself: no memory reaches its threshold.</p>
      )}
      {data.hits.length > 0 && (
        <Table label="Candidates" columns={HITS} rows={data.hits} keyOf={({ scope, file }) => `${scope}:${file}`} />
      )}
    </>
  );
}
