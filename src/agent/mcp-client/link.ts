/** One live connection to a server, over the official client: begun, its tools listed, its calls bounded in time and size. */

import type { Client, Transport } from '@modelcontextprotocol/client';
import { createBoundedFetch } from '../../base/async/bounded-fetch.ts';
import { type Limits, MCP_SERVER_LIMITS } from '../../limits.ts';
import { explain, isRefusal } from './failure.ts';
import { createProgramTransport, type ProgramTransport } from './program-transport.ts';
import type { ServerPlan } from './server-plan.ts';
import { recordOf } from './tool-definition.ts';

export interface LinkPorts {
  readonly limits: Limits['mcpServers'];
  /** Programs that run, to be killed if our process ends without closing them. */
  readonly running: Set<() => void>;
  /** The server went, and nobody asked it to. */
  onLost(lastWords: string): void;
  onToolsChanged(): void;
}

export interface LinkCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  onProgress(text: string): void;
}

export interface Link {
  /** As the server listed them; nothing about them is checked. */
  readonly tools: readonly unknown[];
  readonly instructions: string;
  isOpen(): boolean;
  listAgain(): Promise<readonly unknown[]>;
  /** The raw result; throws what went wrong. */
  call(call: LinkCall): Promise<unknown>;
  explain(error: unknown): string;
  close(): Promise<void>;
}

type Sdk = typeof import('@modelcontextprotocol/client');

const CLIENT = { name: 'reverie', version: '1' };

/** Takes whatever comes: one tool that a server describes wrongly must not cost the others. */
const ANYTHING = {
  '~standard': { version: 1, vendor: 'reverie', validate: (value: unknown) => ({ value }) },
} as const;

/** Throws an error whose message says why there is no connection. */
export async function openLink(plan: ServerPlan, ports: LinkPorts, signal: AbortSignal): Promise<Link> {
  const sdk = await import('@modelcontextprotocol/client');
  const timeLimit = AbortSignal.timeout(ports.limits.connectMs);
  const either = AbortSignal.any([signal, timeLimit]);
  try {
    return await begin({ sdk, plan, ports, signal: either, mode: 'legacy' });
  } catch (first) {
    // Begun the way that all servers know; one that refuses it may know the newer way alone.
    if (!(first instanceof BeginError) || !isRefusal(first.cause) || either.aborted) throw timed(first);
    return await begin({ sdk, plan, ports, signal: either, mode: 'auto' }).catch(() => {
      throw first;
    });
  }

  function timed(error: unknown): unknown {
    if (!timeLimit.aborted || signal.aborted) return error;
    const lastWords = error instanceof BeginError ? error.lastWords : '';
    const facts = { plan, lastWords, timeMs: ports.limits.connectMs, characters: MCP_SERVER_LIMITS.warningCharacters };
    return new Error(explain({ code: 'REQUEST_TIMEOUT' }, facts));
  }
}

class BeginError extends Error {
  readonly lastWords: string;

  constructor(message: string, { cause, lastWords }: { cause: unknown; lastWords: string }) {
    super(message, { cause });
    this.lastWords = lastWords;
  }
}

interface Beginning {
  readonly sdk: Sdk;
  readonly plan: ServerPlan;
  readonly ports: LinkPorts;
  readonly signal: AbortSignal;
  readonly mode: 'legacy' | 'auto';
}

