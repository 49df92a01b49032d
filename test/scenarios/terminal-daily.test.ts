/** What a person at the terminal runs into all day: permissions, drafts, history, own commands, questions of a project. */

import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { toolServer } from '../support/mcp-servers.ts';
import { type ServerAnswer, startMessagesServer } from '../support/messages-server.ts';
import { isBack, terminalChats, uses, words } from '../support/terminal-chat.ts';
import { hasTmux } from '../support/tmux.ts';

const REVERIE = `${process.execPath} ${join(import.meta.dirname, '../../dist/main.js')}`;

const SIDE_BY_SIDE = { concurrent: true, timeout: 90_000 };

const chats = terminalChats();

async function open(answers: readonly ServerAnswer[], options: Parameters<typeof chats.open>[1] = {}) {
  const chat = await chats.open(answers, { rows: 40, ...options });
  const { terminal } = chat;
  return {
    ...chat,
    /** A file of the project, or of the user's with `~/`. */
    put(path: string, text: string): string {
      const root = path.startsWith('~/') ? join(terminal.root, 'user') : terminal.project;
      const file = join(root, path.replace(/^~\//, ''));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
    /** A person reads a question before answering it. */
    async answer(...keys: readonly string[]) {
      await sleep(600);
      terminal.press(...keys);
    },
  };
}

describe.runIf(hasTmux)('permission', SIDE_BY_SIDE, () => {
  it('is not asked for an edit that cannot be made, is given for a whole line, and kept', async () => {
    const loop = 'for f in a b; do touch "$f"; sleep 1; done';
    const { terminal, put, start, say, answer, leave, asked } = await open([
      uses('Read', { file_path: 'a.txt' }, 'toolu_a'),
      uses('Edit', { file_path: 'a.txt', old_string: 'not there', new_string: 'x' }, 'toolu_b'),
      words('That was not there.'),
      uses('Bash', { command: loop, outside_sandbox: true }, 'toolu_c'),
      uses('Bash', { command: loop, outside_sandbox: true }, 'toolu_d'),
      words('Touched twice.'),
      uses('Bash', { command: 'touch kept', outside_sandbox: true }, 'toolu_e'),
      words('Kept it.'),
    ]);
    put('a.txt', 'hello\n');
    await terminal.shell(`${REVERIE} trust --yes; clear`);
    await start();
    say('Edit it');
    await terminal.until('That was not there.');
    expect(terminal.screen({ all: true })).not.toContain('Yes, this once');
    expect(JSON.stringify(asked().at(-1)?.body.messages)).toContain('old_string is not in a.txt');
    say('Loop');
    expect(await terminal.until('Bash(=for f in a b')).toContain('Waiting for you');
    await answer('a');
    await terminal.until('Running Bash');
    await terminal.until('Touched twice.');
    say('!tmux display-message -p "bell: #{window_bell_flag}"');
    await terminal.until('bell: 1');
    say('Once more');
    await terminal.until('always in this project');
    await answer('p');
    await terminal.until('Kept it.');
    const local = join(terminal.project, '.reverie', 'settings.local.json');
    expect(JSON.parse(readFileSync(local, 'utf8'))).toEqual({ permissions: { allow: ['Bash(touch kept)'] } });
    say('/permissions deny Bash(rm:*)');
    await terminal.until(/deny Bash\(rm:\*\): counts/);
    say('/permissions remove Bash(touch kept)');
    await terminal.until('is removed');
    say('/permissions');
    await terminal.until('deny Bash(rm:*)');
    expect(JSON.parse(readFileSync(local, 'utf8'))).toEqual({ permissions: { deny: ['Bash(rm:*)'] } });
    await leave();
  });
});

describe.runIf(hasTmux)('what was typed', SIDE_BY_SIDE, () => {
  it('comes back after Ctrl-C, from the queue, from the history and from an editor', async () => {
    let delayMs = 40;
    const slow = {
      ...words('slow '.repeat(2_000)),
      get delayMs() {
        return delayMs;
      },
    };
    const { terminal, put, start, say, leave, lastSaid } = await open(
      [slow, words('Second answer.'), words('Third.')],
      {
        environment: { EDITOR: 'reverie-test-editor' },
      },
    );
    const editor = put('~/bin/reverie-test-editor', '#!/bin/sh\nprintf "written in the editor" > "$1"\n');
    chmodSync(editor, 0o755);
    await terminal.shell(`export PATH="${dirname(editor)}:$PATH"; clear`);
    await start();
    terminal.type('a draft of mine');
    await terminal.until('> a draft of mine');
    terminal.press('C-c');
    await terminal.until((screen) => !screen.includes('> a draft of mine'));
    terminal.press('Up');
    await terminal.until('> a draft of mine');
    terminal.press('Enter');
    await terminal.until('slow slow');
    say('wrong words');
    await terminal.until('waits: wrong words');
    terminal.press('Up');
    await terminal.until((screen) => screen.includes('> wrong words') && !screen.includes('waits:'));
    terminal.press('C-u');
    say('right words');
    await terminal.until('waits: right words');
    delayMs = 0;
    await terminal.until('Second answer.');
    expect(lastSaid()).toContain('right words');
    expect(lastSaid()).not.toContain('wrong words');
    terminal.press('C-r');
    await terminal.until('What did you type before?');
    terminal.type('draft');
    await terminal.until(/❯ a draft of mine/);
    terminal.press('Enter');
    await terminal.until('> a draft of mine');
    terminal.press('C-g');
    await terminal.until('> written in the editor');
    terminal.press('Enter');
    await terminal.until('Third.');
    expect(lastSaid()).toContain('written in the editor');
    await leave();
  });

  it('as !command runs in the own shell, and its output goes with the next message', async ({ expect }) => {
    const { terminal, start, say, asked, lastSaid } = await open([words('I saw it.')], {
      environment: { SHELL: '/bin/bash', MINE: 'of mine' },
    });
    await start();
    say('!echo "a line $MINE"; exit 3');
    await terminal.until('[exit code 3]');
    expect(asked()).toHaveLength(0);
    say('What was that?');
    await terminal.until('I saw it.');
    expect(lastSaid()).toContain('a line of mine');
    say('!tmux display-message -p "title: #{pane_title}"');
    await terminal.until('title: project · Reverie');
    say('!sleep 100');
    await terminal.until('Bash sleep 100');
    await expect.poll(() => terminal.processes().join('\n'), { timeout: 20_000 }).toContain('sleep 100');
    terminal.press('Escape');
    await terminal.until(/ended by SIGTERM|exit code 143/);
    // A killed chat takes its command with it.
    say('!sleep 200');
    await expect.poll(() => terminal.processes().join('\n'), { timeout: 20_000 }).toContain('sleep 200');
    terminal.signal('SIGKILL');
    await terminal.until(/Killed/);
    await expect.poll(() => terminal.processes(), { timeout: 20_000 }).toEqual([]);
  });
});

describe.runIf(hasTmux)('going back', SIDE_BY_SIDE, () => {
  it('puts files back, and survives leaving', async () => {
    const { terminal, put, start, say, answer, leave, asked } = await open([
      words('One.'),
      uses('Read', { file_path: 'a.txt' }, 'toolu_a'),
      {
        content: [
          ...uses('Edit', { file_path: 'a.txt', old_string: 'hello', new_string: 'bye' }, 'toolu_b').content,
          ...uses('Write', { file_path: 'new.txt', content: 'new' }, 'toolu_c').content,
        ],
      },
      words('Two.'),
      words('Three.'),
    ]);
    const file = put('a.txt', 'hello\n');
    await start('--permission-mode', 'accept-edits');
    say('first question');
    await terminal.until('One.');
    say('second question');
    await terminal.until('Two.');
    expect(readFileSync(file, 'utf8')).toBe('bye\n');
    say('/rewind');
    await terminal.until('which message?');
    terminal.press('Enter');
    await terminal.until('files too');
    await answer('Down', 'Down', 'Down', 'Enter');
    await terminal.until(/Put\s+back: a\.txt, new\.txt/);
    expect(readFileSync(file, 'utf8')).toBe('hello\n');
    expect(existsSync(join(terminal.project, 'new.txt'))).toBe(false);
    terminal.press('C-c');
    await leave();
    await terminal.shell('clear');
    await start('--continue');
    await terminal.until(/2 messages so far/);
    say('third question');
    await terminal.until('Three.');
    const messages = JSON.stringify(asked().at(-1)?.body.messages);
    expect(messages).toContain('One.');
    for (const gone of ['Two.', 'second question']) expect(messages).not.toContain(gone);
    await leave();
  });
});

describe.runIf(hasTmux)('commands', SIDE_BY_SIDE, () => {
  it('of the user and of a project are asked for once, called by name, and completed', async () => {
    const { terminal, put, start, say, answer, leave, asked, lastSaid } = await open(
      [words('Deployed.'), words('Greeted.'), words('Initialised the *file*.')],
      { columns: 120 },
    );
    put('~/.claude/commands/deploy.md', '---\ndescription: Ships it\n---\nShip $1 to the place $ARGUMENTS.\n');
    put(
      '~/.reverie/skills/greet/SKILL.md',
      '---\nname: greet\ndescription: Greets\ndisable-model-invocation: true\n---\nSay hello in Latin.\n',
    );
    put('.reverie/commands/own.md', 'A command of the project.\n');
    const outside = put('~/shared.md', 'Words from outside.\n');
    put('AGENTS.md', `See @${outside}\n`);
    const save = ['--type feedback', '--name "Fancy name"', '--description x', '--body y'].join(' ');
    await terminal.shell(`${REVERIE} memory save ${save}; clear`);
    await terminal.reverie();
    await terminal.until('Do you trust');
    expect(terminal.screen()).toContain('/own');
    await answer('Down', 'Enter');
    await terminal.until('from outside of it?');
    await answer('Down', 'Enter');
    await terminal.until(/% left/);
    say('/deploy staging');
    await terminal.until('Deployed.');
    expect(lastSaid()).toContain('Ship staging to the place staging.');
    expect(JSON.stringify(asked()[0]!.body.messages[0])).toContain('Words from outside.');
    say('/greet');
    await terminal.until('Greeted.');
    expect(lastSaid()).toContain('Say hello in Latin.');
    terminal.type('/');
    await terminal.until(/1 of \d+ entries/);
    terminal.type('ow');
    await terminal.until('/own');
    terminal.press('C-u');
    terminal.type('/permissions re');
    await terminal.until('❯ remove');
    terminal.press('Tab');
    await terminal.until('> /permissions remove');
    terminal.press('C-u');
    terminal.type('/memory show fan');
    await terminal.until(/❯ \S*fancy-name\.md/);
    terminal.press('C-u');
    terminal.type('/export AGE');
    await terminal.until('❯ AGENTS.md');
    terminal.press('C-u');
    await terminal.shell('/init short, please');
    await terminal.until('Initialised the file.');
    for (const part of ['AGENTS.md', 'short, please']) expect(lastSaid()).toContain(part);
    await leave();
    await terminal.shell('clear');
    await start();
    expect(terminal.screen({ all: true }).split('$ ').at(-1)).not.toContain('Do you trust');
    await leave();
  });

  it('copy the answer, set a setting, list servers and say what is waited for', async () => {
    const { terminal, start, say, leave } = await open([
      { content: [{ type: 'thinking', thinking: 'Deep thoughts.', signature: 's' }, ...words('Copy *me*.').content] },
      words('late', { delayMs: 700 }),
    ]);
    await terminal.shell('tmux set-option -s set-clipboard on; clear');
    await start();
    say('Talk');
    await terminal.until('Copy me.');
    await terminal.until('Thought (Ctrl-O shows it)');
    terminal.press('C-o');
    await terminal.until('Deep thoughts.');
    say('/copy');
    await terminal.until("terminal's clipboard");
    await terminal.shell('/mcp');
    await terminal.until('There are no tool servers');
    say('/config notify off');
    await terminal.until(/notify is "off"/);
    expect(JSON.parse(readFileSync(join(terminal.home, 'settings.json'), 'utf8'))).toEqual({ notify: 'off' });
    say('/config notify loudly');
    await terminal.until('notify takes one of');
    say('/config notify');
    await terminal.until(/skipped|desktop/);
    say('Slowly');
    await terminal.until('Waiting for the model');
    await terminal.until('late');
    await leave();
    await terminal.shell('tmux show-buffer');
    await terminal.until('Copy *me*.');
  });
});

describe.runIf(hasTmux)('trouble', SIDE_BY_SIDE, () => {
  it('with the address is told at once, in one line that changes', async () => {
    const gone = await startMessagesServer(() => words('Never.'));
    await gone.close();
    const { terminal, start, say } = await open([words('Never.')], { environment: { ANTHROPIC_BASE_URL: gone.url } });
    await start();
    say('Talk');
    const seen = await terminal.until(/cannot be reached[\s\S]*127\.0\.0\.1/);
    expect(seen).toContain('ANTHROPIC_BASE_URL');
    await terminal.until(/try 4 of/);
    expect(terminal.screen({ all: true }).match(/cannot be reached/g)).toHaveLength(1);
    terminal.press('Escape');
    await terminal.until('Interrupted.');
    terminal.press('C-d');
    await terminal.until(isBack);
  });

  it('with an address that never answers is told too', async () => {
    const { terminal, start, say } = await open([{ hang: true }]);
    await start();
    say('Talk');
    await terminal.until('nothing heard yet from http://127.0.0.1');
    terminal.press('Escape');
    await terminal.until('Interrupted.');
    terminal.press('C-d');
    await terminal.until(isBack);
  });

  it('shows its tool servers, and tells the desktop that it waits', async () => {
    const { terminal, put, start, say, answer, leave } = await open([
      uses('Bash', { command: 'touch asked', outside_sandbox: true }),
      words('Asked.'),
    ]);
    const raw = put('raw.txt', '');
    const settings = {
      notify: 'desktop',
      mcpServers: { helper: toolServer(), broken: { command: 'no-such-program' } },
    };
    put('~/.reverie/settings.json', JSON.stringify(settings));
    await start();
    say('/mcp');
    await terminal.until(/helper +connected, \d+ tools?: /);
    expect(terminal.screen({ all: true })).toMatch(/broken +\S+: .*no-such-program/);
    say(`!tmux pipe-pane 'cat > ${raw}'; echo piped`);
    await terminal.until(/^ *piped/m);
    say('Ask me');
    await terminal.until('Yes, this once');
    await answer('y');
    await terminal.until('Asked.');
    expect(readFileSync(raw, 'utf8')).toContain('\u001b]9;Reverie has a question for you\u0007');
    await leave();
  });

  it('with a screen reader interrupts by Ctrl-C, and leaves by a second one', async () => {
    const { terminal, say, asked } = await open([{ hang: true }, words('Read out.')]);
    await terminal.reverie('--screen-reader');
    await terminal.until(/^>$/m);
    say('Talk');
    while (asked().length === 0) await sleep(50);
    terminal.press('C-c');
    await terminal.until('Interrupted.');
    await sleep(2_500);
    say('Again');
    await terminal.until(/Read out\.\n+>$/m);
    terminal.press('C-c');
    await terminal.until('Ctrl-C again leaves.');
    terminal.press('C-c');
    await terminal.until(isBack);
  });

  it('with a screen reader is spared: lines and a prompt, nothing that is drawn', async () => {
    const { terminal, say } = await open([words('Read out.')]);
    await terminal.reverie('--screen-reader');
    await terminal.until(/^>$/m);
    say('Talk');
    await terminal.until(/Read out\.\n+>$/m);
    const all = terminal.screen({ all: true });
    for (const drawn of ['─────', 'Waiting', '% left']) expect(all).not.toContain(drawn);
    terminal.press('C-d');
    await terminal.until(isBack);
  });
});
