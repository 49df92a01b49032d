/** Bold, italic, code, links and strike-through within a paragraph: one pass, in linear time however it is nested. */

import type { Paint } from '../terminal/paint.ts';
import { type Look, type Span, span } from './spans.ts';

export interface InlineStyle {
  readonly paint: Paint;
  /** Links as the terminal's own (OSC 8), for terminals known to support them. */
  readonly hyperlinks?: boolean;
}

type Flag = 'bold' | 'italic' | 'strike' | 'code' | 'address';

interface Piece {
  text: string;
  readonly flag?: Flag;
}

/** A style that starts or ends before a piece. */
type Change = { readonly flag: Flag; readonly by: 1 | -1 } | { readonly address: string | null };

interface Delimiter {
  readonly character: string;
  readonly piece: number;
  count: number;
}

const TOKEN = /`+|\*+|_+|~+|\\[\s\S]?|!?\[|\]|<|[^`*_~\\![\]<]+|[\s\S]/g;
const DESTINATION = /\(\s?(<[^<>\n]*>|[^\s()<]*(?:\([^\s()]*\)[^\s()]*)*)(?:\s{1,3}(?:"[^"\n]*"|'[^'\n]*'))?\s?\)/y;
const ADDRESS = /<((?:https?:|mailto:)[^\s<>]*)>/y;
const LINE_BREAK = /<br ?\/?>/iy;
const SPACE_OR_EDGE = /^$|\s/;
const WORD = /[\p{L}\p{N}]/u;

/** `text` is clean; it may hold newlines. */
export function inlineSpans(text: string, style: InlineStyle): Span[] {
  const pieces: Piece[] = [];
  const changes = new Map<number, Change[]>();
  const open: Delimiter[] = [];
  const opened = { '*': 0, _: 0, '~': 0 } as Record<string, number>;
  const brackets: { piece: number; at: number }[] = [];
  const closers = codeClosers(text);

  const change = (piece: number, entry: Change) => {
    const list = changes.get(piece);
    if (list === undefined) changes.set(piece, [entry]);
    else list.push(entry);
  };
  const matchAt = (pattern: RegExp, at: number) => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };

  function addDelimiter(run: string, at: number): void {
    const character = run[0]!;
    const { canOpen, canClose } = flanking(text, { at, length: run.length, character });
    const own: Delimiter = { character, piece: pieces.length, count: run.length };
    const least = character === '~' ? 2 : 1;
    if (canClose) {
      while (own.count >= least && opened[character]! > 0) {
        while (open.at(-1)!.character !== character) opened[open.pop()!.character]! -= 1;
        const opener = open.at(-1)!;
        const used = Math.min(2, opener.count, own.count);
        const flag = character === '~' ? 'strike' : used === 2 ? 'bold' : 'italic';
        change(opener.piece + 1, { flag, by: 1 });
        change(own.piece, { flag, by: -1 });
        opener.count -= used;
        own.count -= used;
        pieces[opener.piece]!.text = character.repeat(opener.count);
        if (opener.count < least) {
          open.pop();
          opened[character]! -= 1;
        }
      }
    }
    pieces.push({ text: character.repeat(own.count) });
    if (canOpen && own.count >= least) {
      open.push(own);
      opened[character]! += 1;
    }
  }

  /** Where the text continues. */
  function closeBracket(at: number): number {
    const bracket = brackets.pop();
    const found = bracket === undefined ? null : matchAt(DESTINATION, at + 1);
    if (bracket === undefined || found === null) {
      pieces.push({ text: ']' });
      return at + 1;
    }
    const address = found[1]!.replace(/^<|>$/g, '');
    pieces[bracket.piece]!.text = '';
    const isShown = address.length === at - bracket.at && text.slice(bracket.at, at) === address;
    if (style.hyperlinks && isSafeAddress(address)) {
      change(bracket.piece, { address });
      change(pieces.length, { address: null });
    } else if (!isShown && address !== '') pieces.push({ text: ` (${address})`, flag: 'address' });
    return at + 1 + found[0].length;
  }

  let at = 0;
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)![0];
    const first = token[0]!;
    let next = at + token.length;
    if (first === '`') {
      const end = closers(at, token.length);
      if (end === null) pieces.push({ text: token });
      else {
        pieces.push({ text: codeText(text.slice(next, end)), flag: 'code' });
        next = end + token.length;
      }
    } else if (first === '*' || first === '_' || first === '~') addDelimiter(token, at);
    else if (first === '\\') pieces.push({ text: isEscape(token) ? token.slice(1) : token });
    else if (first === '[' || token === '![') {
      brackets.push({ piece: pieces.length, at: next });
      pieces.push({ text: token });
    } else if (first === ']') next = closeBracket(at);
    else if (first === '<') {
      const address = matchAt(ADDRESS, at);
      const found = address ?? matchAt(LINE_BREAK, at);
      pieces.push({ text: found === null ? '<' : (address?.[1] ?? '\n') });
      if (found !== null) next = at + found[0].length;
    } else pieces.push({ text: token });
    at = next;
  }
  return sweep(pieces, changes, style);
}

