/** One server through its life: connected in the background, called, lost, started again with pauses, and ended. It never throws. */

import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { messageOf } from '../../base/values.ts';
import type { ToolResult, ToolRun } from '../tool.ts';
import { failed } from '../tools/answer.ts';
import { type ResultLimits, readResult } from './call-result.ts';
import { isSessionLost, isTimeout } from './failure.ts';
import { type Link, openLink } from './link.ts';
import type { ServerPlan } from './server-plan.ts';
import { withoutSecrets } from './shown-text.ts';
import { readDefinition, recordOf, type ToolDefinition } from './tool-definition.ts';

export interface ConnectionFacts {
  /** As the settings call it. */
  readonly name: string;
  /** As it stands in the names of its tools. */
  readonly server: string;
  readonly plan: ServerPlan;
  readonly limits: ResultLimits;
  readonly running: Set<() => void>;
  onWarning(line: string): void;
}

export type ConnectionState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'connected'; readonly tools: readonly unknown[]; readonly instructions: string }
  /** `isTold`: the user knows already. */
  | { readonly kind: 'failed'; readonly reason: string; readonly isTold: boolean }
  | { readonly kind: 'closed' };

export interface Connection {
  readonly name: string;
  readonly server: string;
  state(): ConnectionState;
  /** Connects where there is no connection, and lists again where the server said that its tools changed. */
  connect(): Promise<void>;
  call(tool: ToolDefinition, input: Readonly<Record<string, unknown>>, run: ToolRun): Promise<ToolResult>;
  close(): Promise<void>;
}

