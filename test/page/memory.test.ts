/** What is done with memories in the page: shared with the team, taken back by conversation, and edited by three at once, seen in two tabs. */

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openMemory } from '../../src/session/open-memory.ts';
import { SESSION } from '../support/inspector-scene.mjs';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { browserProgram, makeScene, type Scene, type Serving, serve, startBrowser } from './browser.ts';

const program = browserProgram();
const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
/** Of type feedback and said, and of type user. */
const RULE = 'feedback_deploys-0.md';
const OWN = 'user_about-me.md';

let scene: Scene;
let serving: Serving;
let browser: Browser;
let page: Page;
let other: Page;

beforeAll(async () => {
  if (program === null) return;
  const root = temporaryFolder('page-memory');
  execFileSync('git', ['init', '-q', join(root, 'shop')]);
  scene = makeScene(root, { memories: 120, requests: 12 });
  const { cwd, home, env } = scene.options;
  writeFileSync(
    join(scene.memoryFolder, OWN),
    '---\nname: About me\ndescription: I am left-handed\ntype: user\nsource: said\n---\nI am left-handed.\n',
  );
  execFileSync(process.execPath, [MAIN, 'team', 'init', '--yes', '--home', home, '--cwd', cwd], { env });
  serving = await serve(scene);
  browser = await startBrowser(program);
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  [page, other] = [await context.newPage(), await context.newPage()];
  for (const each of [page, other]) each.setDefaultTimeout(20_000);
  await page.goto(serving.url);
  await page.waitForSelector('[role=option]');
  await other.goto(new URL('/', serving.url).href);
  await other.waitForSelector('[role=option]');
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await serving?.stop();
});

async function open(tab: Page, hash: string, ready: string): Promise<void> {
  await tab.evaluate((wanted) => {
    location.hash = wanted;
  }, hash);
  await tab.waitForSelector(ready);
}

const shared = () =>
  readdirSync(join(scene.options.cwd, '.reverie', 'team-memory')).filter((name) => name.endsWith('.md'));

describe.skipIf(program === null)('sharing', () => {
  it('puts a memory into the repository by mouse, and takes it out by keyboard', async () => {
    await open(page, `#/memory/project/${RULE}`, '#memory-name');
    await page.getByRole('button', { name: 'Share with the team' }).click();
    await page.waitForSelector('.toast :text("Shared as .reverie/team-memory/feedback_")');
    expect(shared().some((name) => name.startsWith('feedback_'))).toBe(true);
    await page.getByRole('button', { name: 'Unshare' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('.toast :text("does not see it any more")');
    expect(existsSync(join(scene.options.cwd, '.reverie', 'team-memory', 'removed'))).toBe(true);
  });

  it('is refused for what is about the user, in the words of the command', async () => {
    await open(page, `#/memory/project/${OWN}`, '#memory-name');
    await page.getByRole('button', { name: 'Share with the team' }).click();
    await page.waitForSelector('.problem :text("stays private: it is about you")');
    await page.getByRole('button', { name: 'Close', exact: true }).click();
  });
});

describe.skipIf(program === null)('one conversation', () => {
  it('is taken back whole with all it taught, and given back', async () => {
    await open(page, `#/memory/from/${SESSION}`, '[role=option]');
    await page.waitForSelector(':text("3 memories were learnt in one conversation.")');
    await page.getByRole('button', { name: 'take them back…' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Forget all 3' }).click();
    await page.waitForSelector('.toast :text("Took back 3 memories.")');
    expect(existsSync(join(scene.memoryFolder, RULE))).toBe(false);
    await page.locator('main').focus();
    await page.keyboard.press('u');
    await page.waitForSelector('.toast :text("Undone.")');
    expect(existsSync(join(scene.memoryFolder, RULE))).toBe(true);
  });
});

describe.skipIf(program === null)('an edit in the page, in an editor and by an agent at once', () => {
  it('loses nothing, says what happened, and two tabs agree on the end', async () => {
    const file = 'project_migrations-1.md';
    const path = join(scene.memoryFolder, file);
    await open(page, `#/memory/project/${file}`, '#memory-name');
    await open(other, `#/memory/project/${file}`, '#memory-name');
    await page.bringToFront();
    await page.locator('main').focus();
    await page.keyboard.press('e');
    await page.waitForSelector('textarea');
    await page.keyboard.press('Control+End');
    await page.keyboard.type('By the page.\n');
    writeFileSync(path, `${readFileSync(path, 'utf8')}By an editor.\n`);
    const { cwd, home, env } = scene.options;
    const memory = await openMemory({ cwd, home, env: { HOME: env.HOME } });
    await memory.update(file, { description: 'Changed by an agent' }, { who: 'agent' });
    await memory.close();
    await page.waitForSelector(':text("The file was changed while you edit.")');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForSelector('.problem :text("was changed while you edited it")');
    expect(await page.locator('.diff').textContent()).toContain('By an editor.');
    expect(readFileSync(path, 'utf8')).toContain('By an editor.');
    await page.getByRole('button', { name: 'Save mine over it' }).click();
    await page.waitForSelector('.toast :text("Saved")');
    for (const tab of [page, other]) {
      await tab.waitForFunction(() => document.querySelector('.text')?.textContent?.includes('By the page.'));
      await tab.waitForFunction(() => document.querySelectorAll('article .plain > li').length >= 4);
    }
    const texts = async (tab: Page) => [
      await tab.locator('.text').first().textContent(),
      await tab.locator('article .plain > li strong').allTextContents(),
    ];
    expect(await texts(page)).toEqual(await texts(other));
    await page.locator('main').focus();
    await page.keyboard.press('u');
    await other.waitForFunction(() => document.querySelector('.text')?.textContent?.includes('By an editor.'));
    expect(readFileSync(path, 'utf8')).toContain('By an editor.');
  });
});
