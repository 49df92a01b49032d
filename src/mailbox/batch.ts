/**
 * The file in which messages travel: a header line, then one JSON line a message. One file holds all messages that
 * waited while the one before it went to the disk, so that one sync pays for them all. It is sealed with the sender's key.
 */

import { createHmac, timingSafeEqual } from 'node:crypto';
import { isObject } from '../base/values.ts';
import { MESSAGE_LIMITS } from './layout.ts';

/** One message as the sender wrote it. */
export interface Letter {
  readonly message: string;
  readonly summary?: string;
  /** When it was sent: ISO 8601. */
  readonly at: string;
  /** The id of the message that this one answers. */
  readonly answers?: string;
  /** ISO 8601; not delivered afterwards. */
  readonly expires?: string;
  /** Of a message that a program understands; and of an answer to one, whether it agrees. */
  readonly kind?: string;
  readonly approve?: boolean;
}

export interface Envelope {
  readonly from: string;
  readonly to: string;
  /** Grows with each file of one sender to one recipient; in microseconds of the clock where that allows it. */
  readonly stamp: number;
}

const STAMP_DIGITS = 16;
const FILE_NAME = /^(\d{16})-(.+)\.mail$/u;

/** Sorts by time, and for one sender in the order of sending. */
export function batchName({ stamp, from }: Pick<Envelope, 'stamp' | 'from'>): string {
  return `${String(stamp).padStart(STAMP_DIGITS, '0')}-${from}.mail`;
}

export function parseBatchName(name: string): { readonly stamp: number; readonly from: string } | null {
  const [, stamp, from] = FILE_NAME.exec(name) ?? [];
  return stamp === undefined || from === undefined ? null : { stamp: Number(stamp), from };
}

export function messageId({ from, stamp }: Pick<Envelope, 'from' | 'stamp'>, index: number): string {
  return `${batchId({ from, stamp })}-${index.toString(36)}`;
}

/** What the ids of all messages of one file begin with. */
export function batchId({ from, stamp }: Pick<Envelope, 'from' | 'stamp'>): string {
  return `${from}-${stamp.toString(36)}`;
}

/** Null for what is no id of a message. */
export function parseMessageId(
  id: string,
): { readonly from: string; readonly stamp: number; readonly index: number } | null {
  const [, from, stamp, index] = /^(.+)-([0-9a-z]+)-([0-9a-z]+)$/u.exec(id) ?? [];
  if (from === undefined || stamp === undefined || index === undefined) return null;
  return { from, stamp: Number.parseInt(stamp, 36), index: Number.parseInt(index, 36) };
}

/** A letter as a line; encoded once, since its bytes also decide how much goes into one file. */
export function letterLine(letter: Letter): string {
  return `${JSON.stringify(letter)}\n`;
}

export function sealBatch(envelope: Envelope, lines: readonly string[], key: Buffer): Buffer {
  const body = Buffer.from(lines.join(''));
  const header = { version: 1, ...envelope, count: lines.length, seal: sealOf(envelope, body, key) };
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), body]);
}

export type OpenedBatch =
  | { readonly kind: 'letters'; readonly letters: readonly Letter[] }
  | { readonly kind: 'refused'; readonly reason: string };

/** Checks that the file is whole, for this recipient, and from whom it says; `key` is that sender's. */
export function openBatch(bytes: Buffer, expected: Envelope, key: Buffer | null): OpenedBatch {
  const refused = (reason: string): OpenedBatch => ({ kind: 'refused', reason });
  const end = bytes.indexOf(0x0a);
  const header = end === -1 ? null : parsed(bytes.subarray(0, end).toString('utf8'));
  if (header === null) return refused('it is not a message file');
  const { from, to, stamp } = expected;
  if (header.from !== from || header.to !== to || header.stamp !== stamp)
    return refused('its header names another sender, recipient or time');
  if (key === null) return refused(`no agent was ever called ${from} here`);
  const body = bytes.subarray(end + 1);
  if (!sameSeal(header.seal, sealOf(expected, body, key)))
    return refused(`it does not come from ${from}, or was changed on the way`);
  const letters = body.toString('utf8').split('\n').slice(0, -1).map(parsed);
  if (letters.length !== header.count || !letters.every(isLetter)) return refused('its messages are not readable');
  return { kind: 'letters', letters };
}

/** What the header says, before anything of it was checked; null when there is none. */
export function claimedEnvelope(bytes: Buffer): Envelope | null {
  const end = bytes.indexOf(0x0a);
  const header = end === -1 ? null : parsed(bytes.subarray(0, end).toString('utf8'));
  const { from, to, stamp } = header ?? {};
  if (typeof from !== 'string' || typeof to !== 'string' || typeof stamp !== 'number') return null;
  return Number.isSafeInteger(stamp) && stamp > 0 ? { from, to, stamp } : null;
}

function sealOf({ from, to, stamp }: Envelope, body: Buffer, key: Buffer): string {
  return createHmac('sha256', key).update(`${from}\n${to}\n${stamp}\n`).update(body).digest('hex');
}

function sameSeal(given: unknown, right: string): boolean {
  const bytes = Buffer.from(typeof given === 'string' ? given : '');
  return bytes.length === right.length && timingSafeEqual(bytes, Buffer.from(right));
}

function parsed(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isLetter(value: Record<string, unknown> | null): value is Record<string, unknown> & Letter {
  if (value === null || typeof value.message !== 'string' || typeof value.at !== 'string') return false;
  const optional = [value.summary, value.answers, value.expires, value.kind];
  return (
    value.message.length <= MESSAGE_LIMITS.characters &&
    optional.every((field) => field === undefined || typeof field === 'string') &&
    (value.approve === undefined || typeof value.approve === 'boolean')
  );
}
