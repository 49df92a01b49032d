/** The requests of a session as the page has them, the colour of each source, and several requests as one column. */

export interface RequestRow {
  readonly at: string | null;
  readonly model: string;
  readonly read: number;
  readonly written: number;
  readonly fresh: number;
  readonly output: number;
  readonly money: number | null;
  readonly milliseconds: number | null;
  /** By the session's `names`. */
  readonly tokens: readonly number[];
  readonly savedTokens: number;
  readonly broke: { readonly tokens: number; readonly cause: string } | null;
}

export interface Mark {
  readonly at: string;
  readonly before: number;
  readonly name: string;
  readonly numbers: Readonly<Record<string, number>>;
  readonly cause: string | null;
  readonly money: number | null;
}

export interface SessionWindow {
  readonly id: string;
  readonly names: readonly string[];
  readonly isRecorded: boolean;
  readonly total: number;
  readonly requests: readonly RequestRow[];
  readonly marks: readonly Mark[];
  readonly window: {
    readonly window: number;
    readonly effective: number;
    readonly compactAt: number;
    readonly warnAt: number;
    readonly hardStopAt: number;
  };
  readonly isWindowKnown: boolean;
}

export function totalOf({ read, written, fresh, output }: RequestRow): number {
  return read + written + fresh + output;
}

/** From the bottom of a column up. What a request begins with is below, what comes and goes above. */
const ORDER = [
  'system prompt',
  'tools',
  'instruction files',
  'memory index',
  'summary',
  'your messages',
  'answers',
  'thinking',
  'tool calls',
  'recalled memories',
  'rules for files',
  'hooks',
  'reminders',
];

const COLOURS: Readonly<Record<string, string>> = {
  'system prompt': '--c1',
  tools: '--c2',
  'instruction files': '--c3',
  'memory index': '--c4',
  summary: '--c5',
  'your messages': '--c6',
  answers: '--c7',
  thinking: '--c8',
  'tool calls': '--c9',
  'recalled memories': '--c10',
  'rules for files': '--c3',
  hooks: '--c11',
  reminders: '--c11',
};

/** Results of tools share a hue; each has its own depth. */
const RESULT_COLOURS = ['--r1', '--r2', '--r3', '--r4', '--r5', '--r6'];

export interface Source {
  readonly name: string;
  /** Its place in `names`. */
  readonly at: number;
  /** A CSS variable. */
  readonly colour: string;
}

export function sourcesOf(names: readonly string[]): readonly Source[] {
  const rank = (name: string) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
  let results = 0;
  return names
    .map((name, at) => ({ name, at }))
    .sort((one, other) => rank(one.name) - rank(other.name) || (one.name < other.name ? -1 : 1))
    .map(({ name, at }) => ({ name, at, colour: COLOURS[name] ?? RESULT_COLOURS[results++ % RESULT_COLOURS.length]! }));
}

const MARKS: Readonly<Record<string, string>> = {
  compaction: 'compacted',
  'notes-compaction': 'compacted from notes',
  'compaction-failed': 'compaction failed',
  microcompact: 'cleared old results',
  'tool-results': 'moved a long result to a file',
  collapse: 'folded finished rounds',
  notes: 'wrote session notes',
  extraction: 'looked for memories',
  recall: 'recalled memories',
  'cache-break': 'cache break',
  breaker: 'a part was paused',
  cap: 'a cap was reached',
  dream: 'dreamt',
};

export function markWords({ name, numbers, cause, money }: Mark): string {
  const amounts = Object.entries(numbers).map(
    ([what, value]) => `${spaced(what)} ${Math.round(value).toLocaleString('en-US')}`,
  );
  const price = money === null ? [] : [`$${money.toFixed(4)}`];
  const details = [...amounts, ...(cause === null ? [] : [cause]), ...price];
  return `${MARKS[name] ?? name.replaceAll('-', ' ')}${details.length === 0 ? '' : `: ${details.join(', ')}`}`;
}

export function spaced(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}
