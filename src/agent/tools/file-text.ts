/** A file's bytes as text and back, so that line ends, byte order mark and everything untouched survive. */

export interface FileText {
  /** As it is in the file, without the mark. */
  readonly text: string;
  readonly hasMark: boolean;
  /** Whether the same bytes come back; what is not UTF-8 can be shown but not edited. */
  readonly isExact: boolean;
}

const MARK = '\uFEFF';

export function decode(bytes: Buffer): FileText {
  const whole = bytes.toString('utf8');
  const hasMark = whole.startsWith(MARK);
  return { text: hasMark ? whole.slice(1) : whole, hasMark, isExact: Buffer.from(whole).equals(bytes) };
}

export function encode(text: string, hasMark: boolean): Buffer {
  return Buffer.from(hasMark && !text.startsWith(MARK) ? MARK + text : text);
}

/** Lines without their ends; a final line end begins no further line. */
export function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Whether most lines end as on Windows. */
export function usesCrlf(text: string): boolean {
  const crlf = countOf(text, '\r\n');
  return crlf > 0 && crlf * 2 > countOf(text, '\n');
}

export function withCrlf(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll('\n', '\r\n');
}

function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) count++;
  return count;
}
