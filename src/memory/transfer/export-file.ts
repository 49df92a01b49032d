/** The export format: all memories in one file of JSON lines that proves itself whole before a byte of it is used. */

import { createHash } from 'node:crypto';
import { type MemoryScope, OWN_SCOPES, type OwnScope } from '../../base/taxonomy.ts';
import { ReverieError } from '../../errors.ts';
import { isInLogs } from '../daily-log/place.ts';
import { INDEX_FILE } from '../files/walk.ts';

const FORMAT = 'reverie-export';
const VERSION = 1;

export interface ExportedFile {
  readonly scope: MemoryScope;
  /** Path below its memory folder, with forward slashes. */
  readonly file: string;
  readonly bytes: Uint8Array;
  /** True for MEMORY.md itself. */
  readonly index: boolean;
}

export type ParsedExport =
  | { readonly kind: 'export'; readonly created: string; readonly files: readonly ExportedFile[] }
  | { readonly kind: 'damaged'; readonly line: number; readonly problem: string }
  | { readonly kind: 'not-an-export' };

type NewFile = Omit<ExportedFile, 'index'> & { readonly index?: boolean };

export function renderExport(input: { created: string; files: readonly NewFile[] }): string {
  const memories = input.files.filter(isMemory).length;
  const header = checked({ format: FORMAT, version: VERSION, created: input.created, memories });
  const lines = input.files.map((file) => checked(fileLine(file)));
  const body = [header, ...lines].map((line) => `${line}\n`).join('');
  return body + closingLine(body);
}

/** Daily logs travel along and are not counted. */
export function isMemory({ file, index }: Pick<NewFile, 'file' | 'index'>): boolean {
  return index !== true && !isInLogs(file.toLowerCase());
}

function fileLine(file: NewFile): object {
  const problem = exportNameProblem(file.file);
  if (problem !== null) {
    const message = `Cannot export ${JSON.stringify(file.file)}: ${problem}`;
    throw new ReverieError({ code: 'refused', message, fix: 'Rename the file and export again.' });
  }
  const { scope, bytes, index } = file;
  const text = decodeUtf8(bytes);
  const content = text === null ? { base64: Buffer.from(bytes).toString('base64') } : { text };
  return { scope, file: file.file, ...(index ? { index: true } : {}), sha256: sha256(bytes), ...content };
}

/** Adds a checksum of the line itself, so that damage is found where it is and not only somewhere. */
function checked(record: object): string {
  const line = JSON.stringify(record);
  return `${line.slice(0, -1)},"check":"${checkOf(line)}"}`;
}

function checkOf(line: string): string {
  return sha256(Buffer.from(line)).slice(0, 16);
}

function closingLine(body: string | Uint8Array): string {
  return `${JSON.stringify({ end: FORMAT, sha256: sha256(body) })}\n`;
}

export function parseExport(bytes: Uint8Array): ParsedExport {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lines = splitLines(whole);
  if (!isExport(lines)) return { kind: 'not-an-export' };
  const header = readLine(lines[0]!);
  const version = declaredVersion(lines[0]!);
  // A later version may check its lines in another way; one that is checked in our way and fails is damaged.
  if (version > VERSION && (header.problem === null || !isChecked(lines[0]!))) {
    return damaged(1, `it was written by a newer Reverie (format ${version}; this one reads ${VERSION})`);
  }
  if (header.problem !== null) return damaged(1, header.problem);
  const { created, memories } = header.record;
  if (version !== VERSION || typeof created !== 'string') return damaged(1, 'the header is not one of this format');

  const files: ExportedFile[] = [];
  const seen = new Set<string>();
  for (const [at, line] of lines.slice(1, -1).entries()) {
    const file = readFile(line, seen);
    if ('problem' in file) return damaged(at + 2, file.problem);
    files.push(file);
  }
  const closing = closingProblem(whole, lines);
  if (closing !== null) return closing;
  const found = files.filter(isMemory).length;
  if (found !== memories) return damaged(1, `the header counts ${memories} memories, the file holds ${found}`);
  return { kind: 'export', created, files };
}

/** Each with its line break; the last may lack one. */
function splitLines(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(0x0a, start);
    const next = end === -1 ? bytes.length : end + 1;
    lines.push(bytes.subarray(start, next));
    start = next;
  }
  return lines;
}

