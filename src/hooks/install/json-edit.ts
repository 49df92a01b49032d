/** Adds to settings in JSON and takes out again, and leaves every other byte as it was. */

import { type JsonContainer, type JsonNode, type JsonObject, jsonValue, readJson } from './json-text.ts';

export type Edited =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'refused'; readonly problem: string };

/** A row of edits: the first refusal is the answer. */
export function editJson(text: string, edits: readonly ((text: string) => Edited)[]): Edited {
  let edited: Edited = { kind: 'text', text: text.trim() === '' ? '{}\n' : text };
  for (const edit of edits) {
    if (edited.kind === 'refused') return edited;
    edited = edit(edited.text);
  }
  return edited;
}

/** Sets a value at the end of a path of keys; objects on the way are made where they are missing. */
export function setValue(path: readonly string[], value: unknown): (text: string) => Edited {
  return (text) =>
    inObject(text, path.slice(0, -1), (parent, whole) => {
      const key = path.at(-1) ?? '';
      const present = parent.children.findLast((child) => child.key === key);
      if (present === undefined) return insert(whole, parent, { key, value });
      if (JSON.stringify(jsonValue(present.node)) === JSON.stringify(value)) return whole;
      const written = render(value, { text: whole, indent: indentAt(whole, present.start) });
      return whole.slice(0, present.node.start) + written + whole.slice(present.node.end);
    });
}

/** Appends to the list at the end of a path of keys, which is made where it is missing. */
export function appendItem(path: readonly string[], value: unknown): (text: string) => Edited {
  return (text) => {
    const list = find(text, path);
    if (list.kind === 'refused') return list;
    if (list.node === null) return setValue(path, [value])(text);
    if (list.node.kind !== 'array') return refused(path, 'a list');
    return { kind: 'text', text: insert(text, list.node, { value }) };
  };
}

/** Takes out the items of lists, or members of an object, that are ours; what is left empty by that goes too. */
export function removeChildren(
  path: readonly string[],
  isOurs: (value: unknown, key: string | null) => boolean,
): (text: string) => Edited {
  return (text) => {
    const found = find(text, path);
    if (found.kind === 'refused') return found;
    const { node } = found;
    if (node === null || node.kind === 'scalar') return { kind: 'text', text };
    const at = node.children.findIndex((child) =>
      isOurs(jsonValue(child.node), 'key' in child ? String(child.key) : null),
    );
    if (at === -1) return { kind: 'text', text };
    const without = cut(text, node, at);
    if (node.children.length > 1) return removeChildren(path, isOurs)(without);
    const key = path.at(-1);
    return key === undefined
      ? { kind: 'text', text: without }
      : removeChildren(path.slice(0, -1), (_value, name) => name === key)(without);
  };
}

/** The value at a path; undefined when it is not there or the text cannot be read. */
export function valueAt(text: string, path: readonly string[]): unknown {
  const found = find(text, path);
  return found.kind === 'found' && found.node !== null ? jsonValue(found.node) : undefined;
}

type Found = { readonly kind: 'found'; readonly node: JsonNode | null } | Extract<Edited, { kind: 'refused' }>;

function find(text: string, path: readonly string[]): Found {
  const reading = readJson(text);
  if (reading.kind === 'broken') return { kind: 'refused', problem: `line ${reading.line}: ${reading.problem}` };
  let node: JsonNode = reading.root;
  for (const [depth, key] of path.entries()) {
    if (node.kind !== 'object') return refused(path.slice(0, depth), 'an object');
    const next: JsonNode | undefined = node.children.findLast((child) => child.key === key)?.node;
    if (next === undefined) return { kind: 'found', node: null };
    node = next;
  }
  return { kind: 'found', node };
}

function inObject(text: string, path: readonly string[], edit: (node: JsonObject, text: string) => string): Edited {
  const found = find(text, path);
  if (found.kind === 'refused') return found;
  if (found.node === null) {
    const made = setValue(path, {})(text);
    return made.kind === 'refused' ? made : inObject(made.text, path, edit);
  }
  if (found.node.kind !== 'object') return refused(path, 'an object');
  return { kind: 'text', text: edit(found.node, text) };
}

function refused(path: readonly string[], expected: string): Extract<Edited, { kind: 'refused' }> {
  const what = path.length === 0 ? 'the whole' : `\`${path.join('.')}\``;
  return { kind: 'refused', problem: `${what} is not ${expected}` };
}

function insert(text: string, container: JsonContainer, child: { key?: string; value: unknown }): string {
  const last = container.children.at(-1);
  const parentIndent = indentAt(text, container.start);
  const indent =
    last !== undefined && isFirstOnLine(text, last.start) ? indentAt(text, last.start) : parentIndent + unitOf(text);
  const name = child.key === undefined ? '' : `${JSON.stringify(child.key)}: `;
  const written = `${name}${render(child.value, { text, indent })}`;
  const { contentEnd } = container;
  const behind = text.slice(contentEnd, container.end - 1);
  const closing = behind.includes('\n') ? behind : `${lineBreakOf(text)}${parentIndent}`;
  const comma = last !== undefined && last.comma === null ? ',' : '';
  // A file that ends its lists with a comma goes on to do so.
  const trailing = last !== undefined && last.comma !== null ? ',' : '';
  const valueEnd = last === undefined ? contentEnd : last.node.end;
  return [
    text.slice(0, valueEnd),
    comma,
    text.slice(valueEnd, contentEnd),
    `${lineBreakOf(text)}${indent}${written}${trailing}`,
    closing,
    text.slice(container.end - 1),
  ].join('');
}

function cut(text: string, container: JsonContainer, index: number): string {
  const child = container.children[index]!;
  const before = container.children[index - 1];
  const end = child.comma === null ? child.node.end : child.comma + 1;
  const start = before === undefined ? container.start + 1 : (before.comma ?? before.node.end - 1) + 1;
  // White space before it goes with it; a comment there stays.
  const gap = text.slice(start, child.start);
  const kept = gap.trim() === '' ? '' : gap.trimEnd();
  const isLast = index === container.children.length - 1;
  const dropComma = isLast && child.comma === null && before !== undefined && before.comma !== null;
  const head = dropComma ? text.slice(0, before.comma!) + text.slice(before.comma! + 1, start) : text.slice(0, start);
  const rest = text.slice(end);
  const isEmptied = container.children.length === 1 && kept === '';
  return head + kept + (isEmptied ? rest.replace(/^\s+(?=[\]}])/, '') : rest);
}

function render(value: unknown, facts: { readonly text: string; readonly indent: string }): string {
  const lines = JSON.stringify(value, null, unitOf(facts.text)).split('\n');
  return lines.join(`${lineBreakOf(facts.text)}${facts.indent}`);
}

function lineBreakOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** How the file indents: by its first indented line. */
function unitOf(text: string): string {
  return /\n([ \t]+)["[{\]}]/.exec(text)?.[1] ?? '  ';
}

function indentAt(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return /^\uFEFF?([ \t]*)/.exec(line)?.[1] ?? '';
}

function isFirstOnLine(text: string, at: number): boolean {
  return text.slice(text.lastIndexOf('\n', at - 1) + 1, at).trim() === '';
}
