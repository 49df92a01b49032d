/**
 * Puts one table of ours into a TOML file and takes it out again. It is found by its name, wherever its owner or the program
 * has moved it since; every other byte stays.
 */

export type TomlEdit =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'refused'; readonly problem: string };

type TomlValues = Readonly<Record<string, string | readonly string[]>>;

export interface TomlTable {
  /** `mcp_servers.reverie`. */
  readonly name: string;
  readonly values: TomlValues;
  /** Whether a table of this name with this text is one that we wrote. */
  isOurs(text: string): boolean;
}

const COMMENT = '# Added by `reverie install`; `reverie install --uninstall` takes it out.';
/** Lines of ours around the table; earlier versions wrote two. */
const OUR_COMMENTS = /^# (?:Added by `reverie install`|>>> reverie|<<< reverie).*$/;

/** Where the table is there, only our values in it are replaced; else it is added at the end. */
export function putTomlTable(text: string, table: TomlTable): TomlEdit {
  const scan = scanToml(text);
  if (scan.kind === 'broken') return { kind: 'refused', problem: `line ${scan.line}: ${scan.problem}` };
  const present = scan.tables.find(({ name }) => name === table.name);
  if (present !== undefined) {
    if (!table.isOurs(text.slice(present.start, present.end)))
      return { kind: 'refused', problem: `\`${table.name}\` is there already, and not written by us` };
    return { kind: 'text', text: withValues(text, present, table.values) };
  }
  const taken = scan.keys.find((key) => key === table.name || key.startsWith(`${table.name}.`));
  const parent = table.name.split('.').slice(0, -1).join('.');
  if (taken !== undefined) return { kind: 'refused', problem: `\`${taken}\` is there already, and not written by us` };
  if (scan.keys.includes(parent))
    return { kind: 'refused', problem: `\`${parent}\` is written as one value, to which no table can be added` };
  const eol = eolOf(text);
  const lines = Object.entries(table.values).map(([key, value]) => `${key} = ${valueText(value)}`);
  const gap = text === '' ? '' : text.endsWith('\n') ? eol : `${eol}${eol}`;
  return { kind: 'text', text: `${text}${gap}${[COMMENT, `[${table.name}]`, ...lines, ''].join(eol)}` };
}

/** Takes out the table, tables below it, and our comments; nothing that comes after its last value. */
export function dropTomlTable(text: string, table: Pick<TomlTable, 'name' | 'isOurs'>): TomlEdit {
  const scan = scanToml(text);
  if (scan.kind === 'broken') return { kind: 'refused', problem: `line ${scan.line}: ${scan.problem}` };
  const own = scan.tables.find(({ name }) => name === table.name);
  if (own === undefined || !table.isOurs(text.slice(own.start, own.end))) return { kind: 'text', text };
  const gone = scan.tables.filter(({ name }) => name === table.name || name.startsWith(`${table.name}.`));
  const comments = commentSpans(text, scan.comments);
  const tables =
    comments.length === 0 ? gone.map((span, position) => (position === 0 ? withGap(text, span) : span)) : gone;
  const spans = [...tables, ...comments].toSorted((one, other) => other.start - one.start);
  const rest = spans.reduce((left, span) => cut(left, span), text);
  // At the beginning of a file there was nothing to be set apart from: what follows was.
  return { kind: 'text', text: spans.at(-1)?.start === 0 ? rest.replace(/^\r?\n/, '') : rest };
}

function cut(text: string, { start, end }: Span): string {
  return text.slice(0, start) + text.slice(end);
}

/** Codex drops our comment when it writes the tables of servers again; the blank line before ours goes where another one follows. */
function withGap(text: string, { start, end }: Span): Span {
  const isFollowed = end === text.length || /^\r?\n/.test(text.slice(end));
  const gap = isFollowed ? (/(?<=\n)\r?\n$/.exec(text.slice(0, start))?.[0].length ?? 0) : 0;
  return { start: start - gap, end };
}

/** Our comment lines; with the blank line that stands before the first, which we added as well. */
function commentSpans(text: string, comments: readonly Span[]): readonly Span[] {
  const ours = comments.filter(({ start, end }) => OUR_COMMENTS.test(text.slice(start, end).trim()));
  return ours.map(({ start, end }, position) => {
    const gap = position === 0 ? (/(?<=\n)\r?\n$/.exec(text.slice(0, start))?.[0].length ?? 0) : 0;
    return { start: start - gap, end };
  });
}

