/** New rules of the team's, told once at the start of a conversation in whatever coding agent comes first. */

import type { Place } from '../../settings/place.ts';
import type { Conversation } from './run.ts';

/** Room for three rules with a few lines each. */
const TEAM_NEWS_BYTES = 2_500;

function hasTeam({ folders }: Place): boolean {
  return folders.some(({ scope }) => scope === 'team');
}

export function teamNewsBytes(place: Place): number {
  return hasTeam(place) ? TEAM_NEWS_BYTES : 0;
}

/** Null when nothing is new. A call that an agent forged takes no news from whoever starts next; what does not fit is told without its text. */
export async function teamNews({ place, ports }: Pick<Conversation, 'place' | 'ports'>): Promise<string | null> {
  if (!hasTeam(place) || ports.isForged) return null;
  const { rulesNewsForModel, takeRulesNews } = await import('../../team/announce.ts');
  // The index is worth more than the news: a disk that refuses to note them costs the news alone.
  const news = await takeRulesNews(place).catch(() => null);
  if (news === null) return null;
  const text = rulesNewsForModel(news);
  if (Buffer.byteLength(text) <= TEAM_NEWS_BYTES) return text;
  return rulesNewsForModel({ ...news, rules: news.rules.map((rule) => ({ ...rule, lines: [], more: 0 })) });
}
