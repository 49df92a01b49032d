/** Whether a change to a memory speaks against what it said: a removal, a correction, a standing that it lost; not an addition, not a pin. */

import type { Change, FileChange } from '../../disk/journal/change.ts';
import { parseMemoryFile } from '../files/memory-file.ts';

export type Contradiction =
  | { readonly isContradicted: true; readonly how: 'removed' | 'refuted' | 'superseded' | 'corrected' }
  | {
      readonly isContradicted: false;
      readonly reason: 'new' | 'moved' | 'not-a-judgement' | 'text-unknown' | 'added-to';
    };

export interface ChangedMemory {
  readonly change: Pick<Change, 'who' | 'files'>;
  readonly file: FileChange;
  readonly content: (hash: string) => Uint8Array | null;
}

export function judgeContradiction({ change, file, content }: ChangedMemory): Contradiction {
  // A dream tidies up and an import brings in; neither answers to a conversation.
  if (change.who === 'dream' || change.who === 'import') return no('not-a-judgement');
  if (file.before === null) return no('new');
  if (file.after === null)
    return change.files.some(({ after }) => after === file.before) ? no('moved') : yes('removed');
  const before = content(file.before);
  const after = content(file.after);
  if (before === null || after === null) return no('text-unknown');
  return judgeTexts(parseMemoryFile(before), parseMemoryFile(after));
}

type Parsed = ReturnType<typeof parseMemoryFile>;

function judgeTexts(before: Parsed, after: Parsed): Contradiction {
  const isNewlySet = (field: string) => before.meta[field] === undefined && after.meta[field] !== undefined;
  if (isNewlySet('refuted')) return yes('refuted');
  if (isNewlySet('superseded_by')) return yes('superseded');
  const kept = new Set([...linesOf(after.body), ...linesOf(after.meta.description ?? '')]);
  const isGone = [...linesOf(before.body), ...linesOf(before.meta.description ?? '')].some((line) => !kept.has(line));
  return isGone ? yes('corrected') : no('added-to');
}

function linesOf(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim().replace(/\s+/g, ' '))
    .filter((line) => line !== '');
}

function yes(how: Extract<Contradiction, { isContradicted: true }>['how']): Contradiction {
  return { isContradicted: true, how };
}

function no(reason: Extract<Contradiction, { isContradicted: false }>['reason']): Contradiction {
  return { isContradicted: false, reason };
}
