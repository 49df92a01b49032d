/** Whether each part that works alongside a conversation is alive: on or off and why, its last run, result and cost, from settings and ledger. */

import { type LedgerReadOptions, readLedger } from '../disk/ledger/ledger.ts';
import type { CallLine, EventLine } from '../disk/ledger/line.ts';
import type { SettingOrigin, SettingSource } from '../settings/settings.ts';

export interface BackgroundPart {
  readonly part: string;
  /** What switched it off; null while it is on. */
  readonly offBy: SwitchedOff | null;
  /** Null when it did not run in this period. */
  readonly last: { readonly at: string; readonly result: string } | null;
  readonly calls: number;
  /** US dollars of all calls; null when one had no price. */
  readonly money: number | null;
  /** Its breaker paused it for a session, and it has not done its work since. */
  readonly paused: { readonly at: string; readonly failures: number; readonly reason: string } | null;
  /** A cap kept it from starting, and it has not done its work since. */
  readonly capped: { readonly at: string; readonly by: string } | null;
}

export interface SwitchedOff {
  readonly setting: string;
  readonly origin: SettingSource | 'default';
  /** The file or the environment variable. */
  readonly where: string | null;
}

export interface BackgroundFacts {
  readonly home: string;
  /** The slug of the project: another project's runs say nothing about the parts here. */
  readonly project: string;
  readonly now: Date;
  readonly days: number;
  /** Called for an unreadable ledger; thrown unless given. */
  readonly onProblem?: LedgerReadOptions['onProblem'];
  readonly origins: readonly SettingOrigin[];
}

/** Which values of which settings switch a part off; the first one found is named. */
type Switches = Readonly<Record<string, readonly (readonly [setting: string, off: unknown])[]>>;

const SWITCHES: Switches = {
  recall: [
    ['autoMemoryEnabled', false],
    ['layers.recall', false],
    ['recall.selector', 'off'],
  ],
  extraction: [
    ['autoMemoryEnabled', false],
    ['layers.extraction', false],
  ],
  // Notes exist only for compaction.
  notes: [
    ['layers.notes', false],
    ['layers.compaction', false],
    ['compaction.auto', false],
    ['compaction.fromNotes', false],
  ],
  compaction: [
    ['layers.compaction', false],
    ['compaction.auto', false],
  ],
};

/** Parts that get a row once they have run, or failed to. */
const LATER_SWITCHES: Switches = {
  'tool-results': [['layers.toolResults', false]],
  microcompact: [['layers.microcompact', false]],
  collapse: [['layers.collapse', false]],
  'notes-compaction': [
    ['layers.notes', false],
    ['layers.compaction', false],
    ['compaction.fromNotes', false],
  ],
  'daily-log': [
    ['autoMemoryEnabled', false],
    ['dailyLog', false],
  ],
  dream: [
    ['autoMemoryEnabled', false],
    ['layers.dreaming', false],
  ],
  progress: [],
  // What the host of a session switched off with its `flags`.
  flags: [],
};

/** Recall, extraction, notes and compaction, and what else has run or failed according to the ledger. */
export async function readBackgroundStatus(facts: BackgroundFacts): Promise<readonly BackgroundPart[]> {
  const parts = new Map(Object.keys(SWITCHES).map((part) => [part, restingPart(part, facts.origins)]));
  for await (const line of readLedger(facts)) {
    if (line.project !== facts.project) continue;
    // A hook has no event of its own for what it recalls.
    if (line.type === 'memory' && line.what === 'recalled' && !line.watched) {
      const last = { at: line.at, result: `recalled ${line.file}` };
      parts.set('recall', { ...parts.get('recall')!, last });
    }
    if (line.type !== 'call' && line.type !== 'event') continue;
    const name = partOf(line);
    if (name === null) continue;
    const before = parts.get(name) ?? restingPart(name, facts.origins);
    parts.set(name, line.type === 'call' ? afterCall(before, line) : afterEvent(before, line));
  }
  return [...parts.values()];
}

function partOf(line: CallLine | EventLine): string | null {
  const word = line.type === 'call' ? line.purpose : line.name === 'cap' ? cappedPart(line) : line.name;
  return PARTS.find((part) => word === part || (line.type === 'event' && word?.startsWith(`${part}-`))) ?? null;
}

const PARTS: readonly string[] = [...Object.keys(SWITCHES), ...Object.keys(LATER_SWITCHES)]
  // Events are named `<part>-<how it ended>`, and one part's name may begin with another's.
  .sort((one, other) => other.length - one.length);

/** `day: extraction`. */
function cappedPart({ cause = '' }: EventLine): string | undefined {
  return cause.split(': ')[1];
}

function restingPart(part: string, origins: readonly SettingOrigin[]): BackgroundPart {
  const offBy = (SWITCHES[part] ?? LATER_SWITCHES[part] ?? []).flatMap(([setting, off]): SwitchedOff[] => {
    const found = origins.find(({ key }) => key === setting);
    if (found === undefined || found.value !== off) return [];
    return [{ setting, origin: found.origin, where: found.variable ?? found.file }];
  })[0];
  return { part, offBy: offBy ?? null, last: null, calls: 0, money: 0, paused: null, capped: null };
}

function afterCall(part: BackgroundPart, { at, outcome, money }: CallLine): BackgroundPart {
  // What the end of a session cut off says nothing about how the part works.
  const isCutOff = outcome === 'aborted' || outcome === 'abandoned';
  return {
    ...part,
    last: isCutOff ? part.last : { at, result: outcome },
    calls: part.calls + 1,
    money: part.money === null || money === null ? null : part.money + money,
  };
}

function afterEvent(part: BackgroundPart, { name, at, numbers, cause = '' }: EventLine): BackgroundPart {
  if (name === 'cap') return { ...part, capped: { at, by: cause.split(': ')[0]! } };
  const ended = howEnded(name.slice(part.part.length + 1), numbers);
  if (ended === 'paused') return { ...part, paused: { at, failures: numbers.failures ?? 0, reason: cause } };
  const last = { at, result: [ended, ...(part.part === 'flags' ? [cause] : countsOf(numbers))].join(', ') };
  return ended === 'done' ? { ...part, last, paused: null, capped: null } : { ...part, last };
}

/** `extraction-failed`: in the name, or as a number. */
function howEnded(ended: string, numbers: Readonly<Record<string, number>>): string {
  if (ended !== '') return ended;
  return ['failed', 'capped', 'aborted'].find((kind) => (numbers[kind] ?? 0) > 0) ?? 'done';
}

/** What is counted, where one has another name. */
const ONE: Readonly<Record<string, string>> = { memories: 'memory', results: 'result', folds: 'fold', lines: 'line' };

function countsOf(numbers: Readonly<Record<string, number>>): readonly string[] {
  const { tokensBefore, tokensAfter } = numbers;
  const counts = ['memories', 'saved', 'updated', 'rejected', 'denied', 'results', 'folds', 'lines']
    .filter((count) => (numbers[count] ?? 0) > 0)
    .map((count) => `${numbers[count]} ${numbers[count] === 1 ? (ONE[count] ?? count) : count}`);
  const isShorter = tokensBefore !== undefined && tokensAfter !== undefined;
  return [...counts, ...(isShorter ? [`${tokensBefore} tokens to ${tokensAfter}`] : [])];
}
