/** What compactions took out of a session's conversation, listed and brought back as text. */

import type { Conversation } from '../../agent/conversation.ts';
import { readSummarised, type SummarisedParts } from '../../disk/transcript/summarised.ts';
import { ReverieError } from '../../errors.ts';
import { type Expanded, expand } from '../../layers/4-compaction/index.ts';
import type { Limits } from '../../limits.ts';
import type { SessionLog } from '../../toolbox/session-log.ts';
import { ownWords } from './rewind.ts';

/** Messages that a summary stands in for. */
export interface SummarisedRange {
  /** The first and the last message. */
  readonly from: string;
  readonly to: string;
  /** When it was summarised, in ISO time. */
  readonly at: string;
  readonly messages: number;
  /** What the user said first in it; empty where they said nothing. */
  readonly firstWords: string;
}

export interface SummarisedRanges {
  /** The newest first. */
  readonly ranges: readonly SummarisedRange[];
  /** False when there may be older ones, further back than was looked. */
  readonly isAll: boolean;
}

export interface ExpandWish {
  /** A summarised message by its id, or by the beginning of it; unless given, the first of the newest range. */
  readonly from?: string;
  /** Unless given, the last of its range. */
  readonly to?: string;
  readonly mostTokens?: number;
}

export interface AgentExpand {
  summarised(): Promise<SummarisedRanges>;
  expand(wish?: ExpandWish): Promise<Expanded>;
}

export function openAgentExpand(session: {
  readonly log: Pick<SessionLog, 'file' | 'flush'>;
  readonly conversation: Conversation;
  readonly limits: Limits;
}): AgentExpand {
  const { log, conversation, limits } = session;

  async function read(): Promise<SummarisedParts> {
    const lastUuid = conversation.entries.at(-1)?.uuid;
    if (log.file === null) throw noTranscript();
    if (lastUuid === undefined) return { parts: [], isAll: true };
    await log.flush();
    return readSummarised(log.file, { lastUuid, limits: limits.transcripts });
  }

  return {
    async summarised() {
      const { parts, isAll } = await read();
      const ranges = parts.map(({ boundary, entries }) => ({
        from: entries[0]!.uuid,
        to: entries.at(-1)!.uuid,
        at: boundary.at,
        messages: entries.length,
        firstWords: entries.map(ownWords).find((words) => words !== '') ?? '',
      }));
      return { ranges, isAll };
    },
    async expand({ from, to, mostTokens } = {}) {
      const { parts } = await read();
      if (parts.length === 0) throw notFound('Nothing of this conversation was summarised.');
      const isFirst = (uuid: string) => from === undefined || (from !== '' && uuid.startsWith(from));
      for (const { entries } of parts) {
        const first = entries.find(({ uuid }) => isFirst(uuid));
        if (first === undefined) continue;
        const range = { from: first.uuid, to: to ?? entries.at(-1)!.uuid };
        const shown = expand(entries, {
          range,
          ...(mostTokens === undefined ? {} : { mostTokens }),
        });
        if (shown !== null) return shown;
      }
      throw notFound('No summarised message has that id.');
    },
  };
}

function notFound(message: string): ReverieError {
  return new ReverieError({ code: 'not-found', message, fix: 'List what was summarised: /expand' });
}

function noTranscript(): ReverieError {
  return new ReverieError({
    code: 'not-found',
    message: 'No transcript of this session is kept, so what was summarised cannot be shown again.',
    fix: 'Leave out --no-transcript, or see where it is set: reverie settings transcripts',
  });
}