function withValues(text: string, table: Table, values: TomlValues): string {
  let result = text;
  const missing = Object.entries(values).filter(([key]) => !table.values.some((value) => value.key === key));
  const added = missing.map(([key, value]) => `${key} = ${valueText(value)}${eolOf(text)}`).join('');
  const complete = result.slice(0, table.end).endsWith('\n') || added === '' ? added : eolOf(text) + added;
  result = result.slice(0, table.end) + complete + result.slice(table.end);
  for (const { key, start, end } of table.values.toReversed()) {
    const value = values[key];
    if (value !== undefined) result = result.slice(0, start) + valueText(value) + result.slice(end);
  }
  return result;
}

function valueText(value: string | readonly string[]): string {
  return typeof value === 'string'
    ? JSON.stringify(value)
    : `[${value.map((each) => JSON.stringify(each)).join(', ')}]`;
}

function eolOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** From the beginning of its header's line to the end of the line of its last value. */
interface Table extends Span {
  readonly name: string;
  readonly values: readonly (Span & { readonly key: string })[];
}

type Scan =
  | {
      readonly kind: 'read';
      readonly tables: readonly Table[];
      /** Every key with the name of its table before it. */
      readonly keys: readonly string[];
      readonly comments: readonly Span[];
    }
  | { readonly kind: 'broken'; readonly line: number; readonly problem: string };

const KEY = /(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[\w-]+)/.source;
const DOTTED = `${KEY}(?:[ \\t]*\\.[ \\t]*${KEY})*`;
const SPACE = /\s+/y;
const COMMENT_LINE = /#[^\n]*(?:\n|$)/y;
const BLANK = /(?:\s|#[^\n]*)+/y;
const HEADER = new RegExp(`\\[\\[?[ \\t]*(${DOTTED})[ \\t]*\\]?\\][ \\t]*(?=#|\\r?\\n|$)`, 'y');
const ASSIGNMENT = new RegExp(`(${DOTTED})[ \\t]*=[ \\t]*`, 'y');
const REST_OF_LINE = /[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/y;
const STRINGS = [/"""[\s\S]*?"{3,5}/y, /'''[\s\S]*?'{3,5}/y, /"(?:[^"\\\n]|\\.)*"/y, /'[^'\n]*'/y];
const BARE = /[^\s#,[\]{}"']+(?: [\d:.+Z-]+)?/y;

/** The tables with their places; or the line at which it stops being TOML. */
function scanToml(text: string): Scan {
  const tables: { name: string; start: number; end: number; values: (Span & { key: string })[] }[] = [];
  const keys: string[] = [];
  const comments: Span[] = [];
  let at = 0;
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at += found[0].length;
    return found;
  };
  const broken = (problem: string): Scan => ({ kind: 'broken', line: text.slice(0, at).split('\n').length, problem });
  for (;;) {
    match(SPACE);
    const start = at;
    if (match(COMMENT_LINE) !== null) {
      comments.push({ start, end: at });
      continue;
    }
    if (at >= text.length) return { kind: 'read', tables, keys, comments };
    const header = match(HEADER);
    if (header !== null) {
      match(REST_OF_LINE);
      tables.push({
        name: plainName(header[1] ?? ''),
        start: text.lastIndexOf('\n', start - 1) + 1,
        end: at,
        values: [],
      });
      continue;
    }
    const assignment = match(ASSIGNMENT);
    if (assignment === null) return broken('neither a table nor a key with a value');
    const key = plainName(assignment[1] ?? '');
    const table = tables.at(-1);
    keys.push(table === undefined ? key : `${table.name}.${key}`);
    const valueStart = at;
    if (!skipValue(match)) return broken('a value does not end, or is none');
    const valueEnd = at;
    if (match(REST_OF_LINE) === null) return broken('something follows a value');
    if (table === undefined) continue;
    table.values.push({ key, start: valueStart, end: valueEnd });
    table.end = at;
  }
}

function plainName(dotted: string): string {
  return [...dotted.matchAll(new RegExp(KEY, 'g'))].map(([part]) => part.replace(/^["']|["']$/g, '')).join('.');
}

function skipValue(match: (pattern: RegExp) => RegExpExecArray | null): boolean {
  let depth = 0;
  for (;;) {
    if (match(/[[{]/y) !== null) depth += 1;
    else if (match(/[\]}]/y) !== null) depth -= 1;
    else if (depth > 0 && (match(BLANK) !== null || match(/[,=]/y) !== null)) continue;
    else if (STRINGS.every((pattern) => match(pattern) === null) && match(BARE) === null) return false;
    if (depth === 0) return true;
    if (depth < 0) return false;
  }
}
