/** Which lines of a markdown text stand in code fences, so that a comment in a script is not taken for a heading. */

export interface Fences {
  isFenced(line: number): boolean;
  /** The marks that would close the first fence among these lines that nothing closes; null when there is none. */
  openMarks(from: number, to: number): string | null;
}

const OPENING = /^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/;

/** A fence that is not closed before the next boundary is no fence: it must not swallow what comes after it. */
export function findFences(lines: readonly string[], isBoundary: (line: number) => boolean): Fences {
  const fenced = new Set<number>();
  const open = new Map<number, string>();
  for (let at = 0; at < lines.length; at++) {
    const marks = marksOf(lines[at]!);
    if (marks === null) continue;
    const end = closingOf(lines, { marks, from: at + 1, isBoundary });
    if (end === null) {
      open.set(at, marks);
      continue;
    }
    for (let line = at; line <= end; line++) fenced.add(line);
    at = end;
  }
  return {
    isFenced: (line) => fenced.has(line),
    openMarks(from, to) {
      for (const [line, marks] of open) if (line >= from && line < to) return marks;
      return null;
    },
  };
}

function marksOf(line: string): string | null {
  const found = OPENING.exec(line);
  return found === null ? null : (found[1] ?? found[2] ?? null);
}

function closingOf(
  lines: readonly string[],
  facts: { readonly marks: string; readonly from: number; readonly isBoundary: (line: number) => boolean },
): number | null {
  for (let at = facts.from; at < lines.length && !facts.isBoundary(at); at++) {
    const bare = lines[at]!.trim();
    const indent = lines[at]!.length - lines[at]!.trimStart().length;
    const isSame = bare.startsWith(facts.marks) && [...bare].every((character) => character === facts.marks[0]);
    if (isSame && indent <= 3) return at;
  }
  return null;
}
