/** Reads ChatGPT's saved memories: `memory.json` of the data export, the unpacked export, or the list copied into a text file. */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../../base/values.ts';
import { parseRecords, readExportFile, textField } from '../import-json.ts';
import { candidatesOf, type ImportRecord, isoTime } from '../import-record.ts';
import type { SourceReading } from '../import-source.ts';
import type { ImportProblem } from '../import-walk.ts';

const FILES = ['memory.json', 'memories.json'];
const TEXT_KEYS = ['content', 'memory', 'text', 'value'];

export function readChatGptMemories(path: string): SourceReading {
  const problems: ImportProblem[] = [];
  const file = fileAt(path);
  const bytes = readExportFile(file, problems);
  if (bytes === null) return { candidates: [], problems };
  if (bytes.subarray(0, 2).toString('latin1') === 'PK') {
    problems.push({
      file,
      problem: 'not imported: it is a packed archive',
      fix: 'Unpack it and give the folder.',
    });
    return { candidates: [], problems };
  }
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  const entries = parseRecords(text, { path: file, textKeys: TEXT_KEYS, problems });
  const records = entries === null ? recordsOfLines(text, file) : recordsOfEntries(entries, { file, problems });
  return { candidates: candidatesOf(records), problems };
}

function fileAt(path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  const inside = FILES.map((name) => join(path, name));
  return inside.find((file) => statSync(file, { throwIfNoEntry: false })?.isFile()) ?? inside[0]!;
}

function recordsOfEntries(
  entries: readonly unknown[],
  facts: { file: string; problems: ImportProblem[] },
): ImportRecord[] {
  const { file, problems } = facts;
  return entries.flatMap((entry, index): ImportRecord[] => {
    const text = typeof entry === 'string' ? entry : isObject(entry) ? textField(entry, TEXT_KEYS) : undefined;
    if (text === undefined || text.trim() === '') {
      problems.push({ file, problem: `not imported: entry ${index + 1} has no text`, fix: 'Look at it in the file.' });
      return [];
    }
    if (!isObject(entry)) return [record(text, { from: file })];
    if (entry.enabled === false) {
      problems.push({
        file,
        problem: `not imported: entry ${index + 1} was switched off in ChatGPT`,
        fix: 'Switch it on there and export again, or save it by hand.',
      });
      return [];
    }
    const id = typeof entry.id === 'string' ? `#${entry.id}` : '';
    const created = isoTime(entry.created_at ?? entry.create_time ?? entry.created_timestamp);
    const modified = isoTime(entry.updated_at ?? entry.update_time ?? entry.updated_timestamp);
    return [record(text, { from: file + id, created, modified })];
  });
}

/** `[2025-03-04] - likes tea`, a bullet, a number, or just the sentence: each line is one memory. */
const LINE = /^\s*(?:[-*•+]\s+|\d{1,4}[.)]\s+)?(?:\[(\d{4}-\d{2}-\d{2}|unknown)\]\s*[-–—:]?\s*)?(.*?)\s*$/i;

function recordsOfLines(text: string, file: string): ImportRecord[] {
  return text.split(/\r\n|\r|\n/).flatMap((line, index) => {
    const [, date, words = ''] = LINE.exec(line) ?? [];
    const isMemory = /\p{L}/u.test(words) && !/^#{1,6}\s|^```/.test(words);
    return isMemory ? [record(words, { from: `${file}#${index + 1}`, created: isoTime(date) })] : [];
  });
}

/** They are about the person, whatever the project. What kind each is, ChatGPT does not say. */
function record(
  text: string,
  facts: { from: string; created?: string | undefined; modified?: string | undefined },
): ImportRecord {
  const { from, created, modified } = facts;
  return { text, from, scope: 'global', ...(created ? { created } : {}), ...(modified ? { modified } : {}) };
}
