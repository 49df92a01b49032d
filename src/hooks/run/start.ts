/** What a conversation is told of its memory when it begins, and again after it was compacted: the index, and how to use it. */

import { escapeMarkup } from '../../base/text/visible-text.ts';
import { INDEX_FILE } from '../../memory/files/walk.ts';
import type { MemoryFolder } from '../../memory/history/memory-folder.ts';
import { loadIndex } from '../../memory/index/index-file.ts';
import type { Scopes } from '../../memory/scopes.ts';

export function startContext(scopes: Scopes): string {
  const { memoryGuidelines } = scopes.place.settings.values;
  return [
    '<reverie-memory>',
    INSTRUCTIONS,
    ...(memoryGuidelines === undefined ? [] : ['', escapeMarkup(memoryGuidelines)]),
    ...scopes.folders.flatMap((folder) => ['', ...indexPart(scopes, folder)]),
    '</reverie-memory>',
  ].join('\n');
}

const INSTRUCTIONS = [
  'You have a durable memory, kept by Reverie in markdown files that the user owns. Below is its index: one line for each',
  'memory. Read a file when its line bears on the task; memories that clearly bear on a message come by themselves.',
  '- The user asks to remember or to forget something: do it at once, with the tools memory_save and memory_forget of the',
  '  MCP server reverie. Give the words they typed as `quote`: without them it is kept as unconfirmed.',
  '- Keep who the user is and prefers, how they want the work done and why, who does what by when, and where things are in',
  '  other systems. Not what the project shows by itself: code, file paths, history, the task at hand. Never a secret.',
  '- A memory says what was true when it was written. Check a file, function or flag that it names before you rely on it;',
  '  what you see now beats what was remembered. Asked to ignore memory, act as if it were empty.',
].join('\n');

const TITLES = { project: 'Memory of this project', global: 'Memory of the user, for all projects' } as const;

function indexPart(scopes: Scopes, folder: MemoryFolder): readonly string[] {
  const heading = `${TITLES[folder.scope]}, in ${escapeMarkup(folder.path)}:`;
  const text = folder.read(INDEX_FILE)?.toString('utf8') ?? '';
  // Looked at only when the index is too long: then it matters which memories are pinned, and which are new.
  let facts: Map<string, { pinned: boolean; modified: number }> | null = null;
  const factsOf = (file: string) => {
    facts ??= new Map(
      folder.look().files.map(({ file, facts: { pinned, modified }, stamp }) => {
        return [file, { pinned, modified: modified === null ? stamp.mtimeMs : Date.parse(modified) }];
      }),
    );
    return facts.get(file);
  };
  const index = loadIndex(text, {
    limits: scopes.place.limits.index,
    isPinned: (file) => factsOf(file)?.pinned ?? false,
    modified: (file) => factsOf(file)?.modified ?? 0,
  });
  if (index.text.trim() === '') return [heading, '(empty so far, which is normal)'];
  return [heading, index.text, ...(index.notice === null ? [] : [index.notice])];
}
