/**
 * The journal of a memory folder: `changes.jsonl`, one line a change, appended and on the disk before any file is
 * touched, and a closing line once all of it is in place. A change without its closing line was cut off and is finished
 * by the next process. A damaged line costs itself.
 */

import { randomUUID } from 'node:crypto';
import type { Folder } from '../folder.ts';
import type { Change, FileChange, IndexLine } from './change.ts';

export const JOURNAL_FILE = 'changes.jsonl';

type Outcome = 'done' | 'abandoned';
type Line = { journal: string } | Change | { [outcome in Outcome]?: string };

export interface JournalPart {
  readonly changes: readonly Change[];
  /** Where to read on; a line that is still being written is left for then. */
  readonly end: number;
  readonly damagedLines: number;
  /** A change from before this part was abandoned in it. */
  readonly abandonsEarlier: boolean;
}

export interface Journal {
  /** Changes whenever the journal is rewritten, so that what was derived from the old one is known to be old. */
  id(): string | null;
  begin(change: Change): Promise<void>;
  close(id: string, outcome: Outcome): Promise<void>;
  /** The last change, if it has no closing line. */
  unfinished(): Change | null;
  /** Changes from a byte position on, oldest first; abandoned ones are left out. */
  readFrom(position: number): JournalPart;
  /** The same, newest first, reading only as far back as is asked for; told of each damaged line that held a change. */
  newestFirst(onDamaged?: () => void): Generator<Change>;
  /** Puts a new journal in place of the old one, without what `keep` drops; it answers with what is left of a change. */
  rewrite(keep: (change: Change) => Change | null): Promise<{ dropped: number }>;
  size(): number;
}

export function openJournal(places: { journal: Folder; temporary: Folder }): Journal {
  const { journal, temporary } = places;
  const size = () => journal.stat(JOURNAL_FILE)?.size ?? 0;

  async function append(lines: readonly Line[], options: { durable: boolean }): Promise<void> {
    if (size() === 0) await start();
    const guard = endsWithNewline(size()) ? '' : '\n';
    await journal.append(JOURNAL_FILE, Buffer.from(guard + serialize(lines)), options);
  }

  /** The file is there for good before the first change is: a failure after a change was written would be a lie. */
  async function start(): Promise<void> {
    await journal.append(JOURNAL_FILE, Buffer.from(serialize([{ journal: randomUUID() }])), { durable: true });
    await journal.sync();
  }

  /** A torn tail must not swallow the next record. */
  function endsWithNewline(end: number): boolean {
    return journal.readFrom(JOURNAL_FILE, end - 1)[0] === 0x0a;
  }

  function readFrom(position: number): JournalPart {
    const bytes = journal.readFrom(JOURNAL_FILE, position);
    const length = bytes.lastIndexOf(0x0a) + 1;
    const { lines, damaged } = parseLines(bytes.toString('utf8', 0, length));
    const began = new Set(lines.flatMap((line) => ('files' in line ? [line.id] : [])));
    const abandonsEarlier = lines.some((line) => 'abandoned' in line && !began.has(line.abandoned ?? ''));
    return { changes: changesOf(lines), end: position + length, damagedLines: damaged, abandonsEarlier };
  }

  return {
    size,
    id() {
      const first = journal.read(JOURNAL_FILE, 256)?.toString('utf8').split('\n')[0] ?? '';
      const line = parseLine(first);
      return line !== null && 'journal' in line ? line.journal : null;
    },
    begin: (change) => append([change], { durable: true }),
    // Losing this line costs a check at the next start, so it need not wait for the disk.
    close: (id, outcome) => append([{ [outcome]: id }], { durable: false }),
    readFrom,
    unfinished() {
      // A change is begun when the one before is closed: where the last line closes one, all are.
      if (closesChange(lastLine(journal, size()))) return null;
      const { lines } = parseLines(readTail(journal, size()));
      const last = lines.findLastIndex((line) => 'files' in line);
      const change = lines[last] as Change | undefined;
      const isClosed = lines
        .slice(last + 1)
        .some(
          (line) =>
            ('done' in line && line.done === change?.id) || ('abandoned' in line && line.abandoned === change?.id),
        );
      return change === undefined || isClosed ? null : change;
    },
    *newestFirst(onDamaged) {
      const abandoned = new Set<string>();
      for (const raw of linesBackwards(journal, size())) {
        const line = parseLine(raw);
        if (line === null && heldChange(raw)) onDamaged?.();
        if (line === null) continue;
        if ('abandoned' in line && line.abandoned) abandoned.add(line.abandoned);
        if ('files' in line && !abandoned.has(line.id)) yield line;
      }
    },
    async rewrite(keep) {
      const { changes } = readFrom(0);
      const kept = changes.map(keep);
      const dropped = kept.filter((change) => change === null).length;
      const lines: Line[] = [{ journal: randomUUID() }];
      for (const change of kept) if (change) lines.push(change, { done: change.id });
      const name = await temporary.stage(Buffer.from(serialize(lines)));
      journal.moveIn({ from: temporary, name }, JOURNAL_FILE, 'replace');
      await journal.sync();
      return { dropped };
    },
  };
}

