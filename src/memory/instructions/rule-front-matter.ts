/** The front matter of a rule: the globs it waits for, in every form that people write them in, and the text behind it. */

import { locateFrontMatter } from '../../base/front-matter/locate.ts';

export interface RuleText {
  readonly body: string;
  /** Null when the rule always applies. */
  readonly globs: readonly string[] | null;
  /** There is a `paths:`, but nothing in it. */
  readonly isEmptyPaths: boolean;
}

const PATHS = /^paths[ \t]*:[ \t]*(.*)$/i;
const ITEM = /^[ \t]*-[ \t]+(.*)$/;
const SKIPPED = /^[ \t]*(?:#.*)?$/;

/** Read line by line: in YAML a glob that begins with `*` would be a reference. */
export function readRule(text: string): RuleText {
  const located = locateFrontMatter(text, { partial: false });
  if (located.kind !== 'found') return { body: text, globs: null, isEmptyPaths: false };
  const body = text.slice(located.bodyStart, located.bodyEnd);
  const lines = text.slice(located.headerStart, located.headerEnd).split(/\r\n|\n|\r/);
  const at = lines.findIndex((line) => PATHS.test(line));
  if (at < 0) return { body, globs: null, isEmptyPaths: false };
  const value = withoutComment(PATHS.exec(lines[at]!)![1]!);
  const written = value === '' ? itemsBelow(lines.slice(at + 1)) : splitList(flowText(value, lines.slice(at + 1)));
  const globs = written.map(unquoted).filter((glob) => glob !== '');
  return { body, globs: globs.length > 0 ? globs : null, isEmptyPaths: globs.length === 0 };
}

function itemsBelow(lines: readonly string[]): string[] {
  const items: string[] = [];
  for (const line of lines) {
    const item = ITEM.exec(line)?.[1];
    if (item !== undefined) items.push(withoutComment(item));
    else if (!SKIPPED.test(line)) break;
  }
  return items;
}

/** `[a, b]`, over as many lines as it takes. */
function flowText(first: string, below: readonly string[]): string {
  if (!first.startsWith('[')) return first;
  const closing = below.findIndex((line) => withoutComment(line).endsWith(']'));
  const isOpen = !first.endsWith(']') && closing >= 0;
  const lines = isOpen ? [first, ...below.slice(0, closing + 1).map(withoutComment)] : [first];
  return lines.join(' ').replace(/^\[|\]$/g, '');
}

/** At commas, though not at those of `{a,b}`, of `[…]` or within quotes. */
function splitList(text: string): string[] {
  const parts: string[] = [];
  let part = '';
  let depth = 0;
  let quote = '';
  for (const sign of text) {
    if (quote !== '') quote = sign === quote ? '' : quote;
    else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') depth -= 1;
    if (sign === ',' && quote === '' && depth <= 0) {
      parts.push(part);
      part = '';
    } else {
      part += sign;
    }
  }
  return [...parts, part];
}

function withoutComment(text: string): string {
  const trimmed = text.trim();
  const comment = /^["']/.test(trimmed) ? null : /(?:^|[ \t])#/.exec(trimmed);
  return comment === null ? trimmed : trimmed.slice(0, comment.index).trim();
}

function unquoted(text: string): string {
  const trimmed = text.trim();
  return /^(["']).*\1$/.test(trimmed) && trimmed.length > 1 ? trimmed.slice(1, -1) : trimmed;
}
