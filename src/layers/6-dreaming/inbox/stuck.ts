/** Which waiting changes of a dream cannot land on the current files: what was edited since is the user's, and approving does not change that. */

import { checkInside } from '../../../disk/check-inside.ts';
import { readFile } from '../../../disk/commit.ts';
import { openFolder } from '../../../disk/folder.ts';
import type { DreamRecord } from '../records/record.ts';
import { judgeApproval } from './approve.ts';
import { waitingOf } from './choose.ts';

/** By number, with the reason; reads only the files that waiting changes concern. */
export function stuckOf(memoryFolder: string, record: Pick<DreamRecord, 'changes'>): ReadonlyMap<number, string> {
  const waiting = waitingOf(record);
  const root = waiting.length === 0 ? null : openFolder(memoryFolder);
  if (root === null) return new Map();
  try {
    const read = (file: string) =>
      checkInside(memoryFolder, file, 'read').verdict === 'allow' ? (readFile(root, file)?.bytes ?? null) : null;
    const verdicts = judgeApproval({ chosen: waiting, all: record.changes }, read);
    return new Map(
      [...verdicts].flatMap(([number, verdict]) => (verdict.kind === 'keep' ? [[number, verdict.why]] : [])),
    );
  } finally {
    root.close();
  }
}
