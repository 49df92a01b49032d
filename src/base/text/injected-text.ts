/**
 * Removes text inside XML-like tags from a message: others put it there, and injected text is never learnt from. A name in markup within
 * a sentence (`wrap it in <b>Save</b>`) is a word of that sentence; one that would lose more than a word goes as a whole.
 */

/** Everything that matters is a token of one pass, so that the time is linear. */
const TOKEN = /<(\/?)([A-Za-z][\w:.-]*)(?:\s[^<>]*?)?(\/?)>|<!--|-->|\n|[.!?…](?=\s)|[。！？]/g;
/** Up to so many words name a thing; more may be a statement. */
const NAME_WORDS = 3;
const NAME_CHARACTERS = 60;
const STATEMENT_MARK = /[.!?…:;](?:\s|["']|$)|[。！？：；]/;
/** Names that prompts use as wrappers; everything after such a tag is suspect even if it is never closed. */
const WRAPPER_NAME =
  /[-_:]|^(?:system|human|user|assistant|developer|memory|memories|context|instructions?|reminder|tools?|functions?|results?|output|stdout|stderr|document|documents|message|messages|file|files|prompt|example|quote|thinking)$/i;
/** Nobody writes markup nested deeper than this. */
const DEEPEST = 100;

interface Range {
  readonly from: number;
  readonly to: number;
}

interface OpenTag {
  readonly name: string;
  readonly at: number;
  readonly end: number;
  /** Where its line begins. */
  readonly line: number;
  /** Where the sentence begins that it stands in; null where it stands before all words. */
  readonly sentence: number | null;
}

export function withoutInjected(text: string): string {
  const removed: Range[] = [];
  const open: OpenTag[] = [];
  let line = 0;
  let sentence = 0;
  let firstWord: number | null = null;
  let comment: number | null = null;
  const sentenceAt = (at: number) => {
    firstWord ??= wordFrom(text, sentence);
    return firstWord < at ? sentence : null;
  };
  for (const match of text.matchAll(TOKEN)) {
    const at = match.index;
    const end = at + match[0].length;
    const [token, slash, name, selfClosing] = match;
    if (name === undefined && token !== '<!--' && token !== '-->') [sentence, firstWord] = [end, null];
    if (token === '\n') line = end;
    else if (token === '<!--') comment ??= at;
    else if (token === '-->') {
      if (comment !== null) removed.push({ from: comment, to: end });
      comment = null;
    } else if (comment !== null || name === undefined) continue;
    else if (selfClosing === '/') removed.push(alone(token, { at, end, sentence: sentenceAt(at) }));
    else if (slash === '/') removed.push(closed(text, open, { name: name.toLowerCase(), at, line, end }));
    else if (open.length < DEEPEST) {
      open.push({ name: name.toLowerCase(), at, end, line, sentence: sentenceAt(at) });
    }
  }
  if (comment !== null) removed.push({ from: comment, to: text.length });
  for (const tag of open) removed.push(neverClosed(text, tag));
  return without(text, removed);
}

function wordFrom(text: string, at: number): number {
  const word = /\S/g;
  word.lastIndex = at;
  return word.exec(text)?.index ?? text.length;
}

/** It has nothing inside; within a sentence it is a word. */
function alone(token: string, { at, end, sentence }: Pick<OpenTag, 'at' | 'end' | 'sentence'>): Range {
  return { from: at, to: sentence !== null && !STATEMENT_MARK.test(token) ? at : end };
}

interface ClosingTag {
  readonly name: string;
  readonly at: number;
  readonly line: number;
  readonly end: number;
}

function closed(text: string, open: OpenTag[], tag: ClosingTag): Range {
  for (let depth = open.length - 1; depth >= 0; depth--) {
    const opening = open[depth]!;
    if (opening.name !== tag.name) continue;
    // What was opened inside and not closed is still inside.
    open.length = depth;
    if (opening.sentence === null || WRAPPER_NAME.test(tag.name)) return { from: opening.at, to: tag.end };
    // Without it half a sentence would be left, which nobody said.
    return { from: opening.sentence, to: isName(text, opening, tag) ? opening.sentence : tag.end };
  }
  // The opening tag was cut off: everything before it may have been inside.
  return { from: WRAPPER_NAME.test(tag.name) ? 0 : tag.line, to: tag.end };
}

function isName(text: string, opening: OpenTag, tag: ClosingTag): boolean {
  if (opening.line !== tag.line || tag.at - opening.end > NAME_CHARACTERS) return false;
  const inside = text.slice(opening.end, tag.at);
  if (STATEMENT_MARK.test(inside) || STATEMENT_MARK.test(text.slice(opening.at, opening.end))) return false;
  return inside.trim().split(/\s+/).length <= NAME_WORDS;
}

function neverClosed(text: string, tag: OpenTag): Range {
  if (WRAPPER_NAME.test(tag.name)) return { from: tag.at, to: text.length };
  // `Array<string>` and `feature/<ticket>` are words; a tag at the start of a line is markup.
  const isMarkup = text.slice(tag.line, tag.at).trim() === '';
  return { from: tag.at, to: isMarkup ? lineEnd(text, tag.at) : tag.at };
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

function without(text: string, ranges: readonly Range[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const range of [...ranges].sort((one, other) => one.from - other.from)) {
    if (range.to <= at || range.to === range.from) continue;
    if (range.from > at) pieces.push(text.slice(at, range.from));
    at = range.to;
  }
  pieces.push(text.slice(at));
  // A paragraph break, so that the text before and after does not become one sentence.
  return pieces.join('\n\n');
}
