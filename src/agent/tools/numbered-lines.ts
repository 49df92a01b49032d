/** Lines with their numbers, as the model sees files; lines too long to be shown are cut with a note. */

const NUMBER_WIDTH = 6;

export interface Numbered {
  readonly text: string;
  readonly isCut: boolean;
}

/** `first` is the number of the first of these lines. */
export function numbered(lines: readonly string[], first: number, lineCharacters: number): Numbered {
  const shown = lines.map(
    (line, index) => `${String(first + index).padStart(NUMBER_WIDTH)}\t${cut(line, lineCharacters)}`,
  );
  return { text: shown.join('\n'), isCut: lines.some((line) => line.length > lineCharacters) };
}

function cut(line: string, characters: number): string {
  if (line.length <= characters) return line;
  // Half of a surrogate pair is no character.
  const end = /[\uD800-\uDBFF]/.test(line[characters - 1] ?? '') ? characters - 1 : characters;
  return `${line.slice(0, end)} … [cut: the line has ${line.length} characters]`;
}
