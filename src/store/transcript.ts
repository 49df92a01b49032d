/** One session's transcript: records appended as they happen, and the way back from a file to a conversation. */

import { ReverieError } from '../errors.ts';
import { LIMITS, type Limits } from '../limits.ts';
import { type SessionPlace, sessionLayout } from './home.ts';
import { type AppendOptions, openAppendFile } from './transcript-append.ts';
import { type SessionRecord, serializeRecord, type TranscriptRecord } from './transcript-record.ts';

export { type Conversation, readConversation } from './transcript-read.ts';

export interface Transcript {
  readonly file: string;
  /** In order, one write a record. Never throws: what the disk refuses is told once and tried again with the next one. */
  append(record: TranscriptRecord): void;
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
  return {
    file: file.file,
    append(record) {
      let line: string;
      try {
        line = serializeRecord(record);
      } catch (cause) {
        onProblem(
          new ReverieError({ code: 'damaged', message: `A ${record.type} record cannot be written as JSON`, cause }),
        );
        return;
      }
      file.append(line);
    },
    flush: file.flush,
    async close() {
      await file.flush();
      file.close();
    },
  };
}
