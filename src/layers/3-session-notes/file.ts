/** The notes' file and the user's files beside it: read within limits, replaced whole or not at all, for this user only. */

import { basename, dirname } from 'node:path';
import { createFolder } from '../../disk/folder.ts';
import { readSmallFile } from '../../disk/small-file.ts';
import { ReverieError } from '../../errors.ts';

/** Null when there is none. */
export function readText(path: string, fileBytes: number): string | null {
  const file = readSmallFile(path, fileBytes);
  switch (file.kind) {
    case 'text':
      return file.text;
    case 'absent':
      return null;
    case 'unreadable':
      throw new ReverieError({
        code: 'damaged',
        message: `${path}: ${file.reason}`,
        fix: 'Move it away; it is made again.',
      });
  }
}

/** False when it no longer holds `before`: somebody else's write is not overwritten. */
export async function replaceText(
  path: string,
  content: { readonly text: string; readonly before: string | null; readonly fileBytes: number },
): Promise<boolean> {
  const folder = createFolder(dirname(path));
  try {
    const staged = await folder.stage(Buffer.from(content.text));
    if (readText(path, content.fileBytes) !== content.before) {
      folder.discard(staged);
      return false;
    }
    folder.moveIn({ from: folder, name: staged }, basename(path), 'replace');
    await folder.sync();
    return true;
  } finally {
    folder.close();
  }
}
