/** Finds lines in JSON text: where it stops being JSON, and where each key stands. Used only once there is something to report. */

export interface JsonLines {
  /** The first mistake; null when the text is valid. */
  readonly mistake: { readonly line: number; readonly expected: string } | null;
  /** Lines of keys by their dotted path, as far as the text could be read. */
  readonly lineOfKey: ReadonlyMap<string, number>;
}

type Expectation = 'value' | 'first-key' | 'key' | 'colon' | 'first-value' | 'comma' | 'end';

const EXPECTED: Record<Expectation, string> = {
  value: 'a value',
  'first-key': 'a key in double quotes or `}`',
  key: 'a key in double quotes (no comma before `}`)',
  colon: '`:` after the key',
  'first-value': 'a value or `]`',
  comma: '`,` or the closing bracket',
  end: 'nothing more after the value',
};

const TOKEN =
  /[ \t\r\n]*(?:("[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])|([{}[\]:,]))/y;

/** A pushdown reader rather than a recursive one: no nesting is too deep for it. */
export function locateJson(text: string): JsonLines {
  const lineOfKey = new Map<string, number>();
  const open: { readonly bracket: '{' | '['; key: string }[] = [];
  let expecting: Expectation = 'value';
  const scanner = new RegExp(TOKEN);
  for (let at = 0; ; at = scanner.lastIndex) {
    scanner.lastIndex = at;
    const match = scanner.exec(text);
    if (match === null) {
      const rest = at + (/^[ \t\r\n]*/.exec(text.slice(at))?.[0].length ?? 0);
      if (rest === text.length && expecting === 'end') return { mistake: null, lineOfKey };
      return {
        mistake: { line: lineAt(text, Math.min(rest, text.trimEnd().length)), expected: EXPECTED[expecting] },
        lineOfKey,
      };
    }
    const [whole, string, literal, sign] = match;
    const start = at + whole.length - (string ?? literal ?? sign ?? '').length;
    const next = step({ expecting, open, string, literal, sign });
    if (next === null) return { mistake: { line: lineAt(text, start), expected: EXPECTED[expecting] }, lineOfKey };
    if (next === 'colon')
      lineOfKey.set(
        open
          .map((level) => level.key)
          .filter((key) => key !== '')
          .join('.'),
        lineAt(text, start),
      );
    expecting = next;
  }
}

function step(state: {
  readonly expecting: Expectation;
  readonly open: { readonly bracket: '{' | '['; key: string }[];
  readonly string: string | undefined;
  readonly literal: string | undefined;
  readonly sign: string | undefined;
}): Expectation | null {
  const { expecting, open, string, literal, sign } = state;
  const innermost = open.at(-1);
  const afterValue = (): Expectation => (open.length === 0 ? 'end' : 'comma');
  switch (expecting) {
    case 'first-value':
    case 'value':
      if (string !== undefined || literal !== undefined) return afterValue();
      if (sign === ']' && expecting === 'first-value') {
        open.pop();
        return afterValue();
      }
      if (sign !== '{' && sign !== '[') return null;
      open.push({ bracket: sign, key: '' });
      return sign === '{' ? 'first-key' : 'first-value';
    case 'first-key':
    case 'key':
      if (string !== undefined && innermost !== undefined) {
        innermost.key = JSON.parse(string);
        return 'colon';
      }
      if (sign !== '}' || expecting !== 'first-key') return null;
      open.pop();
      return afterValue();
    case 'colon':
      return sign === ':' ? 'value' : null;
    case 'comma':
      if (sign === ',') return innermost?.bracket === '{' ? 'key' : 'value';
      if (sign !== (innermost?.bracket === '{' ? '}' : ']')) return null;
      open.pop();
      return afterValue();
    case 'end':
      return null;
  }
}

/** One-based. */
function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
