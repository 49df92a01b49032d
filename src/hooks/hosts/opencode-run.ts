/** What `opencode run` makes of a message: its words and what was piped in become one text. */

/** Quotes around a message with spaces in it, a backslash before those inside, and what was piped in on the next line. */
export const QUOTED_MESSAGE = /^"((?:[^"]|(?<=\\)")*)(?<!\\)"(?:\n([\s\S]*))?$/;
/** Words that it was given one by one are joined. */
export const JOINED_MESSAGE = /^(.*)\n([\s\S]*)$/;

/** What was piped in stands behind a blank line: the first paragraph of a message counts as typed. The plugin does the same. */
export function typedFirst(text: string, isRun: boolean): string {
  const quoted = QUOTED_MESSAGE.exec(text);
  const [, typed = '', piped = ''] = quoted ?? (isRun ? JOINED_MESSAGE.exec(text) : null) ?? [text, text];
  return `${quoted === null ? typed : typed.replaceAll('\\"', '"')}\n\n${piped}`.trim();
}
