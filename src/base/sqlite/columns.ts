/** Reads the names of a table's columns from the SQL that SQLite keeps of it. Pure. */

export interface TableColumns {
  readonly names: readonly string[];
  /** The column that is the row's own number; it is not stored with the others. */
  readonly rowNumber: string | null;
}

const QUOTED = /^(?:"(?:[^"]|"")*"|'(?:[^']|'')*'|`(?:[^`]|``)*`|\[[^\]]*\])/;
const TOKENS = new RegExp(`--[^\\n]*|/\\*[\\s\\S]*?\\*/|${QUOTED.source.slice(1)}|[(),]|[^(),"'\`[/-]+|.`, 'g');

export function columnsOf(sql: string): TableColumns {
  const names: string[] = [];
  let rowNumber: string | null = null;
  for (const definition of definitionsOf(sql)) {
    if (/^(?:constraint|primary|unique|check|foreign)\b/i.test(definition)) continue;
    const written = QUOTED.exec(definition)?.[0] ?? /^[^\s(]*/.exec(definition)![0];
    const name = QUOTED.test(written) ? written.slice(1, -1) : written;
    names.push(name);
    const isRowNumber = /^\s*integer\s+(?:constraint\s+\S+\s+)?primary\s+key\b(?!\s+desc)/i;
    if (isRowNumber.test(definition.slice(written.length))) rowNumber = name;
  }
  return { names, rowNumber };
}

/** What stands between the commas of the outermost parentheses; commas in quotes, comments and inner ones do not part. */
function definitionsOf(sql: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const [token] of sql.matchAll(TOKENS)) {
    const isComment = token.startsWith('--') || token.startsWith('/*');
    if (token === ')') depth -= 1;
    if (depth === 1 && token === ',') parts.push('');
    else if (depth > 0) parts.push(parts.pop()! + (isComment ? ' ' : token));
    else if (token === ')') break;
    if (token === '(') depth += 1;
  }
  return parts.map((part) => part.trim());
}
