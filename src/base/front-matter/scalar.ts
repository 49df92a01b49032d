/** Writes a value so that any YAML parser, of either version, reads the same text back. */

const SAFE_FIRST = /^[\p{L}\p{N}_(/$]/u;
/** What YAML does not count as printable, and line ends that only some parsers see. */
const UNSAFE_ANYWHERE = /[^\x20-\x7e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u;
const UNSAFE_IN_BLOCK = /: | #|:$|^ | $/;
const UNSAFE_IN_FLOW = /[,[\]{}:#"'\\]/;
const MEANS_SOMETHING_ELSE =
  /^(?:true|false|yes|no|on|off|y|n|null|nan)$|^[-+]?\.?(?:\d|e[-+]?\d|inf|nan)[\d.,:_eExXoOa-fA-F+\-TtZz ]*$/i;

export type ScalarContext = 'block' | 'flow';

export function writeScalar(text: string, context: ScalarContext = 'block'): string {
  const isPlain =
    SAFE_FIRST.test(text) &&
    !UNSAFE_ANYWHERE.test(text) &&
    !UNSAFE_IN_BLOCK.test(text) &&
    !(context === 'flow' && UNSAFE_IN_FLOW.test(text)) &&
    !MEANS_SOMETHING_ELSE.test(text);
  return isPlain ? text : writeQuoted(text);
}

export function writeQuoted(text: string): string {
  return `"${text.replace(/["\\]|[^\x20-\x7e]/gu, escapeCharacter)}"`;
}

/** A mapping of texts on one line, so that it fits wherever a scalar does. */
export function writeMapping(pairs: Readonly<Record<string, string>>): string {
  const written = Object.entries(pairs).map(
    ([key, value]) => `${writeScalar(key, 'flow')}: ${writeScalar(value, 'flow')}`,
  );
  return `{${written.join(', ')}}`;
}

/** Several lines as one. */
export function singleLine(text: string): string {
  const lines = text.split(/[\r\n\u0085\u2028\u2029]+/);
  if (lines.length === 1) return text;
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
}

function escapeCharacter(character: string): string {
  switch (character) {
    case '"':
    case '\\':
      return `\\${character}`;
    case '\t':
      return '\\t';
    case '\n':
      return '\\n';
    case '\r':
      return '\\r';
  }
  if (!UNSAFE_ANYWHERE.test(character)) return character;
  const code = character.codePointAt(0)!;
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`;
}
