/** What a conversation is told of its memory when it begins, and again after it was compacted: the index, and how to use it. */

import { escapeMarkup } from '../../base/text/visible-text.ts';
import { openFolder } from '../../disk/folder.ts';
import { INDEX_FILE } from '../../memory/files/walk.ts';
import type { MemoryFolder } from '../../memory/history/memory-folder.ts';
import { type IndexLimits, type LoadedIndex, loadIndex } from '../../memory/index/index-file.ts';
import type { Scopes } from '../../memory/scopes.ts';
import { INSTRUCTIONS } from './start-instructions.ts';

/** `bytes`: what the host shows the model whole. Where the indexes do not fit, each has its share and what one leaves the other takes. */
export function startContext(scopes: Scopes, bytes: number): string {
  const { memoryGuidelines } = scopes.place.settings.values;
  const before = [
    '<reverie-memory>',
    INSTRUCTIONS,
    ...(memoryGuidelines === undefined ? [] : ['', escapeMarkup(memoryGuidelines)]),
  ];
  const headings = scopes.folders.map((folder) => `${TITLES[folder.scope]}, in ${escapeMarkup(folder.path)}:`);
  const fixed = Buffer.byteLength([...before, ...headings, END].join(SEPARATOR)) + scopes.folders.length * NOTICE_BYTES;
  const indexes = fitIndexes(scopes, Math.max(LEAST_INDEX_BYTES, bytes - fixed));
  return [...before, ...headings.flatMap((heading, at) => ['', heading, ...indexes[at]!]), END].join('\n');
}

const END = '</reverie-memory>';
/** Between two parts. */
const SEPARATOR = '\n\n';
/** For the line that says how much is missing. */
const NOTICE_BYTES = 160;
/** Guidelines of the user's own may leave no room at all. */
const LEAST_INDEX_BYTES = 500;

/** The last folder, the user's own for all projects, is given no more than half while the other needs the rest. */
function fitIndexes(scopes: Scopes, bytes: number): readonly (readonly string[])[] {
  const folders = scopes.folders.map((folder) => ({ folder, ...readIndex(folder) }));
  const needed = folders.map(({ text }) => Buffer.byteLength(text));
  return folders.map((each, at) => {
    const others = needed.reduce((sum, size, other) => (other === at ? sum : sum + size), 0);
    const share = Math.max(bytes / folders.length, bytes - others);
    return indexPart(each, { ...scopes.place.limits.index, bytes: Math.min(scopes.place.limits.index.bytes, share) });
  });
}

const TITLES = {
  project: 'Memory of this project',
  global: 'Memory of the user, for all projects',
  team: "Memory of the team, what colleagues said: this user's own word goes first",
} as const;

interface FolderIndex {
  readonly folder: MemoryFolder;
  readonly text: string;
}

function readIndex(folder: MemoryFolder): Pick<FolderIndex, 'text'> {
  // Not all of it, however much there is: a host waits.
  const root = openFolder(folder.path);
  try {
    return { text: root?.read(INDEX_FILE, INDEX_READ_BYTES)?.toString('utf8') ?? '' };
  } finally {
    root?.close();
  }
}

/** An index of ten thousand memories, and then some. */
const INDEX_READ_BYTES = 2_097_152;

function indexPart({ folder, text }: FolderIndex, limits: IndexLimits): readonly string[] {
  // Looked at only when the index is too long: then it matters which memories are pinned, and which are new.
  let facts: Map<string, { pinned: boolean; type: string | null; modified: number }> | null = null;
  const factsOf = (file: string) => {
    facts ??= new Map(
      folder.look().files.map(({ file, facts: { pinned, type, modified }, stamp }) => {
        return [file, { pinned, type, modified: modified === null ? stamp.mtimeMs : Date.parse(modified) }];
      }),
    );
    return facts.get(file);
  };
  const index = loadIndex(text, {
    limits,
    isPinned: (file) => factsOf(file)?.pinned ?? false,
    isFirst: (file) => factsOf(file)?.type === 'feedback',
    modified: (file) => factsOf(file)?.modified ?? 0,
  });
  if (index.text.trim() === '') return ['(empty so far, which is normal)'];
  return index.truncated === null ? [index.text] : [index.text, restLine(index)];
}

function restLine({ loadedEntries, totalEntries }: LoadedIndex): string {
  return `(${loadedEntries} of ${totalEntries} memories. To see the others: memory_list. To find one: memory_search.)`;
}
