/** `reverie team diff`: what colleagues added and changed since this user last reviewed it, in full. */

import { type TeamNews, teamNews } from '../../../team/news.ts';
import { readTeamState } from '../../../team/state.ts';
import { defineCommand } from '../../command.ts';
import { dateOf } from '../../relative-time.ts';
import type { Paint } from '../../terminal/paint.ts';
import { plainLine, plainText } from '../../terminal/plain-text.ts';
import { openTeam } from './open-team.ts';

export const command = defineCommand({
  arguments: [],
  about: 'Shows and changes nothing; `reverie team review` marks it as seen.',
  options: {},
  examples: ['reverie team diff'],
  async run(invocation) {
    const { place, team } = await openTeam(invocation);
    const news = teamNews(team, { place, state: readTeamState(place) });
    const text = news.map((each) => newsText(each, invocation.terminal.paint)).join('\n\n');
    return { data: news, text: news.length === 0 ? 'Nothing is new to you.' : text };
  },
});

export function newsText({ kind, file, text, provenance }: TeamNews, paint: Paint): string {
  const who = provenance === null ? 'not committed yet' : `${plainLine(provenance.author)}, ${dateOf(provenance.at)}`;
  const lines = plainText(text).trimEnd().split('\n');
  return [`${paint.bold(plainLine(file))} ${kind} (${who})`, ...lines.map((line) => paint.green(`+ ${line}`))].join(
    '\n',
  );
}
