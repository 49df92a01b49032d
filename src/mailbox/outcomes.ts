/** What became of a message, as its recipient's mailbox tells it: the sender asks, nobody waits. */

import { isObject } from '../base/values.ts';
import type { Folder } from '../disk/folder.ts';
import { batchId, parseMessageId } from './batch.ts';
import { comparePositions, readCursor } from './cursor.ts';

/** `in-context`: the recipient took it and asked for the next. */
export type ReceiptState = 'queued' | 'in-context' | 'answered' | 'expired' | 'refused';

type Outcome = 'answered' | 'expired' | 'refused';

const FILE = 'outcomes';
const OLDER = 'outcomes.older';
const LONGEST_BYTES = 1_000_000;

/** `id` is that of a message, or of all in one file. What cannot be written down costs a sender an answer, and nobody a message. */
export async function recordOutcome(box: Folder, id: string, state: Outcome): Promise<void> {
  try {
    if ((box.stat(FILE)?.size ?? 0) > LONGEST_BYTES) box.moveIn({ from: box, name: FILE }, OLDER, 'replace');
    await box.append(FILE, Buffer.from(`\n${JSON.stringify({ id, state })}\n`), { durable: false });
  } catch {}
}

/** By the recipient's mailbox: what it wrote down, else how far it has read. */
export function stateOf(box: Folder, id: string): ReceiptState {
  const sent = parseMessageId(id);
  const names = new Set([id, sent === null ? id : batchId(sent)]);
  const written = [OLDER, FILE].flatMap((file) => outcomesIn(box, file)).filter((line) => names.has(line.id));
  const last = written.at(-1)?.state;
  if (last !== undefined) return last;
  const read = sent === null ? null : (readCursor(box).get(sent.from) ?? null);
  return sent !== null && read !== null && comparePositions(sent, read) <= 0 ? 'in-context' : 'queued';
}

function outcomesIn(box: Folder, file: string): { readonly id: string; readonly state: Outcome }[] {
  const text = box.read(file, 2 * LONGEST_BYTES)?.toString('utf8') ?? '';
  return text.split('\n').flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return isObject(value) && typeof value.id === 'string' ? [value as { id: string; state: Outcome }] : [];
    } catch {
      return [];
    }
  });
}
