/** Reads JSON as people keep it (comments, trailing commas, any layout) and remembers where everything stands. */

export interface JsonObject extends Placed {
  readonly kind: 'object';
  readonly children: readonly (Child & { readonly key: string })[];
}

export interface JsonArray extends Placed {
  readonly kind: 'array';
  readonly children: readonly Child[];
}

export type JsonContainer = JsonObject | JsonArray;
export type JsonNode = JsonContainer | (Span & { readonly kind: 'scalar'; readonly value: unknown });

interface Span {
  readonly start: number;
  readonly end: number;
}

interface Placed extends Span {
  /** Behind the last thing inside, comments included; where something new goes. */
  readonly contentEnd: number;
}

export interface Child {
  /** Of the key, in an object. */
  readonly start: number;
  readonly node: JsonNode;
  /** Where the comma behind it stands. */
  readonly comma: number | null;
}

export type JsonReading =
  | { readonly kind: 'read'; readonly root: JsonNode }
  | { readonly kind: 'broken'; readonly line: number; readonly problem: string };

/** No settings nest deeper; what does was made to exhaust a reader. */
const DEEPEST = 200;

function fail(at: number, problem: string): never {
  throw Object.assign(new SyntaxError(problem), { at });
}

export function readJson(text: string): JsonReading {
  try {
    const scanner = createScanner(text);
    const root = readNode(scanner, 0);
    scanner.skip();
    if (scanner.at() < text.length) fail(scanner.at(), 'something follows the end');
    return { kind: 'read', root };
  } catch (error) {
    if (!(error instanceof SyntaxError && 'at' in error)) throw error;
    return { kind: 'broken', line: text.slice(0, Number(error.at)).split('\n').length, problem: error.message };
  }
}

export function jsonValue(node: JsonNode): unknown {
  switch (node.kind) {
    case 'scalar':
      return node.value;
    case 'array':
      return node.children.map((child) => jsonValue(child.node));
    case 'object':
      return Object.fromEntries(node.children.map(({ key, node: value }) => [key, jsonValue(value)]));
  }
}

interface Scanner {
  at(): number;
  peek(): string;
  take(count: number): void;
  /** Past white space and comments. */
  skip(): void;
  /** Where the last token or comment ended. */
  lastEnd(): number;
  match(pattern: RegExp): string | null;
}

function createScanner(text: string): Scanner {
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  let lastEnd = at;
  const advance = (to: number) => {
    at = to;
    lastEnd = to;
  };
  return {
    at: () => at,
    lastEnd: () => lastEnd,
    peek: () => text[at] ?? '',
    take: (count) => advance(at + count),
    skip() {
      for (;;) {
        while (/\s/.test(text[at] ?? '')) at += 1;
        if (text.startsWith('//', at)) {
          const end = text.indexOf('\n', at);
          const stop = end === -1 ? text.length : end;
          advance(text[stop - 1] === '\r' ? stop - 1 : stop);
        } else if (text.startsWith('/*', at)) {
          const end = text.indexOf('*/', at + 2);
          if (end === -1) fail(at, 'a comment does not end');
          advance(end + 2);
        } else return;
      }
    },
    match(pattern) {
      pattern.lastIndex = at;
      const found = pattern.exec(text)?.[0] ?? null;
      if (found !== null) advance(at + found.length);
      return found;
    },
  };
}

const STRING = /"(?:[^"\\\n\r]|\\.)*"/y;
const WORD = /true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

function readNode(scanner: Scanner, depth: number): JsonNode {
  if (depth > DEEPEST) fail(scanner.at(), 'it is nested too deeply');
  scanner.skip();
  const start = scanner.at();
  if (scanner.peek() === '{') return readContainer(scanner, depth, 'object') as JsonObject;
  if (scanner.peek() === '[') return readContainer(scanner, depth, 'array') as JsonArray;
  const token = scanner.match(STRING) ?? scanner.match(WORD);
  if (token === null) fail(start, 'a value is missing or not JSON');
  return { kind: 'scalar', start, end: scanner.at(), value: scalar(token, start) };
}

function scalar(token: string, at: number): unknown {
  try {
    return JSON.parse(token) as unknown;
  } catch {
    fail(at, 'a string holds what JSON does not allow');
  }
}

function readContainer(scanner: Scanner, depth: number, kind: JsonContainer['kind']): unknown {
  const close = kind === 'object' ? '}' : ']';
  const start = scanner.at();
  const children: { start: number; node: JsonNode; comma: number | null; key?: string }[] = [];
  scanner.take(1);
  for (;;) {
    scanner.skip();
    const contentEnd = scanner.lastEnd();
    if (scanner.peek() === close) {
      scanner.take(1);
      return { kind, start, end: scanner.at(), contentEnd, children };
    }
    if (children.length > 0 && children.at(-1)?.comma === null) fail(scanner.at(), 'a comma is missing');
    children.push(readChild(scanner, depth, kind));
  }
}

function readChild(scanner: Scanner, depth: number, kind: JsonContainer['kind']) {
  const start = scanner.at();
  let key: { key: string } | null = null;
  if (kind === 'object') {
    const token = scanner.match(STRING);
    if (token === null) fail(start, scanner.peek() === '' ? 'it ends too early' : 'a key is missing');
    key = { key: String(scalar(token, start)) };
    scanner.skip();
    if (scanner.peek() !== ':') fail(scanner.at(), 'a colon is missing');
    scanner.take(1);
  }
  const node = readNode(scanner, depth + 1);
  scanner.skip();
  const comma = scanner.peek() === ',' ? scanner.at() : null;
  if (comma !== null) scanner.take(1);
  return { start, node, comma, ...key };
}
