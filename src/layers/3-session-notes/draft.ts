/** The one file an update can reach: a copy in memory, so nothing else can be touched and half an update changes nothing. */

import type { Files } from '../../agent/files.ts';
import type { DecidePermission } from '../../agent/permission.ts';
import { createReadFiles } from '../../agent/read-files.ts';
import type { Tool } from '../../agent/tool.ts';
import { absolutePath } from '../../agent/tools/answer.ts';
import { editTool } from '../../agent/tools/edit.ts';
import { readTool } from '../../agent/tools/read.ts';
import { writeTool } from '../../agent/tools/write.ts';
import { estimateTextTokens } from '../../conversation/tokens.ts';
import { hashOf } from '../../disk/contents.ts';
import { ReverieError } from '../../errors.ts';
import type { Limits } from '../../limits.ts';

export interface DraftFacts {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  readonly ceilingTokens: number;
  /** Which credentials a text holds, without repeating them; null for none. */
  readonly describeSecretsIn: (text: string) => Promise<string | null>;
}

export interface Draft {
  readonly files: Files;
  text(): string;
}

export function createDraft({ path, text, ceilingTokens, describeSecretsIn }: DraftFacts): Draft {
  let bytes: Buffer = Buffer.from(text);

  async function objectionTo(wanted: string): Promise<string | null> {
    const tokens = estimateTextTokens(wanted);
    if (tokens > ceilingTokens) {
      return `The notes would be about ${tokens} tokens long, and ${ceilingTokens} is the most. Shorten them first.`;
    }
    const secrets = await describeSecretsIn(wanted);
    return secrets === null ? null : `Notes hold no credentials, so nothing was written. ${secrets}`;
  }

  return {
    text: () => bytes.toString('utf8'),
    files: {
      stat: async (wanted) => (wanted === path ? { kind: 'file', bytes: bytes.length, modifiedMs: 0 } : null),
      async read(wanted) {
        if (wanted !== path) throw new ReverieError({ code: 'refused', message: onlyNotes(path) });
        return bytes;
      },
      async write(wanted, content, { ifUnchanged }) {
        if (wanted !== path) return { kind: 'refused', reason: onlyNotes(path) };
        if (hashOf(bytes) !== ifUnchanged) return { kind: 'changed-meanwhile' };
        const reason = await objectionTo(content.toString('utf8'));
        if (reason !== null) return { kind: 'refused', reason };
        bytes = content;
        return { kind: 'written', notes: [] };
      },
    },
  };
}

export interface ToolPlace {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly limits: Limits;
}

/** The tools that reach the notes. */
const FILE_TOOLS = { Edit: editTool, Write: writeTool, Read: readTool } as const;

export function canEditNotes(toolNames: readonly string[]): boolean {
  return toolNames.includes('Edit') || toolNames.includes('Write');
}

/** The parent's tools by name; the file tools see only the draft. */
export function toolsOver(
  draft: Draft,
  facts: { readonly path: string; readonly place: ToolPlace; readonly tools: ReadonlyMap<string, Tool> },
): ReadonlyMap<string, Tool> {
  // The directive shows the whole file, so it counts as read.
  const read = createReadFiles([[facts.path, { hash: hashOf(Buffer.from(draft.text())), isPartial: false }]]);
  const ports = { ...facts.place, files: draft.files, read };
  const own = Object.entries(FILE_TOOLS).flatMap(([name, make]) =>
    facts.tools.has(name) ? [[name, make(ports)] as const] : [],
  );
  return new Map([...facts.tools, ...own]);
}

/** The tools stay in the request, as part of the prefix; this keeps an update to its file. */
export function decideInNotes(path: string, place: ToolPlace): DecidePermission {
  return async ({ name, input }) => {
    const isFileTool = Object.hasOwn(FILE_TOOLS, name);
    const wanted = typeof input.file_path === 'string' ? input.file_path : '';
    const isNotes = isFileTool && wanted.trim() !== '' && absolutePath(wanted, place) === path;
    return isNotes ? { verdict: 'allow' } : { verdict: 'deny', reason: onlyNotes(path) };
  };
}

function onlyNotes(path: string): string {
  return `Only the notes can be changed here: use Edit on ${path}, and no other tool.`;
}
