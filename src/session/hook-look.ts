/** The full look at a conversation's start, which finds edits that no mark of a folder tells; nobody waits for it. */

import { recallDirectory } from './derived-files.ts';
import { documentSource, marksOf } from './memory-recall.ts';
import { listingOf, readRecallMark, removeRecallMark, writeRecallMark } from './recall-mark.ts';
import type { Scopes } from './scopes.ts';

/** Where something has changed, the next recall brings the index up to date; where nothing has, it need not look. */
export function lookAtAll(scopes: Scopes): void {
  const directory = recallDirectory(scopes.place);
  const mark = readRecallMark(directory);
  if (mark === null) return;
  const atMs = scopes.now().getTime();
  const marks = marksOf(scopes);
  const documents = scopes.folders.flatMap((folder) =>
    folder.look().files.map((looked) => documentSource(`${folder.scope}:${looked.file}`, folder, looked)),
  );
  if (mark.marks === marks && mark.listing === listingOf(documents)) writeRecallMark(directory, { ...mark, atMs });
  else removeRecallMark(directory);
}
