/** Reads Cursor's rules of a project: `.cursor/rules/*.mdc`, and the older `.cursorrules`. */

import { basename, join } from 'node:path';
import { joined, readMarkdownFile, readMarkdownFolder } from '../import-markdown.ts';
import type { SourceReading } from '../import-source.ts';

const OLD_RULES = '.cursorrules';

export function readCursorRules(project: string): SourceReading {
  const rules = readMarkdownFolder(join(project, '.cursor', 'rules'), {
    judge: (name) => (name.endsWith('.mdc') ? 'take' : 'ignore'),
    nameOf: (file) => basename(file, '.mdc'),
  });
  return joined(rules, readMarkdownFile(project, { file: OLD_RULES, as: 'cursorrules.md', name: 'Cursor rules' }));
}
