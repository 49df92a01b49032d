/** Quotes words for a shell: for commands that people copy, and for those that hosts pass to a shell. */

export function quoted(word: string): string {
  return /^(?!~)[A-Za-z0-9_./:=@%+,~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

export function shellLine(words: readonly string[], platform: NodeJS.Platform): string {
  return words.map((word) => (platform === 'win32' ? quotedForWindows(word) : quoted(word))).join(' ');
}

function quotedForWindows(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `"${word.replaceAll('"', '\\"')}"`;
}

/** A file as the last word of a command; one that begins with a dash would be taken for an option. */
export function fileWords(file: string): string {
  return file.startsWith('-') ? `-- ${quoted(file)}` : quoted(file);
}
