/** What the parts of one server share: the memory, who is connected, and where problems are told. */

import { CLIENT_INFO_META_KEY, type McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { type Limits, MCP_LIMITS } from '../limits.ts';
import type { Mailbox } from '../mailbox/mailbox.ts';
import type { SpanMessage } from '../memory/gate/index.ts';
import type { Memory } from '../memory/memory.ts';
import type { PastWords } from '../toolbox/past-words.ts';
import type { SampledDream } from './sampling.ts';
import { shownLine } from './shown-text.ts';

export interface McpPorts {
  readonly memory: Memory;
  /** What the user is known to have typed lately, in whatever coding agent. */
  heard(): readonly SpanMessage[];
  now(): Date;
  /** The defaults unless given. */
  readonly indexLimits?: Limits['index'];
  /** Sentences that the user typed in earlier sessions of our own agent; missing where they are not to be searched. */
  readonly searchPast?: ((query: string, most: number) => Promise<PastWords>) | undefined;
  /** The mailbox of the agent that is served; missing unless it was given a name. */
  readonly mailbox?: Mailbox | undefined;
  /** Consolidates the memory with a client's model; missing where it is not to be asked. */
  readonly dream?: SampledDream | undefined;
  /** For whoever started the server: standard error. */
  writeProblem(problem: string): void;
}

export interface Connection
  extends Pick<McpPorts, 'memory' | 'heard' | 'now' | 'searchPast' | 'indexLimits' | 'mailbox'> {
  /** Name and version of the client that asks, by its own account; empty when it did not say. */
  client(request: Pick<ServerContext['mcpReq'], 'envelope'>): string;
  /** Tells the client what went wrong in the background since it was last told, and these. */
  report(request: Pick<ServerContext['mcpReq'], 'log'>, problems: readonly string[]): void;
}

export function createConnection(server: McpServer, ports: McpPorts): Connection {
  const { memory, heard, now, searchPast, indexLimits, mailbox, writeProblem } = ports;
  let told = 0;
  return {
    memory,
    heard,
    now,
    searchPast,
    mailbox,
    ...(indexLimits === undefined ? {} : { indexLimits }),
    client(request) {
      // Newer clients say it with each request, older ones once.
      const envelope = request.envelope as Readonly<Record<string, unknown>> | undefined;
      const said = envelope?.[CLIENT_INFO_META_KEY] ?? server.server.getClientVersion();
      return shownLine(`${wordOf(said, 'name')} ${wordOf(said, 'version')}`, MCP_LIMITS.nameCharacters);
    },
    report(request, problems) {
      const known = memory.problems();
      const fresh = [...known.slice(told), ...problems].map((each) =>
        shownLine(each, MCP_LIMITS.descriptionCharacters),
      );
      told = known.length;
      for (const problem of fresh) {
        writeProblem(problem);
        // A client that takes no log has lost nothing but that.
        request.log('warning', problem, 'reverie').catch(() => undefined);
      }
    },
  };
}

function wordOf(said: unknown, key: string): string {
  const word = typeof said === 'object' && said !== null ? (said as Record<string, unknown>)[key] : undefined;
  return typeof word === 'string' ? word : '';
}
