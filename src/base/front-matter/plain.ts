/** Reads unambiguous headers without YAML: most of them, and every one that Reverie wrote. */

import {
  CONTAINER_KEY,
  type Field,
  type FieldValue,
  isPrototypeKey,
  NO_TEXT,
  onOneLine,
  type ScalarPairs,
  textOrNothing,
} from './field.ts';

const UNSAFE = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff]/;
const KEY_LINE = /^( {2})?([A-Za-z_][\w-]*):(?: +(.*))?$/;
const PLAIN_FIRST = /^[^-?:,[\]{}#&*!|>'"%@`~=\s]/;
const QUOTED = /^"((?:[^"\\]|\\["\\])*)"$|^'([^']*)'$/;
const FLOW_WORD = '[^\\s,[\\]{}:#"\'\\\\]+';
const FLOW_PAIR = `([A-Za-z_][\\w-]*): (?:([^-?&*!|>%@\`~=<\\s,[\\]{}:#"'\\\\](?:${FLOW_WORD})?(?: ${FLOW_WORD})*)|"((?:[^"\\\\]|\\\\["\\\\])*)")`;
const FLOW_MAPPING = `\\{${FLOW_PAIR}(?:, ${FLOW_PAIR})*\\}`;
const FLOW = new RegExp(`^${FLOW_MAPPING}$`);
const FLOW_LIST = new RegExp(`^\\[${FLOW_MAPPING}(?:, ${FLOW_MAPPING})*\\]$`);
const FLOW_MAPPINGS = new RegExp(FLOW_MAPPING, 'g');
const FLOW_PAIRS = new RegExp(FLOW_PAIR, 'g');

interface Holder {
  readonly position: number;
  readonly key: string;
  readonly pairs: (readonly [string, string])[];
  readonly source: string[];
  comments: number;
}

/** The fields, or null when the header needs a YAML parser. */
export function readPlainHeader(header: string): Field[] | null {
  if (UNSAFE.test(header)) return null;
  const fields: Field[] = [];
  let holder: Holder | null = null;

  for (const [line, written] of header.split(/\r\n|\n|\r/).entries()) {
    const text = withoutBlanksBehind(written);
    if (text.includes('\t')) return null;
    if (text.startsWith('#') && holder) holder.comments += 1;
    if (text === '' || text.startsWith('#')) continue;
    const match = KEY_LINE.exec(text);
    const isNested = match?.[1] !== undefined;
    if (!match || (isNested && !holder)) return null;
    const name = match[2]!;
    const key = name.toLowerCase();
    if (isPrototypeKey(key)) return null;
    const value = readValue(match[3] ?? '');
    if (value === null) return null;

    if (!isNested) {
      if (key === CONTAINER_KEY && value.kind !== 'nothing') return null;
      holder = value.kind === 'nothing' ? { position: fields.length, key, pairs: [], source: [], comments: 0 } : null;
      fields.push(field({ key, within: null, value, line }));
      continue;
    }
    const within: Holder = holder!;
    // A comment among the pairs affects what counts as the value's source: left to YAML.
    if (value.kind !== 'text' || within.comments > 0) return null;
    within.pairs.push([name, value.text]);
    within.source.push(text);
    const mapping = { kind: 'mapping', pairs: within.pairs, source: onOneLine(within.source.join('\n')) } as const;
    fields[within.position] = { ...fields[within.position]!, value: mapping };
    if (within.key === CONTAINER_KEY) fields.push(field({ key, within: CONTAINER_KEY, value, line }));
  }
  return fields;
}

function withoutBlanksBehind(line: string): string {
  let end = line.length;
  while (line[end - 1] === ' ') end -= 1;
  return line.slice(0, end);
}

function readValue(text: string): FieldValue | null {
  switch (text[0]) {
    case undefined:
      return { kind: 'nothing' };
    case '"':
    case "'":
      return readQuoted(text);
    case '{':
      return FLOW.test(text) ? readFlow(text) : null;
    case '[':
      return FLOW_LIST.test(text) ? readFlowList(text) : null;
  }
  if (!PLAIN_FIRST.test(text) || text.includes(': ') || text.includes(' #') || text.endsWith(':')) return null;
  return textOrNothing(text, 'plain');
}

function readQuoted(text: string): FieldValue | null {
  const quoted = QUOTED.exec(text);
  return quoted && textOrNothing(quoted[1] === undefined ? quoted[2]! : unescaped(quoted[1]), 'marked');
}

function unescaped(text: string): string {
  return text.includes('\\') ? text.replace(/\\(.)/g, '$1') : text;
}

function readFlowList(text: string): FieldValue | null {
  const items = Array.from(text.matchAll(FLOW_MAPPINGS), ([mapping]) => readPairs(mapping));
  return items.every((item) => item !== null) ? { kind: 'list', items, source: text } : null;
}

function readFlow(text: string): FieldValue | null {
  const pairs = readPairs(text);
  return pairs && { kind: 'mapping', pairs, source: text };
}

function readPairs(mapping: string): ScalarPairs | null {
  const pairs = [...mapping.matchAll(FLOW_PAIRS)].map(
    (pair) => [pair[1]!, pair[2] ?? unescaped(pair[3]!), pair[2]] as const,
  );
  if (pairs.some(([key, , plain]) => isPrototypeKey(key) || (plain !== undefined && NO_TEXT.test(plain)))) return null;
  return pairs.map(([key, value]) => [key, value] as const);
}

function field(found: Pick<Field, 'key' | 'within' | 'value' | 'line'>): Field {
  const { key, within, value, line } = found;
  return { key, within, value, line, recovered: false, commentBehind: false, place: null };
}
