/** Removes text inside XML-like tags from a message: others put it there, and injected text is never learnt from. */

/** Everything that matters is a token of one pass, so that the time is linear. */
const TOKEN = /<(\/?)([A-Za-z][\w:.-]*)(?:\s[^<>]*)?(\/?)>|<!--|-->|\n/g;
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
  /** Where its line begins. */
  readonly line: number;
}

export function withoutInjected(text: string): string {
  const removed: Range[] = [];
  const open: OpenTag[] = [];
  let line = 0;
  let comment: number | null = null;
  for (const match of text.matchAll(TOKEN)) {
    const at = match.index;
    const end = at + match[0].length;
    const [token, slash, name, selfClosing] = match;
    if (token === '\n') line = end;
    else if (token === '<!--') comment ??= at;
    else if (token === '-->') {
      if (comment !== null) removed.push({ from: comment, to: end });
      comment = null;
    } else if (comment !== null || name === undefined) continue;
    else if (selfClosing === '/') removed.push({ from: at, to: end });
    else if (slash === '/') removed.push(closed(open, { name: name.toLowerCase(), line, end }));
    else if (open.length < DEEPEST) open.push({ name: name.toLowerCase(), at, line });
  }
  if (comment !== null) removed.push({ from: comment, to: text.length });
  for (const tag of open) removed.push(neverClosed(text, tag));
  return without(text, removed);
}

function closed(open: OpenTag[], tag: { name: string; line: number; end: number }): Range {
  for (let depth = open.length - 1; depth >= 0; depth--) {
    if (open[depth]!.name !== tag.name) continue;
    const from = open[depth]!.at;
    // What was opened inside and not closed is still inside.
    open.length = depth;
    return { from, to: tag.end };
  }
  // The opening tag was cut off: everything before it may have been inside.
  return { from: WRAPPER_NAME.test(tag.name) ? 0 : tag.line, to: tag.end };
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
