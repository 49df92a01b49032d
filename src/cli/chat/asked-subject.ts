/** What a question about a tool is really about: the full command, or the file as it would be afterwards. */

import { applyEdit } from '../../agent/tools/apply-edit.ts';
import type { ToolUseBlock } from '../../conversation/message.ts';
import { type Diff, diffOf } from '../paint-view/diff-of.ts';

export type AskedSubject =
  | { readonly kind: 'command'; readonly command: string }
  | { readonly kind: 'diff'; readonly diff: Diff }
  | { readonly kind: 'input' };

/** `read` returns null for a file that is missing, too large or not text. */
export function askedSubject(
  { name, input }: Pick<ToolUseBlock, 'name' | 'input'>,
  read: (path: string) => string | null,
): AskedSubject {
  const text = (field: string) => (typeof input[field] === 'string' ? input[field] : null);
  const [command, file] = [text('command'), text('file_path')];
  if (name === 'Bash' && command !== null) return { kind: 'command', command };
  if (name === 'Write' && file !== null && text('content') !== null) {
    return diffSubject({ file, before: read(file), after: text('content')! });
  }
  if (name === 'Edit' && file !== null) {
    const [oldText, newText] = [text('old_string') ?? '', text('new_string') ?? ''];
    const before = read(file);
    const edited =
      before === null ? null : applyEdit(before, { oldText, newText, replaceAll: input.replace_all === true });
    if (edited?.kind === 'edited') return diffSubject({ file, before, after: edited.text });
    // The edit will fail, or the file cannot be shown: the request itself is still shown in full.
    return diffSubject({ file, before: oldText === '' ? null : oldText, after: newText });
  }
  return { kind: 'input' };
}

function diffSubject(change: Parameters<typeof diffOf>[0]): AskedSubject {
  return { kind: 'diff', diff: diffOf(change) };
}
