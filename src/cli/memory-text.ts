/** How memories and changes read in the terminal; every text from a file or a model is sanitised on the way. */

import { INDEX_FILE } from '../memory/files/walk.ts';
import type { FileReference } from '../memory/find-memory.ts';
import type { LogEntry, MemoryEntry, MemoryHeader, Saved } from '../memory/memory.ts';
import type { Place } from './command.ts';
import { nextCommand } from './next-command.ts';
import type { Paint } from './terminal/paint.ts';
import { plainLine } from './terminal/plain-text.ts';

/** `Saved feedback_no-mocks.md (project)`, its warnings, and how to undo it. */
export function changeText(verb: string, saved: Saved, context: { paint: Paint; place: Place }): string {
  const { paint, place } = context;
  return [
    `${paint.green(verb)} ${paint.bold(plainLine(saved.file))} (${saved.scope})`,
    ...warningLines(saved.warnings, paint),
    paint.dim(`To undo it: ${nextCommand(place, ['memory', 'undo', saved.change])}`),
  ].join('\n');
}

export function warningLines(warnings: readonly string[], paint: Paint): string[] {
  return warnings.map((warning) => `${paint.yellow('warning:')} ${plainLine(warning)}`);
}

/** What sets a memory apart, before its description in a list. */
export function marks(entry: MemoryHeader): string[] {
  const count = entry.warnings.length;
  return [
    ...(entry.pinned ? ['pinned'] : []),
    ...(entry.source === 'said' ? [] : [sourceMark(entry)]),
    ...(entry.supersededBy === null ? [] : ['superseded']),
    ...(entry.refuted === null ? [] : ['refuted']),
    ...(count === 0 ? [] : [`${count} warning${count === 1 ? '' : 's'}`]),
  ];
}

/** Of the team's, who said it tells more than that it came from outside. Right after a pull git has not told yet. */
function sourceMark({ scope, source, origin }: MemoryHeader): string {
  if (scope !== 'team' || source !== 'imported') return source;
  return plainLine(origin?.author ?? 'a colleague');
}

export function filesText(entry: Pick<LogEntry, 'files'>): string {
  // The index follows the memories: it is worth a name where it changed alone.
  const memories = entry.files.filter((file) => file !== INDEX_FILE);
  const [first, ...others] = (memories.length === 0 ? entry.files : memories).map(plainLine);
  if (first === undefined) return '-';
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

export function referenceText(reference: FileReference): string {
  return plainLine(reference.scope ? `${reference.scope}:${reference.file}` : reference.file);
}

/** All fields, including the body, which an entry reads from disk only on demand. */
export function entryData(entry: MemoryEntry): MemoryEntry {
  const { file, scope, path, name, description, type, source, quote, origin, created, modified, pinned } = entry;
  const { supersededBy, refuted, warnings, body } = entry;
  return {
    ...{ file, scope, path, name, description, type, source, quote, origin, created, modified, pinned },
    ...{ supersededBy, refuted, warnings, body },
  };
}
