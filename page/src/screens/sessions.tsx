/** Sessions: the list, search in what was typed in all of them, and the messages of one. */

import { useMemo, useState } from 'preact/hooks';
import { Copied, Empty, ProblemNote, Text } from '../parts/bits.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { go, move, pathTo } from '../shell.tsx';
import { useAnswer } from '../use-answer.ts';
import { useDeferred } from '../use-deferred.ts';
import { ago, bytes, count, counted, moment, visible } from '../words.ts';
import { type SessionRow, useSessions } from './session-choice.tsx';
import { TakeBack } from './take-back.tsx';

interface Found {
  readonly found: readonly { readonly text: string; readonly at: string; readonly session: string }[];
  readonly isCut: boolean;
}

export function SessionsScreen({ path }: { path: readonly string[] }) {
  const { sessions, problem } = useSessions();
  const [words, setWords] = useState('');
  const question = useDeferred(words.trim(), 180);
  const { data: found } = useAnswer<Found>(question.length < 3 ? null : 'search-sessions', { q: question });
  const [id, uuid] = path;
  const titles = useMemo(() => new Map(sessions?.map((each) => [each.id, each.title])), [sessions]);
  if (problem !== null) return <ProblemNote problem={problem} />;
  if (sessions === null) return <p class="loading">Reading sessions…</p>;
  return (
    <section class={`two ${id === undefined ? 'at-list' : 'at-detail'}`}>
      <div class="pane">
        <header class="head">
          <p class="title" aria-hidden="true">
            Sessions
          </p>
          <p class="dim">{counted(sessions.length, 'session')}</p>
        </header>
        <input
          type="search"
          aria-label="Search what you typed in all sessions"
          placeholder="Search what you typed"
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
        {question.length >= 3 && found !== null ? (
          <ul class="plain found" aria-label="Found">
            {found.found.length === 0 && <li class="dim">Nothing you typed has these words.</li>}
            {found.found.map((each) => (
              <li key={`${each.session}${each.at}${each.text}`}>
                <a href={pathTo('sessions', each.session)}>{visible(each.text)}</a>
                <span class="dim">
                  {' '}
                  {visible(titles.get(each.session) ?? '')} · {moment(each.at)}
                </span>
              </li>
            ))}
          </ul>
        ) : sessions.length === 0 ? (
          <Empty title="No session is recorded here">
            <p>
              Start one with <code>reverie</code>. Transcripts are kept while <code>transcripts</code> is on.
            </p>
          </Empty>
        ) : (
          <VirtualList
            id="session"
            label="Sessions"
            items={sessions}
            rowHeight={54}
            keyOf={(each) => each.id}
            chosen={id ?? null}
            onChoose={(each) => move('sessions', each.id)}
            onOpen={(each) => go('sessions', each.id)}
            render={(each) => (
              <>
                <span class="line">
                  <strong>{visible(each.title) || 'Untitled'}</strong>
                  <span class="tags">{each.isFile && <span class="tag">file</span>}</span>
                </span>
                <span class="line dim">
                  <span class="cut">
                    {each.messages === null ? bytes(each.bytes) : counted(each.messages, 'message')}
                    {each.learnt > 0 && ` · ${counted(each.learnt, 'memory', 'memories')}`}
                  </span>
                  <span class="nowrap">{ago(each.modified)}</span>
                </span>
              </>
            )}
          />
        )}
      </div>
      <div class="pane detail">
        {id === undefined ? (
          <Empty title="No session is open">
            <p>Choose one to read its messages.</p>
          </Empty>
        ) : (
          <SessionDetail
            key={id}
            id={id}
            uuid={uuid ?? null}
            session={sessions.find((each) => each.id === id) ?? null}
          />
        )}
      </div>
    </section>
  );
}

interface TimelineRow {
  readonly uuid: string;
  readonly at: string;
  readonly role: 'user' | 'assistant';
  readonly sources: readonly string[];
  readonly preview: string;
  readonly tokens: number;
}

interface Timeline {
  readonly messages: readonly TimelineRow[];
  readonly cuts: readonly number[];
}

function SessionDetail({ id, uuid, session }: { id: string; uuid: string | null; session: SessionRow | null }) {
  const { data, problem, again } = useAnswer<Timeline>('timeline', { id }, { kinds: ['session'], session: id });
  return (
    <article class="session">
      <a class="back" href="#/sessions">
        All sessions
      </a>
      <h2>{visible(session?.title ?? '') || (id.includes(':') ? 'An agent of a session' : 'Untitled')}</h2>
      <p class="dim">
        {session?.started != null && `started ${moment(session.started)}, `}
        {session !== null && `last used ${ago(session.modified)}`}
      </p>
      <p class="actions">
        <a class="button" href={pathTo('window', id)}>
          Its window
        </a>
        <a class="button" href={pathTo('recall', id)}>
          What it recalled
        </a>
        {session?.isFile === false && <Copied text={`reverie --resume ${id.slice(0, 8)}`} label="the resume command" />}
        {session?.isFile === false && (
          <Copied text={`reverie serve ${id.slice(0, 8)} --export session.html`} label="the export command" />
        )}
      </p>
      {session !== null && session.learnt > 0 && (
        <p class="note">
          It taught {counted(session.learnt, 'memory', 'memories')}:{' '}
          <a href={pathTo('memory', 'from', id)}>show them</a> <TakeBack session={id} count={session.learnt} />
        </p>
      )}
      {problem !== null && <ProblemNote problem={problem} again={again} />}
      {data !== null && (
        <div class="timeline">
          <VirtualList
            id="message"
            label="Messages"
            items={data.messages}
            rowHeight={54}
            keyOf={(row) => row.uuid}
            chosen={uuid}
            onChoose={(row) => move('sessions', id, row.uuid)}
            render={(row, at) => (
              <>
                <span class="line">
                  <strong class={row.role}>
                    {row.role === 'user' && row.sources.includes('your messages')
                      ? 'you'
                      : row.role === 'user'
                        ? row.sources[0]
                        : 'agent'}
                  </strong>
                  <span class="tags">
                    {data.cuts.includes(at) && <span class="tag accent">compacted before</span>}
                    <span class="dim">{count(row.tokens)} tokens</span>
                  </span>
                </span>
                <span class="line">
                  <span class="cut">{visible(row.preview) || row.sources.join(', ')}</span>
                  <span class="dim nowrap">{row.at === '' ? '' : moment(row.at)}</span>
                </span>
              </>
            )}
          />
          {uuid !== null && <Message id={id} uuid={uuid} />}
        </div>
      )}
    </article>
  );
}

interface FullMessage {
  readonly blocks: readonly {
    readonly source: string;
    readonly tokens: number;
    readonly text: string;
    readonly cutCharacters: number;
  }[];
}

function Message({ id, uuid }: { id: string; uuid: string }) {
  const { data, problem } = useAnswer<FullMessage>('message', { id, uuid });
  if (problem !== null) return <ProblemNote problem={problem} />;
  if (data === null) return null;
  return (
    <section class="message" aria-label="The message">
      {data.blocks.map((block, at) => (
        <div key={at} class="block">
          <p class="line dim">
            <span>{visible(block.source)}</span>
            <span class="nowrap">about {count(block.tokens)} tokens</span>
          </p>
          <Text text={block.text} cut={block.cutCharacters} label={`${block.source}, block ${at + 1}`} />
        </div>
      ))}
    </section>
  );
}
