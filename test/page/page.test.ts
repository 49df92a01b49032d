/** The inspector's page in a real browser, on a folder of 10,000 memories and a session of 5,000 requests. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OTHER_SESSION, REVIEWER, SESSION } from '../support/inspector-scene.mjs';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { browserProgram, makeScene, type Scene, type Serving, serve, startBrowser, violations } from './browser.ts';

const program = browserProgram();
const SIZES = { memories: 10_000, requests: 5_000 };
const PICTURES = process.env.REVERIE_PICTURES;
/** Pictures of the documentation: `npm run screenshots`. */
const SHOWN = process.env.REVERIE_SCREENSHOTS === '1' ? ['memory', 'map', 'window'] : [];
const DOCS = fileURLToPath(new URL('../../docs', import.meta.url));

/** What pictures show must not change with each run. */
function shownFolder(): string {
  const folder = join(tmpdir(), 'demo');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  return folder;
}

let scene: Scene;
let serving: Serving;
let browser: Browser;
let page: Page;
const outside: string[] = [];
const errors: string[] = [];

beforeAll(async () => {
  if (program === null) return;
  scene = makeScene(SHOWN.length > 0 ? shownFolder() : temporaryFolder('page'), SIZES);
  writeFileSync(
    join(scene.memoryFolder, 'aaa_hostile.md'),
    '---\nname: "AAA <img src=x onerror=window.wasRun=1>"\ndescription: hostile\ntype: feedback\n---\n<script>window.wasRun = 1</script>\n[a](javascript:window.wasRun=1) \u001b[31mred \u202eevil\n',
  );
  serving = await serve(scene);
  browser = await startBrowser(program);
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.on(
    'request',
    (request) => !request.url().startsWith(new URL(serving.url).origin) && outside.push(request.url()),
  );
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (line) => isFault(line.type(), line.text()) && errors.push(line.text()));
  await page.goto(serving.url);
  await page.waitForSelector('[role=option]');
  // The first ranking makes the index of ten thousand memories, which takes a busy machine long.
  await page.evaluate(() => fetch('/api/search?q=deploys').then((answer) => answer.text()));
}, 300_000);

afterAll(async () => {
  await browser?.close();
  await serving?.stop();
  if (SHOWN.length > 0) rmSync(scene.root, { recursive: true, force: true });
});

beforeEach(async () => {
  await page?.setViewportSize({ width: 1280, height: 800 });
  await page?.emulateMedia({ colorScheme: 'light' });
});

/** A memory that is forgotten while it is open is asked for once more, and answered with 404. */
const isFault = (type: string, text: string) => type === 'error' && !text.includes('status of 404');

async function show(hash: string, ready: string): Promise<void> {
  await page.evaluate((wanted) => {
    location.hash = wanted;
  }, hash);
  await page.waitForSelector(ready);
}

const toast = (text: string) => page.waitForSelector(`.toast :text("${text}")`);
const textOf = async (selector: string) => (await page.locator(selector).first().textContent()) ?? '';

