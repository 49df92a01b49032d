/** A repository that nobody trusts, with traps around it: whatever it brings about leaves a trace that a test can see. */

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

/** What must never reach a model, a listener or a screen. */
export const SECRET = 'planted-secret';

export interface HostileWorld {
  readonly repository: string;
  readonly userHome: string;
  readonly home: string;
  /** A folder of the user's that has nothing to do with the repository. */
  readonly outside: string;
  /** A server of the attacker's. */
  readonly listener: string;
  readonly environment: NodeJS.ProcessEnv;
  /** A shell command that leaves a trace when it runs. */
  trap(name: string): string;
  put(path: string, text: string): void;
  putProgram(path: string, text: string): void;
  link(path: string, target: string): void;
  /** Opening it waits for ever. */
  pipe(path: string): void;
  /** `.reverie/settings.json`. */
  settings(values: Readonly<Record<string, unknown>>): void;
  /** Everything in the work tree becomes part of the repository. */
  commit(): void;
  git(...words: string[]): string;
  /** What the repository brought about: traps that went off, requests to the listener, files of the user's that changed. */
  traces(): readonly string[];
  forgetTraces(): void;
  remove(): Promise<void>;
}

export async function createHostileWorld(): Promise<HostileWorld> {
  const root = temporaryFolder('hostile');
  const at = (name: string) => join(root, name);
  for (const name of ['repository', 'user/.ssh', 'outside', 'traps']) mkdirSync(at(name), { recursive: true });
  const planted = {
    'user/.ssh/id_rsa': `${SECRET} key`,
    'user/.ssh/authorized_keys': 'the user’s own',
    'user/notes.txt': `${SECRET} notes`,
    'outside/diary.txt': `${SECRET} outside`,
  };
  for (const [path, text] of Object.entries(planted)) writeFileSync(at(path), text);
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const { 'x-api-key': key, authorization } = request.headers;
    requests.push(`request: ${request.method} ${request.url} ${key ?? authorization ?? ''}`);
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const environment = { HOME: at('user'), PATH: process.env.PATH, TMPDIR: at('user') };
  const before = new Map<string, string>();

  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=E', '-c', 'user.email=e@example.org', ...words], {
      cwd: at('repository'),
      encoding: 'utf8',
      env: { HOME: at('user'), PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const inRepository = (path: string) => {
    const file = join(at('repository'), path);
    mkdirSync(dirname(file), { recursive: true });
    return file;
  };
  const put = (path: string, text: string) => writeFileSync(inRepository(path), text);

  function remember(): void {
    before.clear();
    for (const folder of ['user', 'outside']) for (const file of filesIn(at(folder))) before.set(file, contentOf(file));
  }

  git('init', '-q', '--template=', '-b', 'main');
  remember();
  return {
    repository: at('repository'),
    userHome: at('user'),
    home: at('user/.reverie'),
    outside: at('outside'),
    listener: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    environment,
    trap: (name) => `touch ${at('traps')}/${name}`,
    put,
    putProgram(path, text) {
      put(path, text);
      chmodSync(inRepository(path), 0o755);
    },
    link: (path, target) => symlinkSync(target, inRepository(path)),
    pipe: (path) => void execFileSync('mkfifo', [inRepository(path)]),
    settings: (values) => put('.reverie/settings.json', JSON.stringify(values)),
    commit() {
      git('add', '--all', '--force');
      git('commit', '--quiet', '--allow-empty', '--message', 'everything');
    },
    git,
    traces() {
      const now = ['user', 'outside'].flatMap((folder) => filesIn(at(folder)));
      return [
        ...readdirSync(at('traps')).map((name) => `trap: ${name}`),
        ...requests,
        ...now.filter((file) => before.get(file) !== contentOf(file)).map((file) => `written: ${file}`),
        ...[...before.keys()].filter((file) => !now.includes(file)).map((file) => `gone: ${file}`),
      ];
    },
    forgetTraces() {
      for (const name of readdirSync(at('traps'))) rmSync(join(at('traps'), name));
      requests.length = 0;
      remember();
    },
    async remove() {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
}

/** Reverie's own home and its temporary files are its to write. */
function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === '.reverie' || entry.name.startsWith('reverie-') || entry.name.startsWith('node-compile'))
      return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}

function contentOf(file: string): string {
  return readFileSync(file, 'utf8');
}