/** Joins neighbours with the same look. */
function sweep(pieces: readonly Piece[], changes: ReadonlyMap<number, Change[]>, style: InlineStyle): Span[] {
  const isPlain = style.paint.bold('x') === 'x';
  const counts: Record<Flag, number> = { bold: 0, italic: 0, strike: 0, code: 0, address: 0 };
  const addresses: string[] = [];
  const looks = new Map<string, Look | undefined>();
  const spans: Span[] = [];
  for (const [at, piece] of pieces.entries()) {
    for (const entry of changes.get(at) ?? []) {
      if ('flag' in entry) counts[entry.flag] += entry.by;
      else if (entry.address === null) addresses.pop();
      else addresses.push(entry.address);
    }
    if (piece.text === '') continue;
    const flags = FLAGS.filter((flag) => counts[flag] > 0 || piece.flag === flag);
    const address = addresses.at(-1);
    const key = `${flags.join()} ${address ?? ''}`;
    if (!looks.has(key)) looks.set(key, lookOf(flags, { paint: style.paint, address }));
    // Without looks, code keeps its marks.
    const text = isPlain && piece.flag === 'code' ? `\`${piece.text}\`` : piece.text;
    const look = looks.get(key);
    const last = spans.at(-1);
    if (last !== undefined && last.look === look) spans[spans.length - 1] = span(last.text + text, look);
    else spans.push(span(text, look));
  }
  return spans;
}

const FLAGS: readonly Flag[] = ['bold', 'italic', 'strike', 'code', 'address'];

function lookOf(flags: readonly Flag[], facts: { paint: Paint; address: string | undefined }): Look | undefined {
  const { paint, address } = facts;
  const each: Record<Flag, Look> = {
    ...{ bold: paint.bold, italic: paint.italic, strike: paint.strikethrough },
    ...{ code: paint.cyan, address: paint.dim },
  };
  const parts = flags.map((flag) => each[flag]);
  if (address !== undefined) parts.push((text) => `\u001b]8;;${address}\u001b\\${text}\u001b]8;;\u001b\\`);
  return parts.length === 0 ? undefined : (text) => parts.reduceRight((painted, look) => look(painted), text);
}

/** What may be inside an escape sequence: printable ASCII, and a scheme that opens a page or a file. */
function isSafeAddress(address: string): boolean {
  return /^(?:https?|mailto|file):[!-~]+$/.test(address);
}

function isEscape(token: string): boolean {
  return /^\\[!-/:-@[-`{-~\n]$/.test(token);
}

/** A line break within code is a blank, and one blank at each end belongs to the marks. */
function codeText(text: string): string {
  const line = text.replaceAll('\n', ' ');
  return /^ .*[^ ].* $/.test(line) ? line.slice(1, -1) : line;
}

/** Position of the closing backticks; lengths that close nothing are remembered, so that no text is searched twice. */
function codeClosers(text: string): (at: number, length: number) => number | null {
  const byLength = new Map<number, number[]>();
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const list = byLength.get(run.length);
    if (list === undefined) byLength.set(run.length, [index]);
    else list.push(index);
  }
  for (const list of byLength.values()) list.reverse();
  return (at, length) => {
    const list = byLength.get(length) ?? [];
    while (list.length > 0 && list.at(-1)! <= at) list.pop();
    return list.at(-1) ?? null;
  };
}

/** Simpler than CommonMark, which misses emphasis next to Chinese and Japanese punctuation: blanks decide, and words for `_`. */
function flanking(text: string, run: { at: number; length: number; character: string }) {
  const before = text.slice(Math.max(0, run.at - 1), run.at);
  const after = text.slice(run.at + run.length, run.at + run.length + 1);
  const isName = run.character === '_';
  return {
    canOpen: !SPACE_OR_EDGE.test(after) && !(isName && WORD.test(before)),
    canClose: !SPACE_OR_EDGE.test(before) && !(isName && WORD.test(after)),
  };
}
