/** The index once more, in a conversation that has lost it. */

import { readTailWithWholeLine, TRANSCRIPT_GLANCE_BYTES } from '../../disk/tail.ts';
import type { Scopes } from '../../memory/scopes.ts';
import { whereItStood } from '../last/in-hook.ts';
import type { Conversation } from './run.ts';
import { teamNews, teamNewsBytes } from './team-news.ts';

/** Room for the lines on the last sessions behind the index. */
export const LAST_SESSIONS_BYTES = 1_000;
/** Of an answer that brings the index back, for what the message itself calls for. */
const RECALL_SHARE = 0.4;

/** For hosts that do not start again after a compaction: the index comes back with the first thing that is said. */
export async function startAgain(scopes: Scopes, conversation: Conversation): Promise<string | null> {
  const { session, ports } = conversation;
  if (session.read().start !== 'lost' && !wasCompacted(conversation)) return null;
  const { startContext } = await import('./start.ts');
  session.forgetSurfaced();
  session.markStarted();
  const room = LAST_SESSIONS_BYTES + teamNewsBytes(scopes.place);
  const index = startContext(scopes, ports.contextBytes * (1 - RECALL_SHARE) - room);
  // Where the start itself could say nothing, its lines come now.
  if (!ports.voice.startsWithMessage) return index;
  return joined([index, await teamNews(conversation), await whereItStood('startup', conversation)]);
}

/** Whether the transcript has a compaction since the conversation was told of its memory. */
function wasCompacted({ ports, session, transcriptFile }: Conversation): boolean {
  if (transcriptFile === null) return false;
  const { start, toldAtMs } = session.read();
  if (start !== 'told' || ports.voice.compactedAt === undefined) return false;
  const compactedAt = ports.voice.compactedAt(readTailWithWholeLine(transcriptFile, TRANSCRIPT_GLANCE_BYTES));
  return compactedAt !== null && compactedAt > toldAtMs;
}

export function joined(parts: readonly (string | null)[]): string | null {
  return parts.filter((part) => part !== null).join('\n\n') || null;
}
