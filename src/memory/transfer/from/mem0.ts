/** Reads what mem0 exports: a list of `{ id, memory, metadata, created_at, updated_at }`, bare or under `results`. */

import { isMemoryType } from '../../../base/taxonomy.ts';
import { isObject } from '../../../base/values.ts';
import { parseRecords, readExportFile, textField } from '../import-json.ts';
import { candidatesOf, type ImportRecord, isoTime } from '../import-record.ts';
import type { SourceReading } from '../import-source.ts';
import type { ImportProblem } from '../import-walk.ts';

/** The service says `memory`; the open-source servers around it `content`, `text` or `data`. */
const TEXT_KEYS = ['memory', 'content', 'text', 'data'];

export function readMem0Export(path: string): SourceReading {
  const problems: ImportProblem[] = [];
  const bytes = readExportFile(path, problems);
  if (bytes === null) return { candidates: [], problems };
  const entries = parseRecords(bytes.toString('utf8'), { path, textKeys: TEXT_KEYS, problems });
  if (entries === null) {
    problems.push({ file: path, problem: 'not imported: it is not JSON', fix: 'Export the memories as JSON.' });
    return { candidates: [], problems };
  }
  const records = entries.flatMap((entry, index): ImportRecord[] => {
    const text = isObject(entry) ? textField(entry, TEXT_KEYS) : undefined;
    if (!isObject(entry) || text === undefined) {
      const problem = `not imported: entry ${index + 1} has no text`;
      problems.push({ file: path, problem, fix: `Each entry needs \`${TEXT_KEYS[0]}\`.` });
      return [];
    }
    const kind = isObject(entry.metadata) ? entry.metadata.type : undefined;
    const id = typeof entry.id === 'string' || typeof entry.id === 'number' ? `#${entry.id}` : '';
    const [created, modified] = [isoTime(entry.created_at), isoTime(entry.updated_at)];
    return [
      {
        text,
        from: path + id,
        // mem0 keeps memories by user, not by project.
        scope: 'global',
        ...(isMemoryType(kind) ? { type: kind } : {}),
        ...(created ? { created } : {}),
        ...(modified ? { modified } : {}),
      },
    ];
  });
  return { candidates: candidatesOf(records), problems };
}
