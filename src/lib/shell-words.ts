/** Words as a shell takes them, for commands that people copy. */

export function quoted(word: string): string {
  return /^(?!~)[A-Za-z0-9_./:=@%+,~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A file as the last word of a command; one that begins with a dash would be taken for an option. */
export function fileWords(file: string): string {
  return file.startsWith('-') ? `-- ${quoted(file)}` : quoted(file);
}
