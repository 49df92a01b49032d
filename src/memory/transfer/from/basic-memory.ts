/** Reads the notes of basic-memory: markdown with a title, and observations and relations in the text, which all stay. */

import { basename } from 'node:path';
import { decodeText } from '../../../base/front-matter/bytes.ts';
import { readMarkdownFolder } from '../import-markdown.ts';
import { judgeMarkdown, type SourceReading } from '../import-source.ts';

export function readBasicMemory(folder: string): SourceReading {
  return readMarkdownFolder(folder, { judge: judgeMarkdown, nameOf: titleOf });
}

/** Notes name themselves in `title`; the file's name stands in, as it does there. */
function titleOf(file: string, bytes: Buffer): string {
  const { text } = decodeText(bytes);
  const header = /^---[ \t]*\r?\n([\s\S]*?)^---[ \t]*\r?$/m.exec(text);
  const title = header?.index === 0 ? /^title:[ \t]*(.+?)[ \t]*\r?$/m.exec(header[1]!)?.[1] : undefined;
  const unquoted = title?.replace(/^(["'])(.*)\1$/, '$2').trim();
  return unquoted || basename(file, '.md');
}
