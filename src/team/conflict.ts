/** Reads a file that git left conflict markers in: every side of it as a whole text, and no marker in any of them. */

const OPEN = /^<{7,}(?: (.*))?\r?$/;
const BASE = /^\|{7,}(?: .*)?\r?$/;
const MIDDLE = /^={7,}\r?$/;
const CLOSE = /^>{7,}(?: (.*))?\r?$/;

type Part = string | Conflict;

interface Conflict {
  readonly sides: readonly [readonly Part[], readonly Part[]];
}

export function hasConflictMarkers(text: string): boolean {
  return /^(?:<{7,}|>{7,})(?: |\r?$)/m.test(text);
}

/**
 * The texts that the sides of a conflict had; just the text where there is none. A conflict within a conflict, which a file committed with its markers
 * gets at the next merge, gives more than two. A marker without its partner is left out as a line.
 */
export function sidesOf(text: string): readonly string[] {
  if (!hasConflictMarkers(text)) return [text];
  const lines = text.split('\n');
  const { parts } = readParts(lines, 0, 0);
  const sides = versionsOf(parts).map((each) => each.join('\n'));
  return [...new Set(sides)];
}

interface ReadParts {
  readonly parts: readonly Part[];
  /** The line that ended it; the number of lines at the end of the text. */
  readonly end: number;
}

/** Up to the marker that ends the part it is in. */
function readParts(lines: readonly string[], from: number, depth: number): ReadParts {
  const parts: Part[] = [];
  let at = from;
  while (at < lines.length) {
    const line = lines[at]!;
    if (OPEN.test(line) && depth < DEEPEST) {
      const conflict = readConflict(lines, at + 1, depth + 1);
      parts.push(...conflict.parts);
      at = conflict.end;
      continue;
    }
    if (depth > 0 && (BASE.test(line) || MIDDLE.test(line) || CLOSE.test(line))) return { parts, end: at };
    // A row of seven equals signs outside of a conflict underlines a heading.
    if (![OPEN, BASE, CLOSE].some((marker) => marker.test(line))) parts.push(line);
    at += 1;
  }
  return { parts, end: at };
}

/** `from` is the line behind the opening marker. Cut off before its end, what there is counts as plain text. */
function readConflict(lines: readonly string[], from: number, depth: number): ReadParts {
  const ours = readParts(lines, from, depth);
  let at = ours.end;
  if (at < lines.length && BASE.test(lines[at]!)) at = readParts(lines, at + 1, depth).end;
  if (at >= lines.length || !MIDDLE.test(lines[at]!)) return { parts: ours.parts, end: at + 1 };
  const theirs = readParts(lines, at + 1, depth);
  return { parts: [{ sides: [ours.parts, theirs.parts] }], end: theirs.end + 1 };
}

/** Every line of every side is in at least one of them. */
function versionsOf(parts: readonly Part[]): readonly (readonly string[])[] {
  const choices = parts.map((part) =>
    typeof part === 'string' ? [[part]] : part.sides.flatMap((side) => versionsOf(side)),
  );
  const count = Math.min(MOST_VERSIONS, Math.max(1, ...choices.map((each) => each.length)));
  return Array.from({ length: count }, (_, version) =>
    choices.flatMap((each) => {
      const isRest = version === count - 1 && each.length > count;
      return isRest ? each.slice(version).flat() : each[Math.min(version, each.length - 1)]!;
    }),
  );
}

/** More sides than people have; a file that claims more has the rest of them one after the other. */
const MOST_VERSIONS = 16;
/** Conflicts within one another that are told apart. */
const DEEPEST = 12;
