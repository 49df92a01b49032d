/** Where print mode puts what it has to say: the answer alone, one result, or every message as it happens. */

import { randomUUID } from 'node:crypto';
import type { AgentEvent } from '../../agent/event.ts';
import type { Agent } from '../../session/agent.ts';
import type { OutputFormat } from '../options/print-options.ts';
import { plainJsonLine } from '../terminal/plain-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { PrintResult } from './result.ts';
import { eventLine, initLine } from './stream-lines.ts';

export interface PrintOutput {
  onOpen(agent: Agent): Promise<void>;
  onEvent(event: AgentEvent, sessionId: string): Promise<void>;
  /** Resolves when the result has left this process. */
  onResult(result: PrintResult): Promise<void>;
  /** What the end of the session brought, after its result; false where it belongs on standard error. */
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

/** A person's terminal gets no control sequence of the model's; a pipe gets every byte. */
async function put(text: string, terminal: Out): Promise<void> {
  if (terminal.isTerminal) terminal.write(text);
  else terminal.writeExact(text);
  await terminal.flush();
}
