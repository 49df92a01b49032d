/** The ways to the page: the command itself, `/inspect` in the chat, and `replay --open`. */

import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Action } from '../../src/cli/chat/action.ts';
import type { SlashPorts } from '../../src/cli/chat/slash/ports.ts';
import { runSlash } from '../../src/cli/chat/slash/run.ts';
import { projectLayout } from '../../src/disk/home.ts';
import { findPlace } from '../../src/settings/place.ts';
import { openBrowser } from '../support/inspector-client.ts';
import { OTHER_SESSION } from '../support/inspector-scene.mjs';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { makeScene, type Scene, serve } from './browser.ts';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const LINK = /http:\/\/127\.0\.0\.1:\d+\/\?ticket=[\w-]+/;

let scene: Scene;

beforeAll(() => {
  scene = makeScene(temporaryFolder('page-commands'), { memories: 20, requests: 30 });
});

describe('reverie serve', () => {
  it('prints where it listens, and ends when it is told to', async () => {
    const serving = await serve(scene, [OTHER_SESSION.slice(0, 8)]);
    expect(serving.url).toMatch(LINK);
    expect(serving.url).toContain(`#/window/${OTHER_SESSION}`);
    const { memories } = await (await openBrowser(serving.url)).get<{ memories: object[] }>('/api/memories');
    expect(memories).toHaveLength(20);
    await serving.stop();
  });

  it('is refused to an agent, which could decide in the place of the user', () => {
    const words = ['serve', '--no-open', '--home', scene.options.home, '--cwd', scene.options.cwd];
    const env = { ...scene.options.env, CLAUDECODE: '1' };
    const { status, stderr } = spawnSync(process.execPath, [MAIN, ...words], {
      env,
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect(status).not.toBe(0);
    expect(stderr).toContain('person');
  });
});

describe('/inspect', () => {
  it('starts the page beside the chat, tells the link, and ends with the chat', async () => {
    const told: string[] = [];
    const ending: (() => void)[] = [];
    const { home, cwd, env } = scene.options;
    const ports = {
      agent: { transcriptFile: null, entries: () => [], cwd, sessionId: OTHER_SESSION },
      place: { home, cwd, bare: false },
      environment: env,
      terminal: { atEnd: (end: () => void) => ending.push(end) },
      dispatch: (action: Action) => told.push(JSON.stringify(action)),
    } as unknown as SlashPorts;
    await runSlash({ name: 'inspect', argument: '' }, ports);
    const [url] = LINK.exec(told.join('\n')) ?? [''];
    const browser = await openBrowser(url);
    expect(await browser.get<{ isReadOnly: boolean }>('/api/start')).toMatchObject({ isReadOnly: false, project: cwd });
    for (const end of ending) end();
    await expect.poll(() => browser.get('/api/start').catch(() => 'ended')).toBe('ended');
  });
});

describe('reverie replay --open', () => {
  /** Its link, and the process that was started; a terminal sends Ctrl-C to all that run in it. */
  async function replayOpen() {
    const { home, slug } = findPlace(scene.options);
    const file = join(projectLayout(home, slug).folder, `${OTHER_SESSION}.jsonl`);
    const words = [MAIN, 'replay', file, '--open', '--home', home, '--cwd', scene.options.cwd];
    const child = spawn(process.execPath, words, {
      env: scene.options.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const ended = new Promise((resolve) => child.on('exit', resolve));
    const url = await new Promise<string>((resolve, reject) => {
      let printed = '';
      child.stdout.on('data', (chunk) => {
        printed += String(chunk);
        const [found] = LINK.exec(printed) ?? [];
        if (found !== undefined) resolve(found);
      });
      child.on('exit', () => reject(new Error(printed)));
    });
    return { child, ended, browser: await openBrowser(url) };
  }

  it('shows the transcript it has replayed, read-only', async () => {
    const { child, ended, browser } = await replayOpen();
    const { requests } = await browser.get<{ requests: object[] }>('/api/session?id=file-1');
    expect(requests).toHaveLength(40);
    expect((await browser.post('undo', { change: 'any' })).text).toContain('read-only');
    process.kill(-child.pid!, 'SIGINT');
    await ended;
    await expect.poll(() => browser.get('/api/start').catch(() => 'ended')).toBe('ended');
  });

  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGKILL'] as const) {
    it(`leaves no page behind when it is ended with ${signal}`, async () => {
      const { child, ended, browser } = await replayOpen();
      child.kill(signal);
      await ended;
      await expect.poll(() => browser.get('/api/start').catch(() => 'ended'), { timeout: 10_000 }).toBe('ended');
    });
  }
});
