/** Colours one line of a language made of words, strings and comments; what is open at its end continues in the next. */

import type { Grammar } from './highlight-grammar.ts';

export type TokenKind =
  | 'plain'
  | 'keyword'
  | 'type'
  | 'key'
  | 'string'
  | 'number'
  | 'comment'
  | 'added'
  | 'removed'
  | 'heading';

export interface Token {
  readonly text: string;
  readonly kind: TokenKind;
}

/** What is still open at the end of a line; null when nothing is. */
export type HighlightState = {
  readonly kind: TokenKind;
  readonly close: string;
  readonly hasEscapes: boolean;
} | null;

export interface LineTokens {
  readonly tokens: readonly Token[];
  readonly state: HighlightState;
}

const WORD = /[\p{L}_][\p{L}\p{N}_]*/uy;
const NUMBER = /\d[\w.]*/y;
const REST = /\s+|[^\p{L}\p{N}_\s]/uy;
const CHARACTER = /'(?:\\[^']{1,10}|[^'\\])'/uy;
const VARIABLE = /\$(?:\w+|\{[^}]*\}|[?#@*!$-])/y;

export function wordsLine(
  line: string,
  facts: { readonly grammar: Grammar; readonly state: HighlightState },
): LineTokens {
  const { grammar } = facts;
  const tokens: Token[] = [];
  let at = 0;
  let state = facts.state;
  const add = (length: number, kind: TokenKind) => {
    if (length > 0) tokens.push({ text: line.slice(at, at + length), kind });
    at += length;
  };
  if (state !== null) {
    const end = endOf(line, { from: 0, ...state });
    add(end ?? line.length, state.kind);
    if (end === null) return { tokens, state };
    state = null;
  }
  while (at < line.length) {
    const comment = grammar.lineComments.find((mark) => line.startsWith(mark, at));
    // In a shell, a mark within a word is part of it.
    if (comment !== undefined && (comment !== '#' || at === 0 || /[\s;(]/.test(line[at - 1]!))) {
      add(line.length - at, 'comment');
      break;
    }
    const block = grammar.blockComment;
    const form = grammar.strings.find(({ open }) => line.startsWith(open, at));
    const isBlock = block !== null && line.startsWith(block[0], at);
    if (isBlock || form !== undefined) {
      const open = isBlock ? block[0] : form!.open;
      const next: NonNullable<HighlightState> = isBlock
        ? { kind: 'comment', close: block[1], hasEscapes: false }
        : { kind: 'string', close: form!.close, hasEscapes: form!.hasEscapes };
      const end = endOf(line, { from: at + open.length, ...next });
      add((end ?? line.length) - at, next.kind);
      if (end === null && (isBlock || form!.spansLines)) state = next;
      continue;
    }
    const character = grammar.hasCharacters ? matchAt(CHARACTER, line, at) : null;
    const variable = grammar.hasVariables ? matchAt(VARIABLE, line, at) : null;
    const word = matchAt(WORD, line, at);
    const number = matchAt(NUMBER, line, at);
    if (character !== null) add(character.length, 'string');
    else if (variable !== null) add(variable.length, 'type');
    else if (word !== null) add(word.length, wordKind(word, grammar));
    else if (number !== null) add(number.length, 'number');
    else add(matchAt(REST, line, at)?.length ?? 1, 'plain');
  }
  return { tokens, state };
}

export function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

/** The position after the closing mark, or null when there is none. */
export function endOf(line: string, facts: { from: number; close: string; hasEscapes: boolean }): number | null {
  let at = facts.from;
  while (true) {
    const close = line.indexOf(facts.close, at);
    if (close === -1) return null;
    let marks = 0;
    while (facts.hasEscapes && close - marks > at && line[close - marks - 1] === '\\') marks += 1;
    if (marks % 2 === 0) return close + facts.close.length;
    at = close + 1;
  }
}

function wordKind(word: string, grammar: Grammar): TokenKind {
  const known = grammar.isCaseless ? word.toLowerCase() : word;
  if (grammar.keywords.has(known)) return 'keyword';
  if (grammar.types.has(known)) return 'type';
  return grammar.capitalsAreTypes && /^\p{Lu}/u.test(word) ? 'type' : 'plain';
}
