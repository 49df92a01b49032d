/** `reverie memory list`: what is remembered here. */

import { isUnconfirmed, MEMORY_SCOPES, MEMORY_TYPES } from '../../../base/taxonomy.ts';
import { quoted } from '../../../base/text/shell-words.ts';
import type { Memory, MemoryEntry } from '../../../memory/memory.ts';
import { findPlace } from '../../../settings/place.ts';
import { defineCommand, type Invocation, type Place } from '../../command.ts';
import { entryData, marks } from '../../memory-text.ts';
import { placeFlags } from '../../next-command.ts';
import { placeOptions } from '../../options/place-options.ts';
import { dateOf, timeAgo } from '../../relative-time.ts';
import { type Column, fitColumns } from '../../terminal/columns.ts';
import { plainLine } from '../../terminal/plain-text.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { wrapWords } from '../../terminal/wrap.ts';

export const command = defineCommand({
  arguments: [],
  about: 'On a terminal with ages, cut to its width; in a pipe with dates, never cut.',
  options: {
    type: { kind: 'text', value: 'TYPE', choices: MEMORY_TYPES, help: 'Only this type' },
    scope: { kind: 'text', value: 'SCOPE', choices: MEMORY_SCOPES, help: 'Only this scope' },
    unconfirmed: { kind: 'flag', help: 'Only unconfirmed memories: seen or inferred' },
    query: { kind: 'text', value: 'TEXT', help: 'Only memories that contain this text (case-insensitive)' },
  },
  examples: [
    'reverie memory list',
    'reverie memory list --type feedback',
    'reverie memory list --query postgres --json',
  ],
  async run({ options, terminal, now, openMemory, place, environment }) {
    const memory = await openMemory();
    const all = await memory.list();
    const entries = all.filter((entry) => {
      if (options.type !== undefined && entry.type !== options.type) return false;
      if (options.scope !== undefined && entry.scope !== options.scope) return false;
      if (options.unconfirmed && !isUnconfirmed(entry)) return false;
      return options.query === undefined || holds(entry, options.query.toLowerCase());
    });
    const suggested = memory.folders.team === undefined ? NONE : await suggestedAmong(entries, { place, environment });
    return {
      // Turned into data only for `--json`: reading every body would slow down the readable form.
      data: { toJSON: () => entries.map(entryData) },
      text: entries.length > 0 ? listText(entries, { terminal, now, suggested }) : emptyText(memory, all.length, place),
    };
  },
});

function holds(entry: MemoryEntry, query: string): boolean {
  const header = [entry.file, entry.name, entry.description].some((text) => text.toLowerCase().includes(query));
  return header || entry.body.toLowerCase().includes(query);
}

const NONE: ReadonlySet<MemoryEntry> = new Set();

/** Read where there is a team memory alone. */
async function suggestedAmong(
  entries: readonly MemoryEntry[],
  { place, environment }: Pick<Invocation, 'place' | 'environment'>,
): Promise<ReadonlySet<MemoryEntry>> {
  const [{ suggestedForTeam }, { readTeamState }] = await Promise.all([
    import('../../../team/suggestions.ts'),
    import('../../../team/state.ts'),
  ]);
  return new Set(suggestedForTeam(entries, readTeamState(findPlace(placeOptions(place, environment)))));
}

interface Listing {
  readonly terminal: Terminal;
  readonly now: Date;
  readonly suggested: ReadonlySet<MemoryEntry>;
}

function listText(entries: readonly MemoryEntry[], { terminal, now, suggested }: Listing): string {
  const { paint, isTerminal, width } = terminal;
  const hasScopes = new Set(entries.map(({ scope }) => scope)).size > 1;
  const isScopeShown = hasScopes || !isTerminal;
  const rows = entries.map((entry) => {
    const marked = [...marks(entry), ...(suggested.has(entry) ? ['for the team?'] : [])].map((mark) => `(${mark}) `);
    return [
      { text: plainLine(entry.file), paint: entry.warnings.length > 0 ? paint.yellow : paint.bold },
      { text: entry.type ?? 'untyped', paint: paint.cyan },
      ...(isScopeShown ? [{ text: entry.scope, paint: paint.dim }] : []),
      { text: isTerminal ? timeAgo(entry.modified, now) : dateOf(entry.modified), paint: paint.dim },
      { text: marked.join('') + (plainLine(entry.description) || plainLine(entry.name)) },
    ];
  });
  const columns: Column[] = [
    { fit: 'middle' },
    { fit: 'whole', drop: 3 },
    ...(isScopeShown ? [{ fit: 'whole', drop: 1 } as const] : []),
    { fit: 'whole', drop: 2 },
    { fit: 'rest', below: true },
  ];
  const lines = fitColumns(rows, { columns, width });
  const count = wrapWords(countText(entries), width ?? Number.POSITIVE_INFINITY).map((line) => paint.dim(line));
  const team = suggested.size === 0 ? [] : [paint.dim('(for the team?): to decide, reverie team review')];
  return [...lines, ...(isTerminal ? ['', ...count, ...team] : [])].join('\n');
}

function countText(entries: readonly MemoryEntry[]): string {
  const odd = entries.filter(({ warnings }) => warnings.length > 0).length;
  const count = `${entries.length} ${entries.length === 1 ? 'memory' : 'memories'}`;
  return odd === 0 ? count : `${count}, ${odd} with warnings (reverie doctor says which)`;
}

function emptyText(memory: Memory, total: number, place: Place): string {
  if (!memory.enabled) return memory.offReason ?? 'Memory is off.';
  if (total > 0) return 'No memory matches.';
  const first = ['reverie remember "…"', ...placeFlags(place).map(quoted)].join(' ');
  return `Nothing is remembered here yet.\nSave the first one:\n  ${first}`;
}
