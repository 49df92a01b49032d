/** Memories as the page has them, and which of them a filter keeps. */

export type Scope = 'project' | 'global' | 'team';

export interface MemoryRow {
  readonly file: string;
  readonly scope: Scope;
  readonly name: string;
  readonly description: string;
  readonly type: string | null;
  readonly source: string;
  readonly created: string | null;
  readonly modified: string;
  readonly pinned: boolean;
  readonly supersededBy: string | null;
  readonly refuted: string | null;
  readonly session: string | null;
  readonly recalled: number;
  readonly used: number;
}

export interface Why {
  readonly meaning: number;
  readonly lexical: number;
  readonly wordsShared: readonly string[];
  readonly matched: readonly { readonly word: string; readonly met: string; readonly likeness: number }[];
  readonly evidence: number;
  readonly threshold: number;
  readonly explain: string;
}

export interface Hit {
  readonly file: string;
  readonly scope: Scope;
  readonly score: number;
  readonly certain: boolean;
  readonly why: Why;
}

export interface Filters {
  readonly words: string;
  readonly type: string;
  readonly scope: string;
  readonly standing: string;
  readonly age: string;
  readonly use: string;
}

export const NO_FILTERS: Filters = { words: '', type: '', scope: '', standing: '', age: '', use: '' };

const DAY_MS = 86_400_000;

export function keyOf({ scope, file }: { readonly scope: string; readonly file: string }): string {
  return `${scope}:${file}`;
}

/** Rows come without what they do not have. */
export function wholeRow(row: Partial<MemoryRow> & Pick<MemoryRow, 'file' | 'scope'>): MemoryRow {
  return { ...NO_ROW, ...row };
}

const NO_ROW = {
  ...{ name: '', description: '', type: null, source: 'said', created: null, modified: '', pinned: false },
  ...{ supersededBy: null, refuted: null, session: null, recalled: 0, used: 0 },
};

/** What the words are looked for in, lower case; made once for each list. */
export function haystacks(rows: readonly MemoryRow[]): readonly string[] {
  return rows.map(({ name, description, file }) => `${name}\n${description}\n${file}`.toLowerCase());
}

/** Each word must be there. */
export function filtered(
  rows: readonly MemoryRow[],
  texts: readonly string[],
  filters: Filters,
  nowMs: number,
): readonly MemoryRow[] {
  const words = filters.words.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row, at) => {
    if (filters.type !== '' && (row.type ?? 'none') !== filters.type) return false;
    if (filters.scope !== '' && row.scope !== filters.scope) return false;
    if (filters.standing !== '' && row.source !== filters.standing) return false;
    if (!isOfAge(row, filters.age, nowMs) || !isOfUse(row, filters.use)) return false;
    return words.every((word) => texts[at]!.includes(word));
  });
}

function isOfAge({ modified }: MemoryRow, age: string, nowMs: number): boolean {
  if (age === '') return true;
  const days = (nowMs - Date.parse(modified)) / DAY_MS;
  return age.startsWith('-') ? days >= -Number(age) : days <= Number(age);
}

function isOfUse({ recalled, used, pinned, supersededBy, refuted }: MemoryRow, use: string): boolean {
  switch (use) {
    case 'never-recalled':
      return recalled === 0;
    case 'never-used':
      return recalled > 0 && used === 0;
    case 'used':
      return used > 0;
    case 'pinned':
      return pinned;
    case 'replaced':
      return supersededBy !== null || refuted !== null;
    default:
      return true;
  }
}

/** Why a memory answers a question, in a line. */
export function reasonOf({ certain, why }: Hit): string {
  const pairs = why.matched
    .slice(0, 4)
    .map(({ word, met, likeness }) => (word === met ? word : `${word} ≈ ${met} ${likeness.toFixed(2)}`));
  const verdict = certain ? 'certain' : 'not certain';
  return `${verdict}, ${why.evidence.toFixed(2)} of ${why.threshold.toFixed(2)}${pairs.length === 0 ? '' : `: ${pairs.join(', ')}`}`;
}
