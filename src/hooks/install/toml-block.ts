/** Adds a block of ours to a TOML file and takes it out again; the rest is read only far enough to know that it fits. */

export type TomlEdit =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'refused'; readonly problem: string };

const BEGIN = '# >>> reverie: written by `reverie install`, taken out by `reverie install --uninstall`';
const END = '# <<< reverie';
const BLOCK = /(?:\r?\n)?# >>> reverie[^\n]*\n[\s\S]*?# <<< reverie[^\n]*(?:\n|$)/;

/** A table of strings and lists of strings, at the end of the file. */
export function putTomlTable(
  text: string,
  table: { readonly name: string; readonly values: Readonly<Record<string, string | readonly string[]>> },
): TomlEdit {
  const rest = dropTomlBlock(text);
  const scan = scanToml(rest);
  if (scan.kind === 'broken') return { kind: 'refused', problem: `line ${scan.line}: ${scan.problem}` };
  const taken = scan.names.find((name) => name === table.name || name.startsWith(`${table.name}.`));
  const parent = table.name.split('.').slice(0, -1).join('.');
  if (taken !== undefined) return { kind: 'refused', problem: `\`${taken}\` is there already, and not written by us` };
  if (scan.keys.includes(parent))
    return { kind: 'refused', problem: `\`${parent}\` is written as one value, to which no table can be added` };
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = Object.entries(table.values).map(([key, value]) => {
    return `${key} = ${typeof value === 'string' ? JSON.stringify(value) : `[${value.map((each) => JSON.stringify(each)).join(', ')}]`}`;
  });
  const block = [BEGIN, `[${table.name}]`, ...lines, END, ''].join(eol);
  const present = BLOCK.exec(text);
  // Where it stands already it stays, so that a second run changes nothing.
  if (present !== null) {
    const lead = /^\r?\n/.exec(present[0])?.[0] ?? '';
    return {
      kind: 'text',
      text: text.slice(0, present.index) + lead + block + text.slice(present.index + present[0].length),
    };
  }
  const gap = text === '' ? '' : text.endsWith('\n') ? eol : `${eol}${eol}`;
  return { kind: 'text', text: `${text}${gap}${block}` };
}

export function dropTomlBlock(text: string): string {
  return text.replace(BLOCK, '');
}

type Scan =
  | { readonly kind: 'read'; readonly names: readonly string[]; readonly keys: readonly string[] }
  | { readonly kind: 'broken'; readonly line: number; readonly problem: string };

const KEY = /(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[\w-]+)/.source;
const DOTTED = `${KEY}(?:[ \\t]*\\.[ \\t]*${KEY})*`;
const BLANK = /(?:\s|#[^\n]*)+/y;
const HEADER = new RegExp(`\\[\\[?[ \\t]*(${DOTTED})[ \\t]*\\]?\\][ \\t]*(?=#|\\r?\\n|$)`, 'y');
const ASSIGNMENT = new RegExp(`(${DOTTED})[ \\t]*=[ \\t]*`, 'y');
const STRINGS = [/"""[\s\S]*?"{3,5}/y, /'''[\s\S]*?'{3,5}/y, /"(?:[^"\\\n]|\\.)*"/y, /'[^'\n]*'/y];
const BARE = /[^\s#,[\]{}"']+(?: [\d:.+Z-]+)?/y;

/** Names of tables and of top-level keys; or the line at which it stops being TOML. */
function scanToml(text: string): Scan {
  const names: string[] = [];
  const keys: string[] = [];
  let table = '';
  let at = 0;
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at += found[0].length;
    return found;
  };
  const broken = (problem: string): Scan => ({ kind: 'broken', line: text.slice(0, at).split('\n').length, problem });
  for (;;) {
    match(BLANK);
    if (at >= text.length) return { kind: 'read', names, keys };
    const header = match(HEADER);
    if (header !== null) {
      table = plainName(header[1] ?? '');
      names.push(table);
      continue;
    }
    const assignment = match(ASSIGNMENT);
    if (assignment === null) return broken('neither a table nor a key with a value');
    const key = plainName(assignment[1] ?? '');
    const name = table === '' ? key : `${table}.${key}`;
    keys.push(name);
    names.push(name);
    if (!skipValue(match)) return broken('a value does not end, or is none');
    match(/[ \t]+/y);
    if (at < text.length && match(/(?:#[^\n]*)?(?=\r?\n|$)/y) === null) return broken('something follows a value');
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
