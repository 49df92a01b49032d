/** The paths, identifiers and values in a text: what a later call can only repeat if it can still see it. */

import type { ContentBlock } from '../../conversation/message.ts';

const RUN = /[A-Za-z0-9_./~@+-]+/g;
const EDGES = /^(?:\.\/)+|^[.@+-]+(?=\w)|[./@+~-]+$/g;

/** Each once. */
export function referencesIn(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [run] of text.matchAll(RUN)) {
    if (run.length < 2 || run.length > LONGEST) continue;
    const term = run.replace(EDGES, '');
    if (isReference(term)) found.add(term);
  }
  return found;
}

/** Longer runs are data (hashes in one piece, encoded files), which nobody repeats by heart. */
const LONGEST = 200;

function isReference(term: string): boolean {
  if (term.length < 2) return false;
  if (/^\d+$/.test(term)) return true;
  if (!/[A-Za-z]/.test(term)) return /\d/.test(term);
  return /[/_\d]|\w\.\w|[a-z][A-Z]/.test(term);
}

/** A cache, not state: blocks never change. */
const known = new WeakMap<ContentBlock, ReadonlySet<string>>();

export function referencesOf(block: ContentBlock): ReadonlySet<string> {
  const before = known.get(block);
  if (before !== undefined) return before;
  const references = referencesIn(textWithin(block));
  known.set(block, references);
  return references;
}

/** All words of a block, a call's input by its values. */
function textWithin(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'thinking':
      return block.thinking;
    case 'tool_use':
      return valuesOf(block.input).join('\n');
    case 'tool_result':
      return block.content.map(textWithin).join('\n');
    case 'image':
    case 'document':
    case 'redacted_thinking':
    case 'opaque':
      return '';
  }
}

function valuesOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(valuesOf);
}
