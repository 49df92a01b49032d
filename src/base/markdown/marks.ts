/** The marks that open and close markdown blocks on their own line: code fences and headings. Every markdown reader uses these. */

export interface Fence {
  /** The backticks or tildes it opens with. */
  readonly marks: string;
  /** What follows them, such as a language. */
  readonly info: string;
}

const FENCE = /^[ \t]*(`{3,}(?=[^`]*$)|~{3,})/;
const HEADING = /^[ \t]*(#{1,6})(?:[ \t]+|$)/;

/** At any indentation: the caller decides whether that makes it code. */
export function openingFence(line: string): Fence | null {
  const found = FENCE.exec(line);
  return found === null ? null : { marks: found[1]!, info: line.slice(found[0].length).trim() };
}

/** A fence ends at the same number of marks of its kind, or more, with nothing after them. */
export function closesFence(line: string, marks: string): boolean {
  const found = line.trim();
  return found.length >= marks.length && found === marks[0]!.repeat(found.length);
}

/** For the lines of a text in order: whether each belongs to a fenced block, including its first and last line. */
export function fenceFollower(): (line: string) => boolean {
  let open: string | null = null;
  return (line) => {
    if (open === null) {
      open = openingFence(line.trimStart())?.marks ?? null;
      return open !== null;
    }
    if (closesFence(line, open)) open = null;
    return true;
  };
}

/** The text with the lines of fenced blocks left blank: all offsets stay. */
export function withoutFences(text: string): string {
  const isCode = fenceFollower();
  const lines = text.split('\n').map((line) => (isCode(line) ? ' '.repeat(line.length) : line));
  return lines.join('\n');
}

/** A heading without its marks on either side. */
export function headingAt(line: string): { readonly level: number; readonly title: string } | null {
  const found = HEADING.exec(line);
  if (found === null) return null;
  const written = line.slice(found[0].length).trimEnd();
  let end = written.length;
  while (written[end - 1] === '#') end -= 1;
  const isClosed = end === 0 || written[end - 1] === ' ' || written[end - 1] === '\t';
  return { level: found[1]!.length, title: isClosed ? written.slice(0, end).trimEnd() : written };
}
