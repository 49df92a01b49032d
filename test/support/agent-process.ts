/** The built binary as an agent: a home, a project and a pretended Messages API of its own. */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommandHere } from './command-here.ts';
import { temporaryFolder } from './temporary-folder.ts';

const BINARY = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves once standard output or standard error holds this. */
  until(text: string): Promise<void>;
}

export interface StartOptions {
  readonly input?: string;
  /** Keeps standard input open, as a program that forgets to close it does. */
  readonly leaveInputOpen?: boolean;
  readonly environment?: NodeJS.ProcessEnv;
}

export interface AgentHome {
  readonly project: string;
  readonly home: string;
  start(parameters: readonly string[], options?: StartOptions): Running;
  run(parameters: readonly string[], options?: StartOptions): Promise<Ended>;
  /** The same command without a process, where the process is not what is tested: a start takes longer than its work. */
  here(parameters: readonly string[], options?: Pick<StartOptions, 'input' | 'environment'>): Promise<Ended>;
  /** Before the end of the test file, when it is removed anyway. */
  remove(): void;
}

export function createAgentHome(serverUrl: string | null): AgentHome {
  const root = temporaryFolder('agent');
  const [user, temporary, project] = ['user', 'tmp', 'project'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [user, temporary, project]) mkdirSync(folder);
  const served = serverUrl === null ? {} : { ANTHROPIC_BASE_URL: serverUrl, ANTHROPIC_API_KEY: 'test-key' };
  const shared = { PATH: process.env.PATH, HOME: user, TMPDIR: temporary, ...served };

  function start(parameters: readonly string[], options: StartOptions = {}): Running {
    const hasInput = options.input !== undefined || options.leaveInputOpen === true;
    const child = spawn(process.execPath, [BINARY, ...parameters], {
      cwd: project,
      env: { ...shared, ...options.environment },
      stdio: [hasInput ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    });
    // A process that ends before it has read everything is what some tests are about.
    child.stdin?.on('error', () => {});
    if (options.input !== undefined) child.stdin?.end(options.input);
    const printed = { stdout: '', stderr: '' };
    const waiting: (() => void)[] = [];
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]!.setEncoding('utf8').on('data', (text) => {
        printed[name] += text;
        for (const check of waiting) check();
      });
    }
    const ended = new Promise<Ended>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, ...printed }));
    });
    const until = (text: string) =>
      new Promise<void>((resolve, reject) => {
        const check = () => (printed.stdout + printed.stderr).includes(text) && resolve();
        waiting.push(check);
        check();
        void ended.then(() => reject(new Error(`ended without ${text}: ${printed.stdout}${printed.stderr}`)));
      });
    return { child, ended, until };
  }

  return {
    project,
    home: join(user, '.reverie'),
    start,
    run: (parameters, options) => start(parameters, options).ended,
    here: (parameters, { input, environment } = {}) =>
      runCommandHere(parameters, {
        cwd: project,
        environment: { ...shared, ...environment },
        ...(input === undefined ? {} : { input }),
      }),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