async function begin({ sdk, plan, ports, signal, mode }: Beginning): Promise<Link> {
  signal.throwIfAborted();
  const { limits } = ports;
  const calls = new Set<AbortController>();
  const onTooLong = () => {
    const reason = new Error(`It answered with more than ${limits.messageBytes} bytes, which were thrown away.`);
    for (const call of calls) call.abort(reason);
  };
  const program = plan.kind === 'program' ? programTransport(sdk, plan, { limits, onTooLong }) : null;
  const transport = program ?? addressTransport(sdk, plan, { limits, onTooLong });
  const client = new sdk.Client(CLIENT, {
    versionNegotiation: { mode },
    listChanged: { tools: { autoRefresh: false, onChanged: ports.onToolsChanged } },
  });
  const lastWords = () => program?.lastWords() ?? '';
  const explained = (error: unknown, timeMs: number) =>
    explain(error, { plan, lastWords: lastWords(), timeMs, characters: MCP_SERVER_LIMITS.warningCharacters });
  let isOpen = true;
  let isClosing = false;
  client.onclose = () => {
    isOpen = false;
  };
  // Errors that belong to no request are noise: what matters fails a call or ends the connection.
  client.onerror = () => undefined;

  async function close(): Promise<void> {
    isClosing = true;
    isOpen = false;
    if (!program) await farewell(transport, limits.killGraceMs);
    await client.close().catch(() => undefined);
    await transport.close().catch(() => undefined);
    if (program) ports.running.delete(program.kill);
  }

  async function connectAndList(): Promise<readonly unknown[]> {
    await client.connect(transport, { timeout: limits.connectMs, signal });
    return listTools(client, { limits, signal });
  }

  if (program) ports.running.add(program.kill);
  const tools = await orAborted(connectAndList(), signal).catch(async (error: unknown) => {
    // What it wrote is in only once it has ended.
    await close();
    throw new BeginError(explained(error, limits.connectMs), { cause: error, lastWords: lastWords() });
  });
  client.onclose = () => {
    isOpen = false;
    if (program) ports.running.delete(program.kill);
    if (!isClosing) ports.onLost(lastWords());
  };

  return {
    tools,
    instructions: client.getInstructions() ?? '',
    isOpen: () => isOpen,
    listAgain: () => listTools(client, { limits, signal: AbortSignal.timeout(limits.connectMs) }),
    async call({ tool, input, signal: interrupted, onProgress }) {
      const own = new AbortController();
      calls.add(own);
      try {
        return await client.request({ method: 'tools/call', params: { name: tool, arguments: input } }, ANYTHING, {
          timeout: limits.callMs,
          signal: AbortSignal.any([interrupted, own.signal]),
          onprogress: ({ progress, total, message }) =>
            onProgress([message ?? '', total === undefined ? progress : `${progress}/${total}`].join(' ').trim()),
        });
      } catch (error) {
        throw own.signal.aborted ? own.signal.reason : error;
      } finally {
        calls.delete(own);
      }
    },
    explain: (error) => explained(error, limits.callMs),
    close,
  };
}

function programTransport(
  sdk: Sdk,
  plan: Extract<ServerPlan, { kind: 'program' }>,
  ports: { limits: Limits['mcpServers']; onTooLong(): void },
): ProgramTransport {
  return createProgramTransport(plan, { ...ports, parse: sdk.parseJSONRPCMessage });
}

function addressTransport(
  sdk: Sdk,
  plan: ServerPlan,
  { limits, onTooLong }: { limits: Limits['mcpServers']; onTooLong(): void },
): Transport {
  if (plan.kind !== 'address') throw new Error('Only an address is reached over HTTP.');
  return new sdk.StreamableHTTPClientTransport(plan.url, {
    requestInit: { headers: plan.headers },
    fetch: createBoundedFetch({
      messageBytes: limits.messageBytes,
      tooLong(bytes) {
        onTooLong();
        return new Error(`The answer is longer than ${bytes} bytes.`);
      },
    }),
  });
}

/** A server that keeps sessions may let go of this one; it is told, not waited for. */
async function farewell(transport: Transport, withinMs: number): Promise<void> {
  const { terminateSession } = transport as Transport & { terminateSession?(): Promise<void> };
  if (terminateSession === undefined || transport.sessionId === undefined) return;
  const told = terminateSession.call(transport).catch(() => undefined);
  await orAborted(told, AbortSignal.timeout(withinMs)).catch(() => undefined);
}

/** A server's pages may never end; its tools are counted. */
async function listTools(
  client: Client,
  { limits, signal }: { limits: Limits['mcpServers']; signal: AbortSignal },
): Promise<readonly unknown[]> {
  const tools: unknown[] = [];
  if (client.getServerCapabilities()?.tools === undefined) return tools;
  let cursor: unknown;
  for (let page = 0; page < limits.pages && tools.length < MCP_SERVER_LIMITS.tools; page++) {
    const params = typeof cursor === 'string' ? { cursor } : {};
    const options = { timeout: limits.connectMs, signal };
    const result = recordOf(await client.request({ method: 'tools/list', params }, ANYTHING, options));
    if (Array.isArray(result.tools)) tools.push(...result.tools.slice(0, MCP_SERVER_LIMITS.tools - tools.length));
    cursor = result.nextCursor;
    if (typeof cursor !== 'string' || cursor === '') break;
  }
  return tools;
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
