/** The agent in a real terminal, over real HTTP: what a person sees, and what they leave behind. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isBack, terminalChats, uses, words } from '../support/terminal-chat.ts';
import { hasTmux } from '../support/tmux.ts';

if (!hasTmux) console.warn('tmux is not installed: the tests of the terminal agent are skipped. apt-get install tmux');

const PROMPT = /^> /m;

/** Processes beside one another take longer, each by itself. */
const SIDE_BY_SIDE = { concurrent: true, timeout: 60_000 };

const { open, openAlone } = terminalChats();

// First, since it plays in its own time: the others run beside it.
describe.runIf(hasTmux)('the tour', SIDE_BY_SIDE, () => {
  it('says that there is no model, plays, is skipped by a key, and leaves one at a prompt', async () => {
    const { terminal, say, leave } = openAlone({ rows: 40 });
    await terminal.reverie();
    // It plays on by itself, so that what was shown may have left the screen by the time one looks.
    const wasShown = (text: string) => terminal.until(() => terminal.screen({ all: true }).includes(text));
    await wasShown('There is no model to talk to.');
    await wasShown('You say once how you like to work');
    await wasShown('● Write');
    terminal.press('x');
    await terminal.until('The prompt is yours');
    await say('/memory list');
    await terminal.until(/feedback_real-database-in-tests.md +feedback/);
    await leave();
    expect(terminal.screen()).toMatch(PROMPT);
    expect(await terminal.modes()).toEqual({ isRaw: false, isCursorShown: true });
    expect(existsSync(terminal.home)).toBe(false);
  });
});

describe.runIf(hasTmux)('a conversation', SIDE_BY_SIDE, () => {
  it('begins with the message of the line, and shows a question of the agent’s as a list', async () => {
    const options = [{ label: 'PostgreSQL', description: 'as in production' }, { label: 'SQLite' }];
    const { terminal, leave, asked } = await open([
      uses('AskUser', { questions: [{ question: 'Which database?', options }] }),
      words('SQLite it is.'),
    ]);
    await terminal.reverie('"Set up the tests"');
    const shown = await terminal.until('as in production');
    for (const part of ['Which database?', 'or type your answer:', 'Waiting for you']) expect(shown).toContain(part);
    await new Promise((resolve) => setTimeout(resolve, 600));
    terminal.press('Down');
    terminal.press('Enter');
    await terminal.until('SQLite it is.');
    expect(terminal.screen({ all: true })).toContain('> Set up the tests');
    expect(asked().at(-1)!.bytes).toContain('Which database? — SQLite');
    await leave();
  });

  it('has tools, a question that is answered, a diff, and stays in the scrollback', async () => {
    const { terminal, start, say, leave } = await open([
      { content: [...words('I look at it.').content, ...uses('Read', { file_path: 'a.txt' }, 'toolu_a').content] },
      uses('Edit', { file_path: 'a.txt', old_string: 'hello', new_string: 'goodbye' }, 'toolu_b'),
      words('It says **goodbye** now.'),
    ]);
    writeFileSync(join(terminal.project, 'a.txt'), 'hello there\n');
    await start();
    await say('Change the greeting');
    const question = await terminal.until('Yes, this once');
    expect(question).toMatch(/hello there/);
    expect(question).toMatch(/goodbye there/);
    expect(readFileSync(join(terminal.project, 'a.txt'), 'utf8')).toBe('hello there\n');
    // Keys that come at once were typed for the prompt; a person reads first.
    await new Promise((resolve) => setTimeout(resolve, 600));
    terminal.press('Enter');
    await terminal.until('It says goodbye now.');
    expect(readFileSync(join(terminal.project, 'a.txt'), 'utf8')).toBe('goodbye there\n');
    const all = terminal.screen({ all: true });
    for (const part of ['> Change the greeting', 'I look at it.', 'Read a.txt', 'Edit a.txt'])
      expect(all).toContain(part);
    await leave();
    expect(terminal.screen()).toContain('--resume');
    expect(await terminal.modes()).toEqual({ isRaw: false, isCursorShown: true });
    expect(terminal.processes()).toEqual([]);
  });

  it('takes a no with words to the model', async () => {
    const { terminal, start, say, leave, lastSaid } = await open([
      uses('Bash', { command: 'touch made', outside_sandbox: true }),
      words('Then I do not.'),
    ]);
    await start();
    await say('Make a file');
    await terminal.until('Run this command?');
    await new Promise((resolve) => setTimeout(resolve, 600));
    terminal.press('Up');
    terminal.type('use another folder');
    terminal.press('Enter');
    await terminal.until('Then I do not.');
    expect(lastSaid()).toContain('use another folder');
    expect(existsSync(join(terminal.project, 'made'))).toBe(false);
    await leave();
  });

  it('is interrupted in the middle, and goes on', async () => {
    const { terminal, start, say, leave } = await open([
      words('one two three '.repeat(1_000), { delayMs: 30 }),
      words('Still here.'),
    ]);
    await start();
    await say('Talk');
    await terminal.until('one two three');
    terminal.press('Escape');
    await terminal.until('Interrupted.');
    await say('And now?');
    await terminal.until('Still here.');
    await leave();
    expect(terminal.processes()).toEqual([]);
  });

  it('queues what is typed while it works', async () => {
    let delayMs = 40;
    const slow = {
      ...words('slow '.repeat(2_000)),
      // Slow until what was typed has been seen to wait.
      get delayMs() {
        return delayMs;
      },
    };
    const { terminal, start, say, leave, lastSaid } = await open([slow, words('Second answer.')]);
    await start();
    await say('first');
    await terminal.until('slow slow');
    await say('second');
    await terminal.until('waits: second');
    delayMs = 0;
    await terminal.until('Second answer.');
    expect(lastSaid()).toContain('second');
    await leave();
  });
});

