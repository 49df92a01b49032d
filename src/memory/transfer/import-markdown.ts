/** Gives markdown of other programs the name and description that recall looks at, and changes nothing else in it. */

import { join } from 'node:path';
import { editMemoryFile, parseMemoryFile } from '../files/memory-file.ts';
import { describeText } from './import-record.ts';
import type { ImportCandidate, SourceReading } from './import-source.ts';
import {
  collectFiles,
  type FileJudgement,
  type ImportProblem,
  isThere,
  openSource,
  readBounded,
} from './import-walk.ts';

/** The wanted files below a folder, each under its own name, but ending in `.md`; nothing where there is no folder. */
export function readMarkdownFolder(
  folder: string,
  facts: { readonly judge: (name: string) => FileJudgement; readonly nameOf: (file: string, bytes: Buffer) => string },
): SourceReading {
  if (!isThere(folder)) return { candidates: [], problems: [] };
  const problems: ImportProblem[] = [];
  const root = openSource(folder, problems);
  if (root === null) return { candidates: [], problems };
  try {
    const files = collectFiles(root, { problems, judge: facts.judge });
    const candidates = [...files].map(([file, bytes]): ImportCandidate => {
      const name = facts.nameOf(file, bytes);
      return { file: file.replace(/\.\w+$/, '.md'), bytes: withHeadline(bytes, { name }), from: join(folder, file) };
    });
    return { candidates: candidates.toSorted((one, other) => (one.file < other.file ? -1 : 1)), problems };
  } finally {
    root.close();
  }
}

/** One file right in a folder, kept under another name; nothing where there is none. */
export function readMarkdownFile(folder: string, wanted: { file: string; as: string; name: string }): SourceReading {
  if (!isThere(folder)) return { candidates: [], problems: [] };
  const problems: ImportProblem[] = [];
  const root = openSource(folder, problems);
  if (root === null) return { candidates: [], problems };
  try {
    const bytes = readBounded(root, { name: wanted.file, file: wanted.file, problems });
    if (bytes === null) return { candidates: [], problems };
    const from = join(folder, wanted.file);
    const candidate: ImportCandidate = { file: wanted.as, bytes: withHeadline(bytes, wanted), from };
    return { candidates: [candidate], problems };
  } finally {
    root.close();
  }
}

export function joined(...readings: readonly SourceReading[]): SourceReading {
  return {
    candidates: readings.flatMap(({ candidates }) => candidates),
    problems: readings.flatMap(({ problems }) => problems),
  };
}

/** What the file says itself stays. */
function withHeadline(bytes: Uint8Array, wanted: { readonly name: string }): Uint8Array {
  const { meta, body } = parseMemoryFile(bytes);
  const description = describeText(body);
  const set = {
    ...(meta.name === undefined ? { name: wanted.name } : {}),
    ...(meta.description === undefined && description !== '' ? { description } : {}),
  };
  if (Object.keys(set).length === 0) return bytes;
  const edited = editMemoryFile(bytes, { set });
  return 'refused' in edited ? bytes : edited.bytes;
}
