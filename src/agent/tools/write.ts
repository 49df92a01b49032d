/** Write: creates a file, or replaces one that was read and is unchanged since. */

import { hashOf } from '../../disk/contents.ts';
import type { WriteOutcome } from '../files.ts';
import type { Tool, ToolResult } from '../tool.ts';
import { absolutePath, counted, failed, shownPath, textIn } from './answer.ts';
import { decode, encode, linesOf, usesCrlf, withCrlf } from './file-text.ts';
import type { BuiltInPorts } from './ports.ts';
import { changedSince, type SeenFile, seenFile } from './seen-file.ts';

const DESCRIPTION = `Writes a whole file: creates it with its folders, or replaces all of it.
- To change part of a file use Edit: it sends less and cannot lose the rest.
- A file that exists must have been Read before, and be unchanged since; new files need nothing.
- Make no file that the task does not need; no documentation unless asked for.`;

export function writeTool(ports: BuiltInPorts): Tool {
  async function replaceable(path: string): Promise<SeenFile> {
    const seen = await seenFile(path, ports);
    if (seen.kind !== 'seen' || !seen.isPartial) return seen;
    const shown = shownPath(path, ports.cwd);
    const reason = `You have seen only part of ${shown}, and Write would replace all of it. Use Edit, or Read the rest first.`;
    return { kind: 'wrong', reason };
  }

  return {
    name: 'Write',
    description: DESCRIPTION,
    inputSchema: {
      type: 'object',
      properties: {
        file_path: { type: 'string', description: 'The file to write: absolute, from the working directory, or ~/…' },
        content: { type: 'string', description: 'All that the file is to hold.' },
      },
      required: ['file_path', 'content'],
      additionalProperties: false,
    },
    isReadOnly: () => false,
    async foresee(input) {
      const seen = await replaceable(absolutePath(textIn(input, 'file_path'), ports));
      return seen.kind === 'wrong' ? seen.reason : null;
    },
    async run(input): Promise<ToolResult> {
      const path = absolutePath(textIn(input, 'file_path'), ports);
      const shown = shownPath(path, ports.cwd);
      const seen = await replaceable(path);
      if (seen.kind === 'wrong') return failed(seen.reason);
      const before = seen.kind === 'seen' ? decode(seen.bytes) : null;
      const content = textIn(input, 'content');
      // Files are shown without the mark and with plain line ends; who writes one back did not mean to change them.
      const text = before !== null && usesCrlf(before.text) ? withCrlf(content) : content;
      const bytes = encode(text, before?.hasMark ?? false);
      const outcome = await ports.files.write(path, bytes, { ifUnchanged: seen.kind === 'seen' ? seen.hash : null });
      const refusal = refusalOf(outcome, shown);
      if (refusal !== null) return failed(refusal);
      const written = writtenBytes(outcome) ?? bytes;
      ports.read.written(path, { hash: hashOf(written), isPartial: false });
      const after = written === bytes ? text : decode(written).text;
      const done = `${before === null ? 'Created' : 'Replaced'} ${shown} (${counted(linesOf(after).length, 'line')}).`;
      const display = { kind: 'diff', file: shown, before: before?.text ?? null, after } as const;
      return { content: [done, ...notesOf(outcome)].join('\n'), display };
    },
  };
}

/** Why nothing was written; null when it was. */
export function refusalOf(outcome: WriteOutcome, shown: string): string | null {
  switch (outcome.kind) {
    case 'written':
      return null;
    case 'changed-meanwhile':
      return changedSince(shown);
    case 'refused':
      return outcome.reason;
  }
}

/** What the file holds now, where that is not what was asked for. */
export function writtenBytes(outcome: WriteOutcome): Buffer | null {
  return outcome.kind === 'written' ? (outcome.bytes ?? null) : null;
}

export function notesOf(outcome: WriteOutcome): readonly string[] {
  return outcome.kind === 'written' ? outcome.notes : [];
}
