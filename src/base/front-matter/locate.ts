/** Where the front matter of a text begins and ends; nothing is interpreted yet. */

export type Located =
  | { readonly kind: 'blank' }
  | { readonly kind: 'absent' }
  /** Partial text that ends before it is clear whether there is any. */
  | { readonly kind: 'undecided' }
  | ({ readonly kind: 'unterminated' } & Opening)
  | ({
      readonly kind: 'found';
      /** Offset of the closing fence's line. */
      readonly headerEnd: number;
      /** Zero-based line of the closing fence. */
      readonly closeLine: number;
      readonly bodyStart: number;
      /** The body ends here; after it there is at most the closing line of a code fence around the whole file. */
      readonly bodyEnd: number;
    } & Opening);

interface Opening {
  readonly headerStart: number;
  /** Zero-based line of the opening fence. */
  readonly openLine: number;
  /** Blank lines come before it. */
  readonly late: boolean;
  /** The whole file is in a code fence. */
  readonly wrapped: boolean;
}

interface Line {
  readonly start: number;
  /** Without the line end. */
  readonly end: number;
  readonly next: number;
}

const OPENING = /^[\u200b-\u200d\u2060\ufeff]*---[ \t\u00a0]*$/;
const CLOSING = /^(?:---|\.\.\.)[ \t\u00a0]*$/;
const BLANK = /^[\s\0]*$/;
/** A line longer than this many characters is not a fence, whatever blanks follow. */
const LONGEST_FENCE = 64;
const CODE_FENCE = /^(`{3,}|~{3,})[ \t]*[\w+.-]*[ \t]*$/;

/** `partial` text is the beginning of a longer one: its last line may be incomplete, so it never closes anything. */
export function locateFrontMatter(text: string, facts: { partial: boolean }): Located {
  let line = lineAt(text, 0);
  let number = 0;
  const skipBlankLines = () => {
    while (line.start < text.length && BLANK.test(text.slice(line.start, line.end))) {
      line = lineAt(text, line.next);
      number += 1;
    }
  };

  skipBlankLines();
  if (line.start >= text.length) return { kind: facts.partial ? 'undecided' : 'blank' };
  const late = number > 0;
  const codeFence = CODE_FENCE.exec(text.slice(line.start, line.end))?.[1] ?? null;
  if (codeFence !== null) {
    line = lineAt(text, line.next);
    number += 1;
    skipBlankLines();
  }
  const mayGrowIntoFence = facts.partial && line.next === line.end && line.end - line.start < LONGEST_FENCE;
  if (mayGrowIntoFence) return { kind: 'undecided' };
  if (!OPENING.test(text.slice(line.start, line.end))) return { kind: 'absent' };

  const opening = { headerStart: line.next, openLine: number, late, wrapped: codeFence !== null };
  for (line = lineAt(text, line.next); line.start < text.length; line = lineAt(text, line.next)) {
    number += 1;
    const complete = !facts.partial || line.next > line.end;
    if (!complete || line.end - line.start > LONGEST_FENCE || !CLOSING.test(text.slice(line.start, line.end))) continue;
    const body = { bodyStart: line.next, bodyEnd: text.length };
    const inside = codeFence === null ? body : unwrap(text, { ...body, codeFence });
    return { kind: 'found', ...opening, headerEnd: line.start, closeLine: number, ...inside };
  }
  return { kind: 'unterminated', ...opening };
}

/** The fence around a file closes right after the header, or as the file's last line when it pairs with the first. */
function unwrap(text: string, region: { bodyStart: number; bodyEnd: number; codeFence: string }) {
  const { bodyStart, bodyEnd, codeFence } = region;
  const body = text.slice(bodyStart, bodyEnd);
  const mark = codeFence[0] === '~' ? '~' : '`';
  const fences = [...body.matchAll(new RegExp(`^${mark}{${codeFence.length},}([^\\r\\n]*)(?:\\r\\n|\\r|\\n|$)`, 'gm'))];
  const first = fences[0];
  const last = fences.at(-1);
  if (!first || !last) return { bodyStart, bodyEnd };

  const isBare = (fence: RegExpMatchArray) => fence[1]!.trim() === '';
  const endsTheFile = isBare(last) && BLANK.test(body.slice(last.index + last[0].length));
  const pairsInside = fences.every((fence, position) => position % 2 === 0 || isBare(fence));
  const wrapsAll = endsTheFile && fences.length % 2 === 1 && pairsInside;
  if (wrapsAll) return { bodyStart, bodyEnd: bodyStart + last.index };
  const closesTheHeader = isBare(first) && BLANK.test(body.slice(0, first.index));
  return { bodyStart: closesTheHeader ? bodyStart + first.index + first[0].length : bodyStart, bodyEnd };
}

function lineAt(text: string, start: number): Line {
  let end = start;
  for (; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    if (code === 10) return { start, end, next: end + 1 };
    if (code === 13) return { start, end, next: text.charCodeAt(end + 1) === 10 ? end + 2 : end + 1 };
  }
  return { start, end, next: end };
}
