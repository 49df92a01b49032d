/** Changes a memory file where it must and nowhere else; what comes out is read back before it is handed over. */

import { decodeText, encodeText } from '../../base/front-matter/bytes.ts';
import { insertField, removeField, replaceValue } from '../../base/front-matter/edit.ts';
import { CONTAINER_KEY, isPrototypeKey } from '../../base/front-matter/field.ts';
import { locateFrontMatter } from '../../base/front-matter/locate.ts';
import { readHeader } from '../../base/front-matter/read-header.ts';
import { differenceAfterEdit, fieldHolds, type MemoryFileChanges } from './check.ts';
import { effectiveFields, KNOWN_KEYS } from './metadata.ts';
import { bodyText, type FoundHeader, headerText, parseMemoryFile } from './parse.ts';
import { cleanBody, renderBody } from './render.ts';
import { isQuoteList, quotesToWrite, writeValue } from './value.ts';

export type EditedMemoryFile = { readonly bytes: Uint8Array } | { readonly refused: string };

/** How a field is changed: where it stands if it can be, else taken out and put in as a new one. */
interface Way {
  readonly inPlace: boolean;
  readonly where: 'first' | 'last';
}

const WAYS: readonly Way[] = [
  { inPlace: true, where: 'last' },
  { inPlace: true, where: 'first' },
  { inPlace: false, where: 'last' },
  { inPlace: false, where: 'first' },
];

export function editMemoryFile(bytes: Uint8Array, asked: MemoryFileChanges): EditedMemoryFile {
  const changes = withoutEmptyLists(asked.body === undefined ? asked : { ...asked, body: cleanBody(asked.body) });
  const badKey = [...Object.keys(changes.set ?? {}), ...(changes.remove ?? [])].find((key) => !isWritableKey(key));
  if (badKey !== undefined) return { refused: `"${badKey}" cannot be a key of the front matter.` };
  const decoded = decodeText(bytes);
  if (!isSame(encodeText(decoded), bytes)) {
    return { refused: 'The file is damaged UTF-16 and cannot be changed without loss; save it as UTF-8 first.' };
  }
  const before = parseMemoryFile(bytes);
  let reason = '';
  for (const way of WAYS) {
    const text = before.hasFrontMatter
      ? editText(decoded.text, { changes, way })
      : prependHeader(decoded.text, changes);
    if (text === null) continue;
    const edited = text === decoded.text ? bytes : encodeText({ ...decoded, text });
    const difference = differenceAfterEdit({ before: bytes, after: edited, changes });
    if (difference === null) return { bytes: edited };
    reason ||= difference;
  }
  const why = reason === '' ? 'its front matter is written in a way that cannot be changed safely' : reason;
  return { refused: `The file was left as it is: ${why}. Change it with an editor.` };
}

/** A key whose list holds nothing is taken out. */
function withoutEmptyLists(changes: MemoryFileChanges): MemoryFileChanges {
  const set = Object.entries(changes.set ?? {});
  const emptied = set.filter(([, value]) => isQuoteList(value) && quotesToWrite(value).length === 0);
  if (emptied.length === 0) return changes;
  const remove = [...(changes.remove ?? []), ...emptied.map(([key]) => key)];
  return { ...changes, set: Object.fromEntries(set.filter((entry) => !emptied.includes(entry))), remove };
}

/** Null when this way does not work for this header. */
function editText(text: string, facts: { changes: MemoryFileChanges; way: Way }): string | null {
  const located = locateFrontMatter(text, { partial: false });
  if (located.kind !== 'found') return null;
  const { header } = headerText(text, located);
  const edited = editHeader(header, { ...facts, lineEnd: lineEndOf(text) });
  if (edited === null) return null;
  const behind = text.slice(located.headerStart + header.length, located.bodyStart);
  return text.slice(0, located.headerStart) + edited + behind + editBody(text, { located, body: facts.changes.body });
}

function editHeader(written: string, facts: { changes: MemoryFileChanges; way: Way; lineEnd: string }): string | null {
  const { changes, way, lineEnd } = facts;
  let header: string | null = written;
  for (const key of changes.remove ?? []) {
    header = header === null ? null : removeAll(header, key.toLowerCase());
  }
  for (const [name, value] of Object.entries(changes.set ?? {})) {
    if (header === null) return null;
    const key = name.toLowerCase();
    const reading = readHeader(header, { known: KNOWN_KEYS, withPlaces: true });
    if (reading.kind !== 'mapping') return null;
    const field = effectiveFields(reading.fields).get(key);
    if (field && fieldHolds(field, value)) continue;
    const write = (context: 'block' | 'flow') => writeValue(value, context);
    if (field && way.inPlace) {
      header = replaceValue(header, field, write);
      continue;
    }
    const cleared: string | null = field ? removeAll(header, key) : header;
    const rest = cleared === null ? null : readHeader(cleared, { known: KNOWN_KEYS, withPlaces: true });
    if (cleared === null || rest?.kind !== 'mapping') return null;
    header = insertField(cleared, rest.layout, { key, write, lineEnd, where: way.where });
  }
  return header;
}

/** Every field of that name, at the top and in `metadata:`, from the last to the first so that offsets hold. */
function removeAll(written: string, key: string): string | null {
  let header = written;
  for (;;) {
    const reading = readHeader(header, { known: KNOWN_KEYS, withPlaces: true });
    if (reading.kind !== 'mapping') return header;
    const field = reading.fields.findLast((one) => one.key === key && (one.within ?? CONTAINER_KEY) === CONTAINER_KEY);
    if (!field) return header;
    const shorter = removeField(header, field);
    if (shorter === null || shorter.length >= header.length) return null;
    header = shorter;
  }
}

function editBody(text: string, facts: { located: FoundHeader; body: string | undefined }): string {
  const { located, body } = facts;
  if (located.kind !== 'found') return '';
  const { bodyStart, bodyEnd } = located;
  const old = text.slice(bodyStart, bodyEnd);
  const wrapping = text.slice(bodyEnd);
  if (body === undefined || bodyText(old) === bodyText(body)) return old + wrapping;
  const lineEnd = lineEndOf(text);
  const isFenceOpen = bodyStart === text.length && !/[\r\n]$/.test(text);
  const blankBefore = old.trim() === '' ? null : /^(?:[^\S\r\n]*(?:\r\n|\r|\n))*/.exec(old)![0];
  const rendered = renderBody(body, lineEnd);
  const fresh = blankBefore === null || rendered === '' ? rendered : blankBefore + rendered.slice(lineEnd.length);
  return (isFenceOpen && fresh !== '' ? lineEnd : '') + fresh + wrapping;
}

/** A file without front matter gets one in front; all it held becomes the body. */
function prependHeader(text: string, changes: MemoryFileChanges): string {
  const lineEnd = lineEndOf(text);
  const values = Object.entries(changes.set ?? {});
  const body = changes.body !== undefined && bodyText(changes.body) !== bodyText(text) ? changes.body : null;
  if (values.length === 0) return body === null ? text : renderBody(body, lineEnd).slice(lineEnd.length);
  const lines = values.map(([key, value]) => `${key}: ${writeValue(value, 'block')}${lineEnd}`);
  const header = `---${lineEnd}${lines.join('')}---${lineEnd}`;
  if (body !== null) return header + renderBody(body, lineEnd);
  return text === '' ? header : header + lineEnd + text;
}

function lineEndOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}

function isWritableKey(key: string): boolean {
  return /^[A-Za-z_][\w-]*$/.test(key) && !isPrototypeKey(key.toLowerCase());
}

function isSame(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}
