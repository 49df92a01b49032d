/** Layer 1 over a recording: results as they would have been admitted, and the files that were read, as the recording has them. */

import type { Entry } from '../../conversation/entry.ts';
import { type ToolResultBlock, type ToolUseBlock, toolUsesOf } from '../../conversation/message.ts';
import { createToolResults } from '../../layers/1-tool-results/index.ts';
import type { PolicyPorts } from './policy.ts';

export interface Admission {
  admit(entries: readonly Entry[]): Promise<readonly Entry[]>;
  /** Calls still waiting for their results. */
  called(answer: Entry): void;
  /** The newest last. */
  readPaths(): readonly string[];
  readFile(path: string): Promise<string | null>;
}

export function createAdmission(ports: PolicyPorts): Admission {
  const { sizes, window, limits } = ports;
  const calls = new Map<string, ToolUseBlock>();
  const files = new Map<string, string>();
  const toolResults = createToolResults({
    store: async ({ toolUseId, extension }) => `tool-results/${toolUseId}.${extension}`,
    onDecision: () => {},
    effectiveTokens: () => window.effective,
    limits,
  });

  function resultsIn({ message }: Entry): readonly { call: ToolUseBlock; result: ToolResultBlock }[] {
    return message.content.flatMap((block) => {
      const call = block.type === 'tool_result' ? calls.get(block.tool_use_id) : undefined;
      return block.type === 'tool_result' && call !== undefined ? [{ call, result: block }] : [];
    });
  }

  function remember(call: ToolUseBlock, result: ToolResultBlock): void {
    const { file_path: path } = call.input;
    if (call.name !== 'Read' || typeof path !== 'string') return;
    files.delete(path);
    files.set(path, result.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'));
  }

  function withResults(entry: Entry, admitted: ReadonlyMap<string, ToolResultBlock>): Entry {
    const content = entry.message.content.map((block) =>
      block.type === 'tool_result' ? (admitted.get(block.tool_use_id) ?? block) : block,
    );
    if (content.every((block, at) => block === entry.message.content[at])) return entry;
    const message = { ...entry.message, content };
    ports.freed('toolResults', sizes.of(entry.message) - sizes.of(message));
    return { ...entry, message };
  }

  return {
    async admit(entries) {
      const batch = entries.flatMap(resultsIn);
      if (batch.length === 0) return entries;
      for (const { call, result } of batch) remember(call, result);
      const results = await toolResults.admit(batch);
      const admitted = new Map(results.map((result) => [result.tool_use_id, result]));
      return entries.map((entry) => withResults(entry, admitted));
    },
    called(answer) {
      for (const call of toolUsesOf(answer.message.content)) calls.set(call.id, call);
    },
    readPaths: () => [...files.keys()],
    readFile: async (path) => files.get(path) ?? null,
  };
}
