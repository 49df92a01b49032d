/** `reverie team log`: who added what to the team's memory, newest first. */

import { teamScope } from '../../../team/news.ts';
import { readKnownProvenance } from '../../../team/provenance.ts';
import { defineCommand } from '../../command.ts';
import { dateOf } from '../../relative-time.ts';
import { fitColumns } from '../../terminal/columns.ts';
import { plainLine } from '../../terminal/plain-text.ts';
import { openTeam } from './open-team.ts';

const COMMIT_CHARACTERS = 10;

export const command = defineCommand({
  arguments: [],
  about: 'Names are git’s, which believes whatever its author configured.',
  options: { limit: { kind: 'number', value: 'COUNT', help: 'At most this many' } },
  examples: ['reverie team log', 'reverie team log --limit 5 --json'],
  async run(invocation) {
    const { place } = await openTeam(invocation);
    const known = readKnownProvenance(teamScope(place).cacheDirectory)?.files ?? {};
    const entries = Object.entries(known)
      .filter(([file]) => file.endsWith('.md'))
      .map(([file, provenance]) => ({ file, ...provenance }))
      .sort((one, other) => (one.at < other.at ? 1 : -1))
      .slice(0, invocation.options.limit ?? Number.POSITIVE_INFINITY);
    const { paint, width } = invocation.terminal;
    const rows = entries.map(({ file, author, commit, at, addedBy }) => [
      { text: dateOf(at), paint: paint.dim },
      { text: commit.slice(0, COMMIT_CHARACTERS), paint: paint.dim },
      { text: plainLine(addedBy === undefined ? author : `${author}, added by ${addedBy}`), paint: paint.cyan },
      { text: plainLine(file), paint: paint.bold },
    ]);
    const columns = [{ fit: 'whole' }, { fit: 'whole', drop: 1 }, { fit: 'whole' }, { fit: 'middle' }] as const;
    const text =
      rows.length === 0 ? 'Nothing is committed yet.' : fitColumns(rows, { columns: [...columns], width }).join('\n');
    return { data: entries, text };
  },
});