describe.skipIf(program === null)('memories', () => {
  it('are searched, opened, edited and undone by keyboard alone', async () => {
    await show('#/memory', '[role=option]');
    await page.locator('main').focus();
    await page.keyboard.press('/');
    await page.keyboard.type('migrations 1');
    await page.waitForFunction(() =>
      /^[\d,]+ of 10,0/.test(document.querySelector('.head [role=status]')?.textContent ?? ''),
    );
    await page.waitForSelector('.reason');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#memory-name');
    await page.waitForFunction(() => document.activeElement?.id === 'memory-name');
    await page.keyboard.press('e');
    await page.waitForSelector('textarea');
    await page.keyboard.press('Control+End');
    await page.keyboard.type('Edited in the page.\n');
    await page.keyboard.press('Control+Enter');
    await page.waitForSelector('.diff ins');
    expect(await textOf('.diff ins')).toContain('Edited in the page.');
    await page.keyboard.press('Enter');
    await toast('Saved');
    await page.waitForFunction(() => document.querySelector('.text')?.textContent?.includes('Edited in the page.'));
    await page.locator('main').focus();
    await page.keyboard.press('u');
    await toast('Undone.');
    await page.waitForFunction(
      () => document.querySelector('.text')?.textContent?.includes('Edited in the page.') === false,
    );
  });

  it('are filtered, pinned, forgotten and brought back by mouse', async () => {
    await show('#/memory', '[role=option]');
    await page.getByLabel('Search memories').fill('');
    await page.getByLabel('Standing').selectOption('inferred');
    await page.getByLabel('Type').selectOption('project');
    await page.waitForFunction(() => /of 10,0/.test(document.querySelector('.head [role=status]')?.textContent ?? ''));
    await page.locator('[role=option]').nth(2).click();
    await page.getByRole('button', { name: 'Pin p' }).click();
    await toast('Pinned.');
    await page.getByRole('button', { name: 'Unpin p' }).waitFor();
    const name = await textOf('#memory-name');
    await page.getByRole('button', { name: 'Forget f' }).click();
    await toast('Forgot');
    await page.waitForFunction(
      (gone) => ![...document.querySelectorAll('.row strong')].some((each) => each.textContent === gone),
      name,
    );
    await page.getByRole('button', { name: 'Undo u' }).click();
    await toast('Undone.');
    await page.waitForFunction(
      (back) => [...document.querySelectorAll('.row strong')].some((each) => each.textContent === back),
      name,
    );
    await page.getByLabel('Standing').selectOption('');
    await page.getByLabel('Type').selectOption('');
  });

  it('appear as another process saves them', async () => {
    await show('#/memory', '[role=option]');
    await page.getByLabel('Search memories').fill('Saved elsewhere');
    writeFileSync(
      join(scene.memoryFolder, 'project_elsewhere.md'),
      '---\nname: Saved elsewhere\ndescription: by an editor\ntype: project\n---\nNew.\n',
    );
    await page.getByRole('option', { name: /Saved elsewhere/ }).waitFor();
    await page.getByLabel('Search memories').fill('');
  });

  it('are texts, whatever they hold', async () => {
    await show('#/memory/project/aaa_hostile.md', '.text');
    await page.waitForFunction(() => document.querySelector('.text')?.textContent?.includes('<script>'));
    expect(await textOf('.text')).toContain('⟨001b⟩[31mred ⟨202e⟩evil');
    expect(await textOf('#memory-name')).toContain('<img src=x');
    expect(await page.locator('.pane img, .pane script').count()).toBe(0);
    expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
    expect(await page.evaluate(() => 'wasRun' in window)).toBe(false);
  });
});

describe.skipIf(program === null)('the map of memories', () => {
  it('leads by keyboard to a group and to a memory of it', async () => {
    await show('#/memory', '[role=option]');
    await page.getByLabel('As', { exact: true }).selectOption('map');
    const map = page.getByRole('slider', { name: 'Groups of memories' });
    await map.waitFor();
    expect(await textOf('.head [role=status]')).toMatch(/^10,00\d memories in \d\d groups$/);
    await map.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    await page.waitForFunction(() =>
      /: [\d,]+ memories$/.test(document.querySelector('[role=slider]')?.getAttribute('aria-valuetext') ?? ''),
    );
    await page.getByRole('listbox', { name: /^Memories about/ }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#memory-name');
  });

  it('leads by mouse from its list of groups to one, searches in it, and tells what a dot is', async () => {
    await show('#/memory/map', '[role=option]');
    await page.getByRole('listbox', { name: 'Groups by meaning' }).getByRole('option').first().click();
    await page.getByRole('listbox', { name: /^Memories about/ }).waitFor();
    await page.getByLabel('Search on the map').fill('owned by mira');
    await page.waitForFunction(() =>
      /^[\d,]+ of 10,0/.test(document.querySelector('.head [role=status]')?.textContent ?? ''),
    );
    await page.getByLabel('Search on the map').fill('');
    const box = (await page.locator('.map').boundingBox())!;
    let [told, at] = ['', 0];
    while (told.trim() === '' && at < 60) {
      at += 1;
      await page.mouse.move(box.x + box.width / 2 + at * 3, box.y + box.height / 2);
      told = await textOf('.pointed');
    }
    expect(told).toMatch(/\d+$/);
  });
});

describe.skipIf(program === null)('the window', () => {
  it('tells of each request by keyboard', async () => {
    await show(`#/window/${SESSION}`, '[role=slider]');
    const slider = page.getByRole('slider', { name: 'Requests' });
    await slider.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() =>
      document.querySelector('[role=slider]')?.getAttribute('aria-valuetext')?.startsWith('Request 2 of 5000'),
    );
    await page.keyboard.press('End');
    await page.waitForFunction(() => document.querySelector('[role=slider]')?.getAttribute('aria-valuenow') === '5000');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.id === 'request');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.block .text');
  });

  it('is read by mouse: a column, its parts, the words of a part, and the table', async () => {
    await show(`#/window/${OTHER_SESSION}`, '[role=slider]');
    await page.waitForFunction(() => document.querySelector('.numbers dd')?.textContent === '40');
    const box = (await page.locator('.chart').boundingBox())!;
    await page.mouse.click(box.x + box.width / 2, box.y + 200);
    await page.waitForFunction(() =>
      document.querySelector('.request h2')?.textContent?.startsWith('Request 20 of 40'),
    );
    await page.getByRole('button', { name: 'answers' }).click();
    await page.waitForSelector('.block .text');
    await page.getByLabel('As', { exact: true }).selectOption('table');
    await page.getByRole('option', { name: /^3 / }).first().click();
    await page.waitForFunction(() => document.querySelector('.request h2')?.textContent?.startsWith('Request 3 of 40'));
    await page.getByLabel('As', { exact: true }).selectOption('policies');
    await page.waitForSelector('.area');
    await page.getByLabel('As', { exact: true }).selectOption('chart');
  });
});

