/** Names, values and paths in what the user typed: the words a summary must not get wrong, and how to tell that a text has one. */

/** In order of precedence; what one has matched is not looked at by the next. */
const KINDS: readonly RegExp[] = [
  /\bhttps?:\/\/[^\s<>"'`)\]]+/g,
  /`[^`\n]+`/g,
  /"[^"\n]{2,}"|“[^”\n]{2,}”|「[^」\n]{2,}」/g,
  /\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g,
  // Paths: rooted, relative with a folder, or a file with an extension.
  /(?<![\w/])(?:~|\.{1,2})?\/[\w.@+-]+(?:\/[\w.@+-]+)*\/?|\b[A-Za-z]:\\[\w.\\-]+|(?<![\w/])[\w.@+-]+(?:\/[\w.@+-]+)+\/?/g,
  /\b[\w-]+\.(?:[a-z]{1,5}\d?|json5)\b(?!\w)/g,
  // Identifiers: snake_case, camelCase, CONSTANT_CASE, ticket ids, flags, dotted names.
  /(?<!\w)--?[a-z][\w-]+(?:=\S+)?/g,
  /\b[A-Z][A-Z0-9]+-\d+\b/g,
  /\b[A-Za-z]\w*(?:\.[A-Za-z_]\w*)+\b(?:\(\))?/g,
  /\b[A-Za-z]+(?:_[A-Za-z0-9]+)+\b|\b[a-z]+(?:[A-Z][a-z0-9]*)+\b|\b(?:[A-Z][a-z0-9]+){2,}\b/g,
  // Values: dates, versions, numbers with a sign, a unit or more than one digit.
  /\b\d{4}-\d{2}-\d{2}(?:T[\d:.Z+-]+)?\b/g,
  /\bv?\d+(?:[.,:]\d+)+\b/g,
  /(?<![\w.])[$€£#]?\d+(?:%|\s?(?:ms|s|min|h|px|[KMGT]i?B|k|tokens?|characters?|bytes?|lines?|days?|hours?|minutes?|seconds?))(?!\w)|(?<![\w.])[$€£#]\d+|\b\d{2,}\b/g,
  // Names: capitals within a sentence, and words in capitals.
  /(?<=[\p{Ll}\d,;:)] )\p{Lu}[\p{L}\d]+(?: \p{Lu}[\p{L}\d]+)*/gu,
  /\b[A-Z][A-Z0-9]{1,}\b/g,
];

/** Words that are always capitalised. */
const NOT_NAMES = /^(?:I'?\w*|OK|TODO|Please|The|This|That|And|But|Or|If|It|We|You|He|She|They|My|Yes|No)$/;

/** No term is longer than a line, and no line that somebody typed is longer than this. */
const LINE_CHARACTERS = 500;

/** In text order, each once. */
export function termsIn(text: string, termCharacters: number): readonly string[] {
  return [...new Set(linesOf(text).flatMap((line) => termsOfLine(line, termCharacters)))];
}

/** Longer lines are cut, between words where there are any: the patterns try every beginning in a line. */
function linesOf(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const pieces: string[] = [];
    for (let at = 0; at < line.length; ) {
      const piece = line.slice(at, at + LINE_CHARACTERS);
      const blank = at + LINE_CHARACTERS < line.length ? piece.lastIndexOf(' ') : -1;
      pieces.push(blank > 0 ? piece.slice(0, blank + 1) : piece);
      at += pieces.at(-1)!.length;
    }
    return pieces;
  });
}

function termsOfLine(line: string, termCharacters: number): readonly string[] {
  const found: { readonly at: number; readonly term: string }[] = [];
  let rest = line;
  for (const kind of KINDS) {
    rest = rest.replace(kind, (match: string, ...more: unknown[]) => {
      const at = more.find((value): value is number => typeof value === 'number')!;
      const term = match
        .replace(/^[`"“「]|[`"”」]$/g, '')
        .replace(/[.,;:!?]+$/, '')
        .trim();
      if (term.length > 1 && term.length <= termCharacters && !NOT_NAMES.test(term)) found.push({ at, term });
      return ' '.repeat(match.length);
    });
  }
  return found.sort((one, other) => one.at - other.at).map(({ term }) => term);
}

/** White space does not count: a summary may break its lines elsewhere. */
export function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Whether the text has the words, not as part of longer ones: `80` is not in `8080`. Both are `plain`. */
export function holds(text: string, words: string): boolean {
  if (words === '') return true;
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text[at + words.length] ?? ' ';
    if (!goOn(before, words[0]!) && !goOn(words.at(-1)!, after)) return true;
  }
  return false;
}

const WORD = /[A-Za-z0-9_]/;

function goOn(left: string, right: string): boolean {
  return WORD.test(left) && WORD.test(right);
}
