/** Agents and messages: who works for whom and what each does, what they said to each other, and the lists of tasks. */

import { useEffect } from 'preact/hooks';
import { type AgentRow, type AgentsAnswer, MAIN, type SaidRow, type TeamsAnswer } from '../agents.ts';
import { Empty, Fact, ProblemNote, Text } from '../parts/bits.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { go, move, pathTo, useShell } from '../shell.tsx';
import { useAnswer } from '../use-answer.ts';
import { ago, count, counted, moment, money, visible } from '../words.ts';
import { SessionChoice, useSessions } from './session-choice.tsx';
import { Teams } from './teams.tsx';

interface Row {
  readonly id: string;
  /** Null for the session's own conversation. */
  readonly agent: AgentRow | null;
}

export function AgentsScreen({ path }: { path: readonly string[] }) {
  const { sessions } = useSessions();
  const id = path[0] ?? sessions?.[0]?.id ?? null;
  const chosen = path[1] ?? null;
  // Every request of an agent leaves a line in the ledger: that is when something has changed.
  const { data, problem, again } = useAnswer<AgentsAnswer>(
    id === null ? null : 'agents',
    { id: id ?? '' },
    { kinds: ['session', 'ledger'] },
  );
  const { data: teams } = useAnswer<TeamsAnswer>('teams', {}, { kinds: ['session', 'ledger'] });
  const agents = data?.agents ?? [];
  const agent = agents.find((each) => each.id === chosen) ?? null;
  const stop = useStop(id, agent);
  const hasTeams = teams !== null && teams.teams.length + teams.others.length > 0;
  const rows: readonly Row[] = [{ id: MAIN, agent: null }, ...agents.map((each) => ({ id: each.id, agent: each }))];
  const running = agents.filter(({ state }) => state === 'running').length;
  return (
    <section class={`two ${chosen === null ? 'at-list' : 'at-detail'}`}>
      <div class="pane">
        <header class="head">
          <p class="title" aria-hidden="true">
            Agents
          </p>
          <p class="dim" role="status">
            {counted(agents.length, 'agent')}
            {running > 0 && `, ${count(running)} running`}
          </p>
          {sessions !== null && sessions.length > 0 && (
            <SessionChoice sessions={sessions} id={id} onChoose={(next) => go('agents', next)} />
          )}
        </header>
        {problem !== null && <ProblemNote problem={problem} again={again} />}
        {agents.length === 0 ? (
          <Empty title="No agents have run in this session">
            <p>
              When a session starts agents of its own, this shows who works for whom and what they tell each other. Ask
              it to: <code>have an agent review this change</code>
            </p>
          </Empty>
        ) : (
          <VirtualList
            id="agent"
            label="Agents"
            items={rows}
            rowHeight={54}
            keyOf={(row) => row.id}
            chosen={chosen ?? MAIN}
            onChoose={(row) => move('agents', id!, row.id)}
            onOpen={(row) => go('agents', id!, row.id)}
            render={({ agent: each }) => <AgentLine agent={each} isOpen={data?.isOpen === true} />}
          />
        )}
      </div>
      <div class="pane detail">
        <a class="back" href={pathTo('agents', ...(id === null ? [] : [id]))}>
          All agents
        </a>
        {agent !== null && <AgentDetail agent={agent} session={id!} agents={agents} stop={stop} />}
        {agents.length > 0 && (
          <SaidList
            said={data!.said.filter(({ from, to }) => agent === null || [from, to].includes(agent.name))}
            left={agent === null ? data!.left : 0}
          />
        )}
        {agent === null && hasTeams && <Teams teams={teams} />}
        {agents.length === 0 && !hasTeams && (
          <Empty title="Nothing was said">
            <p>
              Sessions in several terminals can work as a team: <code>reverie --teammate NAME --team TEAM</code>
            </p>
          </Empty>
        )}
      </div>
    </section>
  );
}

