/** New rules of the team's, told once at the start of a conversation in whatever coding agent comes first. */

import type { Place } from '../../settings/place.ts';

/** Room for three rules with a few lines each. */
const TEAM_NEWS_BYTES = 2_500;

function hasTeam({ folders }: Place): boolean {
  return folders.some(({ scope }) => scope === 'team');
}

export function teamNewsBytes(place: Place): number {
  return hasTeam(place) ? TEAM_NEWS_BYTES : 0;
}

/** Null when nothing is new, and where it would not fit. */
export async function teamNews(place: Place): Promise<string | null> {
  if (!hasTeam(place)) return null;
  const { rulesNewsForModel, takeRulesNews } = await import('../../team/announce.ts');
  const news = await takeRulesNews(place);
  if (news === null) return null;
  const text = rulesNewsForModel(news);
  if (Buffer.byteLength(text) <= TEAM_NEWS_BYTES) return text;
  return rulesNewsForModel({ ...news, rules: news.rules.map((rule) => ({ ...rule, lines: [], more: 0 })) });
}
