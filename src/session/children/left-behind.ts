/** What the agents of a session left behind when its process ended, for the conversation and for the user. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sessionLayout } from '../../disk/home.ts';
import { readAgentRecords, type UnreadMessage } from '../../disk/transcript/agent-records.ts';
import { type AgentResult, undelivered } from '../../layers/7-agents/index.ts';
import type { SessionContext } from '../../toolbox/session-context.ts';
import { readOwnResult } from './child-log.ts';

export interface LeftBehind {
  /** Results that a resumed session never saw, also of agents that ended with the process. */
  readonly results: readonly AgentResult[];
  readonly unread: readonly UnreadMessage[];
}

const NOTHING: LeftBehind = { results: [], unread: [] };

export async function leftBehind({ place, log }: Pick<SessionContext, 'place' | 'log'>): Promise<LeftBehind> {
  if (log.kept === null || log.file === null) return NOTHING;
  const { home, slug, limits } = place;
  const { folder } = sessionLayout({ home, slug, sessionId: log.forkedFrom ?? log.sessionId });
  if (!existsSync(join(folder, 'agents'))) return NOTHING;
  const read = await readAgentRecords(log.file, limits.transcripts);
  const unended = new Set(read.records.filter(({ event }) => event === 'started').map(({ id }) => id));
  for (const { id, event } of read.records) if (event !== 'started') unended.delete(id);
  const own = new Map(
    await Promise.all(
      [...unended].map(async (id) => [id, await readOwnResult(folder, id, limits.transcripts)] as const),
    ),
  );
  return { results: undelivered(read, (id) => own.get(id) ?? null), unread: read.unread };
}

/** For the user: the model hears of the same with the next message. */
export function leftLines({ results }: LeftBehind): readonly string[] {
  const cutOff = results.filter(({ state }) => state === 'cut off').map(({ name }) => name);
  const ended = results.filter(({ state }) => state !== 'cut off').map(({ name }) => name);
  const lines: string[] = [];
  if (cutOff.length > 0) {
    lines.push(
      `Cut off when the session ended, without a result: ${cutOff.join(', ')}. What was changed by then stays.`,
    );
  }
  if (ended.length > 0) lines.push(`Results of agents that come with your next message: ${ended.join(', ')}.`);
  return lines;
}