/** Null where the agent cannot be stopped; `s` stops the one that is chosen. */
function useStop(session: string | null, agent: AgentRow | null): (() => void) | null {
  const { act, canChange } = useShell();
  const isStoppable = canChange && session !== null && agent?.state === 'running';
  const stop = () =>
    void act('stop-agent', { session, id: agent!.id }, () => ({
      text: `${agent!.name} is told to stop.`,
      changes: [],
    }));
  useEffect(() => {
    if (!isStoppable) return;
    const hear = (event: KeyboardEvent) => {
      const isTyping = /^(?:INPUT|TEXTAREA|SELECT)$/.test((event.target as HTMLElement).tagName);
      if (event.key !== 's' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      stop();
    };
    addEventListener('keydown', hear);
    return () => removeEventListener('keydown', hear);
  });
  return isStoppable ? stop : null;
}

function AgentLine({ agent, isOpen }: { agent: AgentRow | null; isOpen: boolean }) {
  if (agent === null)
    return (
      <>
        <span class="line">
          <strong>{MAIN}</strong>
          <span class="tags">{isOpen && <span class="tag accent">open</span>}</span>
        </span>
        <span class="line dim">The conversation itself, and all that was said</span>
      </>
    );
  const isRunning = agent.state === 'running';
  return (
    <span class="below" style={{ paddingLeft: `${Math.min(agent.depth, 6) * 16}px` }}>
      <span class="line">
        <strong>{visible(agent.name)}</strong>
        <span class="tags">
          <span class={`tag ${isRunning ? 'accent' : ''}`}>{agent.state}</span>
        </span>
      </span>
      <span class="line dim">
        <span class="cut">{visible(isRunning ? agent.doing : agent.description || agent.type)}</span>
        <span class="nowrap">{money(agent.money)}</span>
      </span>
    </span>
  );
}

function AgentDetail({
  agent,
  session,
  agents,
  stop,
}: {
  agent: AgentRow;
  session: string;
  agents: readonly AgentRow[];
  stop: (() => void) | null;
}) {
  const parent = agents.find(({ id }) => id === agent.parentId);
  return (
    <article>
      <h2>{visible(agent.name)}</h2>
      <p>{visible(agent.description)}</p>
      <p class="actions">
        {stop !== null && (
          <button type="button" class="danger" onClick={stop}>
            Stop <kbd>s</kbd>
          </button>
        )}
        <a class="button" href={pathTo('sessions', `${session}:${agent.id}`)}>
          Its conversation
        </a>
        <a class="button" href={pathTo('window', `${session}:${agent.id}`)}>
          Its window
        </a>
      </p>
      <dl class="facts">
        <Fact name="State">{agent.state === 'running' ? `running: ${visible(agent.doing)}` : agent.state}</Fact>
        <Fact name="Works for">
          <a href={pathTo('agents', session, parent?.id ?? MAIN)}>{visible(parent?.name ?? MAIN)}</a>
        </Fact>
        <Fact name="Type">{visible(agent.type)}</Fact>
        {agent.model !== null && <Fact name="Model">{visible(agent.model)}</Fact>}
        <Fact name="Spent">
          {counted(agent.calls, 'call')}, {count(agent.tokens)} uncached-equivalent tokens, {money(agent.money)}
        </Fact>
        <Fact name="Started">
          {moment(agent.startedAt)}
          {agent.endedAt !== null && `, ended ${ago(agent.endedAt)}`}
        </Fact>
        {agent.receipt !== null && <Fact name="Its result">{agent.receipt}</Fact>}
      </dl>
    </article>
  );
}

function SaidList({ said, left }: { said: readonly SaidRow[]; left: number }) {
  return (
    <section>
      <h2>What was said</h2>
      {left > 0 && <p class="dim">{counted(left, 'older message')} are not shown.</p>}
      {said.length === 0 && <p class="dim">Nothing yet.</p>}
      <ol class="plain" aria-label="What was said">
        {said.map((each) => (
          <li key={`${each.kind}${each.id}${each.to}`}>
            <p class="line">
              <span>
                <strong>{visible(each.from)}</strong> to <strong>{visible(each.to)}</strong>{' '}
                <span class="tag">{each.kind}</span>{' '}
                {each.state !== 'read' && <span class="tag accent">{each.state}</span>}{' '}
                <span class="dim">{visible(each.summary)}</span>
              </span>
              <span class="dim nowrap">{moment(each.at)}</span>
            </p>
            {each.text !== '' && (
              <Text text={each.text} cut={each.cutCharacters} label={`${each.kind} of ${each.from} to ${each.to}`} />
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
