/** The screen of agents in a real browser, on a session of this process that talks to a scripted model: the page is another process. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTaskList } from '../../src/mailbox/tasks/task-list.ts';
import { joinTeam } from '../../src/mailbox/team-members.ts';
import type { SteerableAgent } from '../../src/session/steering.ts';
import { agentCall, agentsStory, calls, isOf, say, text, tool, wholeOf } from '../support/agents-story.ts';
import { browserProgram, type Serving, serve, startBrowser, violations } from './browser.ts';

const program = browserProgram();
const story = agentsStory();
let serving: Serving;
let browser: Browser;
let page: Page;
let agent: SteerableAgent;

beforeAll(async () => {
  if (program === null) return;
  story.begin();
  const root = story.root();
  const options = { cwd: `${root}/project`, home: `${root}/home`, env: { HOME: root, PATH: process.env.PATH } };
  await story.serve((request) => {
    if (isOf(request, 'TASK-FAST'))
      return wholeOf(request).includes('toolu_s')
        ? text('The tests pass.')
        : tool('SendMessage', { to: 'main', message: 'I begin with the tests.', summary: 'where I begin' }, 'toolu_s');
    if (isOf(request, 'TASK-SLOW')) return { hang: true };
    if (wholeOf(request).includes('"Agent"')) return text('They work.');
    return calls(
      agentCall(
        { prompt: 'TASK-FAST', name: 'tester', run_in_background: true, description: 'run the tests' },
        'toolu_1',
      ),
      agentCall({ prompt: 'TASK-SLOW a', name: 'slow-one', run_in_background: true }, 'toolu_2'),
      agentCall({ prompt: 'TASK-SLOW b', name: 'slow-two', run_in_background: true }, 'toolu_3'),
    );
  });
  agent = await story.open();
  await say(agent, 'PARENT: go.');
  await joinTeam({ home: options.home, team: 'release' }, 'ann');
  const tasks = openTaskList({ home: options.home, team: 'release', name: 'ann' });
  await tasks.create({ subject: 'Write the changelog' });
  await tasks.claim('1');
  tasks.close();
  serving = await serve({ options });
  browser = await startBrowser(program);
  page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  page.setDefaultTimeout(20_000);
  await page.goto(serving.url);
  await page.waitForSelector('nav');
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await serving?.stop();
  if (program !== null) await story.end();
});

const stateOf = (name: string) => agent.agents().find((each) => each.name === name)?.state;

describe.skipIf(program === null)('agents of a session in another process', () => {
  it('are shown with what they said and the tasks of a team, and one is stopped by keyboard', async () => {
    await page.locator('main').focus();
    await page.keyboard.press('7');
    await page.getByRole('option', { name: /slow-one/ }).waitFor();
    expect(await page.locator('.head [role=status]').textContent()).toContain('2 running');
    const said = page.getByRole('list', { name: 'What was said' });
    await said.getByText('I begin with the tests.').waitFor();
    await said.getByText('The tests pass.').first().waitFor();
    await page.getByRole('region', { name: 'Tasks of release' }).getByText('Write the changelog').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.locator('[role=listbox]').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.locator('article h2', { hasText: 'slow-one' }).waitFor();
    await page.keyboard.press('s');
    await page.waitForSelector('.toast :text("slow-one is told to stop.")');
    await expect.poll(() => stateOf('slow-one'), { timeout: 10_000 }).toBe('stopped');
    await page.locator('.fact', { hasText: 'State' }).getByText('stopped').waitFor();
    expect(stateOf('slow-two')).toBe('running');
  });

  it('are stopped by mouse, and their conversation is read', async () => {
    await page.getByRole('option', { name: /slow-two/ }).click();
    await page.getByRole('button', { name: 'Stop s' }).click();
    await expect.poll(() => stateOf('slow-two'), { timeout: 10_000 }).toBe('stopped');
    await page.getByRole('option', { name: /tester/ }).click();
    await page.getByRole('link', { name: 'Its conversation' }).click();
    await page.locator('.timeline [role=option]').first().click();
    await page.locator('.message .text').first().waitFor();
    expect(await page.locator('.message').textContent()).toContain('TASK-FAST');
  });
});
