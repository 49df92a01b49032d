/** Path patterns of rules, as in a .gitignore: matched part by part without regular expressions, so that no pattern can stall. */

/** Patterns that the braces of one path pattern may stand for. */
const PATTERN_CHOICES = 64;

export interface PathPlace {
  readonly projectRoot: string;
  readonly userHome: string;
}

/** `//absolute`, `~/in the home folder`, `/from the project root`, `src/**` likewise; a name alone is found at any depth. Without braces. */
export function pathPatternMatches(
  pattern: string,
  path: string,
  options: PathPlace & { readonly ignoreCase: boolean },
): boolean {
  const fold = (text: string) => {
    const composed = text.normalize('NFC');
    return options.ignoreCase ? composed.toLowerCase() : composed;
  };
  const parts = partsOf(fold(path));
  const { base, below, isAnywhere } = locate(pattern, options);
  const baseParts = partsOf(fold(base));
  if (!baseParts.every((part, index) => part === parts[index])) return false;
  const wanted = partsOf(fold(below));
  return matchParts(isAnywhere ? ['**', ...wanted] : wanted, parts.slice(baseParts.length));
}

interface Located {
  readonly base: string;
  readonly below: string;
  readonly isAnywhere: boolean;
}

function locate(pattern: string, { projectRoot, userHome }: PathPlace): Located {
  if (pattern.startsWith('//')) return { base: '/', below: pattern, isAnywhere: false };
  if (pattern === '~' || pattern.startsWith('~/'))
    return { base: userHome, below: pattern.slice(1), isAnywhere: false };
  const below = pattern.replace(/^\.\//, '/');
  return { base: projectRoot, below, isAnywhere: !below.replace(/\/+$/, '').includes('/') };
}

function partsOf(path: string): readonly string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}

/** True as well when only a leading part of the path is matched: a pattern for a folder is one for all in it. */
function matchParts(pattern: readonly string[], path: readonly string[]): boolean {
  let reachable = new Set([0]);
  for (let index = 0; ; index++) {
    for (const at of reachable) if (pattern[at] === '**') reachable.add(at + 1);
    if (reachable.has(pattern.length)) return true;
    if (index === path.length) return false;
    const next = new Set<number>();
    for (const at of reachable) {
      if (pattern[at] === '**') next.add(at);
      else if (pattern[at] !== undefined && wildcardMatches(pattern[at], path[index]!)) next.add(at + 1);
    }
    if (next.size === 0) return false;
    reachable = next;
  }
}

/** `*`, `?` and `[a-z]` within one name, in time that grows with the product of the lengths at most. */
export function wildcardMatches(pattern: string, text: string): boolean {
  const tokens = tokensOf(pattern);
  let [at, index, star, starIndex] = [0, 0, -1, 0];
  while (index < text.length) {
    const token = tokens[at];
    if (token === '*') {
      [star, starIndex] = [at, index];
      at += 1;
    } else if (token !== undefined && tokenMatches(token, text[index]!)) {
      at += 1;
      index += 1;
    } else if (star !== -1) {
      starIndex += 1;
      [at, index] = [star + 1, starIndex];
    } else return false;
  }
  while (tokens[at] === '*') at += 1;
  return at === tokens.length;
}

type Token = '*' | '?' | { readonly one: string } | { readonly ranges: readonly string[]; readonly isNegated: boolean };

function tokensOf(pattern: string): readonly Token[] {
  const tokens: Token[] = [];
  for (const [whole, set, escaped] of pattern.matchAll(/\[([!^]?\]?[^\]]{0,256})\]|\\([\s\S])|[\s\S]/g)) {
    if (set !== undefined && set !== '') {
      const isNegated = /^[!^]/.test(set);
      tokens.push({ ranges: (isNegated ? set.slice(1) : set).match(/[\s\S]-[\s\S]|[\s\S]/g) ?? [], isNegated });
    } else if (escaped !== undefined) tokens.push({ one: escaped });
    else if (whole === '*') {
      if (tokens.at(-1) !== '*') tokens.push('*');
    } else tokens.push(whole === '?' ? '?' : { one: whole });
  }
  return tokens;
}

function tokenMatches(token: Token, character: string): boolean {
  if (token === '?') return true;
  if (token === '*') return false;
  if ('one' in token) return token.one === character;
  const isIn = token.ranges.some((range) =>
    range.length === 3 ? range[0]! <= character && character <= range[2]! : range === character,
  );
  return isIn !== token.isNegated;
}

/** `{a,b}` becomes two patterns; null when there would be too many. */
export function expandBraces(pattern: string): readonly string[] | null {
  let patterns = [pattern];
  for (;;) {
    const expanded = patterns.flatMap((each) => {
      const found = /\{([^{}]*,[^{}]*)\}/.exec(each);
      if (found === null) return [each];
      const [before, after] = [each.slice(0, found.index), each.slice(found.index + found[0].length)];
      return found[1]!.split(',').map((choice) => before + choice + after);
    });
    if (expanded.length > PATTERN_CHOICES) return null;
    if (expanded.length === patterns.length) return patterns;
    patterns = expanded;
  }
}
