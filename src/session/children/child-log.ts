/** The transcript of an agent, in the folder of the session that it belongs to: `agents/<id>.jsonl`. */

import { agentTranscript } from '../../disk/sessions/stop-agent.ts';
import { type AppendFile, openAppendFile } from '../../disk/transcript/append.ts';
import { linesBackwards, openBytes } from '../../disk/transcript/lines.ts';
import { type AgentRecord, parseRecord, serializeRecord, TRANSCRIPT_VERSION } from '../../disk/transcript/record.ts';
import type { Limits } from '../../limits.ts';
import type { KeptSession, SessionLog } from '../../toolbox/session-log.ts';

/** Beside the parent's: the same session, the same folder of results, and a file of its own. */
export function openChildLog(
  parent: SessionLog,
  facts: {
    readonly id: string;
    readonly limits: Limits['transcripts'];
    readonly tell: (line: string) => void;
    /** What a fork begins with. */
    readonly kept: KeptSession | null;
  },
): SessionLog {
  const file = parent.folder === null ? null : agentTranscript(parent.folder, facts.id);
  let open: AppendFile | null = null;
  if (file !== null) {
    const { waitingBytes } = facts.limits;
    open = openAppendFile(file, { mode: 'new', waitingBytes, onProblem: ({ message }) => facts.tell(message) });
  }
  const appendAll: SessionLog['appendAll'] = (records) => open?.append(records.map(serializeRecord).join(''));
  return {
    ...{ sessionId: parent.sessionId, forkedFrom: parent.forkedFrom, kept: facts.kept, file },
    ...{ folder: parent.folder, toolResults: parent.toolResults },
    begin({ rendered, model, windowTokens, cwd, at }) {
      // A fork's beginning stands in the conversation that it was forked from.
      const isFork = facts.kept !== null;
      const first = {
        ...({ type: 'session', at: at.toISOString(), version: TRANSCRIPT_VERSION } as const),
        ...{ sessionId: parent.sessionId, cwd, model, windowTokens },
        ...(isFork ? { forkedFrom: parent.sessionId } : {}),
        rendered: isFork ? null : rendered,
      };
      appendAll([first]);
    },
    append: (record) => appendAll([record]),
    appendAll,
    flush: async () => open?.flush(),
    async close() {
      open?.close();
    },
  };
}

/** The result that an agent wrote down before anybody was told; null where it never came to that. */
export async function readOwnResult(
  folder: string,
  id: string,
  limits: Limits['transcripts'],
): Promise<AgentRecord | null> {
  const source = await openBytes(agentTranscript(folder, id)).catch(() => null);
  if (source === null) return null;
  try {
    for await (const { text } of linesBackwards(source, limits)) {
      const parsed = text === null ? null : parseRecord(text);
      if (parsed?.kind !== 'record') continue;
      const { record } = parsed;
      return record.type === 'agent' && record.event === 'ended' && record.id === id ? record : null;
    }
    return null;
  } finally {
    await source.close();
  }
}
