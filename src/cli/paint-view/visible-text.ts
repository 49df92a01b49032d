/** Text in which nothing may be hidden: what a terminal would not show, or show as something else, becomes an escape. */

import { type Look, type Span, span, TAB_TEXT } from './spans.ts';

// Controls, formats, ignorables (including tags and variation selectors), private and unassigned characters, lone
// surrogates, and every blank except the usual one.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u;
const SOME_HIDDEN = new RegExp(`(?:${HIDDEN.source})+`, 'gu');
const SHORT: Readonly<Record<string, string>> = {
  '\r': '\\r',
  '\u001b': '\\e',
  '\0': '\\0',
  '\u0007': '\\a',
  '\b': '\\b',
};

/** Newlines stay; a tab becomes blanks. Escapes get their own look, so that they differ from text that reads like one. */
export function visibleSpans(text: string, looks: { readonly plain?: Look; readonly escape: Look }): Span[] {
  const spans: Span[] = [];
  let at = 0;
  const add = (piece: string) => {
    if (piece !== '') spans.push(span(piece, looks.plain));
  };
  for (const { 0: found, index } of text.matchAll(SOME_HIDDEN)) {
    add(text.slice(at, index));
    for (const part of found.match(/[\n\t]+|[^\n\t]+/gu) ?? []) {
      if (/[\n\t]/.test(part)) add(part.replaceAll('\t', TAB_TEXT));
      else spans.push(span([...part].map(escapeOf).join(''), looks.escape));
    }
    at = index + found.length;
  }
  add(text.slice(at));
  return spans;
}

export function visibleText(text: string): string {
  return visibleSpans(text, { escape: (escaped) => escaped })
    .map((piece) => piece.text)
    .join('');
}

function escapeOf(character: string): string {
  const short = SHORT[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0)!;
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16).padStart(4, '0')}}`;
}
