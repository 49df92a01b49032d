/** Where a search begins, and the words of ripgrep that every search has: never `.git`, hidden files only if they were named. */

import { join } from 'node:path';
import type { ToolResult } from '../../tool.ts';
import { absolutePath, failed, shownPath } from '../answer.ts';
import { nearFiles } from '../near-files.ts';
import type { BuiltInPorts } from '../ports.ts';

export interface SearchPlace {
  readonly path: string;
  readonly kind: 'file' | 'folder';
}

export async function searchPlace(
  given: string,
  ports: BuiltInPorts,
): Promise<SearchPlace | { readonly refusal: ToolResult }> {
  const path = given === '' ? ports.cwd : absolutePath(given, ports);
  const facts = await ports.files.stat(path);
  if (facts === null)
    return { refusal: failed(`${shownPath(path, ports.cwd)} does not exist.${await nearFiles(path, ports.cwd)}`) };
  if (facts.kind === 'other')
    return { refusal: failed(`${shownPath(path, ports.cwd)} is neither a file nor a folder.`) };
  return { path, kind: facts.kind };
}

/**
 * What a walk leaves out: `.git` always, other hidden files unless the pattern names one. Said as a glob of its own, because a
 * glob such as `src/*` would bring hidden files back.
 */
export function hiddenWords(pattern: string): readonly string[] {
  const isHiddenNamed = /(?:^|[/{,])\.[^./]/.test(pattern);
  return [...(isHiddenNamed ? ['--hidden'] : ['--glob', '!.*']), '--glob', '!.git'];
}

/**
 * The later glob decides, so that no pattern brings `.git` back. A leading `!` is part of a name here, not a negation. One
 * that fits everything is left out: it would bring back what is ignored.
 */
export function globWords(glob: string): readonly string[] {
  const fitsAll = /^(?:\*\*?\/)*\*{0,2}$/.test(glob);
  return [...(fitsAll ? [] : ['--glob', glob.startsWith('!') ? `\\${glob}` : glob]), ...hiddenWords(glob)];
}

/** A path as ripgrep gave it below a folder (`./a`), as the model may use it. */
export function fromFolder(path: string, folder: string, cwd: string): string {
  return shownPath(join(folder, path), cwd);
}
