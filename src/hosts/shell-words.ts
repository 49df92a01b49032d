/** Words as a shell takes them: hosts hand the command of a hook to one. */

export function shellLine(words: readonly string[], platform: NodeJS.Platform): string {
  return words.map((word) => shellWord(word, platform)).join(' ');
}

function shellWord(word: string, platform: NodeJS.Platform): string {
  if (/^[\w./:@%+=,-]+$/.test(word)) return word;
  return platform === 'win32' ? `"${word.replaceAll('"', '\\"')}"` : `'${word.replaceAll("'", "'\\''")}'`;
}
