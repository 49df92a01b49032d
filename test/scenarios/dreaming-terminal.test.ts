/** Dreams as a person sees them in a real terminal, over real HTTP: begun, watched, ended, and decided about. */

import { afterAll, describe, expect, it } from 'vitest';
import { findPlace } from '../../src/settings/place.ts';
import {
  dreamer,
  FREEZE,
  filesIn,
  isDream,
  MERGE_LIST,
  MERGED,
  putMemories,
  RELEASE,
  says,
  stepOf,
} from '../support/dream-story.ts';
import { type MessagesServer, type RecordedRequest, startMessagesServer } from '../support/messages-server.ts';
import { hasTmux, openTerminal, type TmuxTerminal } from '../support/tmux.ts';

/** Processes beside one another take longer, each by itself. */
const SIDE_BY_SIDE = { concurrent: true, timeout: 60_000 };

const servers: MessagesServer[] = [];
const terminals: TmuxTerminal[] = [];

afterAll(async () => {
  for (const terminal of terminals) terminal.close();
  await Promise.all(servers.map((server) => server.close()));
});

const merging = dreamer({
  writes: { 'project_release.md': MERGED },
  read: ['project_release.md', 'project_freeze.md'],
  list: MERGE_LIST,
});

/** A terminal and a server of its own for each test. `holdAt`: the request of the dreamer that is not answered before `go` is called. */
async function open({ holdAt = -1 }: { readonly holdAt?: number } = {}) {
  let go = () => {};
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  const server = await startMessagesServer(async (request: RecordedRequest) => {
    if (!isDream(request)) return says('Fine.');
    if (stepOf(request) === holdAt) await held;
    return merging(request);
  });
  servers.push(server);
  const alone = Object.fromEntries(['RECALL', 'EXTRACTION', 'NOTES'].map((layer) => [`REVERIE_DISABLE_${layer}`, '1']));
  const environment = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'test-key', ...alone };
  const terminal = openTerminal({ environment, columns: 100, rows: 30 });
  terminals.push(terminal);
  const folder = findPlace({ cwd: terminal.project, home: terminal.home, env: { HOME: terminal.root } }).folders[0]!
    .path;
  putMemories(folder, { 'project_release.md': RELEASE, 'project_freeze.md': FREEZE });

  function say(text: string): void {
    terminal.type(text);
    terminal.press('Enter');
  }

  return { terminal, folder, say, go };
}

/** The shell waits for a line. */
const isBack = (screen: string) => screen.trimEnd().split('\n').at(-1) === '$';
const lastLine = (screen: string) => screen.trimEnd().split('\n').at(-1) ?? '';

describe.runIf(hasTmux)('a dream in the chat', SIDE_BY_SIDE, () => {
  it('is begun by /dream, seen in the footer and in /tasks, and tells what it did', async () => {
    const { terminal, folder, say, go } = await open({ holdAt: 1 });
    await terminal.reverie();
    await terminal.until(/% left/);
    say('/dream');
    await terminal.until((screen) => /dreaming · 1 round/.test(lastLine(screen)));
    say('/tasks');
    const tasks = await terminal.until(/To end one: \/tasks stop \S+/);
    expect(tasks).toMatch(/dream \S+ +starting/);
    expect(tasks).toContain('[Read, Read]');
    say('Hello');
    await terminal.until('Fine.');
    go();
    await terminal.until('Dreamt: ');
    await terminal.until((screen) => /% left/.test(lastLine(screen)) && !/dreaming/.test(lastLine(screen)));
    expect(Object.keys(filesIn(folder))).toEqual(['MEMORY.md', 'project_release.md']);
    say('/dream inbox');
    await terminal.until('Nothing is waiting for you.');
    say('Thanks');
    await terminal.until((screen) => screen.split('Fine.').length > 2);
    expect(terminal.screen({ all: true }).split('Dreamt: ')).toHaveLength(2);
    terminal.press('C-d');
    await terminal.until(isBack);
    expect(terminal.processes()).toEqual([]);
  });

  it('is ended by /tasks stop, and leaves everything as it was', async () => {
    const { terminal, folder, say } = await open({ holdAt: 1 });
    const before = filesIn(folder);
    await terminal.reverie();
    await terminal.until(/% left/);
    say('/dream review');
    await terminal.until((screen) => /dreaming · 1 round/.test(lastLine(screen)));
    say('/tasks stop dream');
    await terminal.until('The dream was stopped');
    await terminal.until((screen) => /% left/.test(lastLine(screen)) && !/dreaming/.test(lastLine(screen)));
    terminal.press('C-d');
    await terminal.until(isBack);
    expect(filesIn(folder)).toMatchObject(before);
    expect(filesIn(folder)['project_freeze.md']).toBe(FREEZE);
    expect(terminal.processes()).toEqual([]);
  });
});

describe.runIf(hasTmux)('reverie dream', SIDE_BY_SIDE, () => {
  it('in review leaves all of it in the inbox, where it is approved and taken back', async () => {
    const { terminal, folder } = await open();
    await terminal.reverie('dream', '--review');
    const told = await terminal.until(/To let it land: reverie dream approve (\S+)/);
    expect(told).toContain('2 wait.');
    const id = /reverie dream approve (\S+)/.exec(told)![1]!;
    expect(filesIn(folder)['project_freeze.md']).toBe(FREEZE);
    await terminal.shell('clear');
    await terminal.reverie('dream', 'approve', id, '2');
    await terminal.until(`Approve them together: reverie dream approve ${id} 1 2`);
    await terminal.shell('clear');
    await terminal.reverie('dream', 'approve', id);
    const approved = await terminal.until(/To take that back: reverie memory undo (\S+)/);
    expect(Object.keys(filesIn(folder))).toEqual(['MEMORY.md', 'project_release.md']);
    await terminal.reverie('memory', 'undo', /memory undo (\S+)/.exec(approved)![1]!);
    await terminal.until('Undid');
    expect(filesIn(folder)).toMatchObject({ 'project_freeze.md': FREEZE, 'project_release.md': RELEASE });
  });

  it('is ended by Ctrl-C with the code of one, and status knows', async () => {
    const { terminal, folder } = await open({ holdAt: 1 });
    await terminal.reverie('dream');
    await terminal.until(/dreaming · 1 round/);
    terminal.press('C-c');
    await terminal.until('The dream was stopped,');
    await terminal.shell('echo "code $?"');
    await terminal.until('code 130');
    await terminal.shell('clear');
    await terminal.reverie('status');
    expect(await terminal.until('dreaming: on')).toMatch(/last dream just now, killed/);
    await terminal.until(isBack);
    expect(filesIn(folder)['project_freeze.md']).toBe(FREEZE);
    expect(terminal.processes()).toEqual([]);
  });
});