describe.skipIf(program === null)('the other screens', () => {
  it('find a session by what was typed, and show its messages', async () => {
    await show('#/sessions', '[role=option]');
    await page.keyboard.press('/');
    await page.keyboard.type('how exports are done');
    await page.locator('.found a').first().click();
    await page.waitForSelector('.timeline [role=option]');
    await page.locator('.timeline [role=listbox]').focus();
    await page.keyboard.press('ArrowDown');
    await page.waitForSelector('.message .text');
    expect(await textOf('.message .text')).toContain('Please look at how');
    await page.getByLabel('Search what you typed').fill('');
  });

  it('say what joined a prompt, and what a question would bring up', async () => {
    await show(`#/recall/${OTHER_SESSION}`, '[role=option]');
    await page.locator('[role=listbox]').focus();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('region', { name: 'Memories that joined' }).waitFor();
    const nearest = page.getByRole('region', { name: 'The nearest at that time' });
    await nearest.getByRole('cell', { name: '0.71' }).waitFor();
    await page
      .getByRole('option', { name: /nothing was certain/ })
      .first()
      .click();
    await nearest.getByRole('cell', { name: '0.31' }).waitFor();
    await page.waitForSelector(':text("no memory was certain enough")');
    await page.getByRole('region', { name: 'Candidates' }).waitFor();
    await page.getByLabel('Question to rank memories by').fill('word');
    await page.waitForSelector(':text("too short to search for")');
  });

  it('approve a change of a dream by keyboard, undo it, and reject one by mouse', async () => {
    await show('#/dreams/mf3k9a', '.change');
    await page.locator('.change').first().focus();
    await page.keyboard.press('a');
    await toast('Approved 1 change.');
    const file = join(scene.memoryFolder, 'feedback_deploys-0.md');
    expect(readFileSync(file, 'utf8')).not.toContain('**Why:**');
    await page.waitForSelector('.change :text("approved")');
    await page.locator('main').focus();
    await page.keyboard.press('u');
    await toast('Undone.');
    await page.waitForSelector('.change :text("taken back")');
    expect(readFileSync(file, 'utf8')).toContain('**Why:**');
    await page.locator('.change').nth(1).getByRole('button', { name: 'Reject r' }).click();
    await toast('Rejected 1 change.');
  });

  it('decide what a dream left waiting in another project', async () => {
    await show('#/dreams', '[role=option]');
    await page.getByRole('option', { name: /other1/ }).waitFor();
    expect(await textOf('.head .dim')).toContain('some in 1 other project');
    // The list may still be sorted again after what was decided before, so each press goes by where the two rows are now.
    const list = page.getByRole('listbox', { name: 'Dreams' });
    const key = () =>
      list.evaluate((element) => {
        const options = [...element.querySelectorAll('[role=option]')];
        const chosen = options.findIndex((option) => option.ariaSelected === 'true');
        const wanted = options.findIndex((option) => option.textContent?.includes('other1'));
        if (chosen === wanted) return null;
        return chosen < wanted ? 'ArrowDown' : 'ArrowUp';
      });
    const place = () => page.evaluate(() => location.hash);
    for (let next = await key(); next !== null; next = await key()) {
      const before = await place();
      await list.press(next);
      // A key pressed while the list is redrawn is lost, so it is pressed again.
      await page.waitForFunction((hash) => location.hash !== hash, before, { timeout: 3_000 }).catch(() => null);
    }
    expect(await place()).toContain('other1');
    await page.locator('.change').first().focus();
    await page.keyboard.press('a');
    await toast('Approved 1 change.');
    const file = join(scene.otherFolder, 'feedback_deploys-0.md');
    expect(readFileSync(file, 'utf8')).not.toContain('**Why:**');
    await page.locator('.change').first().getByRole('button', { name: 'Undo' }).click();
    await toast('Undid what the dream landed.');
    expect(readFileSync(file, 'utf8')).toContain('**Why:**');
  });

  it('show the numbers of reverie stats', async () => {
    const { options } = scene;
    const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
    const words = ['stats', '--json', '--days', '30', '--home', options.home, '--cwd', options.cwd];
    const printed = execFileSync(process.execPath, [main, ...words], { env: options.env, encoding: 'utf8' });
    const stats = JSON.parse(printed) as {
      rounds: number;
      byPurpose: { money: number }[];
      byAgent: { name: string; calls: number }[];
    };
    await show('#/ledger', '.numbers');
    const shown = await page.locator('.numbers dd').allTextContents();
    const cost = stats.byPurpose.reduce((sum, { money }) => sum + money, 0);
    expect(shown[0]).toBe(`$${cost.toFixed(2)}`);
    expect(shown[2]).toBe(stats.rounds.toLocaleString('en-US'));
    const byAgent = page.getByRole('region', { name: 'By agent' }).getByRole('row');
    const agents = await byAgent.evaluateAll((rows) =>
      rows.slice(1).map((row) => [...row.children].slice(0, 2).map((cell) => cell.textContent)),
    );
    const told = stats.byAgent.map(({ name, calls }) => [name, calls.toLocaleString('en-US')]);
    expect(agents.toSorted()).toEqual(told.toSorted());
    expect(told.map(([name]) => name).toSorted()).toEqual(['main', 'reader', 'reviewer']);
    await page.getByLabel('Period').selectOption('7');
    await page.waitForSelector('.numbers');
  });
});

