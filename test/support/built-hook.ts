/** The built hook without a process around it: the same file, with streams and an exit of its own. A start takes longer than its work. */

import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { HookWork } from '../../src/hooks/process.ts';
import { runHookProcess } from '../../src/hooks/process.ts';
import { compileWithCache } from '../../src/hooks/program.ts';

const FILE = fileURLToPath(new URL('../../dist/chunks/hook-work.cjs', import.meta.url));
/** A hook counts from the start of its process, which is that of all tests here. */
const NO_BUDGET_MS = String(2 ** 31 - 1);

let compiled: HookWork | null = null;

export interface HookRan {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** `words` as behind `reverie`, the first one being `hook`. */
export function runBuiltHook(
  words: readonly string[],
  given: { readonly input: string; readonly environment: NodeJS.ProcessEnv },
): Promise<HookRan> {
  const printed = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof printed) => ({
    writableLength: 0,
    on: () => undefined,
    write(text: string, written = () => {}) {
      printed[name] += text;
      written();
    },
  });
  return new Promise((resolve, reject) => {
    const target = {
      argv: [process.execPath, 'main.js', ...words],
      env: { ...given.environment, REVERIE_HOOK_BUDGET_MS: NO_BUDGET_MS },
      stdin: Readable.from([Buffer.from(given.input)]),
      stdout: stream('stdout'),
      stderr: stream('stderr'),
      on: () => undefined,
      exit: (code: number) => resolve({ code, ...printed }),
    };
    const loadWork = () => {
      compiled ??= compileWithCache<typeof import('../../src/hooks/work.ts')>(FILE, null);
      return compiled;
    };
    runHookProcess(target as unknown as NodeJS.Process, loadWork).catch(reject);
  });
}
