/** Teammates in real terminals and in the background: they come up in windows of tmux, and end when they agree to it. */

import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { openMailbox } from '../../src/index.ts';
import { createAgentHome } from '../support/agent-process.ts';
import { text, tool, wholeOf } from '../support/agents-story.ts';
import { type MessagesServer, type RecordedRequest, startMessagesServer } from '../support/messages-server.ts';
import { isBack } from '../support/terminal-chat.ts';
import { hasTmux, openTerminal, type TmuxTerminal } from '../support/tmux.ts';

const QUIET = { REVERIE_DISABLE_RECALL: '1', REVERIE_DISABLE_EXTRACTION: '1', REVERIE_DISABLE_NOTES: '1' };

let server: MessagesServer | null = null;
let terminal: TmuxTerminal | null = null;
afterEach(async () => {
  terminal?.close();
  await server?.close();
  [server, terminal] = [null, null];
});

/** Agrees to end whenever it is asked to. */
function agreeing(request: RecordedRequest) {
  const whole = wholeOf(request);
  const id = /id=\\"([^"\\]+)\\"[^>]*kind=\\"shutdown_request/.exec(whole)?.[1];
  if (id === undefined || whole.includes('toolu_yes')) return text(id === undefined ? 'I wait.' : 'Good night.');
  const input = { to: 'lead', message: 'Yes.', summary: 's', kind: 'shutdown_response', answers: id, approve: true };
  return tool('SendMessage', input, 'toolu_yes');
}

async function askToEnd(home: string, to: string): Promise<boolean | undefined> {
  const lead = await openMailbox({ name: 'lead', home });
  while (!lead.others().includes(to)) await sleep(50);
  await lead.send({ to, message: 'We are done.', kind: 'shutdown_request' });
  for await (const { kind, approve, from } of lead.receive({ signal: AbortSignal.timeout(30_000) })) {
    expect([from, kind]).toEqual([to, 'shutdown_response']);
    await lead.close();
    return approve;
  }
  return undefined;
}

describe('a teammate that agrees to end', { timeout: 90_000 }, () => {
  it('closes in the background, after its turn', async () => {
    server = await startMessagesServer(agreeing);
    const home = createAgentHome(server.url);
    const words = ['-p', '--stay', '--teammate', 'ana', '--team', 'crew', 'Go.'];
    const running = home.start(words, { environment: QUIET });
    await running.until('I wait.');
    expect(await askToEnd(home.home, 'ana')).toBe(true);
    const { code, stdout } = await running.ended;
    expect([code, stdout]).toEqual([0, 'I wait.\nGood night.\n']);
    const alone = await home.run(['-p', '--stay', 'Go.']);
    expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('--stay waits for messages')]);
  });

  it.skipIf(!hasTmux)('leaves its terminal', async () => {
    server = await startMessagesServer(agreeing);
    const served = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'test-key' };
    terminal = openTerminal({ environment: { ...QUIET, ...served } });
    await terminal.reverie('--teammate', 'ana', '--team', 'crew');
    await terminal.until(/% left/);
    expect(await askToEnd(terminal.home, 'ana')).toBe(true);
    await terminal.until(isBack);
    expect(terminal.screen({ all: true })).toContain('Good night.');
  });
});

describe.skipIf(!hasTmux)('a team in tmux', { timeout: 90_000 }, () => {
  it('has a window for each, which are gone when it is stopped', async () => {
    server = await startMessagesServer(() => text('I wait.'));
    const served = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'test-key' };
    terminal = openTerminal({ environment: { ...QUIET, ...served }, columns: 120 });
    writeFileSync(join(terminal.project, 'crew.yaml'), 'team: crew\nmembers:\n  lead: {}\n  ana: {}\n');
    await terminal.reverie('team', 'start', 'crew.yaml');
    await terminal.until('To end them: reverie team stop crew');
    await terminal.shell("clear; tmux list-windows -F 'window #W'");
    await terminal.until((screen) => screen.includes('window lead') && screen.includes('window ana'));
    expect(existsSync(join(terminal.home, 'teams', 'crew', 'logs'))).toBe(false);
    await terminal.shell('clear');
    await terminal.reverie('team', 'stop', 'crew');
    await terminal.until((screen) => screen.includes('ana has ended.') && screen.includes('lead has ended.'));
  });
});

describe('reverie doctor', () => {
  it('names unread messages of names that are gone, refused files, and a mailbox that cannot be opened', async () => {
    const home = createAgentHome(null);
    const [ann, bob] = [
      await openMailbox({ name: 'ann', home: home.home }),
      await openMailbox({ name: 'bob', home: home.home }),
    ];
    await Promise.all([ann.close(), bob.close()]);
    const mail = join(home.home, 'mail');
    mkdirSync(join(mail, 'bob', 'inbox'), { recursive: true });
    writeFileSync(join(mail, 'bob', 'inbox', `${'1700000000000000'}-ann.mail`), 'whatever');
    mkdirSync(join(mail, 'ann', 'refused'));
    writeFileSync(join(mail, 'ann', 'refused', 'torn.mail'), 'torn');
    symlinkSync('/etc', join(mail, 'evil'));
    const { stdout } = await home.here(['doctor']);
    expect(stdout).toContain(
      'Nobody is called bob any more, and messages have waited there unread since 2023-11-14 (1 file)',
    );
    expect(stdout).toContain('Messages to ann were refused, because they were torn or forged (1 file)');
    expect(stdout).toContain('The mailbox of evil cannot be opened');
  });
});