/** As far as it fits into a closing line. */
function lastLine(journal: Folder, end: number): string {
  const tail = journal.readFrom(JOURNAL_FILE, Math.max(0, end - LONGEST_CLOSING_LINE)).toString('latin1');
  return tail.endsWith('\n') ? tail.slice(tail.lastIndexOf('\n', tail.length - 2) + 1, -1) : '';
}

function closesChange(raw: string): boolean {
  const line = parseLine(raw);
  return line !== null && ('done' in line || 'abandoned' in line);
}

const FIRST_TAIL_BYTES = 4096;

/** The end of the file, from far enough back to hold the last change whole. */
function readTail(journal: Folder, end: number): string {
  for (let length = FIRST_TAIL_BYTES; ; length *= 8) {
    const start = Math.max(0, end - length);
    const text = journal.readFrom(JOURNAL_FILE, start).toString('utf8');
    if (start === 0) return text;
    const whole = text.slice(text.indexOf('\n') + 1);
    if (whole.includes('"files":[')) return whole;
  }
}

const CHUNK_BYTES = 65_536;

function* linesBackwards(journal: Folder, end: number): Generator<string> {
  let rest = Buffer.alloc(0);
  for (let stop = end; stop > 0; ) {
    const start = Math.max(0, stop - CHUNK_BYTES);
    const chunk = Buffer.concat([journal.readFrom(JOURNAL_FILE, start, stop), rest]);
    const firstBreak = start === 0 ? -1 : chunk.indexOf(0x0a);
    // What stands before the first line break may be the end of a line that begins in an earlier chunk.
    const whole = start === 0 || firstBreak !== -1 ? chunk.subarray(firstBreak + 1) : Buffer.alloc(0);
    rest = start === 0 ? Buffer.alloc(0) : firstBreak === -1 ? chunk : chunk.subarray(0, firstBreak + 1);
    yield* whole.toString('utf8').split('\n').reverse();
    stop = start;
  }
}

function serialize(lines: readonly Line[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

function parseLines(text: string): { lines: Line[]; damaged: number } {
  const lines: Line[] = [];
  let damaged = 0;
  for (const raw of text.split('\n')) {
    if (raw === '') continue;
    const line = parseLine(raw);
    if (line) lines.push(line);
    else damaged += 1;
  }
  return { lines, damaged };
}

function parseLine(raw: string): Line | null {
  try {
    const line: unknown = JSON.parse(raw);
    if (typeof line !== 'object' || line === null) return null;
    if ('files' in line) return isChange(line) ? line : null;
    return 'journal' in line || 'done' in line || 'abandoned' in line ? (line as Line) : null;
  } catch {
    return null;
  }
}

const LONGEST_CLOSING_LINE = 64;

/** A line that ends too early was torn: what it announced was never done. */
function heldChange(raw: string): boolean {
  return raw.length > LONGEST_CLOSING_LINE && raw.trimEnd().endsWith('}');
}

/** The folder may come from anywhere: a line of another shape is damage, not something to trip over later. */
function isChange(line: object): line is Change {
  const { id, at, kind, who, why, files } = line as Partial<Change>;
  return (
    [id, at, kind, who, why].every((field) => typeof field === 'string') && Array.isArray(files) && files.every(isFile)
  );
}

function isFile(value: unknown): boolean {
  const { file, before, after, line } = (value ?? {}) as Partial<FileChange>;
  const isHash = (hash: unknown) => hash === null || typeof hash === 'string';
  return typeof file === 'string' && isHash(before) && isHash(after) && (line === undefined || hasLines(line));
}

function hasLines(line: unknown): boolean {
  const { before, after } = (line ?? {}) as { before?: unknown; after?: unknown };
  return [before, after].every((lines) => Array.isArray(lines) && lines.every(isIndexLine));
}

function isIndexLine(line: unknown): boolean {
  const { at, text } = (line ?? {}) as Partial<IndexLine>;
  return typeof at === 'number' && typeof text === 'string';
}

function changesOf(lines: readonly Line[]): Change[] {
  const abandoned = new Set(lines.flatMap((line) => ('abandoned' in line && line.abandoned ? [line.abandoned] : [])));
  return lines.filter((line): line is Change => 'files' in line && !abandoned.has(line.id));
}
