import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { entryOf, MARKED_PAINT, runLine } from '../../test/support/cli-stub.ts';
import { ReverieError } from '../errors.ts';
import { COMMANDS } from './catalog.ts';
import { type CommandRow, defineCommand, GLOBAL_OPTIONS } from './command.ts';

function rowThat(run: () => Promise<never>): CommandRow[] {
  const command = defineCommand({ arguments: [], options: {}, examples: [], run });
  return [{ name: 'go', summary: 'Go', load: async () => ({ command }) }];
}

describe('exit codes', () => {
  it.each([
    ['usage', 2],
    ['not-found', 1],
    ['secret', 1],
    ['locked', 1],
    ['storage', 1],
  ] as const)('an error of kind %s exits %i, with its fix on stderr', async (code, exitCode) => {
    const rows = rowThat(async () => {
      throw new ReverieError({ code, message: 'It broke.', fix: 'Fix it so.' });
    });
    const ran = await runLine(['go'], { rows });
    expect(ran).toMatchObject({ exitCode, stdout: '', stderr: 'reverie: It broke.\nFix it so.\n' });
  });

  it('an unexpected error exits 1 and shows its stack only when asked', async () => {
    const rows = rowThat(async () => {
      throw new TypeError('a bug');
    });
    const ran = await runLine(['go'], { rows });
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toContain('a bug');
    expect(ran.stderr).not.toContain('    at ');
    const debugged = await runLine(['go'], { rows, environment: { REVERIE_DEBUG: '1' } });
    expect(debugged.stderr).toContain('    at ');
  });

  it.each([
    [['nonsense']],
    [['memory']],
    [['memory', 'save']],
    [['memory', 'list', '--nonsense']],
    [['memory', 'list', 'surplus']],
    [['memory', 'list', '--directory', '']],
    [['--nonsense']],
  ])('%j exits 2 without opening a memory', async (argv) => {
    const ran = await runLine(argv);
    expect(ran.exitCode).toBe(2);
    expect(ran.stdout).toBe('');
    expect(ran.stderr).toContain('--help');
    expect(ran.calls).toEqual([]);
  });

  it('with --json errors are JSON too', async () => {
    const ran = await runLine(['memory', 'show', 'nothing', '--json']);
    expect(ran.exitCode).toBe(1);
    expect(JSON.parse(ran.stderr)).toEqual({
      error: { code: 'not-found', message: expect.stringContaining('nothing.md'), fix: expect.any(String) },
    });
  });

  it('closes the memory it opened, even after a failure', async () => {
    const forget = async () => {
      throw new ReverieError({ code: 'locked', message: 'held' });
    };
    const ran = await runLine(['memory', 'forget', 'a'], { memories: [entryOf('a.md')], memory: { forget } });
    expect(ran.exitCode).toBe(1);
    expect(ran.calls).toContainEqual(['close']);
  });

  it('what was done stays done when closing fails', async () => {
    const close = async () => {
      throw new Error('cannot let go');
    };
    const ran = await runLine(['memory', 'forget', 'a'], { memories: [entryOf('a.md')], memory: { close } });
    expect(ran.exitCode).toBe(0);
    expect(ran.stdout).toContain('Forgot a.md');
    expect(ran.stderr).toBe('warning: cannot let go\n');
  });

  it('an operating system error is not called a bug', async () => {
    const rows = rowThat(async () => {
      throw Object.assign(new Error('EACCES: permission denied, open /x'), { code: 'EACCES' });
    });
    const ran = await runLine(['go'], { rows, environment: { REVERIE_DEBUG: '1' } });
    expect(ran).toMatchObject({ exitCode: 1, stderr: 'reverie: EACCES: permission denied, open /x\n' });
  });

  it('a missing current directory is explained in words', async () => {
    const rows = rowThat(async () => {
      const message = 'ENOENT: no such file or directory, uv_cwd';
      throw Object.assign(new Error(message), { code: 'ENOENT', syscall: 'uv_cwd' });
    });
    const ran = await runLine(['go'], { rows });
    expect(ran).toMatchObject({
      exitCode: 1,
      stderr: 'reverie: The current directory no longer exists; go to another one.\n',
    });
  });

  it('--json after -- is an argument like any other', async () => {
    const ran = await runLine(['memory', 'show', '--', '--json']);
    expect(ran.stderr).toContain('There is no memory --json.md');
  });

  it('reports what went wrong in the background, and still does its own work', async () => {
    const ran = await runLine(['memory', 'list'], { memory: { problems: () => ['The index is damaged.'] } });
    expect(ran).toMatchObject({ exitCode: 0, stderr: 'warning: The index is damaged.\n' });
  });
});

