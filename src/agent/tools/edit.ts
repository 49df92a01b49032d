/** Edit: replaces one exact text in a file that was read, or all of its occurrences. */

import { hashOf } from '../../disk/contents.ts';
import { TOOL_LIMITS } from '../../limits.ts';
import type { Tool, ToolInput, ToolResult } from '../tool.ts';
import { absolutePath, counted, failed, isSet, shownPath, textIn } from './answer.ts';
import { applyEdit, type TextEdit } from './apply-edit.ts';
import { whyNoMatch } from './edit-hints.ts';
import { decode, encode, linesOf } from './file-text.ts';
import { nearFiles } from './near-files.ts';
import { numbered } from './numbered-lines.ts';
import type { BuiltInPorts } from './ports.ts';
import { type SeenFile, seenFile } from './seen-file.ts';
import { notesOf, refusalOf, writtenBytes } from './write.ts';

/** Lines shown around an edited place, and lines of the place itself. */
const SNIPPET_CONTEXT_LINES = 4;
const SNIPPET_LINES = 40;

const DESCRIPTION = `Replaces text in a file.
- The file must have been Read before, and be unchanged since.
- \`old_string\` must be in the file exactly as it is there: same indentation, same blanks, without the line numbers that Read shows.
- It must be there once: give enough lines around it that no other place fits, or set \`replace_all\` to replace every place (renaming something, for example).
- \`new_string\` takes its place; empty removes it.
- An empty \`old_string\` makes a new file.`;

const SHOWN_LINES = 10;

interface PlannedEdit {
  readonly kind: 'edit';
  readonly path: string;
  readonly seen: Exclude<SeenFile, { readonly kind: 'wrong' }>;
  readonly change: { text: string; done: string; shownPlace: (text: string) => string };
}

interface Fails {
  readonly kind: 'fails';
  readonly reason: string;
}

const fails = (reason: string): Fails => ({ kind: 'fails', reason });

export function editTool(ports: BuiltInPorts): Tool {
  function snippet(text: string, firstLine: number, newText: string): string {
    const from = Math.max(1, firstLine - SNIPPET_CONTEXT_LINES);
    const editedLines = Math.min(linesOf(newText).length || 1, SNIPPET_LINES);
    const lines = linesOf(text).slice(from - 1, firstLine - 1 + editedLines + SNIPPET_CONTEXT_LINES);
    return numbered(lines, from, TOOL_LIMITS.lineCharacters).text;
  }

  async function save({ path, seen, change }: PlannedEdit): Promise<ToolResult> {
    const shown = shownPath(path, ports.cwd);
    const before = seen.kind === 'seen' ? decode(seen.bytes) : null;
    const bytes = encode(change.text, before?.hasMark ?? false);
    const outcome = await ports.files.write(path, bytes, { ifUnchanged: seen.kind === 'seen' ? seen.hash : null });
    const refusal = refusalOf(outcome, shown);
    if (refusal !== null) return failed(refusal);
    const written = writtenBytes(outcome) ?? bytes;
    ports.read.written(path, { hash: hashOf(written), isPartial: seen.kind === 'seen' && seen.isPartial });
    const after = written === bytes ? change.text : decode(written).text;
    const display = { kind: 'diff', file: shown, before: before?.text ?? null, after } as const;
    const place = change.shownPlace(after);
    return { content: [change.done, ...(place === '' ? [] : [place]), ...notesOf(outcome)].join('\n'), display };
  }

  /** What the call would do, or why it cannot; nothing is changed. */
  async function plan(input: ToolInput): Promise<PlannedEdit | Fails> {
    const path = absolutePath(textIn(input, 'file_path'), ports);
    const shown = shownPath(path, ports.cwd);
    const edit: TextEdit = {
      oldText: textIn(input, 'old_string'),
      newText: textIn(input, 'new_string'),
      replaceAll: isSet(input, 'replace_all'),
    };
    if (edit.oldText === edit.newText)
      return fails('old_string and new_string are the same: there is nothing to change.');
    const seen = await seenFile(path, ports);
    if (seen.kind === 'wrong') return fails(seen.reason);
    if (edit.oldText === '') {
      if (seen.kind === 'seen' && seen.bytes.length > 0)
        return fails(
          `old_string is empty, but ${shown} holds text already. Give the text to replace, or use Write to replace all of it.`,
        );
      const done = `Created ${shown} (${counted(linesOf(edit.newText).length, 'line')}).`;
      return { kind: 'edit', path, seen, change: { text: edit.newText, done, shownPlace: () => '' } };
    }
    if (seen.kind === 'absent') return fails(`${shown} does not exist.${await nearFiles(path, ports.cwd)}`);
    const before = decode(seen.bytes);
    if (!before.isExact)
      return fails(
        `${shown} is not valid UTF-8, and editing it as text would damage the rest. Use a program that knows its encoding.`,
      );
    const edited = applyEdit(before.text, edit);
    switch (edited.kind) {
      case 'no-match':
        return fails(`old_string is not in ${shown}. ${whyNoMatch(before.text, edit.oldText)}`);
      case 'several':
        return fails(
          `old_string is in ${shown} ${edited.lines.length} times, beginning on lines ${shortList(edited.lines)}. ` +
            'Add lines around it until only one place fits, or set replace_all.',
        );
      case 'edited': {
        const where = edited.count === 1 ? '' : ` (${edited.count} places; the first is shown)`;
        const shownPlace = (text: string) => snippet(text, edited.firstLine, edit.newText);
        const done = `Edited ${shown}${where}. It now reads:`;
        return { kind: 'edit', path, seen, change: { text: edited.text, done, shownPlace } };
      }
    }
  }

  return {
    name: 'Edit',
    description: DESCRIPTION,
    inputSchema: {
      type: 'object',
      properties: {
        file_path: { type: 'string', description: 'The file to edit: absolute, from the working directory, or ~/…' },
        old_string: { type: 'string', description: 'The text to replace.' },
        new_string: { type: 'string', description: 'What takes its place.' },
        replace_all: { type: 'boolean', description: 'Replace every occurrence; false unless given.' },
      },
      required: ['file_path', 'old_string', 'new_string'],
      additionalProperties: false,
    },
    isReadOnly: () => false,
    async foresee(input) {
      const planned = await plan(input);
      return planned.kind === 'fails' ? planned.reason : null;
    },
    async run(input): Promise<ToolResult> {
      const planned = await plan(input);
      return planned.kind === 'fails' ? failed(planned.reason) : save(planned);
    },
  };
}

function shortList(lines: readonly number[]): string {
  const shown = lines.slice(0, SHOWN_LINES).join(', ');
  return lines.length > SHOWN_LINES ? `${shown} and more` : shown;
}
