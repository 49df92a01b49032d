/** Recall: for each prompt what joined it or why nothing did, and what any question would bring up now. */

import { useEffect, useState } from 'preact/hooks';
import type { Hit } from '../memories.ts';
import { Empty, ProblemNote, Scroll } from '../parts/bits.tsx';
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
  readonly joined: readonly {
    readonly file: string;
    readonly scope: string;
    readonly trigger: string | null;
    readonly selector: string | null;
    readonly score: number | null;
    readonly used: boolean;
  }[];
}

const SILENCES: Readonly<Record<string, string>> = {
  'one-word': 'too short to search for',
  'budget-spent': 'this conversation was given as much as it may be',
  'no-memories': 'there are no memories',
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
  useEffect(() => setChosen(null), [id]);
  useEffect(() => setQuestion(prompt?.text ?? ''), [prompt?.uuid]);
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

function Joined({ prompt }: { prompt: Prompt }) {
  return (
    <section>
      <h2>What joined this prompt</h2>
      {prompt.joined.length === 0 ? (
        <p>
          Nothing:{' '}
          {SILENCES[prompt.closed ?? ''] ?? 'no memory was certain enough to be shown unasked, or recall was off'}.
        </p>
      ) : (
        <Scroll label="Memories that joined">
          <table>
            <thead>
              <tr>
                <th scope="col">Memory</th>
                <th scope="col">Called by</th>
                <th scope="col">Picked by</th>
                <th scope="col" class="number">
                  Score
                </th>
                <th scope="col">Used</th>
              </tr>
            </thead>
            <tbody>
              {prompt.joined.map((each, at) => (
                <tr key={at}>
                  <th scope="row">
                    <a href={pathTo('memory', each.scope, each.file)}>{visible(each.file)}</a>
                  </th>
                  <td>{each.trigger ?? '–'}</td>
                  <td>{each.selector ?? '–'}</td>
                  <td class="number">{each.score === null ? '–' : each.score.toFixed(2)}</td>
                  <td>{each.used ? 'yes' : 'not seen'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </section>
  );
}

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
        <Scroll label="Candidates">
          <table>
            <thead>
              <tr>
                <th scope="col">Memory</th>
                <th scope="col" class="number">
                  Evidence
                </th>
                <th scope="col" class="number">
                  Needs
                </th>
                <th scope="col">Joins</th>
                <th scope="col">Because of</th>
              </tr>
            </thead>
            <tbody>
              {data.hits.map((hit) => (
                <tr key={`${hit.scope}:${hit.file}`}>
                  <th scope="row">
                    <a href={pathTo('memory', hit.scope, hit.file)}>{visible(hit.file)}</a>
                  </th>
                  <td class="number">{hit.why.evidence.toFixed(2)}</td>
                  <td class="number">{hit.why.threshold.toFixed(2)}</td>
                  <td>{hit.certain ? 'yes' : 'no'}</td>
                  <td>
                    {hit.why.matched
                      .slice(0, 4)
                      .map(({ word, met }) => (word === met ? word : `${word} ≈ ${met}`))
                      .join(', ') || '–'}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </>
  );
}
