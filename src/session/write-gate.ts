/** The write gate as a writer of files meets it: the conversation in the gate's words, a file as a proposed memory, and the answer as a file. */

import type { Entry } from '../conversation/entry.ts';
import { type ContentBlock, textOf } from '../conversation/message.ts';
import type { Limits } from '../limits.ts';
import { editMemoryFile, parseMemoryFile } from '../memory/memory-file.ts';
import { factsOf, type MemoryOrigin } from '../memory/memory-header.ts';
import type { MemoryScope, MemorySource } from '../memory/taxonomy.ts';
import type { Memory } from './memory.ts';

export interface GuardedWrite {
  readonly scope: MemoryScope;
  readonly file: string;
  readonly text: string;
  readonly isNew: boolean;
}

/** The text as it may be written, or why not. */
export type Judged =
  | { readonly kind: 'pass'; readonly text: string }
  | { readonly kind: 'refused'; readonly reason: string };

export interface SpanMessage {
  readonly from: 'user' | 'assistant' | 'injected' | 'tool' | 'file' | 'web';
  readonly text: string;
  readonly tool?: string;
  readonly at?: string;
}

export interface GateMemory {
  readonly file?: string;
  readonly type: string;
  readonly name: string;
  readonly description: string;
  readonly body: string;
}

/** As `checkWrite` has it. */
export type WriteGate = (facts: {
  readonly span: readonly SpanMessage[];
  readonly existing: readonly (GateMemory & { readonly file: string })[];
  readonly proposed: GateMemory;
}) => Promise<GateAnswer> | GateAnswer;

export type GateAnswer =
  | {
      readonly verdict: 'accept' | 'accept-as-seen';
      readonly advice: string;
      readonly memory: GateMemory & { readonly source: MemorySource };
    }
  | { readonly verdict: 'merge' | 'reject'; readonly advice: string };

export interface GateFacts {
  readonly memory: Memory;
  readonly gate: WriteGate;
  readonly entries: readonly Entry[];
  readonly origin: MemoryOrigin;
  readonly now: () => Date;
  readonly limits: Pick<Limits, 'extraction'>;
}

export async function judgeWrite(write: GuardedWrite, facts: GateFacts): Promise<Judged> {
  const bytes = Buffer.from(write.text);
  if (bytes.length > facts.limits.extraction.memoryBytes)
    return refused('It is too long for a memory. Keep its point.');
  const { body, ...parsed } = parseMemoryFile(bytes);
  const { name, description, type } = factsOf(write.file, parsed);
  if (type === null || description.trim() === '') {
    return refused(
      'A memory begins with front matter: `name`, `description` and `type` (user, feedback, project, reference).',
    );
  }
  const proposed = { file: write.file, type, name, description, body };
  const answer = await facts.gate({ span: spanOf(facts.entries), existing: await existingOf(facts.memory), proposed });
  if (!('memory' in answer)) return refused(answer.advice);
  return withStanding(bytes, { write, answer, facts });
}

/** The gate's text and standing in the file as it was written; whatever else its front matter holds stays. */
function withStanding(
  bytes: Buffer,
  made: {
    readonly write: GuardedWrite;
    readonly answer: Extract<GateAnswer, { memory: object }>;
    readonly facts: GateFacts;
  },
): Judged {
  const { name, description, type, body, source } = made.answer.memory;
  const now = made.facts.now().toISOString();
  const set = {
    ...{ name, description, type, source, modified: now },
    ...(made.write.isNew ? { origin: made.facts.origin, created: now } : {}),
  };
  const edited = editMemoryFile(bytes, { set, body });
  return 'bytes' in edited
    ? { kind: 'pass', text: Buffer.from(edited.bytes).toString('utf8') }
    : refused(`Its front matter cannot be read: ${edited.refused}`);
}

async function existingOf(memory: Memory) {
  // A view, not a copy: a body is read from disk when the gate asks for it.
  return (await memory.list()).map((entry) => ({
    file: entry.file,
    type: entry.type ?? '',
    name: entry.name,
    description: entry.description,
    get body() {
      return entry.body;
    },
  }));
}

/** Who said what: what was injected is nobody's word, and what a tool brought is the world's. */
export function spanOf(entries: readonly Entry[]): readonly SpanMessage[] {
  const tools = new Map<string, string>();
  return entries.flatMap(({ message, injected, at }) => {
    const own = new Set(injected?.map(({ block }) => block));
    return message.content.flatMap((block, position): SpanMessage[] => {
      if (block.type === 'tool_use') tools.set(block.id, block.name);
      const said = saidBy(block, { role: message.role, tools });
      if (said === null || said.text.trim() === '') return [];
      return [{ ...said, at, ...(own.has(position) ? { from: 'injected' as const } : {}) }];
    });
  });
}

function saidBy(
  block: ContentBlock,
  facts: { readonly role: 'user' | 'assistant'; readonly tools: ReadonlyMap<string, string> },
): SpanMessage | null {
  switch (block.type) {
    case 'text':
      return { from: facts.role, text: block.text };
    case 'tool_result': {
      const tool = facts.tools.get(block.tool_use_id) ?? 'unknown';
      return { from: worldOf(tool), tool, text: textOf(block.content) };
    }
    case 'tool_use':
    case 'image':
    case 'document':
    case 'thinking':
    case 'redacted_thinking':
    case 'opaque':
      return null;
  }
}

function worldOf(tool: string): 'tool' | 'file' | 'web' {
  if (tool === 'Read') return 'file';
  return tool === 'WebFetch' || tool === 'WebSearch' ? 'web' : 'tool';
}

function refused(reason: string): Judged {
  return { kind: 'refused', reason };
}
