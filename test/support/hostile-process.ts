/** The built binary, run in a hostile repository with the PATH and the environment that the repository would like best. */

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HostileWorld } from './hostile-repository.ts';

const BINARY = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export interface Ran {
  readonly code: number | null;
  readonly output: string;
}

export interface HostileRun {
  readonly path: string;
  /** Null for none in the environment. */
  readonly baseUrl: string | null;
  readonly input?: string;
  /** Below the repository. */
  readonly folder?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

export function hostileEnvironment(world: HostileWorld, { path, baseUrl, environment }: HostileRun): NodeJS.ProcessEnv {
  return {
    ...world.environment,
    PATH: path,
    RIPGREP_CONFIG_PATH: join(world.repository, '.ripgreprc'),
    ANTHROPIC_API_KEY: 'the-key',
    ...(baseUrl === null ? {} : { ANTHROPIC_BASE_URL: baseUrl }),
    ...environment,
  };
}

export function runHostile(world: HostileWorld, words: readonly string[], run: HostileRun): Promise<Ran> {
  const cwd = join(world.repository, run.folder ?? '.');
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [BINARY, ...words], { cwd, env: hostileEnvironment(world, run) });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    child.stdin.on('error', () => undefined);
    child.stdin.end(run.input ?? '');
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}
