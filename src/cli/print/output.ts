/** Where print mode writes its output: the answer alone, one result, or every message as it happens. */

import { randomUUID } from 'node:crypto';
import type { AgentEvent } from '../../agent/event.ts';
import type { Entry } from '../../conversation/entry.ts';
import type { ContentBlock } from '../../conversation/message.ts';
import type { Agent } from '../../session/agent.ts';
import type { OutputFormat } from '../options/print-options.ts';
import { plainJsonLine } from '../terminal/plain-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { apiUsage, permissionModeName, retryFields, stopReasonName } from './api-names.ts';
import type { PrintResult } from './result.ts';

export interface PrintOutput {
  onOpen(agent: Agent): Promise<void>;
  onEvent(event: AgentEvent, sessionId: string): Promise<void>;
  /** Resolves when the result has left this process. */
  onResult(result: PrintResult): Promise<void>;
  /** What the end of the session brought, after its result; false when it belongs on standard error. */
  onClosingLine(line: string, sessionId: string): boolean;
}

type Out = Pick<Terminal, 'isTerminal' | 'write' | 'writeExact' | 'flush'>;

export function createOutput(format: OutputFormat, terminal: Out): PrintOutput {
  switch (format) {
    case 'text':
      return { ...SILENT, onResult: (result) => (result.is_error ? SILENT.onResult() : printText(result, terminal)) };
    case 'json':
      return { ...SILENT, onResult: (result) => printLine(result, terminal) };
    case 'stream-json':
      return {
        onOpen: (agent) => printLine(initLine(agent, randomUUID()), terminal),
        async onEvent(event, sessionId) {
          const line = eventLine(event, { sessionId, uuid: randomUUID() });
          if (line !== null) await printLine(line, terminal);
        },
        onResult: (result) => printLine({ ...result, uuid: randomUUID() }, terminal),
        onClosingLine(text, sessionId) {
          const line = eventLine({ kind: 'note', text }, { sessionId, uuid: randomUUID() });
          void printLine(line, terminal);
          return true;
        },
      };
  }
}

const SILENT = {
  onOpen: async () => {},
  onEvent: async () => {},
  onResult: async () => {},
  onClosingLine: () => false,
};

async function printText({ result }: PrintResult, terminal: Out): Promise<void> {
  await put(result.endsWith('\n') ? result : `${result}\n`, terminal);
}

async function printLine(value: unknown, terminal: Out): Promise<void> {
  await put(`${plainJsonLine(value)}\n`, terminal);
}

/** A person's terminal gets none of the model's control sequences; a pipe gets every byte. */
async function put(text: string, terminal: Out): Promise<void> {
  if (terminal.isTerminal) terminal.write(text);
  else terminal.writeExact(text);
  await terminal.flush();
}

// The events of a turn as lines of `stream-json`, in the shapes that coding-agent users parse. Pure.

type Line = Readonly<Record<string, unknown>>;

function initLine(agent: Agent, uuid: string): Line {
  return {
    type: 'system',
    subtype: 'init',
    session_id: agent.sessionId,
    uuid,
    cwd: agent.cwd,
    model: agent.model,
    tools: agent.tools,
    mcp_servers: [],
    permissionMode: permissionModeName(agent.permissionMode),
    ...(agent.forkedFrom === null ? {} : { forked_from: agent.forkedFrom }),
    warnings: agent.warnings,
  };
}

/** Null for events without a line of their own: pieces of an answer come whole, as its entry. */
function eventLine(event: AgentEvent, facts: { readonly sessionId: string; readonly uuid: string }): Line | null {
  const system = (subtype: string, fields: Line): Line => {
    return { type: 'system', subtype, ...fields, session_id: facts.sessionId, uuid: facts.uuid };
  };
  switch (event.kind) {
    case 'entry':
      return entryLine(event.entry, facts.sessionId);
    case 'retry': {
      const { attempt, delayMs, reason } = event;
      return system('api_retry', { attempt, retry_delay_ms: delayMs, ...retryFields(reason) });
    }
    case 'note':
      return system('note', { text: event.text });
    case 'agent':
      return agentLine(event, facts);
    case 'text':
    case 'thinking':
    case 'tool-started':
    case 'tool-progress':
    case 'tool-ended':
    case 'denied':
    case 'turn-ended':
      return null;
  }
}

/** An agent's own lines say whose they are, as those of other coding agents do. */
function agentLine(
  { agent, event }: Extract<AgentEvent, { kind: 'agent' }>,
  facts: { readonly sessionId: string; readonly uuid: string },
): Line | null {
  const line = eventLine(event, facts);
  if (line === null) return null;
  // Of an agent's agents: those of the innermost one.
  return {
    agent_id: agent.id,
    agent_name: agent.name,
    ...line,
    parent_tool_use_id: line.parent_tool_use_id ?? agent.toolUseId,
  };
}

function entryLine({ uuid, message, response, injected = [] }: Entry, sessionId: string): Line | null {
  const shared = { session_id: sessionId, uuid, parent_tool_use_id: null };
  if (message.role === 'assistant') {
    const answered = {
      id: response?.id ?? uuid,
      type: 'message',
      role: 'assistant',
      model: response?.model ?? null,
      content: message.content.map(wireBlock),
      stop_reason: response === undefined ? null : stopReasonName(response.stopReason),
      stop_sequence: null,
      usage: response === undefined ? null : apiUsage(response.usage),
    };
    return { type: 'assistant', message: answered, ...shared };
  }
  // The prompt is the caller's own, and what Reverie added to it is nobody's message.
  const ours = new Set(injected.map(({ block }) => block));
  const content = message.content.filter((_, at) => !ours.has(at));
  if (!content.some(({ type }) => type === 'tool_result')) return null;
  return { type: 'user', message: { role: 'user', content: content.map(wireBlock) }, ...shared };
}

function wireBlock(block: ContentBlock): Line {
  return block.type === 'opaque' ? block.wire : { ...block };
}
