/** Read: a file as numbered lines, an image or a PDF as what it is; what was read may then be edited. */

import { estimateTextTokens } from '../../conversation/tokens.ts';
import { hashOf } from '../../disk/contents.ts';
import { TOOL_LIMITS } from '../../limits.ts';
import type { Tool, ToolInput, ToolResult } from '../tool.ts';
import { absolutePath, counted, failed, numberIn, shownPath, textIn } from './answer.ts';
import { decode, linesOf } from './file-text.ts';
import { mediaOf } from './media.ts';
import { nearFiles } from './near-files.ts';
import { numbered } from './numbered-lines.ts';
import { type BuiltInPorts, limitsOf } from './ports.ts';

/** Lines that Read shows unless asked for another number. */
const READ_LINES = 2_000;
/** Tokens that one Read may answer with. */
const READ_TOKENS = 25_000;

const describeRead = () => `Reads a file.
- \`file_path\`: absolute, from the working directory, or \`~/…\`.
- Shows ${READ_LINES} lines from the start; \`offset\` (first line, from 1) and \`limit\` (how many) show another part of a long file.
- Each line comes with its number and a tab in front. Both are not part of the file: leave them out when you quote it in Edit.
- Images (PNG, JPEG, GIF, WebP) and PDFs are shown to you as such.
- Folders cannot be read: list them with Glob, search them with Grep.
- Read a file before you Edit it or replace it with Write; both refuse otherwise, so that nothing is overwritten unseen.
- Several files can be read in one go: call Read for each in the same answer.`;

interface Range {
  readonly offset: number | null;
  readonly limit: number | null;
}

export function readTool(ports: BuiltInPorts): Tool {
  const limits = limitsOf(ports).tools;
  const { shownWhole } = ports.read;

  async function readText(path: string, bytes: Buffer, range: Range): Promise<ToolResult> {
    const shown = shownPath(path, ports.cwd);
    const { text, isExact } = decode(bytes);
    const hash = hashOf(bytes);
    const isWhole = range.offset === null && range.limit === null;
    const before = ports.read.get(path);
    if (isWhole && shownWhole.get(path) === hash && before?.hash === hash) {
      shownWhole.delete(path);
      ports.read.set(path, before);
      const again = 'Only if you cannot see it any more, call Read again.';
      return { content: `${shown} is unchanged since you read it: the earlier result is still current. ${again}` };
    }
    const lines = linesOf(text);
    const part = partOf(lines, range);
    if (part === null)
      return failed(`${shown} has only ${counted(lines.length, 'line')}; offset ${range.offset} is beyond its end.`);
    const view = numbered(part.lines, part.first, TOOL_LIMITS.lineCharacters);
    const tokens = estimateTextTokens(view.text);
    if (tokens > READ_TOKENS) {
      return failed(
        `${shown}: these ${counted(part.lines.length, 'line')} of ${lines.length} are about ${counted(tokens, 'token')}, and ` +
          `at most ${READ_TOKENS.toLocaleString('en-US')} are shown. Read a part with offset and limit, or search it with Grep.`,
      );
    }
    const isPartial = part.lines.length < lines.length || view.isCut;
    ports.read.set(path, { hash, isPartial, shown: { first: part.first, lines: part.lines.length } });
    if (isPartial || !isWhole) shownWhole.delete(path);
    else shownWhole.set(path, hash);
    if (lines.length === 0) return { content: `${shown} is there, but empty.` };
    const last = part.first + part.lines.length - 1;
    const notes = [
      ...(part.lines.length < lines.length ? [`[lines ${part.first} to ${last} of ${lines.length}]`] : []),
      ...(isExact
        ? []
        : ['[not valid UTF-8: what could not be read is shown as \uFFFD, and Edit will refuse the file]']),
    ];
    const summary = { kind: 'summary', text: counted(part.lines.length, 'line') } as const;
    return { content: [view.text, ...notes].join('\n'), display: summary };
  }

  return {
    name: 'Read',
    description: describeRead(),
    inputSchema: {
      type: 'object',
      properties: {
        file_path: { type: 'string', description: 'The file to read.' },
        offset: { type: 'integer', minimum: 0, description: 'The first line to show, from 1. Only for long files.' },
        limit: { type: 'integer', minimum: 1, description: 'How many lines to show. Only for long files.' },
      },
      required: ['file_path'],
      additionalProperties: false,
    },
    isReadOnly: () => true,
    async run(input: ToolInput): Promise<ToolResult> {
      const path = absolutePath(textIn(input, 'file_path'), ports);
      const shown = shownPath(path, ports.cwd);
      const facts = await ports.files.stat(path);
      if (facts === null) return failed(`${shown} does not exist.${await nearFiles(path, ports.cwd)}`);
      if (facts.kind === 'folder') return failed(`${shown} is a folder. List it with Glob, for example pattern "*".`);
      if (facts.kind === 'other') return failed(`${shown} is a pipe, a socket or a device, not a file.`);
      if (facts.bytes > limits.fileBytes) return failed(tooLarge(shown, facts.bytes));
      const bytes = await ports.files.read(path);
      const media = mediaOf(bytes);
      switch (media.kind) {
        case 'text':
          return readText(path, bytes, { offset: numberIn(input, 'offset'), limit: numberIn(input, 'limit') });
        case 'binary':
          return failed(`${shown} is a binary file of ${counted(bytes.length, 'byte')} and cannot be shown as text.`);
        case 'image': {
          if (bytes.length > limits.imageBytes) return failed(tooLargeToShow(shown, bytes.length, limits.imageBytes));
          ports.read.set(path, { hash: hashOf(bytes), isPartial: false });
          const source = { type: 'base64', media_type: media.type, data: bytes.toString('base64') } as const;
          return { content: [{ type: 'image', source }], display: { kind: 'summary', text: media.type } };
        }
        case 'pdf': {
          if (bytes.length > TOOL_LIMITS.documentBytes)
            return failed(tooLargeToShow(shown, bytes.length, TOOL_LIMITS.documentBytes));
          ports.read.set(path, { hash: hashOf(bytes), isPartial: false });
          const source = { type: 'base64', media_type: 'application/pdf', data: bytes.toString('base64') } as const;
          return { content: [{ type: 'document', source, title: shown }], display: { kind: 'summary', text: 'PDF' } };
        }
      }
    },
  };
}

/** Null when it begins beyond the end. */
function partOf(lines: readonly string[], range: Range) {
  const first = Math.max(1, range.offset ?? 1);
  if (first > Math.max(1, lines.length)) return null;
  return { first, lines: lines.slice(first - 1, first - 1 + (range.limit ?? READ_LINES)) };
}

function tooLarge(shown: string, bytes: number): string {
  return `${shown} has ${counted(bytes, 'byte')}, too many to read. Search it with Grep, or look at parts with Bash (head, tail, sed -n).`;
}

function tooLargeToShow(shown: string, bytes: number, most: number): string {
  return `${shown} has ${counted(bytes, 'byte')}; at most ${most.toLocaleString('en-US')} can be shown. Make a smaller copy first.`;
}