describe.runIf(hasTmux)('the screen', SIDE_BY_SIDE, () => {
  it('is drawn again when the window changes, without debris', async () => {
    const { terminal, start, say, leave } = await open([
      words('An answer that is longer than forty columns, so that it has to be wrapped when it is narrow.'),
    ]);
    await start();
    await say('Talk');
    await terminal.until('it is narrow.');
    terminal.type('typed text that stays');
    await terminal.until('typed text that stays');
    for (const [columns, rows] of [
      [40, 12],
      [100, 30],
      [20, 10],
      [80, 24],
    ] as const) {
      terminal.resize(columns, rows);
      await terminal.until((screen) => (screen.match(/^> typed/gm) ?? []).length === 1);
    }
    // A redraw may be seen half done; debris stays.
    await terminal.until((screen) => [/% left/g, /^─+$/gm].every((part) => screen.match(part)?.length === 1));
    terminal.press('C-c');
    await terminal.until((seen) => !seen.includes('typed text'));
    await leave();
  });

  it('takes a paste of 5,000 lines as one', async () => {
    const { terminal, start, leave, asked, lastSaid } = await open([words('Got it.')]);
    await start();
    const lines = Array.from({ length: 5_000 }, (_, at) => `line ${at + 1}`).join('\n');
    terminal.type('Read: ');
    terminal.paste(lines);
    await terminal.until('+5,000 lines]');
    terminal.press('Enter');
    await terminal.until('Got it.');
    expect(asked()).toHaveLength(1);
    for (const part of ['Read: <pasted>\\nline 1\\n', 'line 5000\\n</pasted>']) expect(lastSaid()).toContain(part);
    await leave();
  });

  it('says what fills the window, what it cost, and which command was meant', async () => {
    const { terminal, start, say, leave } = await open([words('Yes.')], { rows: 40 });
    await start();
    await say('Anything?');
    await terminal.until('Yes.');
    await say('/context');
    await terminal.until('system prompt');
    await say('/cost');
    await terminal.until(/for 1 call/);
    await say('/contxt');
    await terminal.until('Did you mean /context');
    await leave();
  });
});

describe.runIf(hasTmux)('sessions', SIDE_BY_SIDE, () => {
  it('are resumed by choice, and rewound to before a message', async () => {
    const { terminal, start, say, leave, asked } = await open([words('One.'), words('Two.'), words('Three.')]);
    await start();
    await say('first question');
    await terminal.until('One.');
    await say('second question');
    await terminal.until('Two.');
    await leave();
    await terminal.shell('clear');
    await terminal.reverie('--resume');
    await terminal.until('Go on with which session?');
    terminal.press('Enter');
    await terminal.until(/4 messages so far/);
    terminal.press('Escape');
    terminal.press('Escape');
    await terminal.until('Go back to, or summarise around, which message?');
    terminal.press('Enter');
    await terminal.until('summarise up to here');
    terminal.press('Enter');
    await terminal.until('> second question');
    await terminal.until('left behind');
    terminal.type(' again');
    terminal.press('Enter');
    await terminal.until('Three.');
    const messages = JSON.stringify(asked().at(-1)?.body.messages);
    expect(messages).toContain('One.');
    expect(messages).toContain('second question again');
    expect(messages).not.toContain('Two.');
    await leave();
  });
});