describe('help', () => {
  it('of everything names every command and every global option', async () => {
    const ran = await runLine(['--help']);
    expect(ran.exitCode).toBe(0);
    const listed = ran.stdout.replace(/ {2,}/g, '  ');
    const listedRows = COMMANDS.filter(({ sameAs }) => sameAs === undefined);
    for (const { name, summary } of listedRows) expect(listed).toContain(`\n  ${name}  ${summary}`);
    for (const name of Object.keys(GLOBAL_OPTIONS)) expect(ran.stdout).toContain(`--${name}`);
  });

  it.each([[['-h']], [['help']], [['--json', '--help']]])('%j is the same', async (argv) => {
    const [ran, help] = [await runLine(argv), await runLine(['--help'])];
    expect(argv.includes('--json') ? JSON.parse(ran.stdout).help : ran.stdout.trimEnd()).toBe(help.stdout.trimEnd());
  });

  it.each([[['--help']], [['-p', '--help']], [['chat', '--help']]])(
    '%j says where a model comes from',
    async (argv) => {
      const { stdout } = await runLine(argv);
      for (const variable of ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL', 'OPENAI_BASE_URL']) {
        expect(stdout).toContain(variable);
      }
    },
  );

  it('of a group names its commands only', async () => {
    const ran = await runLine(['memory', '--help']);
    expect(ran.stdout).toContain('memory undo');
    expect(ran.stdout).not.toContain('tour');
  });

  it.each(COMMANDS.map((row) => [row.name, row] as const))(
    'of %s shows usage, every flag and examples',
    async (name, row) => {
      const { command } = await row.load();
      const ran = await runLine([...name.split(' '), '--help']);
      expect(ran.exitCode).toBe(0);
      expect(ran.stdout).toContain(`reverie ${name}`);
      for (const [option, { help }] of Object.entries(command.options)) {
        expect(ran.stdout).toMatch(new RegExp(`--${option}\\b`));
        expect(ran.stdout).toContain(help);
      }
      for (const example of command.examples) expect(ran.stdout).toContain(example);
      expect((await runLine(['help', ...name.split(' ')])).stdout).toBe(ran.stdout);
    },
  );

  it.each([[40], [80], [200]])('fits a terminal of %i columns, examples apart, and 80 at most', async (width) => {
    for (const name of ['', 'memory', ...COMMANDS.map((row) => row.name)]) {
      const terminal = { isTerminal: true, width, paint: MARKED_PAINT };
      const ran = await runLine([...name.split(' ').filter(Boolean), '--help'], { terminal });
      const [help, examples = ''] = ran.stdout.replaceAll(/\u001b\[\d+m/g, '').split('\nExamples\n');
      const tooLong = help!.split('\n').filter((line) => line.length > Math.min(80, width));
      expect(tooLong, name).toEqual([]);
      if (width >= 80) for (const line of examples.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    }
  });

  it('--version is the version of the package', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect((await runLine(['--version'])).stdout).toBe(`${version}\n`);
    expect((await runLine(['memory', 'list', '--version'])).stdout).toBe(`${version}\n`);
  });
});

describe('global flags', () => {
  it('say where memory is', async () => {
    const ran = await runLine([
      '--home',
      '/h',
      'memory',
      'list',
      '--cwd=/c',
      '--bare',
      '--settings',
      '{}',
      '--directory',
      '/d',
    ]);
    expect(ran.calls[0]).toEqual([
      'openMemory',
      { home: '/h', cwd: '/c', bare: true, settings: '{}', directory: '/d' },
    ]);
  });

  it('are repeated in suggested commands', async () => {
    const ran = await runLine(['memory', 'forget', 'a', '--directory', "/it's here"], { memories: [entryOf('a.md')] });
    expect(ran.stdout).toContain(`reverie memory undo c-new --directory '/it'\\''s here'`);
  });
});

describe('text from files', () => {
  const hostile = '\u001b]0;owned\u0007evil\u001b[2J\r\nnext\u202e';
  const memories = [
    entryOf('a.md', {
      name: hostile,
      description: hostile,
      body: hostile,
      warnings: [hostile],
      origin: { session: hostile },
    }),
  ];
  const log = [
    {
      id: 'c1',
      at: '2025-11-15T11:00:00Z',
      scope: 'project',
      kind: 'save',
      who: 'agent',
      why: hostile,
      files: [hostile],
    },
  ] as const;
  const diff = async () =>
    [{ file: 'a.md', scope: 'project', before: hostile, after: `${hostile}\n+\u001b[8m`, withheld: false }] as const;

  it.each([
    [['list']],
    [['show', 'a']],
    [['log']],
    [['diff']],
    [['undo']],
    [['purge', 'a', '--yes']],
    [['list', '--json']],
  ])('cannot act on the terminal in memory %j', async ([...argv]) => {
    const purge = async () => ({ file: hostile, scope: 'project', records: 1, transcripts: [hostile] }) as const;
    for (const paint of [undefined, MARKED_PAINT]) {
      const terminal = { isTerminal: true, width: 80, ...(paint ? { paint } : {}) };
      const ran = await runLine(['memory', ...argv], { memories, log, memory: { diff, purge }, terminal });
      expect(ran.exitCode).toBe(0);
      const uncoloured = ran.stdout.replaceAll(/\u001b\[(?:1|2|22|3[1-9])m/g, '');
      expect(uncoloured).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
      expect(uncoloured).toContain('evil');
    }
  });

  it('stays exact in JSON', async () => {
    const ran = await runLine(['memory', 'list', '--json'], { memories });
    expect(JSON.parse(ran.stdout)[0].description).toBe(hostile);
  });
});
