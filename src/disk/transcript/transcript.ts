/** One session's transcript: records appended as they happen, and the way back from a file to a conversation. */

import { ReverieError } from '../../errors.ts';
import { LIMITS, type Limits } from '../../limits.ts';
import { type SessionPlace, sessionLayout } from '../home.ts';
import { type AppendOptions, openAppendFile } from './append.ts';
import { type SessionRecord, serializeRecord, type TranscriptRecord } from './record.ts';

export { type Conversation, readConversation } from './read.ts';

export interface Transcript {
  readonly file: string;
  /** In order, one write a record. Never throws: what the disk refuses is told once and tried again with the next one. */
  append(record: TranscriptRecord): void;
  /** In one write: a process that dies leaves all of them or none. */
  appendAll(records: readonly TranscriptRecord[]): void;
  /** Everything appended so far is on the disk, or the problem was told. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface TranscriptOptions extends SessionPlace {
  /** One line for the user; the conversation goes on. */
  readonly onProblem: (problem: ReverieError) => void;
  readonly limits?: Limits['transcripts'];
  readonly write?: AppendOptions['write'];
}

export function createTranscript(options: TranscriptOptions & { readonly first: SessionRecord }): Transcript {
  const transcript = holdTranscript(options, 'new');
  transcript.append(options.first);
  return transcript;
}

/** For going on with a session that is held: nobody else may append meanwhile. */
export function openTranscript(options: TranscriptOptions): Transcript {
  return holdTranscript(options, 'append');
}

function holdTranscript(options: TranscriptOptions, mode: AppendOptions['mode']): Transcript {
  const { onProblem, write } = options;
  const { waitingBytes } = options.limits ?? LIMITS.transcripts;
  const file = openAppendFile(sessionLayout(options).transcript, { onProblem, waitingBytes, mode, write });

  function appendAll(records: readonly TranscriptRecord[]): void {
    try {
      file.append(records.map(serializeRecord).join(''));
    } catch (cause) {
      const types = records.map(({ type }) => type).join(', ');
      onProblem(new ReverieError({ code: 'damaged', message: `A record cannot be written as JSON: ${types}`, cause }));
    }
  }

  return {
    file: file.file,
    append: (record) => appendAll([record]),
    appendAll,
    flush: file.flush,
    async close() {
      await file.flush();
      file.close();
    },
  };
}
