/** One call of the model's, from its raw input to an answer the model can act on: known tool, checked input, permission, run. */

import type { ToolUseBlock } from '../conversation/message.ts';
import { ReverieError } from '../errors.ts';
import { invalidJsonOf } from '../model/anthropic/block.ts';
import { checkInput } from './check-input.ts';
import type { AgentEvent } from './event.ts';
import type { DecidePermission } from './permission.ts';
import type { Tool, ToolInput, ToolResult } from './tool.ts';

export interface CallPorts {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly decide: DecidePermission;
  readonly onEvent: (event: AgentEvent) => void;
}

/** A call that cannot run changes nothing either. */
export function isReadOnlyCall(call: ToolUseBlock, tools: ReadonlyMap<string, Tool>): boolean {
  const tool = tools.get(call.name);
  if (tool === undefined) return true;
  const checked = checkInput(tool.inputSchema, call.input);
  return checked.kind === 'wrong' || tool.isReadOnly(checked.input);
}

export async function runCall(call: ToolUseBlock, signal: AbortSignal, ports: CallPorts): Promise<ToolResult> {
  const tool = ports.tools.get(call.name);
  if (tool === undefined) return wrong(`There is no tool ${call.name}. Tools: ${[...ports.tools.keys()].join(', ')}.`);
  const broken = invalidJsonOf(call.input);
  if (broken !== null)
    return wrong(`The input is not valid JSON, so nothing was done. It began: ${broken.slice(0, 200)}`);
  const checked = checkInput(tool.inputSchema, call.input);
  if (checked.kind === 'wrong') return wrong(checked.reason);
  const isReadOnly = tool.isReadOnly(checked.input);
  const decision = await ports.decide({ ...call, input: checked.input }, { tool, isReadOnly, signal });
  if (decision.verdict === 'deny') {
    ports.onEvent({ kind: 'denied', call, reason: decision.reason });
    return wrong(decision.reason);
  }
  return runChecked(tool, checked.input, { call, signal, ports });
}

async function runChecked(
  tool: Tool,
  input: ToolInput,
  facts: { call: ToolUseBlock; signal: AbortSignal; ports: CallPorts },
): Promise<ToolResult> {
  const { call, signal, ports } = facts;
  try {
    return await tool.run(input, {
      signal,
      toolUseId: call.id,
      onProgress: (text) => ports.onEvent({ kind: 'tool-progress', call, text }),
    });
  } catch (error) {
    if (error instanceof ReverieError) return wrong([error.message, error.fix].filter((part) => part !== '').join(' '));
    throw error;
  }
}

function wrong(content: string): ToolResult {
  return { content, isError: true };
}
