/** Starts the inspector for a place, opens the browser where that is wanted, and waits until it ends. */

import { readFileSync } from 'node:fs';
import { packagePath } from '../base/package-files.ts';
import { findProgram, leaveProgram, userEnvironment } from '../disk/programs.ts';
import { INSPECTOR_LIMITS } from '../limits.ts';
import type { Memory } from '../memory/memory.ts';
import type { Place } from '../settings/place.ts';
import type { InspectorContext, TranscriptFile } from './context.ts';
import { restWhenQuiet } from './rest.ts';
import { restingMemory } from './resting-memory.ts';
import { startInspector } from './serve.ts';

export interface InspectOptions {
  readonly place: Place;
  /** Called again after a rest. */
  openMemory(): Promise<Memory>;
  readonly port: number;
  readonly isReadOnly: boolean;
  /** Runs until it is stopped, however long nobody uses it. */
  readonly isKept: boolean;
  /** Where the page begins: `#/window/<session>`. */
  readonly at: string;
  readonly files: readonly TranscriptFile[];
  readonly opensBrowser: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  onReady(facts: { readonly url: string; readonly isOpened: boolean }): void;
}

/** Settles with why it ended. */
export async function inspect(options: InspectOptions): Promise<'idle' | 'stopped'> {
  const { signal } = options;
  const idleMs = options.isKept ? null : INSPECTOR_LIMITS.idleMs;
  const resting = restingMemory(options.place, options.openMemory);
  const rest = restWhenQuiet(INSPECTOR_LIMITS.restMs, resting.rest);
  const context = contextOf({ ...options, memory: resting.memory });
  const inspector = await startInspector(context, { port: options.port, idleMs, onUse: rest.used });
  const stopped = new Promise<'stopped'>((resolve) => {
    if (signal.aborted) resolve('stopped');
    signal.addEventListener('abort', () => resolve('stopped'), { once: true });
  });
  try {
    const url = `${inspector.url}${options.at}`;
    options.onReady({ url, isOpened: options.opensBrowser && openBrowser(url, options.environment) });
    return await Promise.race([stopped, inspector.idle.then(() => 'idle' as const)]);
  } finally {
    rest.close();
    await inspector.close();
    await resting.rest();
  }
}

export function contextOf({
  place,
  memory,
  isReadOnly,
  files,
}: Pick<InspectorContext, 'place' | 'memory' | 'isReadOnly' | 'files'>): InspectorContext {
  const { version } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as { version: string };
  return { place, memory, isReadOnly, files, version, now: () => new Date() };
}

/** False where nothing can show a page. */
function openBrowser(url: string, environment: InspectOptions['environment']): boolean {
  const search = { cwd: process.cwd(), environment };
  const isShown = process.platform !== 'linux' || Boolean(environment.DISPLAY || environment.WAYLAND_DISPLAY);
  const program = isShown ? findProgram(process.platform === 'darwin' ? 'open' : 'xdg-open', search) : null;
  if (program === null) return false;
  leaveProgram(program, [url], { cwd: process.cwd(), environment: userEnvironment(search) });
  return true;
}