/** Either end is enough, so that damage to the other one is called damage. */
function isExport(lines: readonly Buffer[]): boolean {
  const first = lines[0]?.subarray(0, 200).toString('latin1') ?? '';
  const last = lines.at(-1)?.subarray(0, 200).toString('latin1') ?? '';
  return first.includes(`"format":"${FORMAT}"`) || last.includes(`"end":"${FORMAT}"`);
}

const CHECK = /^(.*),"check":"([0-9a-f]{16})"\}\n$/s;

function isChecked(line: Buffer): boolean {
  return CHECK.test(line.toString('latin1'));
}

function declaredVersion(line: Buffer): number {
  return Number(/"version":(\d+)/.exec(line.toString('latin1'))?.[1]);
}

type Line =
  | { readonly record: Record<string, unknown>; readonly problem: null }
  | { record?: undefined; readonly problem: string };

function readLine(bytes: Buffer): Line {
  const text = decodeUtf8(bytes);
  if (text === null) return { problem: 'it holds bytes that are not text' };
  if (!text.endsWith('\n')) return { problem: 'the file ends in the middle of this line' };
  if (text.endsWith('\r\n')) return { problem: 'its line endings were changed; copy the file as binary' };
  const parts = CHECK.exec(text);
  if (parts === null || checkOf(`${parts[1]}}`) !== parts[2])
    return { problem: 'the checksum of this line does not match' };
  return { record: JSON.parse(`${parts[1]}}`), problem: null };
}

function readFile(bytes: Buffer, seen: Set<string>): ExportedFile | { readonly problem: string } {
  const line = readLine(bytes);
  if (line.problem !== null) return { problem: line.problem };
  const { scope, file, index, sha256: sum, text, base64 } = line.record;
  if (!isScope(scope)) return { problem: 'it names no scope' };
  if (typeof file !== 'string') return { problem: 'it names no file' };
  const nameProblem = exportNameProblem(file);
  if (nameProblem !== null) return { problem: `the file name ${JSON.stringify(file)} is refused: ${nameProblem}` };
  if ((index === true) !== (file === INDEX_FILE)) return { problem: `${INDEX_FILE} and only it is an index` };
  if (seen.has(`${scope}/${file}`)) return { problem: `${file} is there twice` };
  seen.add(`${scope}/${file}`);
  if (typeof text !== 'string' && typeof base64 !== 'string') return { problem: 'it holds no text' };
  const content = typeof text === 'string' ? Buffer.from(text) : Buffer.from(String(base64), 'base64');
  if (sha256(content) !== sum) return { problem: `the checksum of ${file} does not match` };
  return { scope, file, bytes: content, index: index === true };
}

function closingProblem(whole: Buffer, lines: readonly Buffer[]): ParsedExport | null {
  const last = lines.at(-1)!;
  const text = last.toString('latin1');
  if (isChecked(last)) return damaged(lines.length + 1, 'the closing line is missing: the file was cut off');
  if (text === closingLine(whole.subarray(0, whole.length - last.length))) return null;
  return damaged(lines.length, 'the checksum of the whole file does not match: a line was changed, added or removed');
}

function damaged(line: number, problem: string): ParsedExport {
  return { kind: 'damaged', line, problem };
}

/** The team's memories travel with its repository, not with an export. */
function isScope(value: unknown): value is OwnScope {
  return (OWN_SCOPES as readonly unknown[]).includes(value);
}

/** Null where the bytes are not UTF-8; a byte order mark is part of the text. */
function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

// Which file names an export may carry: whoever opens one does not know who wrote it.

/** Why a name could lead outside the memory folder or hide inside it; null when it is fine. */
export function exportNameProblem(file: string): string | null {
  if (/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(file)) return 'it holds a control character';
  if (file.includes('\\')) return 'it holds a backslash';
  if (file.startsWith('/') || /^[A-Za-z]:/.test(file)) return 'it is not relative';
  for (const part of file.split('/')) {
    if (part === '') return 'it has an empty part';
    if (part === '.' || part === '..') return 'it leads out of the folder';
    if (part.startsWith('.')) return 'a part of it begins with a dot';
  }
  return file.endsWith('.md') ? null : 'it does not end in .md';
}
