/** Reads Copilot's instructions of a project: `.github/copilot-instructions.md` and `.github/instructions/*.instructions.md`. */

import { basename, join } from 'node:path';
import { joined, readMarkdownFile, readMarkdownFolder } from '../import-markdown.ts';
import type { SourceReading } from '../import-source.ts';

const ENDING = '.instructions.md';

export function readCopilotInstructions(project: string): SourceReading {
  const folder = join(project, '.github');
  const file = 'copilot-instructions.md';
  const scoped = readMarkdownFolder(join(folder, 'instructions'), {
    judge: (name) => (name.endsWith(ENDING) ? 'take' : 'ignore'),
    nameOf: (path) => basename(path, ENDING),
  });
  return joined(readMarkdownFile(folder, { file, as: file, name: 'Copilot instructions' }), scoped);
}
