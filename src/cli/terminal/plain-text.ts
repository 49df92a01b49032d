/** Makes text from files and models safe to show: nothing in it can move the cursor, recolour, retitle or reorder a terminal. */

// String sequences (OSC, DCS, SOS, PM, APC) run to their terminator, or to the end of the line when it never comes.
const STRING_SEQUENCE =
  /(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?/g;
const CONTROL_SEQUENCE = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?/g;
const SHORT_ESCAPE = /\u001b[ -/]*[0-~]?/g;
// All of C0 and C1 except newline and tab, and the characters that reorder text (Trojan Source).
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g;
const LINE_BREAKS = /\r\n?|[\u2028\u2029\u0085]/g;
const COLOUR = /(\u001b\[[0-9;]*m)/;

/** Keeps newlines, tabs and visible characters, and nothing else. */
export function plainText(text: string): string {
  return text
    .replace(LINE_BREAKS, '\n')
    .replace(STRING_SEQUENCE, '')
    .replace(CONTROL_SEQUENCE, '')
    .replace(SHORT_ESCAPE, '')
    .replace(CONTROL_CHARACTERS, '');
}

/** The same on one line, for columns and messages. */
export function plainLine(text: string): string {
  return plainText(text).replace(/\s+/g, ' ').trim();
}

/** The last gate before a coloured terminal: only colours may pass. */
export function onlyColours(text: string): string {
  return text
    .split(COLOUR)
    .map((part, at) => (at % 2 === 1 ? part : plainText(part)))
    .join('');
}

/** JSON whose text a terminal cannot act on: escaped, so that its value stays exact. */
export function plainJson(value: unknown): string {
  return escaped(JSON.stringify(value, null, 2) ?? 'null');
}

/** The same on one line, for a program that reads line by line. */
export function plainJsonLine(value: unknown): string {
  return escaped(JSON.stringify(value) ?? 'null');
}

function escaped(json: string): string {
  return json.replace(/[\u007f-\u009f\u200e\u200f\u061c\u2028-\u202e\u2066-\u2069]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