const SCREENS: readonly (readonly [string, string, string])[] = [
  ['memory', '#/memory/project/feedback_deploys-0.md', '#memory-name'],
  ['map', '#/memory/map', '[role=option]'],
  ['window', `#/window/${SESSION}/4000`, '[role=slider]'],
  ['sessions', `#/sessions/${OTHER_SESSION}/m-6`, '.message .text'],
  ['recall', `#/recall/${OTHER_SESSION}`, '[role=option]'],
  ['dreams', '#/dreams/mf3k9a', '.change'],
  ['ledger', '#/ledger', '.numbers'],
  ['agents', `#/agents/${OTHER_SESSION}/${REVIEWER}`, '.facts'],
];

describe.skipIf(program === null)('every screen', () => {
  for (const [name, hash, ready] of SCREENS) {
    it(`${name} has no violation in both themes and at both widths, and never scrolls sideways`, async () => {
      await show(hash, ready);
      for (const colorScheme of ['light', 'dark'] as const) {
        for (const width of [1_280, 390]) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height: 800 });
          await page.locator('main').evaluate((main) => main.scrollTo(0, 0));
          await page.waitForTimeout(120);
          if (PICTURES !== undefined) {
            mkdirSync(PICTURES, { recursive: true });
            await page.screenshot({ path: join(PICTURES, `${name}-${colorScheme}-${width}.png`) });
          }
          if (SHOWN.includes(name) && colorScheme === 'light' && width > 390)
            await page.screenshot({ path: join(DOCS, `inspector-${name}.png`) });
          expect(await violations(page)).toEqual([]);
          expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
        }
      }
    });
  }

  it('made no request to anywhere else, and no error', () => {
    expect(outside).toEqual([]);
    expect(errors).toEqual([]);
  });
});

describe.skipIf(program === null)('an exported page', () => {
  it('is one file that shows the same without a server', async () => {
    const small = makeScene(temporaryFolder('page-export'), { memories: 30, requests: 20 });
    const file = join(small.root, 'page.html');
    const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
    const { home, cwd } = small.options;
    const printed = execFileSync(process.execPath, [main, 'serve', '--export', file, '--home', home, '--cwd', cwd], {
      env: small.options.env,
      encoding: 'utf8',
    });
    expect(printed).toContain('30 memories, 2 sessions');
    const other = await (await browser.newContext()).newPage();
    const asked: string[] = [];
    other.on('request', (request) => asked.push(request.url()));
    await other.goto(`file://${file}`);
    await other.locator('[role=option]').first().click();
    await other.waitForSelector('#memory-name');
    expect(await other.getByRole('button', { name: 'Forget f' }).count()).toBe(0);
    await other.getByRole('link', { name: 'Window' }).click();
    await other.waitForSelector('[role=slider]');
    await other.getByRole('link', { name: 'Ledger' }).click();
    await other.waitForSelector('.numbers');
    expect(asked).toEqual([`file://${file}`]);
    await other.close();
  });
});
