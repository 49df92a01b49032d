/** Colours code a line at a time, so that a block can be shown while it is still being written. */

import { VIEW_LIMITS } from '../../limits.ts';
import type { Paint } from '../terminal/paint.ts';
import { diffLine, jsonLine, markdownLine, markupLine, styleLine, yamlLine } from './highlight-formats.ts';
import { GRAMMARS } from './highlight-grammar.ts';
import { type HighlightState, type LineTokens, type TokenKind, wordsLine } from './highlight-words.ts';
import { type Look, type Span, span } from './spans.ts';

export type { HighlightState };

type ColourLine = (line: string, state: HighlightState) => LineTokens;

const FORMATS: readonly (readonly [ColourLine, string])[] = [
  [jsonLine, 'json jsonc json5 jsonl'],
  [yamlLine, 'yaml yml toml ini'],
  [markupLine, 'html xml svg vue svelte htm'],
  [styleLine, 'css scss less'],
  [diffLine, 'diff patch'],
  [markdownLine, 'md markdown mdx'],
];

const BY_NAME: ReadonlyMap<string, ColourLine> = new Map<string, ColourLine>([
  ...FORMATS.flatMap(([colour, names]) => names.split(' ').map((name) => [name, colour] as const)),
  ...[...GRAMMARS].map(
    ([name, grammar]) => [name, (line: string, state: HighlightState) => wordsLine(line, { grammar, state })] as const,
  ),
]);

/** `line` is clean and holds no newline. An unknown language stays plain. */
export function highlightLine(
  line: string,
  facts: { readonly language: string; readonly state: HighlightState; readonly paint: Paint },
): { readonly spans: readonly Span[]; readonly state: HighlightState } {
  const colour = BY_NAME.get(facts.language.toLowerCase());
  if (colour === undefined || line.length > VIEW_LIMITS.highlightedCharacters) {
    return { spans: [span(line)], state: facts.state };
  }
  const { tokens, state } = colour(line, facts.state);
  return { spans: tokens.map(({ text, kind }) => span(text, lookOf(kind, facts.paint))), state };
}

/** By a file's name, for code that is shown with it. */
export function languageOf(file: string): string {
  const name = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1).toLowerCase();
  return name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : name;
}

function lookOf(kind: TokenKind, paint: Paint): Look | undefined {
  switch (kind) {
    case 'plain':
      return undefined;
    case 'keyword':
      return paint.magenta;
    case 'type':
    case 'key':
      return paint.cyan;
    case 'string':
    case 'added':
      return paint.green;
    case 'number':
      return paint.yellow;
    case 'comment':
      return paint.dim;
    case 'removed':
      return paint.red;
    case 'heading':
      return paint.bold;
  }
}
