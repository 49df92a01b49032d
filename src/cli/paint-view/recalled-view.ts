/** Why memories were recalled, for `/memory why`: what triggered each, who picked it, its scores and words; and what was near. */

import { VIEW_LIMITS } from '../../limits.ts';
import type { RecalledInSession } from '../../recall/join.ts';
import { STOP_WORDS } from '../../search/stop-words.ts';
import type { Paint } from '../terminal/paint.ts';
import { factLines } from './facts-view.ts';

type Rows = readonly (readonly [name: string, value: string])[];

export interface RecalledView {
  readonly account: RecalledInSession;
  /** Whether a key, `scope:file`, is asked about. */
  readonly isWanted: (key: string) => boolean;
  /** One memory is asked about: what was only near is explained as fully as what was recalled. */
  readonly isFull: boolean;
  readonly width: number | undefined;
  readonly paint: Paint;
}

/** Blocks of lines, what was recalled first; none when there is nothing to say. */
export function recalledLines({ account, isWanted, isFull, width, paint }: RecalledView): readonly string[] {
  const { recalled, considered, earlier, lastMessage } = account;
  const block = (title: string, rows: Rows) => ['', ...factLines({ title, rows, width, paint })];
  const told = recalled
    .filter(({ key }) => isWanted(key))
    .flatMap(({ key, call, picked, score }) =>
      block(fileOf(key), [
        ['because of', callText(call)],
        ['picked by', picked === 'model' ? 'the model for small questions, from a list of descriptions' : 'ranking'],
        ...scoreRows(score?.explain),
      ]),
    );
  const missed = considered.filter(({ key }) => isWanted(key));
  const query = quoted(lastMessage?.query ?? '');
  const near = isFull
    ? missed.flatMap(({ key, isCertain, score }) =>
        block(fileOf(key), [
          ['near', `${query}, ${isCertain ? 'would be recalled now' : 'not sure enough to be recalled'}`],
          ...scoreRows(score.explain),
        ]),
      )
    : missed.length === 0
      ? []
      : block(
          `near ${query}, but not recalled`,
          missed.map(({ key, isCertain, score }) => [fileOf(key), whyNot(isCertain, score.explain)]),
        );
  const before = earlier
    .filter(isWanted)
    .flatMap((key) =>
      block(fileOf(key), [['told', 'before this session was taken up again; why is not known any more']]),
    );
  return [...told, ...before, ...near].slice(1);
}

/** Why the last message triggered nothing; null when something was looked for. */
export function silenceText({ lastMessage }: RecalledInSession): string | null {
  switch (lastMessage?.closed) {
    case undefined:
      return 'Nothing was asked yet since this session was opened.';
    case null:
      return null;
    case 'one-word':
      return 'Your last message is too short to search for.';
    case 'budget-spent':
      return 'This conversation holds as much recalled text as it may, until it is compacted.';
    case 'no-memories':
      return 'There was nothing to recall.';
    case 'off':
      return 'Recall is switched off.';
  }
}

function callText({ by, query }: RecalledInSession['recalled'][number]['call']): string {
  switch (by) {
    case 'message':
      return `your message ${quoted(query)}`;
    case 'failure':
      return `a command that failed: ${quoted(query)}`;
    case 'file':
      return `a file that was read: ${query.split(' ')[0]}`;
  }
}

const QUERY_CHARACTERS = 120;

function quoted(query: string): string {
  const line = query.replace(/\s+/g, ' ').trim();
  return line.length <= QUERY_CHARACTERS ? `"${line}"` : `"${line.slice(0, QUERY_CHARACTERS)}…"`;
}

/** In a few words: `/memory why FILE` shows the rest. */
function whyNot(isCertain: boolean, explain: string): string {
  return isCertain ? 'would be recalled now' : sureness(explain);
}

/** How sure in words, then the numbers behind it. */
function sureness(explain: string): string {
  const [, evidence = '', threshold = ''] = /\(evidence (\S+) of ([^)]+)\)/.exec(explain) ?? [];
  const share = Number(evidence) / Number(threshold);
  const words = share >= 1 ? 'sure' : share >= VIEW_LIMITS.nearlySureShare ? 'nearly sure' : 'not sure';
  return Number.isNaN(share) ? 'not known' : `${words} (${evidence}, and it takes ${threshold})`;
}

/** Which words or which meaning matched, how sure that makes it, and the numbers behind it. */
function scoreRows(explain: string | undefined): Rows {
  if (explain === undefined) return [];
  const lines = explain.split('\n').map((line) => line.trim());
  const after = (name: string) => lines.find((line) => line.startsWith(name))?.slice(name.length) ?? '';
  const words = saying(after('words in both: ').split(', '));
  const pairs = after('met: ')
    .split(', ')
    .flatMap((pair) => {
      const [, word = '', met = '', likeness = ''] = /^(.+) ~ (.+) (\S+)$/.exec(pair) ?? [];
      return saying([word, met]).length < 2 ? [] : [`${word} is near ${met} (${likeness})`];
    });
  const [, score = ''] = /: score ([\d.-]+)/.exec(explain) ?? [];
  return [
    ['words in both', words.length === 0 ? 'none that say much' : words.join(', ')],
    ...(pairs.length === 0 ? [] : [['by meaning', pairs.join(', ')] as const]),
    ['how sure', sureness(explain)],
    ['numbers', `(score ${score}: ${lines[1] ?? ''})`],
  ];
}

function saying(words: readonly string[]): readonly string[] {
  return words.filter((word) => word !== '' && word !== 'none' && !STOP_WORDS.has(word.toLowerCase()));
}

/** As other commands take it: a global one says so. */
function fileOf(key: string): string {
  return key.replace(/^project:/, '');
}
