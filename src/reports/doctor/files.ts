/** Checks every memory of a folder: what is odd about it, whether it holds a secret, whether its successor exists. */

import { basename, join } from 'node:path';
import { MEMORY_SCOPES } from '../../base/taxonomy.ts';
import { fileWords, quoted } from '../../base/text/shell-words.ts';
import { readFile } from '../../disk/commit.ts';
import { openFolder } from '../../disk/folder.ts';
import { ReverieError } from '../../errors.ts';
import { factsOf, type MemoryFacts } from '../../memory/files/header.ts';
import { parseMemoryFile } from '../../memory/files/memory-file.ts';
import { freeName } from '../../memory/files/save.ts';
import { type SecretName, secretInName } from '../../memory/files/secret-name.ts';
import { type SeenFile, walkMemoryFiles } from '../../memory/files/walk.ts';
import type { Finding } from '../finding.ts';
import type { SecretScanner } from './scan-once.ts';

interface ReadMemory {
  readonly file: string;
  readonly stamp: SeenFile['stamp'];
  readonly facts: MemoryFacts;
  readonly text: string;
}

export interface FolderFiles {
  readonly path: string;
  /** Of all memories, those that were not read again included. */
  readonly names: readonly string[];
  readonly files: readonly ReadMemory[];
}

/** From disk alone, so that a damaged journal hides nothing. Those that are known to be in order are left out. */
export function readFiles(
  path: string,
  { maxDepth, isInOrder }: { readonly maxDepth: number; readonly isInOrder: (seen: SeenFile) => boolean },
): { files: FolderFiles; inOrder: readonly SeenFile[]; passedOver: Finding[] } {
  const root = openFolder(path);
  if (root === null) return { files: { path, names: [], files: [] }, inOrder: [], passedOver: [] };
  try {
    const walk = walkMemoryFiles(root, maxDepth);
    const passedOver = [...walk.passedOver];
    const inOrder = walk.files.filter(isInOrder);
    const known = new Set(inOrder);
    const files = walk.files.flatMap((seen): ReadMemory[] => {
      const { file, stamp } = seen;
      if (known.has(seen)) return [];
      try {
        const bytes = readFile(root, file)?.bytes;
        if (bytes === undefined) return [];
        const { body: _body, ...parsed } = parseMemoryFile(bytes);
        return [{ file, stamp, facts: factsOf(file, parsed), text: bytes.toString('utf8') }];
      } catch (error) {
        if (!(error instanceof ReverieError)) throw error;
        passedOver.push({ file, reason: error.message });
        return [];
      }
    });
    const names = [...inOrder, ...files].map(({ file }) => file);
    return { files: { path, names, files }, inOrder, passedOver: passedOver.map((each) => notRead(path, each)) };
  } finally {
    root.close();
  }
}

function notRead(path: string, passedOver: { readonly file: string; readonly reason: string }): Finding {
  return {
    severity: 'warning',
    what: `Not read: ${passedOver.reason}`,
    where: join(path, passedOver.file),
    fix: 'Put a regular file in its place, or move it out of the folder.',
  };
}

export async function examineFiles(
  { path, names, files: all }: FolderFiles,
  scan: SecretScanner,
): Promise<{ readonly found: Finding[]; readonly inOrder: readonly SeenFile[] }> {
  const misnamed = all.filter(({ file }) => secretInName(file) !== null);
  const files = all.filter((each) => !misnamed.includes(each));
  const odd = files.flatMap(({ file, facts }) =>
    facts.warnings.map((warning): Finding => {
      const [, line, what] = /:(\d+): (.*)$/s.exec(warning.slice(file.length)) ?? [];
      return {
        severity: 'warning',
        what: what ?? warning,
        where: `${join(path, file)}:${line ?? 1}`,
        fix: `reverie memory edit ${fileWords(file)}`,
      };
    }),
  );
  const secrets: Finding[] = [];
  const inOrder: SeenFile[] = [];
  for (const { file, text, stamp, facts } of files) {
    const what = await scan(text);
    if (what === null && facts.warnings.length === 0 && facts.supersededBy === null) inOrder.push({ file, stamp });
    if (what === null) continue;
    const fix = `Take it out with your editor and change the credential, or: reverie memory purge ${fileWords(file)}`;
    secrets.push({ severity: 'error', what, where: join(path, file), fix });
  }
  const named = misnamed.map(({ file }) => namedFinding(file, { path, names }));
  return { found: [...odd, ...secrets, ...named], inOrder };
}

/** Nothing else is said about it: each line would have to name it. */
function namedFinding(file: string, folder: { readonly path: string; readonly names: readonly string[] }): Finding {
  const secret = secretInName(file)!;
  const what = `Its name holds a secret (${secret.label}), so that it is not listed, recalled or journalled`;
  const fix = `${renameCommand(secret, folder)}\nThen change the credential: whoever could list the folder could read it.`;
  return { severity: 'error', what, where: join(folder.path, secret.pieces.join('[…]')), fix };
}

/** With a pattern instead of the secret, if that matches only this file. */
function renameCommand(
  { pieces, lengths }: SecretName,
  { path, names }: { readonly path: string; readonly names: readonly string[] },
): string {
  const between = (of: (piece: string) => string, gap: (length: number) => string) =>
    pieces.map((piece, at) => of(piece) + (at < lengths.length ? gap(lengths[at]!) : '')).join('');
  const meant = new RegExp(
    `^${between(
      (piece) => piece.replace(/[^\w/]/g, '\\$&'),
      (length) => `[^/]{${length}}`,
    )}$`,
  );
  if (names.filter((name) => meant.test(name)).length !== 1) return 'Rename it with your file manager.';
  const folder = pieces[0]!.slice(0, pieces[0]!.lastIndexOf('/') + 1);
  const rest = basename(pieces.join('')).replace(/[-_.]+(?=\.md$)/, '');
  const free = freeName(folder + (rest === '.md' ? 'renamed.md' : rest), (name) => names.includes(name));
  const pattern = between(
    (piece) => (piece === '' ? '' : quoted(piece)),
    (length) => '?'.repeat(length),
  );
  return `mv ${quoted(`${path}/`)}${pattern} ${quoted(join(path, free))}`;
}

/** A superseded memory is not recalled: when its successor is gone, neither is. */
export function examineSuperseded(folders: readonly FolderFiles[]): Finding[] {
  const names = new Set(folders.flatMap((folder) => folder.names));
  return folders.flatMap(({ path, files }) =>
    files.flatMap(({ file, facts: { supersededBy }, text }): Finding[] => {
      if (supersededBy === null || isKnown(supersededBy, names)) return [];
      return [
        {
          severity: 'warning',
          what: `It is superseded by ${supersededBy}, which does not exist, so neither is recalled`,
          where: `${join(path, file)}:${lineOf('superseded_by', text)}`,
          fix: `reverie memory edit --superseded-by '' ${fileWords(file)}`,
        },
      ];
    }),
  );
}

/** As people write it: with or without `.md`, with or without its scope. */
function isKnown(reference: string, names: ReadonlySet<string>): boolean {
  const scope = MEMORY_SCOPES.find((each) => reference.startsWith(`${each}:`));
  const name = scope === undefined ? reference : reference.slice(scope.length + 1);
  return names.has(name) || names.has(`${name}.md`);
}

/** One-based. */
function lineOf(key: string, text: string): number {
  const lines = text.split(/\r?\n/);
  return Math.max(1, lines.findIndex((line) => line.trimStart().toLowerCase().startsWith(`${key}:`)) + 1);
}
