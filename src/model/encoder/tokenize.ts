/** Text to token numbers, by the rules of models/recall-en/FORMAT.md. */

import type { Vocabulary } from './vocabulary.ts';

/** Longer runs of letters are hashes and keys: their pieces mean nothing. */
const LONGEST_WORD = 40;
/** Words whose pieces are remembered; a corpus has a long tail that is never met again. */
const REMEMBERED_WORDS = 20_000;

export interface Tokenizer {
  tokenize(text: string, limit: number): number[];
}

export function createTokenizer(vocabulary: Vocabulary): Tokenizer {
  const piecesOf = new Map<string, readonly number[]>();

  function pieces(word: string): readonly number[] {
    const known = piecesOf.get(word);
    if (known !== undefined) return known;
    const found = splitIntoPieces(word, vocabulary);
    if (piecesOf.size < REMEMBERED_WORDS) piecesOf.set(word, found);
    return found;
  }

  return {
    tokenize(text, limit) {
      const tokens: number[] = [];
      for (const word of latinWords(text)) {
        if (tokens.length >= limit) break;
        const token = vocabulary.find(word);
        if (token === -1) tokens.push(...pieces(word));
        else tokens.push(token);
      }
      return tokens.length > limit ? tokens.slice(0, limit) : tokens;
    },
  };
}

export function latinWords(text: string): readonly string[] {
  return (
    text
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[\u0300-\u036f]/g, '')
      .replace(/['\u2019](s\b)?/g, '')
      .match(/[a-z]+|[0-9]+/g) ?? []
  );
}

function splitIntoPieces(word: string, vocabulary: Vocabulary): readonly number[] {
  const found: number[] = [];
  if (word.length > LONGEST_WORD) return found;
  let start = 0;
  while (start < word.length) {
    let end = word.length;
    let token = -1;
    for (; end > start; end--) {
      const piece = word.slice(start, end);
      token = vocabulary.find(start === 0 ? piece : `##${piece}`);
      if (token !== -1) break;
    }
    if (token === -1) start++;
    else {
      found.push(token);
      start = end;
    }
  }
  return found;
}
