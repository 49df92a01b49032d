/** A glob as a regular expression of ripgrep, matched against paths that begin with `./`. */

/**
 * ripgrep's own globs would bring back what .gitignore leaves out: a pattern such as all files of all folders names the
 * ignored folders too, and what is named counts. So ignoring is left to its walk, and matching is done on what that finds.
 */
export function globRegex(pattern: string): string {
  const isAnchored = pattern.includes('/');
  const segments = pattern.replace(/^\/+/, '').split('/');
  const last = segments.length - 1;
  const parts = segments.map((segment, index) => {
    if (segment === '**') return index === last ? '.+' : '(?:.*/)?';
    return segmentRegex(segment) + (index === last ? '' : '/');
  });
  // Without a slash it is a name, at any depth.
  return `^\\./${isAnchored ? '' : '(?:.*/)?'}${parts.join('')}$`;
}

const SPECIAL = /[\\^$.*+?()[\]{}|#&~-]/;

/** Braces may not hold slashes here; what is not closed stands for itself. */
function segmentRegex(segment: string): string {
  let regex = '';
  let depth = 0;
  for (let at = 0; at < segment.length; at++) {
    const character = segment[at]!;
    const list = character === '[' ? /^\[([!^]?)(\]?[^\]]*)\]/.exec(segment.slice(at)) : null;
    if (character === '\\' && at + 1 < segment.length) regex += literal(segment[++at]!);
    else if (character === '*') regex += '[^/]*';
    else if (character === '?') regex += '[^/]';
    else if (list !== null) {
      regex += `[${list[1] === '' ? '' : '^'}${list[2]!.replace(/[\\[\]^&~]/g, '\\$&')}]`;
      at += list[0].length - 1;
    } else if (character === '{' && segment.includes('}', at)) {
      depth++;
      regex += '(?:';
    } else if (character === '}' && depth > 0) {
      depth--;
      regex += ')';
    } else if (character === ',' && depth > 0) regex += '|';
    else regex += literal(character);
  }
  return regex + ')'.repeat(depth);
}

function literal(character: string): string {
  return SPECIAL.test(character) ? `\\${character}` : character;
}
