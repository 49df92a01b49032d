/** Where a field of a parsed header is, so that an edit touches its value and nothing else. */

import type { Node, Pair, YAMLMap } from 'yaml';
import type { FieldPlace } from './field.ts';

export interface HeaderLayout {
  /** Blanks before the keys of the top. */
  readonly indent: string;
  /** Set when the top is a flow mapping: where its closing brace is, and whether one more pair needs a comma. */
  readonly flow: { readonly closeAt: number; readonly needsComma: boolean } | null;
}

/** Null when the field cannot be changed in place: an explicit `? key`, or something else on its line. */
export function placeOf(pair: Pair<Node, Node | null>, facts: { source: string; isFlow: boolean }): FieldPlace | null {
  const { source, isFlow } = facts;
  const token = pair.srcToken;
  const colon = token?.sep?.find((part) => part.type === 'map-value-ind');
  const keyStart = pair.key.range?.[0];
  if (!token || !colon || keyStart === undefined) return null;
  if (token.start.some((part) => part.type === 'explicit-key-ind')) return null;
  const lineStart = source.lastIndexOf('\n', keyStart - 1) + 1;
  if (!isFlow && keyStart > 0 && source.slice(lineStart, keyStart).trim() !== '') return null;

  const colonEnd = colon.offset + 1;
  const context = isFlow ? 'flow' : 'block';
  const nothing = { context, keyStart, colonEnd, valueStart: colonEnd, valueEnd: colonEnd, rewriteKey: false } as const;
  if (pair.value === null) return nothing;
  const isMarked = pair.value.tag !== undefined || ('anchor' in pair.value && pair.value.anchor !== undefined);
  const blanks = /^[ \t]*/.exec(restOfLine(source, colonEnd))?.[0].length ?? 0;
  const valueStart = isMarked ? colonEnd + blanks : (pair.value.range?.[0] ?? colonEnd);
  const valueEnd = endOfNode(pair.value, source);
  return valueEnd <= valueStart ? nothing : { ...nothing, valueStart, valueEnd };
}

export function restOfLine(source: string, from: number): string {
  const end = source.indexOf('\n', from);
  return end === -1 ? source.slice(from) : source.slice(from, end);
}

/** Where the node's own text ends: comments, blank lines and line ends after it are not its own. */
export function endOfNode(node: Node, source: string): number {
  const start = node.range?.[0] ?? 0;
  const end = node.range?.[1] ?? start;
  const last = 'items' in node && !('flow' in node && node.flow) ? (node.items as (Node | Pair)[]).at(-1) : undefined;
  if (last !== undefined) {
    const inner = 'key' in last ? ((last.value as Node | null) ?? (last.key as Node)) : last;
    return Math.max(start, endOfNode(inner, source));
  }
  const text = source.slice(start, end);
  return start + text.trimEnd().length;
}

export function layoutOf(top: YAMLMap, source: string): HeaderLayout {
  const start = top.range?.[0] ?? 0;
  if (top.flow) {
    const closeAt = (top.range?.[1] ?? 1) - 1;
    return { indent: '', flow: { closeAt, needsComma: !/[{,]\s*$/.test(source.slice(0, closeAt)) } };
  }
  const lineStart = start === 0 ? 0 : source.lastIndexOf('\n', start - 1) + 1;
  return { indent: /^ */.exec(source.slice(lineStart))?.[0] ?? '', flow: null };
}
