/** The built binary as an MCP server in a temporary home: started, spoken to, and gone at the end of the test. */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Memory, openMemory } from '../../src/index.ts';
import { temporaryFolder } from './temporary-folder.ts';

export const BINARY = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface McpPlace {
  readonly cwd: string;
  readonly env: Record<string, string>;
  start(...parameters: string[]): Started;
  /** The same memory, as another process would open it. */
  openElsewhere(): Promise<Memory>;
  clear(): Promise<void>;
}

export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  stdout(): string;
  stderr(): string;
}

export function createMcpPlace(): McpPlace {
  const root = temporaryFolder('mcp');
  const cwd = join(root, 'project');
  for (const folder of ['user', 'project']) mkdirSync(join(root, folder));
  const env = {
    ...{ PATH: process.env.PATH ?? '', HOME: join(root, 'user'), REVERIE_HOME: join(root, 'home') },
    // A hook gives up in time for its host; on a busy machine that would be before it noted what was typed.
    REVERIE_HOOK_BUDGET_MS: '40000',
  };
  const started: Started[] = [];
  const opened: Memory[] = [];
  return {
    cwd,
    env,
    start(...parameters) {
      const each = startBinary(parameters, { cwd, env });
      started.push(each);
      return each;
    },
    async openElsewhere() {
      const memory = await openMemory({ cwd, home: env.REVERIE_HOME, env });
      opened.push(memory);
      return memory;
    },
    async clear() {
      for (const { child } of started) child.kill('SIGKILL');
      await Promise.all(started.map(({ ended }) => ended));
      for (const memory of opened) await memory.close();
    },
  };
}

function startBinary(parameters: readonly string[], place: { cwd: string; env: Record<string, string> }): Started {
  const child = spawn(process.execPath, [BINARY, ...parameters], { ...place, stdio: 'pipe' });
  const printed = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (printed.stderr += text));
  // A server that has gone does not read on; that is for the test to notice, not for the pipe.
  child.stdin.on('error', () => undefined);
  const ended = new Promise<Ended>((resolve) => child.on('close', (code, signal) => resolve({ code, signal })));
  return { child, ended, stdout: () => printed.stdout, stderr: () => printed.stderr };
}

/** Asks again until the answer is there; the bound is a guard against hanging, not a measure. */
export async function eventually<T>(ask: () => T | undefined | null | false): Promise<T> {
  const giveUpAt = Date.now() + 25_000;
  for (;;) {
    const answer = ask();
    if (answer) return answer;
    if (Date.now() > giveUpAt) throw new Error('It never happened.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
