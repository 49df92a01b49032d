/** One request: its parts with what they gained since the one before, what the cache did, what layers did, and the words of a part. */

import { Bar, ProblemNote, Scroll, Text } from '../parts/bits.tsx';
import { markWords, type SessionWindow, type Source, totalOf } from '../requests.ts';
import { pathTo } from '../shell.tsx';
import { useAnswer } from '../use-answer.ts';
import { count, moment, money, percent, visible } from '../words.ts';

export function RequestDetail(props: {
  readonly session: SessionWindow;
  readonly sources: readonly Source[];
  readonly index: number;
  readonly openPart: string | null;
  readonly onPart: (name: string | null) => void;
}) {
  const { session, sources, index, openPart, onPart } = props;
  const row = session.requests[index]!;
  const before = session.requests[index - 1];
  const total = totalOf(row);
  const prompt = Math.max(1, row.read + row.written + row.fresh);
  const marks = session.marks.filter((mark) => mark.before === index);
  const parts = sources
    .map(({ name, at, colour }) => ({
      name,
      colour,
      tokens: row.tokens[at] ?? 0,
      gained: (row.tokens[at] ?? 0) - (before?.tokens[at] ?? 0),
    }))
    .filter(({ tokens, gained }) => tokens > 0 || gained !== 0)
    .reverse();
  return (
    <section id="request" class="request" tabIndex={-1} aria-label={`Request ${index + 1}`}>
      <h2>
        Request {count(index + 1)} <span class="dim">of {count(session.total)}</span>
      </h2>
      <p class="dim">
        {moment(row.at)} · {row.model || 'unknown model'} · {count(total)} tokens · {money(row.money)}
        {row.milliseconds !== null && ` · ${(row.milliseconds / 1_000).toFixed(1)} s`}
      </p>
      <p>
        Cache: {count(row.read)} read ({percent(row.read / prompt)}), {count(row.written)} written, {count(row.fresh)}{' '}
        neither; the answer took {count(row.output)}.
        {row.savedTokens > 0 && ` Clearing and folding kept ${count(row.savedTokens)} tokens out.`}
      </p>
      {row.broke !== null && (
        <p class="note warn">
          The cache broke: {count(row.broke.tokens)} tokens were paid in full again. {visible(row.broke.cause)}
        </p>
      )}
      {marks.length > 0 && (
        <ul class="marks">
          {marks.map((mark) => (
            <li key={`${mark.at}${mark.name}`}>{visible(markWords(mark))}</li>
          ))}
        </ul>
      )}
      {parts.length > 0 && (
        <Scroll label="Parts of the request">
          <table>
            <thead>
              <tr>
                <th scope="col">Part</th>
                <th scope="col" class="number">
                  Tokens
                </th>
                <th scope="col" class="number">
                  Share
                </th>
                <th scope="col" class="number">
                  Since the one before
                </th>
                <th scope="col" class="wide">
                  <span class="hidden">Share as a bar</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {parts.map(({ name, colour, tokens, gained }) => (
                <tr key={name}>
                  <th scope="row">
                    <span class="swatch" style={{ background: `var(${colour})` }} />
                    <button
                      type="button"
                      class="link"
                      aria-expanded={openPart === name}
                      onClick={() => onPart(openPart === name ? null : name)}
                    >
                      {visible(name)}
                    </button>
                  </th>
                  <td class="number">{count(tokens)}</td>
                  <td class="number">{percent(tokens / Math.max(1, total))}</td>
                  <td class="number">{gained === 0 ? '' : `${gained > 0 ? '+' : '−'}${count(Math.abs(gained))}`}</td>
                  <td class="wide">
                    <Bar share={tokens / Math.max(1, total)} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {openPart !== null && <PartWords id={session.id} index={index} name={openPart} />}
    </section>
  );
}

interface Parts {
  readonly parts: readonly {
    readonly name: string;
    readonly left: number;
    readonly blocks: readonly {
      readonly uuid: string | null;
      readonly at: string;
      readonly preview: string;
      readonly tokens: number;
    }[];
  }[];
}

function PartWords({ id, index, name }: { id: string; index: number; name: string }) {
  const { data, problem } = useAnswer<Parts>('request', { id, n: String(index) });
  if (problem !== null) return <ProblemNote problem={problem} />;
  if (data === null) return <p class="loading">Reading…</p>;
  // The index is the end of the same text as the instruction files.
  const wanted = name === 'memory index' ? 'instruction files' : name;
  const part = data.parts.find((each) => each.name === wanted);
  if (part === undefined) return <p class="note">The transcript does not have this part any more.</p>;
  return (
    <section aria-label={`What ${name} says`}>
      <h3>{visible(name)}</h3>
      {part.blocks.map((block, at) => (
        <div key={`${block.uuid}${at}`} class="block">
          <p class="line dim">
            <span>{block.at === '' ? 'before the conversation' : moment(block.at)}</span>
            <span class="nowrap">
              {count(block.tokens)} tokens{' '}
              {block.uuid !== null && <a href={pathTo('sessions', id, block.uuid)}>whole message</a>}
            </span>
          </p>
          <Text text={block.preview} label={`Block ${at + 1}`} />
        </div>
      ))}
      {part.left > 0 && <p class="dim">{count(part.left)} older blocks are not listed.</p>}
    </section>
  );
}
