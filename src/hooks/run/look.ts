/** The full look at a conversation's start, which finds edits that no mark of a folder tells; nobody waits for it. */

import { recallDirectory } from '../../memory/derived-files.ts';
import type { Look } from '../../memory/files/look.ts';
import { documentSource, marksOf } from '../../memory/recall-documents.ts';
import { listingOf, readRecallMark, removeRecallMark, writeRecallMark } from '../../memory/recall-mark.ts';
import type { Scopes } from '../../memory/scopes.ts';

/** The same folders, walked through once however often somebody looks; for a process that is about to end. */
export function lookingOnce(scopes: Scopes): Scopes {
  const folders = scopes.folders.map((folder) => {
    let looked: Look | null = null;
    return {
      ...folder,
      look() {
        looked ??= folder.look();
        return looked;
      },
    };
  });
  return { ...scopes, folders };
}

/** Where something has changed, the next recall brings the index up to date; where nothing has, it need not look. */
export function lookAtAll(scopes: Scopes): void {
  const directory = recallDirectory(scopes.place);
  const mark = readRecallMark(directory);
  if (mark === null) return;
  const atMs = scopes.now().getTime();
  const documents = scopes.folders.flatMap((folder) =>
    folder.look().files.map((looked) => documentSource(`${folder.scope}:${looked.file}`, folder, looked)),
  );
  // After the look, which may have been earlier: what has changed since then counts as a change.
  const isInStep = mark.listing === listingOf(documents) && mark.marks === marksOf(scopes);
  if (isInStep) writeRecallMark(directory, { ...mark, atMs });
  else removeRecallMark(directory);
}