describe.runIf(hasTmux)('a summary', SIDE_BY_SIDE, () => {
  it('from a message on is chosen in /rewind, and what went is shown by /expand', async () => {
    const summary = '<analysis>nothing</analysis><summary>All is well.</summary>';
    const long = 'and so it is '.repeat(300);
    const { terminal, start, say, leave, asked } = await open([
      words('One.'),
      words(`Two. ${long}HALF`),
      words(`Three. ${long}END`),
      words(summary),
      words('Four.'),
    ]);
    await start();
    await say('first question');
    await terminal.until('One.');
    await say('second question');
    await terminal.until('HALF');
    await say('third question');
    await terminal.until('END');
    await say('/rewind');
    await terminal.until('summarise around, which message?');
    terminal.type('second');
    terminal.press('Enter');
    await terminal.until('summarise up to here');
    terminal.press('Down');
    terminal.press('Enter');
    await terminal.until('To read it again: /expand');
    await say('/expand');
    await terminal.until('Long texts are cut here.');
    expect(terminal.screen({ all: true })).not.toContain('That is all of it.');
    expect(terminal.screen({ all: true })).toMatch(
      /\[user, [^\]]+\]\s+second question\s+\[assistant, [^\]]+\]\s+Two\./,
    );
    await say('go on');
    await terminal.until('Four.');
    const messages = JSON.stringify(asked().at(-1)?.body.messages);
    for (const there of ['One.', 'All is well.', 'second question']) expect(messages).toContain(there);
    for (const gone of ['Two.', 'Three.']) expect(messages).not.toContain(gone);
    await leave();
  });
});

describe.runIf(hasTmux)('the end', SIDE_BY_SIDE, () => {
  it('comes with Ctrl-C twice, also in the middle of an answer', async () => {
    const { terminal, start, say } = await open([words('and so on '.repeat(1_400), { delayMs: 30 })]);
    await start();
    await say('Talk');
    await terminal.until('and so on');
    terminal.press('C-c');
    terminal.press('C-c');
    await terminal.until(isBack);
    expect(await terminal.modes()).toEqual({ isRaw: false, isCursorShown: true });
    expect(terminal.processes()).toEqual([]);
  });

  it.for(['TERM', 'HUP'] as const)(
    'by SIG%s leaves no process, no raw mode and a cursor',
    async (signal, { expect }) => {
      const { terminal, say } = await open([uses('Bash', { command: 'sleep 300' })]);
      await terminal.reverie('--permission-mode', 'bypass');
      await terminal.until(/% left/);
      await say('Sleep');
      await terminal.until('Bash sleep 300');
      await expect.poll(() => terminal.processes().join('\n'), { timeout: 30_000 }).toContain('sleep 300');
      const [node] = terminal.processes().filter((line) => line.includes('main.js'));
      expect(node).toBeDefined();
      terminal.signal(`SIG${signal}`);
      await terminal.until(isBack);
      expect(await terminal.modes()).toEqual({ isRaw: false, isCursorShown: true });
      await expect.poll(() => terminal.processes(), { timeout: 10_000 }).toEqual([]);
    },
  );

  it('by SIGKILL loses nothing that was said', async () => {
    const { terminal, start, say, leave } = await open([words('Kept words.'), words('Again.')]);
    await start();
    await say('Say it');
    await terminal.until('Kept words.');
    terminal.signal('SIGKILL');
    await terminal.until(/Killed/);
    await terminal.shell('reset; clear');
    await terminal.until(isBack);
    await start('--continue');
    await terminal.until('Kept words.');
    await leave();
    expect(terminal.processes()).toEqual([]);
  });
});

describe.runIf(hasTmux)('other terminals', SIDE_BY_SIDE, () => {
  it('a dumb one gets lines, and answers a question by a line', async () => {
    const { terminal, say } = await open(
      [uses('Bash', { command: 'touch made', outside_sandbox: true }), words('Made.')],
      {
        environment: { TERM: 'dumb' },
      },
    );
    await terminal.shell('TERM=dumb');
    await terminal.reverie();
    await terminal.until(/^>$/m);
    await say('Make it');
    await terminal.until('Answer with a number');
    await say('1');
    await terminal.until('Made.');
    expect(existsSync(join(terminal.project, 'made'))).toBe(true);
    expect(terminal.screen({ colours: true })).not.toContain('\u001b[3');
    terminal.press('C-d');
    await terminal.until(isBack);
  });

  it('a pipe gets the answers to its lines', async () => {
    const { terminal } = await open([words('First.'), words('Second.')]);
    await terminal.shell('clear');
    const binary = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
    await terminal.shell(`printf 'one\\n/cost\\n/quit\\n' | ${process.execPath} ${binary} | cat`);
    await terminal.until('First.');
    await terminal.until(/for 1 call/);
    await terminal.until(isBack);
  });
});
