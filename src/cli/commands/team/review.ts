/** `reverie team review`: what is new, and what of it may contradict; each asked about once. */

import type { MemoryEntry } from '../../../memory/memory.ts';
import { teamNews } from '../../../team/news.ts';
import { findContradictions } from '../../../team/review.ts';
import { changeTeamState, readTeamState } from '../../../team/state.ts';
import { suggestedForTeam } from '../../../team/suggestions.ts';
import { defineCommand } from '../../command.ts';
import { plainLine } from '../../terminal/plain-text.ts';
import { newsText } from './diff.ts';
import { openTeam } from './open-team.ts';

export const command = defineCommand({
  arguments: [],
  about:
    'Shows what colleagues added since the last review, and pairs of memories that may contradict each other: theirs and yours, or theirs among themselves. It decides nothing, and shows each pair once. Memories of yours that the agent suggests for the team follow; only you share them.',
  options: {},
  examples: ['reverie team review'],
  isForPeople: () => true,
  async run(invocation) {
    const { place, team } = await openTeam(invocation);
    const { paint } = invocation.terminal;
    const state = readTeamState(place);
    const news = teamNews(team, { place, state });
    const memory = await invocation.openMemory();
    const fresh = new Set(news.map(({ file }) => file));
    const pairs = await findContradictions({ memory, fresh, asked: state.asked });
    const suggested = suggestedForTeam(await memory.list(), state);
    await changeTeamState(place, (now) => ({
      ...now,
      reviewed: { ...now.reviewed, ...Object.fromEntries(news.map(({ id, hash }) => [id, hash])) },
      asked: [...now.asked, ...pairs.map(({ key }) => key)],
    }));
    const lines = [
      news.length === 0 ? 'Nothing is new to you.' : news.map((each) => newsText(each, paint)).join('\n\n'),
      ...(pairs.length === 0 ? [] : ['', paint.bold('These may contradict each other. You decide:')]),
      ...pairs.flatMap(({ one, other }) => ['', ...memoryLines(other), ...memoryLines(one), ...wayLines(one, other)]),
      ...(suggested.length === 0 ? [] : ['', paint.bold('Suggested for the team, and private until you share them:')]),
      ...suggested.flatMap(suggestionLines),
    ];
    const data = {
      news,
      pairs: pairs.map(({ one, other }) => [referenceOf(one), referenceOf(other)]),
      suggested: suggested.map(referenceOf),
    };
    return { data, text: lines.join('\n') };
  },
});

function referenceOf({ scope, file }: MemoryEntry): string {
  return `${scope}:${file}`;
}

function memoryLines(entry: MemoryEntry): readonly string[] {
  const who = entry.scope === 'team' ? (entry.origin?.author ?? 'a colleague') : 'you';
  return [`  ${plainLine(who)}: ${plainLine(entry.description || entry.name)} (${plainLine(referenceOf(entry))})`];
}

function suggestionLines(entry: MemoryEntry): readonly string[] {
  const reference = plainLine(referenceOf(entry));
  return [
    '',
    `  ${plainLine(entry.description || entry.name)} (${reference})`,
    `  Share it: reverie memory share ${reference}`,
    `  Keep it private: reverie memory unshare ${reference}`,
  ];
}

function wayLines(one: MemoryEntry, other: MemoryEntry): readonly string[] {
  if (other.scope === 'team')
    return ['  To correct one: save what holds, then reverie memory share FILE --supersedes FILE'];
  const mine = plainLine(other.file);
  return [
    `  Theirs holds: reverie memory forget ${other.scope}:${mine}`,
    `  Yours holds: reverie memory share ${mine} --supersedes ${plainLine(referenceOf(one))}`,
    '  Both hold: leave them; yours goes first for you',
  ];
}
