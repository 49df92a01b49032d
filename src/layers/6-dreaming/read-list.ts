/** Parses the dreamer's list of changes into unchecked entries. Forgives only what cannot change the meaning. */

import { isObject } from '../../base/values.ts';

export type ReadList =
  | { readonly kind: 'entries'; readonly entries: readonly unknown[] }
  | { readonly kind: 'unreadable'; readonly reason: string };

export function readList(listText: string, listBytes: number): ReadList {
  const bytes = Buffer.byteLength(listText);
  if (bytes > listBytes) return unreadable(`changes.json has ${bytes} bytes; ${listBytes} are read`);
  const text = withoutFence(listText.replace(/^\ufeff/, '').trim());
  if (text === '') return unreadable('changes.json is empty');
  const parsed = parse(text) ?? parse(withoutTrailingCommas(text));
  if (parsed === null) return unreadable('changes.json is not JSON');
  const { value } = parsed;
  const entries = Array.isArray(value) ? value : isObject(value) ? value.changes : undefined;
  return Array.isArray(entries)
    ? { kind: 'entries', entries }
    : unreadable('changes.json has no list "changes" of objects');
}

function parse(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}

function withoutFence(text: string): string {
  const isFenced = /^```[\w-]*\s/.test(text) && text.endsWith('```');
  return isFenced ? text.slice(text.search(/\s/), -'```'.length).trim() : text;
}

/** Strings are skipped, so a comma in a quote stays. */
function withoutTrailingCommas(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g, (found) => (found === ',' ? '' : found));
}

function unreadable(reason: string): ReadList {
  return { kind: 'unreadable', reason };
}
