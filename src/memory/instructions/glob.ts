/** Globs over paths with `/`: `**`, `*`, `?`, `[…]`, `{a,b}`. No pattern can make it slow: nothing is tried twice. */

export type GlobMatcher = (path: string) => boolean;

/** Null when the braces stand for more than `mostAlternatives` patterns. */
export function compileGlob(glob: string, mostAlternatives: number): GlobMatcher | null {
  const plain = glob.replace(/^(?:\.?\/)+/, '').replace(/\/$/, '/**');
  const alternatives = expandBraces(plain, mostAlternatives);
  if (alternatives === null) return null;
  const patterns = alternatives.map((alternative) => alternative.split('/').map(parseSegment));
  return (path) => {
    const segments = path.split('/');
    return patterns.some((pattern) => matchSegments(pattern, segments));
  };
}

type Sign =
  | { readonly kind: 'any-run' }
  | { readonly kind: 'any' }
  | { readonly kind: 'one'; readonly sign: string }
  | { readonly kind: 'set'; readonly isNegated: boolean; readonly ranges: readonly (readonly [string, string])[] };

/** `**` stands for any number of folders. */
type Segment = '**' | readonly Sign[];

/** `{a,b}`, also nested; braces without a comma or without an end stand for themselves. */
function expandBraces(glob: string, most: number): string[] | null {
  let waiting = [glob];
  const done: string[] = [];
  while (waiting.length > 0) {
    const next: string[] = [];
    for (const pattern of waiting) {
      const choices = firstBraces(pattern);
      if (choices === null) done.push(pattern);
      else next.push(...choices);
      if (done.length + next.length > most) return null;
    }
    waiting = next;
  }
  return done;
}

/** What the first braces with a comma stand for, found in one pass: braces that nothing closes must not be searched again and again. */
function firstBraces(pattern: string): string[] | null {
  const open: { readonly start: number; readonly commas: number[] }[] = [];
  let first: { readonly start: number; readonly commas: readonly number[]; readonly end: number } | null = null;
  for (let at = 0; at < pattern.length; at += 1) {
    if (pattern[at] === '\\') at += 1;
    else if (pattern[at] === '{') open.push({ start: at, commas: [] });
    else if (pattern[at] === ',') open.at(-1)?.commas.push(at);
    else if (pattern[at] === '}') {
      const closed = open.pop();
      const isFirst = closed !== undefined && closed.commas.length > 0 && closed.start < (first?.start ?? at);
      if (isFirst) first = { ...closed, end: at };
    }
  }
  if (first === null) return null;
  const { start, commas, end } = first;
  const bounds = [start, ...commas, end];
  const choices = bounds.slice(1).map((bound, index) => pattern.slice(bounds[index]! + 1, bound));
  return choices.map((choice) => pattern.slice(0, start) + choice + pattern.slice(end + 1));
}

function parseSegment(text: string): Segment {
  if (text === '**') return '**';
  const signs: Sign[] = [];
  const written = [...text];
  // Behind the last `]` no set can end, and none is looked for.
  const lastClose = written.lastIndexOf(']');
  for (let at = 0; at < written.length; at += 1) {
    const sign = written[at]!;
    const set = sign === '[' && at < lastClose ? parseSet(written, at) : null;
    if (sign === '*') {
      if (signs.at(-1)?.kind !== 'any-run') signs.push({ kind: 'any-run' });
    } else if (sign === '?') {
      signs.push({ kind: 'any' });
    } else if (set !== null) {
      signs.push(set.sign);
      at = set.end;
    } else if (sign === '\\' && at + 1 < written.length) {
      at += 1;
      signs.push({ kind: 'one', sign: written[at]! });
    } else {
      signs.push({ kind: 'one', sign });
    }
  }
  return signs;
}

/** `[a-z]`, `[!a]`, `[^a]`; a `]` right at the beginning is a member. */
function parseSet(text: readonly string[], open: number): { readonly sign: Sign; readonly end: number } | null {
  const isNegated = text[open + 1] === '!' || text[open + 1] === '^';
  const first = open + (isNegated ? 2 : 1);
  const end = text.indexOf(']', first + 1);
  if (end < 0) return null;
  const ranges: (readonly [string, string])[] = [];
  for (let at = first; at < end; at += 1) {
    const isRange = text[at + 1] === '-' && at + 2 < end;
    ranges.push([text[at]!, isRange ? text[at + 2]! : text[at]!]);
    if (isRange) at += 2;
  }
  return { sign: { kind: 'set', isNegated, ranges }, end };
}

function matchSegments(pattern: readonly Segment[], segments: readonly string[]): boolean {
  return matchRuns({
    length: pattern.length,
    isRun: (index) => pattern[index] === '**',
    matches: (index, at) => matchSegment(pattern[index] as readonly Sign[], segments[at]!),
    count: segments.length,
  });
}

function matchSegment(signs: readonly Sign[], segment: string): boolean {
  const characters = [...segment];
  return matchRuns({
    length: signs.length,
    isRun: (index) => signs[index]!.kind === 'any-run',
    matches: (index, at) => matchSign(signs[index]!, characters[at]!),
    count: characters.length,
  });
}

/** Going back to the last run alone is enough: whatever an earlier one could take, the last one can take too. */
function matchRuns(sides: {
  readonly length: number;
  readonly count: number;
  isRun(index: number): boolean;
  matches(index: number, at: number): boolean;
}): boolean {
  let index = 0;
  let at = 0;
  let run = -1;
  let runEnd = 0;
  while (at < sides.count) {
    if (index < sides.length && sides.isRun(index)) {
      run = index;
      runEnd = at;
      index += 1;
    } else if (index < sides.length && sides.matches(index, at)) {
      index += 1;
      at += 1;
    } else if (run >= 0) {
      runEnd += 1;
      index = run + 1;
      at = runEnd;
    } else {
      return false;
    }
  }
  while (index < sides.length && sides.isRun(index)) index += 1;
  return index === sides.length;
}

function matchSign(pattern: Sign, sign: string): boolean {
  switch (pattern.kind) {
    case 'any-run':
    case 'any':
      return true;
    case 'one':
      return pattern.sign === sign;
    case 'set':
      return pattern.ranges.some(([from, to]) => from <= sign && sign <= to) !== pattern.isNegated;
  }
}
