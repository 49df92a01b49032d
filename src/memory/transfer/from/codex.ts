/**
 * Reads the memories of Codex: the handbook `MEMORY.md`, a block for each group of tasks, and what `memory_summary.md` says
 * of the user. Its raw notes, summaries of sessions and skills are material for those and stay where they are.
 */

import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { MemoryScope, MemoryType } from '../../../base/taxonomy.ts';
import { INDEX_FILE } from '../../files/walk.ts';
import { candidatesOf, type ImportRecord } from '../import-record.ts';
import type { SourceReading } from '../import-source.ts';
import { type ImportProblem, openSource, readBounded } from '../import-walk.ts';

const SUMMARY_FILE = 'memory_summary.md';

/** Sections of the summary that are memories; the rest of it tells where to look in Codex's own files. */
const SUMMARY_SECTIONS: Readonly<Record<string, MemoryType | null>> = {
  'user profile': 'user',
  'user preferences': 'user',
  'general tips': null,
};

export function readCodexMemories(folder: string, facts: { readonly projectRoot: string }): SourceReading {
  const problems: ImportProblem[] = [];
  const root = openSource(folder, problems);
  if (root === null) return { candidates: [], problems };
  try {
    const read = (file: string) => readBounded(root, { name: file, file, problems })?.toString('utf8') ?? '';
    const handbook = blocksOf(read(INDEX_FILE)).flatMap((block): ImportRecord[] => {
      const place = placeOf(block.text, facts.projectRoot);
      const from = `${join(folder, INDEX_FILE)}#${block.line}`;
      if (place.kind === 'here') return [{ title: block.title, text: block.text, from, scope: place.scope }];
      problems.push({
        file: INDEX_FILE,
        line: block.line,
        problem: `not imported: "${block.title}" is about ${place.directory}`,
        fix: 'Import it in that project.',
      });
      return [];
    });
    return { candidates: candidatesOf([...summaryRecords(read(SUMMARY_FILE), folder), ...handbook]), problems };
  } finally {
    root.close();
  }
}

interface Block {
  readonly title: string;
  readonly text: string;
  /** One-based. */
  readonly line: number;
}

/** The blocks that `# Task Group: …` headings open; a handbook without them is one memory. */
function blocksOf(text: string): Block[] {
  if (text.trim() === '') return [];
  const sections = sectionsOf(text, /^# +Task Group: *(.+?) *$/i);
  return sections.length > 0 ? sections : [{ title: 'Codex handbook', text: text.trim(), line: 1 }];
}

function summaryRecords(text: string, folder: string): ImportRecord[] {
  return sectionsOf(text, /^## +(.+?) *$/).flatMap((section): ImportRecord[] => {
    const type = SUMMARY_SECTIONS[section.title.toLowerCase()];
    if (type === undefined) return [];
    const from = `${join(folder, SUMMARY_FILE)}#${section.line}`;
    return [{ title: section.title, text: section.text, from, scope: 'global', ...(type ? { type } : {}) }];
  });
}

/** The text under each heading of that form, up to the next one; empty ones say nothing. */
function sectionsOf(text: string, heading: RegExp): Block[] {
  const sections: { title: string; lines: string[]; line: number }[] = [];
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    const title = heading.exec(line)?.[1];
    if (title !== undefined) sections.push({ title, lines: [], line: index + 1 });
    else sections.at(-1)?.lines.push(line);
  }
  return sections
    .map(({ title, lines, line }) => ({ title, text: lines.join('\n').trim(), line }))
    .filter((section) => section.text !== '');
}

type BlockPlace =
  | { readonly kind: 'here'; readonly scope: MemoryScope }
  | { readonly kind: 'elsewhere'; readonly directory: string };

/** `applies_to: cwd=/a/b; …` binds a block to a folder; without a path it holds everywhere. */
function placeOf(text: string, projectRoot: string): BlockPlace {
  const directory = /^applies_to:.*?\bcwd=`?([^;`\n]+)/im.exec(text)?.[1]?.trim();
  if (directory === undefined || !isAbsolute(directory)) return { kind: 'here', scope: 'global' };
  const below = relative(projectRoot, resolve(directory));
  const isHere = below === '' || !(isAbsolute(below) || below === '..' || below.startsWith(`..${sep}`));
  return isHere ? { kind: 'here', scope: 'project' } : { kind: 'elsewhere', directory };
}
