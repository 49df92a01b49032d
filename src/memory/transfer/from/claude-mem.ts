/** Reads what claude-mem observed in a project, from its SQLite database; the newest of it may be in the log beside. */

import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { openSqlite, type SqliteRow, type SqliteValue } from '../../../base/sqlite/file.ts';
import { messageOf } from '../../../base/values.ts';
import { readExportFile } from '../import-json.ts';
import { candidatesOf, type ImportRecord, isoTime } from '../import-record.ts';
import type { SourceReading } from '../import-source.ts';
import { type ImportProblem, isThere } from '../import-walk.ts';

const DATABASE = 'claude-mem.db';
const TABLE = 'observations';
const TRIES = 3;

export function readClaudeMem(path: string, facts: { readonly projectRoot: string }): SourceReading {
  const problems: ImportProblem[] = [];
  const file = statSync(path, { throwIfNoEntry: false })?.isDirectory() ? join(path, DATABASE) : path;
  const rows = readRows(file, problems);
  // claude-mem knows a project by the name of its folder.
  const isOwn = (row: SqliteRow) => row.project === basename(facts.projectRoot);
  const own = rows.filter(isOwn);
  const others = new Set(rows.filter((row) => !isOwn(row)).map((row) => textOf(row.project)));
  if (others.size > 0) {
    problems.push({
      file,
      problem: `not imported: ${rows.length - own.length} observations of ${[...others].toSorted().join(', ')}`,
      fix: 'Import those in their own projects.',
    });
  }
  return { candidates: candidatesOf(own.flatMap((row) => recordOf(row, file))), problems };
}

function readRows(file: string, problems: ImportProblem[]): readonly SqliteRow[] {
  const rows: SqliteRow[] = [];
  try {
    const bytes = readTogether(file, problems);
    if (bytes === null) return rows;
    const database = openSqlite(bytes.database, bytes.log ?? undefined);
    if (!database.tables.includes(TABLE)) throw new Error(`it has no table \`${TABLE}\``);
    for (const row of database.rows(TABLE)) rows.push(row);
  } catch (error) {
    const reason = messageOf(error);
    const what = rows.length === 0 ? 'not imported' : 'not all was imported';
    problems.push({
      file,
      problem: `${what}: ${reason}`,
      fix: 'Check it with `sqlite3 <file> "pragma integrity_check"`.',
    });
  }
  return rows;
}

/** Both files as they were at one time: claude-mem may be writing just now. */
function readTogether(file: string, problems: ImportProblem[]): { database: Buffer; log: Buffer | null } | null {
  const logFile = `${file}-wal`;
  const stamp = () => [file, logFile].map((each) => stampOf(each)).join();
  for (let tries = 1; ; tries += 1) {
    const before = stamp();
    const database = readExportFile(file, problems);
    if (database === null) return null;
    const log = isThere(logFile) ? readExportFile(logFile, problems) : null;
    if (stamp() === before) return { database, log };
    if (tries === TRIES) throw new Error('it is being written to; close the sessions that use claude-mem');
  }
}

function stampOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? 'none' : `${stats.size}/${stats.mtimeMs}/${stats.ino}`;
}

function recordOf(row: SqliteRow, file: string): ImportRecord[] {
  const told = textOf(row.narrative) || textOf(row.text);
  const facts = listOf(row.facts).map((fact) => `- ${fact}`);
  const files = [...new Set([...listOf(row.files_modified), ...listOf(row.files_read)])];
  const marks = [
    ...(textOf(row.type) === '' ? [] : [`Kind: ${textOf(row.type)}.`]),
    ...(files.length === 0 ? [] : [`Files: ${files.join(', ')}.`]),
  ];
  const title = textOf(row.title);
  const text = [told, facts.join('\n'), marks.join(' ')].filter((part) => part !== '').join('\n\n');
  if (title === '' && told === '' && facts.length === 0) return [];
  const created = isoTime(row.created_at) ?? isoTime(row.created_at_epoch);
  const description = textOf(row.subtitle);
  return [
    {
      text,
      from: `${file}#${TABLE}/${String(row.id)}`,
      scope: 'project',
      ...(title === '' ? {} : { title }),
      ...(description === '' ? {} : { description }),
      ...(created ? { created } : {}),
    },
  ];
}

function textOf(value: SqliteValue | undefined): string {
  return typeof value === 'string' ? value.trim() : '';
}

/** Lists are kept as JSON in a text. */
function listOf(value: SqliteValue | undefined): string[] {
  try {
    const list: unknown = JSON.parse(textOf(value));
    return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}
