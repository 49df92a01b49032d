/** A project, a home folder and canaries around them, for tests that run scripts in a real sandbox. */

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import type { Sandbox, SandboxPolicy } from '../../src/agent/sandbox/sandbox.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface SandboxPlace {
  readonly base: string;
  readonly project: string;
  readonly home: string;
  readonly outside: string;
  /** In files outside, in the environment, and in files that are denied. */
  readonly secret: string;
  readonly policy: SandboxPolicy;
}

/** Whom scripts run as: of the user `nobody` every Linux has one. */
export interface RunAs {
  readonly uid: number;
  readonly gid: number;
}
export const NOBODY: RunAs = { uid: 65_534, gid: 65_534 };

/** The folders belong to whoever runs the scripts, so that nothing but the sandbox keeps them from being changed. */
export function makeSandboxPlace(owner?: RunAs): SandboxPlace {
  const base = temporaryFolder('sandbox');
  const secret = `canary-${createHash('sha256').update(base).digest('hex').slice(0, 24)}`;
  const place = { base, secret, project: join(base, 'home/work/project'), home: join(base, 'home') };
  const outside = join(base, 'outside');
  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  write(join(place.project, 'src/main.ts'), 'export const answer = 42;\n');
  write(join(place.project, 'README.md'), '# A project\n');
  write(join(place.project, '.env'), `KEY=${secret}\n`);
  write(join(place.project, 'private/deep/key.txt'), `${secret}\n`);
  write(join(place.home, '.ssh/id_rsa'), `${secret}\n`);
  write(join(place.home, '.bashrc'), `echo ${secret}; touch ${outside}/bashrc-ran\n`);
  write(join(outside, 'secret.txt'), `${secret}\n`);
  write(join(outside, 'folder/other.txt'), `${secret}\n`);
  if (owner !== undefined) giveTo(base, owner);
  const policy: SandboxPolicy = {
    cwd: place.project,
    readable: [place.project],
    writable: [],
    protected: [],
    denied: [join(place.project, '.env'), join(place.project, 'private')],
    environment: {
      ...process.env,
      HOME: place.home,
      // What is on the PATH of whoever runs the tests may be closed to another user.
      ...(owner === undefined ? {} : { PATH: '/usr/local/bin:/usr/bin:/bin' }),
      ANTHROPIC_API_KEY: secret,
      LC_CANARY: secret,
      TERM: 'dumb',
      BASH_ENV: join(place.home, '.bashrc'),
      'BASH_FUNC_ls%%': `() { echo ${secret}; }`,
      LD_PRELOAD: join(outside, 'secret.txt'),
      NODE_OPTIONS: `--title=${secret}`,
      PYTHONPATH: outside,
      GIT_DIR: outside,
    },
  };
  return { ...place, outside, policy };
}

function giveTo(path: string, owner: RunAs): void {
  chownSync(path, owner.uid, owner.gid);
  const stats = lstatSync(path);
  chmodSync(path, stats.mode | 0o700);
  if (stats.isDirectory()) for (const name of readdirSync(path)) giveTo(join(path, name), owner);
}

/** All that is below a folder, as one hash. */
export function hashOfTree(folder: string): string {
  const hash = createHash('sha256');
  const add = (path: string) => {
    const stats = lstatSync(path);
    hash.update(`${path}\0${stats.mode}\0${stats.uid}\0${stats.nlink}\0`);
    if (stats.isSymbolicLink()) hash.update(readlinkSync(path));
    else if (stats.isFile()) hash.update(readFileSync(path));
    else if (stats.isDirectory()) for (const name of readdirSync(path).sort()) add(join(path, name));
  };
  add(folder);
  return hash.digest('hex');
}

export interface SandboxRun {
  readonly code: number | null;
  readonly output: string;
  readonly timedOut: boolean;
}

/** Most of what a test looks at; a script that writes for ever is not kept whole. */
const KEPT_CHARACTERS = 16_000_000;

/** Starts a script in the sandbox, as another user where one is given, and gives what it wrote. */
export function runSandboxed(
  script: string,
  given: {
    readonly sandbox: Sandbox;
    readonly policy: SandboxPolicy;
    readonly timeoutMs?: number;
    readonly as?: RunAs | undefined;
    readonly input?: string;
  },
): Promise<SandboxRun> {
  const start = given.sandbox.start(script, given.policy);
  return new Promise<SandboxRun>((resolve, reject) => {
    const child = spawn(start.program, [...start.args], {
      cwd: '/',
      env: start.environment,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
      ...(given.as === undefined ? {} : given.as),
    });
    let output = '';
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      process.kill(-child.pid!, 'SIGKILL');
    }, given.timeoutMs ?? 20_000);
    const keep = (bytes: Buffer) => {
      if (output.length < KEPT_CHARACTERS) output += bytes.toString('latin1');
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.stdin.on('error', () => {});
    child.stdin.end(given.input ?? '');
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, output, timedOut });
    });
  }).finally(() => start.ended());
}

/** A port on the loopback that counts who comes. */
export async function listenForVisitors(): Promise<{ port: number; visitors(): number; close(): void }> {
  let visitors = 0;
  const server: Server = createServer((socket) => {
    visitors += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { port, visitors: () => visitors, close: () => server.close() };
}
