/** Reads a header with the YAML parser: every scalar as text, nothing executed, no alias followed. */

import { createRequire } from 'node:module';
import type { Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import {
  CONTAINER_KEY,
  type Field,
  type FieldPlace,
  type FieldValue,
  keyOf,
  lineCounter,
  onOneLine,
  type ScalarPairs,
  textOrNothing,
} from './field.ts';
import { endOfNode, type HeaderLayout, layoutOf, placeOf, restOfLine } from './place.ts';

type Yaml = typeof import('yaml');
type AnyPair = Pair<Node, Node | null>;

/** The parser recurses; a header needs two levels. */
const MOST_LEVELS = 100;
const CORE_TAG = 'tag:yaml.org,2002:';

export type YamlReading =
  | {
      readonly kind: 'mapping';
      readonly fields: Field[];
      readonly layout: HeaderLayout;
      /** Line of the first alias that refers to something: it was not followed. */
      readonly aliasLine: number | null;
    }
  | { readonly kind: 'not-a-mapping' }
  | { readonly kind: 'invalid'; readonly line: number };

interface Reader {
  readonly yaml: Yaml;
  readonly source: string;
  readonly lineOf: (offset: number) => number;
  readonly within: string | null;
  readonly anchors: ReadonlySet<string>;
  /** Names that some alias refers to: an anchor without an alias is a word that happens to start with `&`. */
  readonly aliased: ReadonlySet<string>;
}

export function readYamlHeader(header: string): YamlReading {
  // A lone carriage return ends a line for people, not for the parser; the same length keeps every offset.
  const source = header.replace(/\r(?!\n)/g, '\n');
  if (isTooDeep(source)) return { kind: 'invalid', line: 0 };
  // Loaded when the first header needs it: most never do, and it costs more than everything else at startup.
  const yaml: Yaml = createRequire(import.meta.url)('yaml');
  const document = parse(yaml, source);
  const lineOf = lineCounter(source);
  const error = document?.errors[0];
  if (!document || error) return { kind: 'invalid', line: lineOf(error?.pos[0] ?? 0) };
  const top = document.contents as Node | null;
  if (top === null) return { kind: 'mapping', fields: [], layout: { indent: '', flow: null }, aliasLine: null };
  if (!yaml.isMap(top)) return { kind: 'not-a-mapping' };

  const anchors = new Set<string>();
  const aliased = new Map<string, number>();
  yaml.visit(document, {
    Alias: (_key, alias) => void aliased.set(alias.source, alias.range?.[0] ?? 0),
    Value: (_key, node) => void (node.anchor !== undefined && anchors.add(node.anchor)),
  });
  const followable = [...aliased].find(([name]) => anchors.has(name));
  const reader = { yaml, source, lineOf, within: null, anchors, aliased: new Set(aliased.keys()) };
  return {
    kind: 'mapping',
    fields: readPairs(top as YAMLMap, reader),
    layout: layoutOf(top as YAMLMap, source),
    aliasLine: followable ? lineOf(followable[1]) : null,
  };
}

function parse(yaml: Yaml, source: string) {
  try {
    return yaml.parseDocument(source, {
      schema: 'failsafe',
      uniqueKeys: false,
      prettyErrors: false,
      keepSourceTokens: true,
      // At `silent` the parser drops a second document without a message.
      logLevel: 'error',
    });
  } catch {
    return null;
  }
}

function readPairs(map: YAMLMap, reader: Reader): Field[] {
  const { yaml, source, within } = reader;
  return (map.items as AnyPair[]).flatMap((pair) => {
    if (!yaml.isScalar(pair.key)) return [];
    const place = placeOf(pair, { source, isFlow: map.flow === true });
    const field: Field = {
      key: keyOf(String(pair.key.value)),
      within,
      line: reader.lineOf(pair.key.range?.[0] ?? 0),
      commentBehind: isPlain(pair.value) && hasCommentBehind(source, place),
      place,
      ...readValue(pair.value, { reader, place }),
    };
    const opensContainer = within === null && field.key === CONTAINER_KEY && yaml.isMap(pair.value);
    if (!opensContainer) return [field];
    return [field, ...readPairs(pair.value as YAMLMap, { ...reader, within: CONTAINER_KEY })];
  });
}

function readValue(
  node: Node | null,
  facts: { reader: Reader; place: FieldPlace | null },
): { value: FieldValue; recovered: boolean } {
  const { yaml, anchors, aliased } = facts.reader;
  if (node === null) return { value: { kind: 'nothing' }, recovered: false };
  const start = facts.place?.valueStart ?? node.range?.[0] ?? 0;
  const source = onOneLine(facts.reader.source.slice(start, Math.max(start, endOfNode(node, facts.reader.source))));

  if (yaml.isAlias(node)) {
    if (anchors.has(node.source)) return { value: { kind: 'alias', source }, recovered: false };
    return { value: { kind: 'text', text: source }, recovered: true };
  }
  if (yaml.isScalar(node)) {
    const hasForeignTag = node.tag !== undefined && !node.tag.startsWith(CORE_TAG);
    const hasIdleAnchor = node.anchor !== undefined && !aliased.has(node.anchor);
    if (hasForeignTag || hasIdleAnchor) return { value: { kind: 'text', text: source }, recovered: true };
    return { value: textOrNothing(String(node.value), isPlain(node) ? 'plain' : 'marked'), recovered: false };
  }
  const pairs = yaml.isMap(node) ? scalarPairs(node as YAMLMap, yaml) : null;
  if (pairs) return { value: { kind: 'mapping', pairs, source }, recovered: false };
  const items = yaml.isSeq(node) ? listItems(node as YAMLSeq, yaml) : null;
  return { value: items ? { kind: 'list', items, source } : { kind: 'other', source }, recovered: false };
}

/** Null when something in it is neither a scalar nor a mapping of scalars. */
function listItems(list: YAMLSeq, yaml: Yaml): (string | ScalarPairs)[] | null {
  const items: (string | ScalarPairs)[] = [];
  for (const node of list.items as (Node | null)[]) {
    const text = yaml.isScalar(node) ? textOf(node) : null;
    const item = yaml.isMap(node) ? scalarPairs(node as YAMLMap, yaml) : text;
    if (item !== null) items.push(item);
    else if (node !== null && !yaml.isScalar(node)) return null;
  }
  return items;
}

/** Null when something in it is not a scalar. */
function scalarPairs(map: YAMLMap, yaml: Yaml): (readonly [string, string])[] | null {
  const pairs: (readonly [string, string])[] = [];
  for (const { key, value: node } of map.items as AnyPair[]) {
    if (!yaml.isScalar(key) || (node !== null && !yaml.isScalar(node))) return null;
    if (node === null) continue;
    const text = textOf(node);
    if (text !== null) pairs.push([String(key.value), text]);
  }
  return pairs;
}

function textOf(node: Scalar): string | null {
  const value = textOrNothing(String(node.value), isPlain(node) ? 'plain' : 'marked');
  return value.kind === 'text' ? value.text : null;
}

function isPlain(node: Node | null): boolean {
  return node === null || ('type' in node && node.type === 'PLAIN');
}

function hasCommentBehind(source: string, place: FieldPlace | null): boolean {
  return place?.context === 'block' && /^[ \t]+#/.test(restOfLine(source, place.valueEnd));
}

/** Nesting by brackets (quotes are ignored: the count may only be too high) or by runs of `- - -`. */
function isTooDeep(source: string): boolean {
  let depth = 0;
  for (const bracket of source.match(/[[\]{}]/g) ?? []) {
    depth = Math.max(0, depth + (bracket === '[' || bracket === '{' ? 1 : -1));
    if (depth > MOST_LEVELS) return true;
  }
  return /(?:[-?:][ \t]+){100}/.test(source);
}
