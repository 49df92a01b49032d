/** The rule that nothing is overwritten unseen: a file must have been read, and be as it was read. */

import { hashOf } from '../../disk/contents.ts';
import type { ToolPorts } from '../tool.ts';
import { shownPath } from './answer.ts';

export type SeenFile =
  | { readonly kind: 'absent' }
  | { readonly kind: 'seen'; readonly bytes: Buffer; readonly hash: string; readonly isPartial: boolean }
  | { readonly kind: 'wrong'; readonly reason: string };

export async function seenFile(path: string, ports: ToolPorts): Promise<SeenFile> {
  const shown = shownPath(path, ports.cwd);
  const facts = await ports.files.stat(path);
  if (facts === null) return { kind: 'absent' };
  if (facts.kind !== 'file')
    return { kind: 'wrong', reason: `${shown} is ${facts.kind === 'folder' ? 'a folder' : 'no file'}.` };
  const read = ports.read.get(path);
  if (read === undefined)
    return { kind: 'wrong', reason: `${shown} exists and you have not read it yet. Read it first.` };
  const bytes = await ports.files.read(path);
  const hash = hashOf(bytes);
  if (hash !== read.hash) return { kind: 'wrong', reason: changedSince(shown) };
  return { kind: 'seen', bytes, hash, isPartial: read.isPartial };
}

export function changedSince(shown: string): string {
  return `${shown} was changed since you read it, by the user or a program. Read it again, then make your change on top of that.`;
}
