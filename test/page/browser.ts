/** A page of the real program in Debian's Chromium: the scene on disk, the server as a process, and the browser. */

import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { projectLayout } from '../../src/disk/home.ts';
import { findPlace } from '../../src/settings/place.ts';
import { renderProjectRecord } from '../../src/settings/project.ts';
import {
  makeAgents,
  makeDream,
  makeMemories,
  makeSession,
  OTHER_SESSION,
  SESSION,
} from '../support/inspector-scene.mjs';

const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const PROGRAM = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** Null where there is no browser; where one is needed, that fails. */
export function browserProgram(): string | null {
  const program = [process.env.CHROMIUM ?? '', ...PROGRAMS].find((path) => path !== '' && existsSync(path)) ?? null;
  if (program === null && process.env.REVERIE_NEEDS_BROWSER === '1')
    throw new Error('There is no Chromium to test the page in: apt-get install chromium');
  if (program === null)
    process.stderr.write('The page is not tested: there is no Chromium (apt-get install chromium).\n');
  return program;
}

export interface Scene {
  readonly root: string;
  readonly options: { readonly cwd: string; readonly home: string; readonly env: NodeJS.ProcessEnv };
  readonly memoryFolder: string;
  /** Of another project. */
  readonly otherFolder: string;
}

export function makeScene(root: string, sizes: { readonly memories: number; readonly requests: number }): Scene {
  const options = {
    cwd: join(root, 'shop'),
    home: join(root, '.reverie'),
    env: { HOME: root, PATH: process.env.PATH },
  };
  mkdirSync(options.cwd, { recursive: true });
  const { folders, home, slug } = findPlace(options);
  const memoryFolder = folders[0]!.path;
  const now = new Date();
  makeMemories(memoryFolder, sizes.memories, now);
  const shared = { projectFolder: join(home, 'projects', slug), ledgerFolder: join(home, 'ledger'), slug };
  const dayBefore = new Date(now.getTime() - 86_400_000);
  makeSession({ ...shared, session: OTHER_SESSION, requests: 40, now: dayBefore, title: 'Write the invoices export' });
  makeSession({ ...shared, session: SESSION, requests: sizes.requests, now, title: 'Fix how deploys are done' });
  makeAgents({ ...shared, session: OTHER_SESSION, now: dayBefore });
  const textOf = (file: string) => readFileSync(join(memoryFolder, file), 'utf8');
  const hashOf = (file: string) => createHash('sha256').update(textOf(file)).digest('hex');
  makeDream(memoryFolder, { files: ['feedback_deploys-0.md', 'project_migrations-1.md'], now, hashOf, textOf });
  return { root, options, memoryFolder, otherFolder: makeOtherProject({ root, home, now }) };
}

/** A second project, in which a dream proposed changes. */
function makeOtherProject({ root, home, now }: { root: string; home: string; now: Date }): string {
  const cwd = join(root, 'invoices');
  mkdirSync(cwd, { recursive: true });
  const place = findPlace({ cwd, home, env: { HOME: root } });
  const folder = place.folders[0]!.path;
  makeMemories(folder, 6, now);
  writeFileSync(
    projectLayout(home, place.slug).recordFile,
    renderProjectRecord({ root: place.projectRoot, rootCommit: null }),
  );
  const textOf = (file: string) => readFileSync(join(folder, file), 'utf8');
  const hashOf = (file: string) => createHash('sha256').update(textOf(file)).digest('hex');
  const files = ['feedback_deploys-0.md', 'project_migrations-1.md'];
  makeDream(folder, { id: 'other1', files, now, hashOf, textOf });
  return folder;
}

export interface Serving {
  readonly url: string;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

/** `reverie serve --json`, which prints where it listens. */
export async function serve({ options }: Pick<Scene, 'options'>, words: readonly string[] = []): Promise<Serving> {
  const place = ['--home', options.home, '--cwd', options.cwd];
  const child = spawn(process.execPath, [PROGRAM, 'serve', '--json', '--no-open', ...words, ...place], {
    env: { HOME: options.env.HOME, PATH: options.env.PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    let [printed, failed] = ['', ''];
    child.stderr.on('data', (chunk) => {
      failed += String(chunk);
    });
    child.stdout.on('data', (chunk) => {
      printed += String(chunk);
      if (printed.trimEnd().endsWith('}')) resolve((JSON.parse(printed) as { url: string }).url);
    });
    child.on('exit', () => reject(new Error(`It ended: ${failed}`)));
  });
  return {
    ...{ url, process: child },
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

export async function startBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Axe {
  run(): Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }>;
}

/** What axe finds wrong with the page as it is, in lines. */
export async function violations(page: Page): Promise<readonly string[]> {
  const isThere = await page.evaluate(() => 'axe' in globalThis);
  // The page's policy lets no other script in; what the debugger evaluates is none of the page's.
  if (!isThere) await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: Axe };
    const { violations: found } = await axe.run();
    const lineOf = (id: string, html: string, why: string) => `${id}: ${html.slice(0, 160)} ${why.slice(0, 200)}`;
    return found.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary = '' }) => lineOf(id, html, failureSummary)),
    );
  });
}
