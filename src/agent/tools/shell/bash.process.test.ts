import * as fs from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type CalledTool, createToolPlace, type ToolPlace } from '../../../../test/support/tool-place.ts';
import { LIMITS } from '../../../limits.ts';

interface Shell {
  readonly place: ToolPlace;
  /** One whose commands leave something running. */
  readonly leaving: ToolPlace;
  bash(command: string, more?: object): Promise<CalledTool>;
}

/** On a busy machine the last words of a command take their time to arrive; nobody waits once its output is closed. */
const withDrain = (ms: number) => ({ ...LIMITS, shell: { ...LIMITS.shell, drainMs: ms, mostDrainMs: ms } });
const PATIENT = withDrain(10_000);
/** For commands that leave something running, which holds their output open. */
const HALF_PATIENT = withDrain(1_000);

/** Each case has a session and a folder of its own, so that they can run side by side. */
const it = test.extend<Shell>({
  // biome-ignore lint/correctness/noEmptyPattern: a fixture has to name what it needs.
  place: async ({}, use) => {
    const place = createToolPlace({ limits: PATIENT });
    await use(place);
    await place.close();
  },
  // biome-ignore lint/correctness/noEmptyPattern: a fixture has to name what it needs.
  leaving: async ({}, use) => {
    const place = createToolPlace({ limits: HALF_PATIENT });
    await use(place);
    await place.close();
  },
  bash: async ({ place }, use) => {
    await use((command, more = {}) => place.call('Bash', { command, ...more }));
  },
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // What ended but was not waited for by its new parent is not alive.
  const state = fs.existsSync(`/proc/${pid}/stat`) ? fs.readFileSync(`/proc/${pid}/stat`, 'utf8') : '';
  return !/^\d+ \(.*\) [ZX]/s.test(state);
}

async function pidIn(place: ToolPlace, name: string): Promise<number> {
  for (let tries = 0; tries < 500; tries++) {
    const text = fs.existsSync(place.at(name)) ? place.text(name).trim() : '';
    if (text !== '') return Number(text);
    await wait(20);
  }
  throw new Error(`${name} was never written`);
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<boolean> {
  for (let tries = 0; tries < 500; tries++) {
    if (await isSo()) return true;
    await wait(20);
  }
  return false;
}

describe.concurrent('a command', () => {
  it.for([
    ['output', 'echo hi', 'hi'],
    ['nothing', 'true', '(no output)'],
    ['both outputs in order', 'echo a; echo b >&2; echo c; echo d >&2', 'a\nb\nc\nd'],
    ['outputs by name', 'echo a >/dev/stderr; echo b >/dev/stdout; echo c | tee /dev/stderr', 'a\nb\nc\nc'],
    [
      'no colours',
      String.raw`printf "\033[1;31mred\033[0m \033]0;title\007x\033(B\033[?25l\033]8;;http://a\033\\\\link"`,
      'red xlink',
    ],
    ['lines drawn over', String.raw`printf '10%%\r50%%\r100%%\ndone\r\n'`, '100%\ndone'],
    ['a closed input', 'cat; echo end', 'end'],
    ['a heredoc', "cat <<'X'\n$a\nX", '$a'],
    ['a wait that does not hang', 'wait; echo on; sleep 0.01 & wait; echo over', 'on\nover'],
    ['no arguments of ours', 'echo "$#"', '0'],
    ['a pager that is none', 'echo "$PAGER $GIT_PAGER $TERM $GIT_TERMINAL_PROMPT"', 'cat cat dumb 0'],
  ] as const)('answers with %s', async ([_what, command, expected], { bash }) => {
    const result = await bash(command);
    expect(result.text).toBe(expected);
    expect(result.isError).toBeUndefined();
  });

  it.for([
    ['its exit code', 'echo out; exit 3', 'out\n[exit code 3]'],
    ['a signal', 'kill -KILL $$', '[ended by SIGKILL]'],
    ['a program that is not there', 'no-such-program-at-all 2>/dev/null', '[exit code 127]'],
  ] as const)('that fails tells %s', async ([_what, command, expected], { bash }) => {
    expect(await bash(command)).toMatchObject({ isError: true, text: expected });
  });

  it('that is no command says so, in words of its own only', async ({ bash }) => {
    expect((await bash(')')).text).toMatch(/syntax error near unexpected token `\)'\n.*`\)'\n\[exit code 2\]$/);
    expect((await bash('echo "')).text).toMatch(/unexpected EOF|[Uu]nterminated/);
    expect((await bash('  ')).isError).toBe(true);
    expect((await bash('echo a\0b')).isError).toBe(true);
    const tooLong = await bash(`: ${'x'.repeat(5_000_000)}`);
    expect(tooLong).toMatchObject({ isError: true, text: expect.stringContaining('could not be started') });
  });

  it('runs in the folder that the one before went to', async ({ bash, place }) => {
    fs.mkdirSync(place.at('a b'));
    expect((await bash("cd 'a b'")).text).toContain(`[commands now run in ${place.at('a b')}; `);
    expect((await bash('pwd')).text).toBe(place.at('a b'));
    expect((await bash('cd ..; false')).text).toContain(`now run in ${place.root}]`);
    await bash('(cd /usr); cd /nowhere');
    await bash('set -C; cd /usr & wait');
    expect((await bash('pwd')).text).toBe(place.root);
  });

  it('goes back to the start when its folder is gone', async ({ bash, place }) => {
    await bash('mkdir gone; cd gone');
    fs.rmSync(place.at('gone'), { recursive: true });
    expect((await bash('pwd')).text).toContain(place.root);
  });

  it('goes back to the start when a link lies where its folder was', async ({ bash, place }) => {
    await bash('mkdir left elsewhere; cd left');
    fs.renameSync(place.at('left'), place.at('moved'));
    fs.symlinkSync(place.at('elsewhere'), place.at('left'));
    expect((await bash('pwd -P')).text).toBe(place.root);
  });

  it('keeps none of its variables', async ({ bash }) => {
    await bash('export A=1; B=2');
    expect((await bash('echo "[$A$B]"')).text).toBe('[]');
  });

  it('is read-only only where something proves it, and runs without a shell then', async ({ place }) => {
    const ran: string[] = [];
    const gated = createToolPlace({
      limits: PATIENT,
      readOnlyShell: {
        check: (command) => ({ verdict: command.startsWith('echo') ? 'deny' : 'allow', reason: '' }),
        async run(command) {
          ran.push(command);
          const exitCode = command === 'ls' ? 0 : 2;
          return { output: 'out\n', exitCode, isTruncated: command === 'cat', timedOut: command === 'tail' };
        },
      },
    });
    const isReadOnly = (from: ToolPlace, input: object) =>
      from.tools.find(({ name }) => name === 'Bash')!.isReadOnly({ command: 'ls', ...input });
    expect(isReadOnly(place, {})).toBe(false);
    expect(isReadOnly(gated, {})).toBe(true);
    expect(isReadOnly(gated, { command: 'echo x' })).toBe(false);
    expect(isReadOnly(gated, { run_in_background: true })).toBe(false);
    const run = (command: string) => gated.call('Bash', { command });
    expect(await run('ls')).toEqual({ content: 'out', text: 'out' });
    expect(await run('find')).toMatchObject({ isError: true, text: 'out\n[exit code 2]' });
    expect(await run('tail')).toMatchObject({ isError: true, text: 'out\n[timed out]' });
    expect(await run('cat')).not.toHaveProperty('isError');
    expect((await run('echo shell')).text).toBe('shell');
    expect(ran).toEqual(['ls', 'find', 'tail', 'cat']);
    await gated.close();
  });

  it('shows its output while it runs', async ({ place }) => {
    const seen: string[] = [];
    const options = { onProgress: (text: string) => seen.push(text) };
    const result = await place.call('Bash', { command: 'echo early; sleep 0.5; echo late' }, options);
    expect(seen.join('')).toContain('early');
    expect(result.text).toBe('early\nlate');
  });
});

// Alone: it looks at the memory of the process.
describe('a flood', () => {
  const limits = { ...PATIENT, shell: { ...PATIENT.shell, outputCharacters: 30_000, failedCharacters: 10_000 } };

  async function flooded(command: string) {
    const narrow = createToolPlace({ limits });
    try {
      return await narrow.call('Bash', { command });
    } finally {
      await narrow.close();
    }
  }

  it('leaves its head and its tail, and says how much went', async () => {
    const used = () => process.memoryUsage().heapUsed + process.memoryUsage().external;
    const before = used();
    const result = await flooded('echo first; yes | head -c 200000000; echo last');
    expect(result.text.length).toBeLessThanOrEqual(limits.shell.outputCharacters + 200);
    expect(result.text).toMatch(/^first\ny\n/);
    expect(result.text).toMatch(/last$/);
    expect(result.text).toMatch(/\[… 199,9\d\d,\d\d\d characters left out …\]/);
    expect(used() - before).toBeLessThan(150_000_000);
  });

  it('of a failing command leaves less', async () => {
    const result = await flooded('echo first; yes | head -c 100000; echo last; exit 1');
    expect(result.text.length).toBeLessThanOrEqual(limits.shell.failedCharacters + 200);
    expect(result.text).toMatch(/^first\n[\s\S]*characters left out[\s\S]*last\n\[exit code 1\]$/);
  });

  it('of one line is cut in the line', async () => {
    const result = await flooded("head -c 1000000 /dev/zero | tr '\\0' x");
    expect(result.text.length).toBeLessThanOrEqual(limits.shell.outputCharacters + 200);
    expect(result.text).toContain('characters left out');
  });
});

describe.concurrent('nothing outlives', () => {
  it('a time limit: not even children that ignore the first signal', async ({ bash, place }) => {
    const result = await bash(`trap '' TERM; (trap '' TERM; echo $BASHPID >child; sleep 60) & echo said; sleep 60`, {
      timeout: 1_500,
    });
    expect(result).toMatchObject({ isError: true, text: expect.stringMatching(/said\n\[timed out after 1500 ms/) });
    expect(isAlive(await pidIn(place, 'child'))).toBe(false);
  });

  it('an interruption', async ({ place }) => {
    const stop = new AbortController();
    const running = place.call('Bash', { command: 'sleep 60 & echo $! >child; wait' }, { signal: stop.signal });
    const child = await pidIn(place, 'child');
    stop.abort();
    expect(await running).toMatchObject({ isError: true, text: expect.stringContaining('interrupted') });
    expect(isAlive(child)).toBe(false);
    expect((await place.call('Bash', { command: 'sleep 60' }, { signal: stop.signal })).text).toContain('interrupted');
  });

  it('the end of the session: what was left running, and what runs in the background', async ({ leaving: place }) => {
    const bash = (command: string, more: object = {}) => place.call('Bash', { command, ...more });
    const left = await bash('sleep 61 & echo $! >left; echo on');
    expect(left.text).toBe('on');
    await bash('echo $$ >background; exec sleep 62', { run_in_background: true });
    const pids = [await pidIn(place, 'left'), await pidIn(place, 'background')];
    expect(pids.map(isAlive)).toEqual([true, true]);
    await place.close();
    expect(pids.map(isAlive)).toEqual([false, false]);
  });

  it.skipIf(process.platform !== 'linux')(
    'the end of the session: not even what left its group',
    async ({ bash, place }) => {
      await bash(`setsid bash -c 'echo $$ >apart; exec sleep 63' >/dev/null 2>&1 &`);
      const apart = await pidIn(place, 'apart');
      expect(isAlive(apart)).toBe(true);
      await place.close();
      expect(await until(() => !isAlive(apart))).toBe(true);
    },
  );

  it('a server keeps writing after the command that started it', async ({ leaving: place }) => {
    await place.call('Bash', { command: '(while true; do echo tick; echo x >>ticks; sleep 0.05; done) & true' });
    const count = () => (fs.existsSync(place.at('ticks')) ? place.text('ticks').length : 0);
    const before = count();
    expect(await until(() => count() > before + 10)).toBe(true);
  });
});

describe.concurrent('the background', () => {
  it('answers with an id, then with what is new', async ({ bash, place }) => {
    const started = await bash('echo one; while [ ! -e go ]; do sleep 0.02; done; echo two; exit 4', {
      run_in_background: true,
    });
    const id = /bash_\d+/.exec(started.text)![0];
    const look = async (more: object = {}) => (await place.call('BashOutput', { bash_id: id, ...more })).text;
    const lookUntil = async (text: string) => {
      let seen = '';
      const isSeen = await until(async () => {
        seen += await look();
        return seen.includes(text);
      });
      return isSeen ? seen : '';
    };
    expect(await lookUntil('one')).toContain('one');
    expect(await look()).toBe('[running]\n(nothing new)');
    place.put('go', '');
    const seen = await lookUntil('exit code 4');
    expect(seen).toContain('two');
    expect(seen).not.toContain('one');
  });

  it('shows matching lines only, whatever the pattern costs elsewhere', async ({ bash, place }) => {
    await bash(`echo error: a; echo fine; echo ${'a'.repeat(40)}!; sleep 60`, { run_in_background: true });
    const look = (filter: string, id = 'bash_1') => place.call('BashOutput', { bash_id: id, filter });
    const shows = (text: string, filter: string, id?: string) =>
      until(async () => (await look(filter, id)).text === `[running]\n${text}`);
    expect(await shows('error: a', '^error')).toBe(true);
    await bash(`echo ${'a'.repeat(40)}!; echo end; sleep 60`, { run_in_background: true });
    expect(await shows('end', '^(a+)+$|^end$', 'bash_2')).toBe(true);
    expect((await look('^(a+)+$')).text).toBe('[running]\n(nothing new matches)');
    expect(await look('(')).toMatchObject({ isError: true, text: expect.stringContaining('unclosed') });
    expect((await look('--files')).isError).toBeUndefined();
  });

  it('is ended by its id', async ({ bash, place }) => {
    await bash('sleep 60 & echo $! >child; wait', { run_in_background: true });
    const child = await pidIn(place, 'child');
    expect((await place.call('KillShell', { shell_id: 'bash_1' })).text).toBe('bash_1 was ended.');
    expect(isAlive(child)).toBe(false);
    expect((await place.call('BashOutput', { bash_id: 'bash_1' })).text).toContain('[stopped]');
    expect((await place.call('KillShell', { shell_id: 'bash_1' })).text).toContain('over already');
    const unknown = await place.call('BashOutput', { bash_id: 'bash_9' });
    expect(unknown).toMatchObject({ isError: true, text: expect.stringContaining('Known: bash_1.') });
  });

  it('has room for so many', async () => {
    const shell = { ...PATIENT.shell, backgroundCommands: 1 };
    const small = createToolPlace({ limits: { ...PATIENT, shell } });
    const start = () => small.call('Bash', { command: 'sleep 60', run_in_background: true });
    expect((await start()).isError).toBeUndefined();
    expect(await start()).toMatchObject({ isError: true });
    await small.call('KillShell', { shell_id: 'bash_1' });
    expect((await start()).text).toContain('bash_2');
    await small.close();
  });
});
