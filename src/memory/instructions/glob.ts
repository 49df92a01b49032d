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

function firstBraces(pattern: string): string[] | null {
  for (let open = pattern.indexOf('{'); open >= 0; open = pattern.indexOf('{', open + 1)) {
    if (pattern[open - 1] === '\\') continue;
    const commas: number[] = [];
    let depth = 0;
    for (let at = open; at < pattern.length; at += 1) {
      if (pattern[at] === '\\') at += 1;
      else if (pattern[at] === '{') depth += 1;
      else if (pattern[at] === ',' && depth === 1) commas.push(at);
      else if (pattern[at] === '}') depth -= 1;
      if (depth > 0) continue;
      if (commas.length === 0) break;
      const bounds = [open, ...commas, at];
      const choices = bounds.slice(1).map((end, index) => pattern.slice(bounds[index]! + 1, end));
      return choices.map((choice) => pattern.slice(0, open) + choice + pattern.slice(at + 1));
    }
  }
  return null;
}

function parseSegment(text: string): Segment {
  if (text === '**') return '**';
  const signs: Sign[] = [];
  const written = [...text];
  for (let at = 0; at < written.length; at += 1) {
    const sign = written[at]!;
    const set = sign === '[' ? parseSet(written, at) : null;
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
