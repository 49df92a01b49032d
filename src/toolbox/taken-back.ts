/** What the user has taken back: the words behind memories that were forgotten, or that later ones took the place of. */

import { fold } from '../base/text/fold.ts';
import { parseMemoryFile } from '../memory/files/memory-file.ts';
import type { Memory } from '../memory/memory.ts';

/** The newest changes in which forgotten memories are looked for. */
const CHANGES = 200;

export async function takenBack(memory: Memory): Promise<(sentence: string) => boolean> {
  const words = new Set((await Promise.all([supersededWords(memory), forgottenWords(memory)])).flat().map(fold));
  return (sentence) => words.has(fold(sentence));
}

async function supersededWords(memory: Memory): Promise<readonly string[]> {
  const entries = await memory.list();
  return entries.flatMap(({ supersededBy, quote }) => (supersededBy === null ? [] : quote.map(({ text }) => text)));
}

async function forgottenWords(memory: Memory): Promise<readonly string[]> {
  const changes = await memory.log({ limit: CHANGES });
  const forgotten = changes.filter(({ kind, undoneBy }) => kind === 'forget' && undoneBy === undefined);
  const words: string[] = [];
  for (const { id } of forgotten) {
    const files = await memory.diff(id).catch(() => []);
    for (const { before } of files) {
      if (before !== null) words.push(...parseMemoryFile(Buffer.from(before)).quotes.map(({ text }) => text));
    }
  }
  return words;
}
