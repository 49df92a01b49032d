/** A real terminal for the built binary: tmux, driven by keys and read as a person would read it. */

import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from './temporary-folder.ts';

const BINARY = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const PATIENCE_MS = 25_000;
/** After new output: what is drawn in one go is looked at once. */
const LOOK_AGAIN_MS = 40;
/** Without new output, should its arrival not be told. */
const LOOK_ANYWAY_MS = 500;

export const hasTmux = spawnSync('tmux', ['-V']).status === 0;

export interface TmuxTerminal {
  readonly project: string;
  readonly home: string;
  readonly root: string;
  /** Types a command line of the shell that runs in the terminal. */
  shell(line: string): Promise<void>;
  /** Starts the binary from the shell. */
  reverie(...parameters: readonly string[]): Promise<void>;
  /** Text as it is, then keys by tmux's names. */
  type(text: string): void;
  press(...keys: readonly string[]): void;
  paste(text: string): void;
  resize(columns: number, rows: number): void;
  /** What is seen; with `all`, the scrollback before it too. */
  screen(options?: { readonly all?: boolean; readonly colours?: boolean }): string;
  /** Waits until what is seen fits. */
  until(wanted: string | RegExp | ((screen: string) => boolean)): Promise<string>;
  /** What the terminal is left with. */
  modes(): Promise<{ readonly isRaw: boolean; readonly isCursorShown: boolean }>;
  /** Processes that were started from here and still run, by their command lines. */
  processes(): readonly string[];
  /** Sends a signal to the binary. */
  signal(name: NodeJS.Signals): void;
  /** As by closing the window. */
  hangUp(): void;
  close(): void;
}

export function openTerminal(options: {
  readonly environment?: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
}): TmuxTerminal {
  const root = temporaryFolder('terminal');
  for (const folder of ['user', 'tmp', 'project', 'sockets']) mkdirSync(join(root, folder));
  const project = join(root, 'project');
  const mark = `REVERIE_TEST_MARK=${root}`;
  const environment = {
    PATH: process.env.PATH,
    HOME: join(root, 'user'),
    TMPDIR: join(root, 'tmp'),
    LANG: 'C.UTF-8',
    REVERIE_TEST_MARK: root,
    ...options.environment,
  };
  const settings = { encoding: 'utf8', env: { ...environment, TMUX_TMPDIR: join(root, 'sockets') } } as const;
  const wordsOf = (words: readonly string[]) => ['-f', '/dev/null', '-L', 'test', ...words];
  const tmux = (...words: string[]) => execFileSync('tmux', wordsOf(words), settings);
  const size = ['-x', String(options.columns ?? 80), '-y', String(options.rows ?? 24)];
  tmux('new-session', '-d', ...size, '-s', 'main', '-c', project, 'bash --norc --noprofile -i');
  tmux('set-option', '-g', 'history-limit', '20000');

  // All that is shown goes to this file too, which tells when there is something new to look at.
  const shown = join(root, 'shown');
  writeFileSync(shown, '');
  tmux('pipe-pane', '-t', 'main', `exec env -u REVERIE_TEST_MARK cat >> ${shown}`);
  tmux('send-keys', '-t', 'main', "unset HISTFILE; PS1='$ '; clear", 'Enter');

  function screen({ all = false, colours = false } = {}): string {
    return tmux('capture-pane', '-p', '-t', 'main', ...(all ? ['-S', '-'] : []), ...(colours ? ['-e'] : []));
  }

  async function until(wanted: Parameters<TmuxTerminal['until']>[0]): Promise<string> {
    const fits =
      typeof wanted === 'function'
        ? wanted
        : (text: string) => (typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text));
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const { size } = statSync(shown);
      // Not in step: the servers of tests that run beside this one answer meanwhile.
      const { stdout: seen } = await promisify(execFile)(
        'tmux',
        wordsOf(['capture-pane', '-p', '-t', 'main']),
        settings,
      );
      if (fits(seen)) return seen;
      if (Date.now() > deadline) throw new Error(`waited in vain for ${wanted} on this screen:\n${seen}`);
      await newOutput(shown, size);
    }
  }

  async function shell(line: string): Promise<void> {
    tmux('send-keys', '-t', 'main', '-l', line);
    tmux('send-keys', '-t', 'main', 'Enter');
  }

  return {
    project,
    home: join(root, 'user', '.reverie'),
    root,
    shell,
    reverie: (...parameters) => shell(`${process.execPath} ${BINARY} ${parameters.join(' ')}`),
    type: (text) => void tmux('send-keys', '-t', 'main', '-l', text),
    press: (...keys) => void tmux('send-keys', '-t', 'main', ...keys),
    paste(text) {
      execFileSync('tmux', wordsOf(['load-buffer', '-']), { ...settings, input: text });
      tmux('paste-buffer', '-p', '-t', 'main');
    },
    resize: (columns, rows) => void tmux('resize-window', '-t', 'main', '-x', String(columns), '-y', String(rows)),
    screen,
    until,
    async modes() {
      const isCursorShown = tmux('display-message', '-p', '-t', 'main', '#{cursor_flag}').trim() === '1';
      await shell('echo "mode:$(stty -a | tr " " "\\n" | grep -cx -e -icanon -e -echo):"');
      const seen = await until(/mode:\d:/);
      return { isRaw: !seen.includes('mode:0:'), isCursorShown };
    },
    processes: () => markedProcesses(mark).map(({ args }) => args),
    signal(name) {
      const found = markedProcesses(mark).filter(({ args }) => args.includes('dist/main.js'));
      if (found.length === 0) throw new Error('the binary does not run here');
      for (const { pid } of found) process.kill(pid, name);
    },
    hangUp: () => void tmux('kill-server'),
    close() {
      try {
        tmux('kill-server');
      } catch {
        // It ended by itself.
      }
      // Whoever was hung up may still be putting things away.
      rmSync(root, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}

/** Resolves when the file has more than these bytes. */
async function newOutput(file: string, bytes: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const watcher = watch(file, done);
    const timer = setTimeout(done, LOOK_ANYWAY_MS);
    function done(): void {
      clearTimeout(timer);
      watcher.close();
      resolve();
    }
    // It may have come before anybody watched.
    if (statSync(file).size > bytes) done();
  });
  await sleep(LOOK_AGAIN_MS);
}

interface MarkedProcess {
  readonly pid: number;
  readonly args: string;
}

/** Node processes and what they started; the shell and tmux of the test are not meant. */
function markedProcesses(mark: string): readonly MarkedProcess[] {
  if (!existsSync('/proc')) return [];
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || !ofProcess(pid, 'environ').includes(mark)) return [];
    const args = ofProcess(pid, 'cmdline').replaceAll('\0', ' ').trimEnd();
    return args === '' || /^(?:tmux|bash --norc)/.test(args) ? [] : [{ pid: Number(pid), args }];
  });
}

/** Empty where the process ended meanwhile, or is another user's. */
function ofProcess(pid: string, name: 'environ' | 'cmdline'): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
