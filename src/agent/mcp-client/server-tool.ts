/** A server's tool as one of the agent's. It always needs permission: that it only reads is the server's own word, which proves nothing. */

import type { Limits } from '../../limits.ts';
import type { Tool, ToolInput, ToolResult, ToolRun } from '../tool.ts';
import type { Connection } from './connection.ts';
import { shownLine } from './shown-text.ts';
import type { ToolDefinition } from './tool-definition.ts';

/** Characters of one line of progress. */
const PROGRESS_CHARACTERS = 200;

/** One tool and the server that has it. */
export interface ServedTool {
  readonly definition: ToolDefinition;
  readonly connection: Connection;
}

export function serverTool(served: ServedTool, limits: Limits['mcpServers']): Tool {
  const { name, description, inputSchema } = served.definition;
  return {
    name,
    description,
    inputSchema,
    isReadOnly: () => false,
    run: (input, run) => callServed(served, input, { run, limits }),
  };
}

export function callServed(
  { connection, definition }: ServedTool,
  input: ToolInput,
  { run, limits }: { run: ToolRun; limits: Limits['mcpServers'] },
): Promise<ToolResult> {
  let shownAtMs = 0;
  return connection.call(definition, input, {
    ...run,
    onProgress(text) {
      const now = Date.now();
      if (now - shownAtMs < limits.progressEveryMs) return;
      shownAtMs = now;
      run.onProgress(shownLine(text, PROGRESS_CHARACTERS));
    },
  });
}
