/** What stopped background work within the last day: caps, refusals, cuts. From the ledger, so only names and numbers. */

import { type LedgerReadOptions, readLedger } from '../disk/ledger/ledger.ts';
import type { EventLine } from '../disk/ledger/line.ts';

export interface Hindrance {
  /** `no-room`: a dream that was due did not begin, since it could not have finished within a cap. */
  readonly kind: 'cap' | 'refused' | 'cut' | 'no-room';
  /** `extraction`, `recall` …; `agent` for what the agent itself wanted to write. */
  readonly part: string;
  /** Which cap, which rule, or what cut it off. */
  readonly by: string;
  readonly times: number;
  /** ISO time of the last. */
  readonly at: string;
  /** As it was then: `spent` and `cap`, or `needed` and `left`. */
  readonly numbers: Readonly<Record<string, number>>;
  /** For a cap: the setting that raises it. */
  readonly setting: string | null;
}

const DAY_MS = 24 * 3_600_000;

/** The newest last. */
export async function readLastDay(
  facts: Pick<LedgerReadOptions, 'home' | 'now' | 'onProblem'> & { readonly project: string },
): Promise<readonly Hindrance[]> {
  const since = new Date(facts.now.getTime() - DAY_MS).toISOString();
  const found = new Map<string, Hindrance>();
  for await (const line of readLedger({ ...facts, days: 2 })) {
    if (line.type !== 'event' || line.project !== facts.project || line.at < since) continue;
    const one = hindranceOf(line);
    if (one === null) continue;
    const key = [one.kind, one.part, one.by, one.setting].join(' ');
    const times = (found.get(key)?.times ?? 0) + 1;
    // So that the newest comes last.
    found.delete(key);
    found.set(key, { ...one, times });
  }
  return [...found.values()];
}

/** The cause is `<by>: <part>`, for a cap followed by its setting. */
function hindranceOf({ name, at, numbers, cause = '' }: EventLine): Hindrance | null {
  const [by = '', part = '', setting = null] = cause.split(': ');
  switch (name) {
    case 'cap':
    case 'refused':
    case 'cut':
      return { kind: name, part, by, times: 1, at, numbers, setting };
    case 'dream-no-room':
      return { kind: 'no-room', part: 'dream', by: '', times: 1, at, numbers, setting: null };
    default:
      return null;
  }
}
