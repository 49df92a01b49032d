/** A word of a command line, with what was quoted in it: a quoted star is a star, an unquoted one a glob. */

export interface Piece {
  readonly text: string;
  readonly isQuoted: boolean;
}

export interface Word {
  /** What is left when the quotes are taken away. */
  readonly text: string;
  readonly pieces: readonly Piece[];
}

const GLOB = /[*?[]/;

export function makeWord(pieces: readonly Piece[]): Word {
  return { text: pieces.map((piece) => piece.text).join(''), pieces };
}

export function isPlain(word: Word): boolean {
  return word.pieces.every((piece) => !piece.isQuoted);
}

export function hasGlob(word: Word): boolean {
  return word.pieces.some((piece) => !piece.isQuoted && GLOB.test(piece.text));
}

/** Whether a file's name could stand at the start of what the word becomes, and so be taken for an option. */
export function beginsWithGlob(word: Word): boolean {
  const first = word.pieces.find((piece) => piece.text !== '');
  return first !== undefined && !first.isQuoted && GLOB.test(first.text[0]!);
}
