/** Reads the list of records in a file that another program exported: JSON, or one JSON value a line. */

import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { isObject, messageOf } from '../../base/values.ts';
import { errnoOf } from '../../errors.ts';
import type { ImportProblem } from './import-walk.ts';

/** Bytes of one file that another program exported its whole memory to, or keeps it in. */
const EXPORT_BYTES = 268_435_456;

export type JsonRecord = Readonly<Record<string, unknown>>;

/** Where exports keep their list. */
const LIST_KEYS = ['results', 'memories', 'memory', 'items', 'data'];

/** The bytes of a file that the user named; null, with the problem told, when it cannot be read or is no export. */
export function readExportFile(path: string, problems: ImportProblem[]): Buffer | null {
  let file: number | null = null;
  try {
    // Without O_NONBLOCK, opening a named pipe waits for a writer for ever.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const facts = fstatSync(file);
    if (!facts.isFile()) throw new Error('it is not a file');
    if (facts.size > EXPORT_BYTES) throw new Error(`it is larger than ${EXPORT_BYTES} bytes`);
    return readFileSync(file);
  } catch (error) {
    const reason = errnoOf(error) === 'ENOENT' ? 'there is no such file' : messageOf(error);
    problems.push({ file: path, problem: `not imported: ${reason}`, fix: 'Give the path of the exported file.' });
    return null;
  } finally {
    if (file !== null) closeSync(file);
  }
}

/** Null when the text is not JSON at all; then it may be something else. One record by itself is a list of one. */
export function parseRecords(
  text: string,
  facts: { path: string; textKeys: readonly string[]; problems: ImportProblem[] },
): unknown[] | null {
  const whole = listOrRecord(parse(text));
  if (whole !== null) {
    const list = listIn(whole) ?? (isObject(whole) && textField(whole, facts.textKeys) !== undefined ? [whole] : null);
    if (list === null) {
      facts.problems.push({
        file: facts.path,
        problem: 'not imported: it holds no list of memories',
        fix: 'Export the memories as a list, without a schema of your own.',
      });
    }
    return list ?? [];
  }
  const lines = text.split('\n');
  const first = lines.find((line) => line.trim() !== '');
  if (first === undefined || listOrRecord(parse(first)) === null) return null;
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return [];
    const value = parse(line);
    if (value !== undefined) return [value];
    facts.problems.push({
      file: facts.path,
      line: index + 1,
      problem: 'not imported: the line is not valid JSON',
      fix: 'Export it again.',
    });
    return [];
  });
}

/** The first of these fields that holds text. */
export function textField(record: JsonRecord, keys: readonly string[]): string | undefined {
  const found = keys.map((key) => record[key]).find((value) => typeof value === 'string' && value.trim() !== '');
  return found as string | undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

function listOrRecord(value: unknown): object | null {
  return typeof value === 'object' ? value : null;
}

function listIn(value: unknown): unknown[] | null {
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return null;
  for (const key of LIST_KEYS) {
    const list = value[key];
    if (Array.isArray(list)) return list;
  }
  return null;
}
