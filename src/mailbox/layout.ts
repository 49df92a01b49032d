/** Where mailboxes are on disk, what a name may look like, and the numbers that bound a message. */

import * as fs from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { expandHome } from '../disk/check-root.ts';
import { realPath } from '../disk/disk.ts';
import { createFolder, type Folder } from '../disk/folder.ts';
import { homeLayout, reverieHome } from '../disk/home.ts';
import { nameProblem } from '../disk/safe-name.ts';
import { ReverieError } from '../errors.ts';

export const MESSAGE_LIMITS = {
  /** Characters of one message. */
  characters: 1_000_000,
  /** Characters of a summary. */
  summaryCharacters: 200,
  /** Above this many characters a model is shown a preview, and the rest is in a file. */
  shownCharacters: 8_000,
  previewCharacters: 2_000,
  /** Messages and bytes that go into one file, so that a reader never holds more than that. */
  batchMessages: 5_000,
  batchBytes: 1_000_000,
  /** Bytes of the largest file a reader opens: one message of the longest kind, every character escaped. */
  fileBytes: 8_000_000,
  /** Names of waiting files held at once. */
  pageFiles: 10_000,
  nameCharacters: 64,
} as const;

/** Everyone, as a recipient. */
export const EVERYONE = '*';

/** The home that the caller or the environment names, by its real path, so that no link is met below it. */
export function mailHome(home: string | undefined, env: NodeJS.ProcessEnv = process.env): string {
  const userHome = env.HOME?.trim() ? env.HOME : homedir();
  const chosen = home === undefined ? reverieHome({ env, userHome }) : resolve(expandHome(home, userHome));
  return realPath(chosen) ?? chosen;
}

/** `<home>/mail`, for this user alone: a folder that others may enter is closed to them, one of somebody else's is refused. */
export function openMailRoot(home: string): Folder {
  return openPrivateFolder(homeLayout(home).mail);
}

export function openPrivateFolder(path: string): Folder {
  const folder = createFolder(path);
  const facts = fs.statSync(folder.at('.'));
  const userId = process.getuid?.();
  if (userId !== undefined && facts.uid !== userId) {
    folder.close();
    throw new ReverieError({
      code: 'refused',
      message: `${path} belongs to another user`,
      fix: 'Set REVERIE_HOME to a folder of your own.',
    });
  }
  if ((facts.mode & 0o077) !== 0) fs.chmodSync(folder.at('.'), 0o700);
  return folder;
}

/** Throws unless the name can be a folder on every disk and is safe to show. */
export function checkName(name: string): string {
  const reason = problemWithName(name);
  if (reason === null) return name;
  throw new ReverieError({
    code: 'usage',
    message: `${JSON.stringify(name.slice(0, MESSAGE_LIMITS.nameCharacters))} cannot be the name of a mailbox: ${reason}`,
    fix: 'Use letters, digits, dots, dashes and underscores, such as reviewer-2.',
  });
}

function problemWithName(name: string): string | null {
  if (name === '') return 'it is empty';
  if (name.length > MESSAGE_LIMITS.nameCharacters)
    return `it has more than ${MESSAGE_LIMITS.nameCharacters} characters`;
  if (!/^[\p{L}\p{N}][\p{L}\p{M}\p{N}._@-]*$/u.test(name)) return 'it holds a character that names do not have';
  if (name !== name.normalize('NFC')) return 'it is not in Unicode normal form C';
  return nameProblem(name, { role: 'folder', platform: process.platform })?.reason ?? null;
}