export function createConnection(facts: ConnectionFacts): Connection {
  const limits = facts.limits.mcpServers;
  const ended = new AbortController();
  const toldChanged = new Set<string>();
  let link: Link | null = null;
  let tools: readonly unknown[] = [];
  let hasChanged = false;
  let failure: { readonly reason: string; readonly isTold: boolean } | null = null;
  let opening: Promise<void> | null = null;
  let restarts = 0;
  let lostAtMs = 0;

  function warn(words: string): void {
    if (!ended.signal.aborted) facts.onWarning(`MCP server ${facts.name}: ${words}`);
  }

  function onToolsChanged(): void {
    if (!hasChanged) warn('Its tools have changed; the new ones are there after /clear.');
    hasChanged = true;
  }

  function onLost(lastWords: string): void {
    lostAtMs = Date.now();
    const reason = `It is gone. ${withoutSecrets(lastWords, facts.plan.secrets)}`.trim();
    failure = { reason, isTold: true };
    warn(`${reason} It is started again when it is called.`);
  }

  async function openNow(): Promise<void> {
    try {
      link = await openLink(facts.plan, { limits, running: facts.running, onLost, onToolsChanged }, ended.signal);
      tools = link.tools;
      failure = link.isOpen() ? null : { reason: 'It ended as soon as it had begun.', isTold: false };
      if (ended.signal.aborted) await link.close();
    } catch (error) {
      failure = { reason: messageOf(error), isTold: false };
      lostAtMs = Date.now();
    }
  }

  function open(): Promise<void> {
    opening ??= openNow().finally(() => {
      opening = null;
    });
    return opening;
  }

  async function drop(): Promise<void> {
    const dropped = link;
    link = null;
    lostAtMs = Date.now();
    await dropped?.close();
  }

  /** The connection, or why there is none. */
  async function liveLink(signal: AbortSignal): Promise<Link | string> {
    if (ended.signal.aborted) return 'It was closed.';
    if (link?.isOpen()) return link;
    if (opening === null) {
      if (restarts >= limits.restarts)
        return `It failed ${restarts} times in a row and is not started again. Do without it; the user can fix it and begin again with /clear. ${failure?.reason ?? ''}`;
      restarts += 1;
      const pauseMs = lostAtMs + limits.restartDelayMs * 2 ** (restarts - 1) - Date.now();
      if (pauseMs > 0) await wait(pauseMs, undefined, { signal }).catch(() => undefined);
    }
    await Promise.race([open(), onAbort(signal)]);
    return link?.isOpen() ? link : (failure?.reason ?? 'It is not connected.');
  }

  /** What the model knows of the tool may no longer be so; the prefix is left as it is, the rest is told. */
  function changeOf(tool: ToolDefinition): ToolDefinition['inputSchema'] | 'gone' | null {
    const listed = tools.find((each) => recordOf(each).name === tool.remoteName);
    if (listed === undefined) return 'gone';
    const now = readDefinition(listed, { server: facts.server });
    if (now.kind === 'left-out' || isDeepStrictEqual(now.definition.inputSchema, tool.inputSchema)) return null;
    if (!toldChanged.has(tool.name))
      warn(
        `It takes other input for ${tool.name} than at the start of the session; the model learns of it after /clear.`,
      );
    toldChanged.add(tool.name);
    return now.definition.inputSchema;
  }

  async function callOnce(call: Called, { mayRepeat }: { mayRepeat: boolean }): Promise<ToolResult> {
    const { tool, input, run } = call;
    const live = await liveLink(run.signal);
    if (run.signal.aborted) return failed('Interrupted before the call was made.');
    if (typeof live === 'string') return failed(`The MCP server ${facts.name} cannot be called. ${live}`);
    const change = changeOf(tool);
    if (change === 'gone') return failed(`The MCP server ${facts.name} no longer has this tool.`);
    try {
      const { signal, onProgress } = run;
      const raw = await live.call({ tool: tool.remoteName, input, signal, onProgress });
      restarts = 0;
      const result = readResult(raw, facts.limits);
      return result.isError && change !== null ? withNewSchema(result, change) : result;
    } catch (error) {
      if (isSessionLost(error) && mayRepeat) {
        await drop();
        return callOnce(call, { mayRepeat: false });
      }
      // Over HTTP nobody says that a server went; a failed request does.
      if (facts.plan.kind === 'address' && !run.signal.aborted && !isTimeout(error) && !isAnswer(error)) await drop();
      if (run.signal.aborted) return failed('Interrupted: the server was told to stop. Part of the work may be done.');
      return failed(`The call failed. ${live.explain(error)} ${aftermath(error)}`.trim());
    }
  }

  return {
    name: facts.name,
    server: facts.server,
    state() {
      if (ended.signal.aborted) return { kind: 'closed' };
      if (link?.isOpen()) return { kind: 'connected', tools, instructions: link.instructions };
      if (opening === null && failure !== null) return { kind: 'failed', ...failure };
      return { kind: 'connecting' };
    },
    async connect() {
      if (ended.signal.aborted) return;
      restarts = 0;
      if (!link?.isOpen()) {
        hasChanged = false;
        await open();
      } else if (hasChanged) {
        hasChanged = false;
        tools = await link.listAgain().catch(() => tools);
      }
    },
    call: (tool, input, run) => callOnce({ tool, input, run }, { mayRepeat: true }),
    async close() {
      ended.abort();
      await opening;
      await link?.close();
    },
  };
}

interface Called {
  readonly tool: ToolDefinition;
  readonly input: Readonly<Record<string, unknown>>;
  readonly run: ToolRun;
}

function withNewSchema(result: ToolResult, schema: ToolDefinition['inputSchema']): ToolResult {
  const note = `The server has changed what this tool takes. Its schema is now: ${JSON.stringify(schema)}`;
  const content =
    typeof result.content === 'string' ? [{ type: 'text' as const, text: result.content }] : result.content;
  return { ...result, content: [...content, { type: 'text', text: note }] };
}

/** An error of the protocol: the server is there, and refuses this call. */
function isAnswer(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'number';
}

function aftermath(error: unknown): string {
  return isAnswer(error) ? '' : 'Whether it took effect is not known: look before you call again.';
}

function onAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
