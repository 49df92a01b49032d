/** A second conversation from where another one stands: copied from its boundary on, never shared. */

import { basename, dirname } from 'node:path';
import { ReverieError } from '../../errors.ts';
import { createFolder, openFolder } from '../folder.ts';
import { type SessionPlace, sessionLayout } from '../home.ts';
import { type Conversation, type ReadOptions, readConversation } from '../transcript/read.ts';
import {
  messageRecord,
  type SessionRecord,
  serializeRecord,
  TRANSCRIPT_VERSION,
  type TranscriptRecord,
} from '../transcript/record.ts';

export interface ForkOptions extends ReadOptions {
  readonly from: SessionPlace;
  /** The new session's id. */
  readonly sessionId: string;
  /** ISO time. */
  readonly at: string;
  /** For a first record that is damaged. */
  readonly fallback: { readonly cwd: string; readonly model: string };
}

/** Whole or not at all. Messages keep their uuids, since the layers' states name them. */
export async function forkSession(options: ForkOptions): Promise<{ readonly file: string }> {
  const to = sessionLayout({ ...options.from, sessionId: options.sessionId });
  const source = sessionLayout(options.from);
  const conversation = await readConversation(source.transcript, options);
  const text = forkedRecords(conversation, options).map(serializeRecord).join('');
  const project = createFolder(dirname(to.transcript));
  try {
    const name = await project.stage(Buffer.from(text));
    if (!project.moveIn({ from: project, name }, basename(to.transcript), 'create')) {
      project.discard(name);
      throw new ReverieError({ code: 'refused', message: `${to.transcript} is there already` });
    }
    await project.sync();
  } finally {
    project.close();
  }
  await copyNotes(source.notesFile, to.notesFile);
  return { file: to.transcript };
}

function forkedRecords(conversation: Conversation, options: ForkOptions): TranscriptRecord[] {
  const { at, fallback, from } = options;
  const { first, rendered, entries, replacements, cleared, states, meta } = conversation;
  const session: SessionRecord = {
    type: 'session',
    at,
    version: TRANSCRIPT_VERSION,
    sessionId: options.sessionId,
    cwd: first?.cwd ?? fallback.cwd,
    model: first?.model ?? fallback.model,
    forkedFrom: from.sessionId,
    ...(first?.member === undefined ? {} : { member: first.member }),
    rendered,
  };
  return [
    session,
    // They were linked through a boundary that stays behind.
    ...entries.map((entry, index) => messageRecord({ ...entry, parentUuid: entries[index - 1]?.uuid ?? null })),
    ...replacements,
    ...cleared,
    ...[...states].map(([layer, state]) => ({ type: 'state', at, layer, state }) as const),
    ...(meta === null ? [] : [meta]),
  ];
}

/** Each conversation goes on with notes of its own. */
async function copyNotes(from: string, to: string): Promise<void> {
  const source = openFolder(dirname(from));
  const bytes = source?.read(basename(from)) ?? null;
  source?.close();
  if (bytes === null) return;
  const target = createFolder(dirname(to));
  try {
    const name = await target.stage(bytes);
    target.moveIn({ from: target, name }, basename(to), 'replace');
  } finally {
    target.close();
  }
}
