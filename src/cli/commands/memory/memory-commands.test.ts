import { describe, expect, it } from 'vitest';
import { entryOf, MARKED_PAINT, runLine, type StubOptions } from '../../../../test/support/cli-stub.ts';
import type { LogEntry } from '../../../memory/memory.ts';

const saveLine = ['memory', 'save', '--type', 'feedback', '--name', 'N', '--description', 'D'];
const argumentsOf = (ran: Awaited<ReturnType<typeof runLine>>, method: string) =>
  ran.calls.find(([name]) => name === method)?.slice(1);

describe('memory save', () => {
  const piped = { input: 'piped', readInput: async () => 'from stdin' } as const;

  it.each<[string, string[], StubOptions['terminal'], string]>([
    ['the option', ['--body', 'given'], {}, 'given'],
    ['the option before what is piped', ['--body', 'given'], piped, 'given'],
    ['standard input for a dash', ['--body', '-'], piped, 'from stdin'],
    ['standard input without the option', [], piped, 'from stdin'],
    ['the keyboard for a dash', ['--body', '-'], { input: 'keyboard', readInput: async () => 'typed' }, 'typed'],
  ])('takes the body from %s', async (_, more, terminal, body) => {
    const ran = await runLine([...saveLine, ...more], { terminal });
    expect(ran.exitCode).toBe(0);
    expect(argumentsOf(ran, 'save')?.[0]).toEqual({ type: 'feedback', name: 'N', description: 'D', body });
  });

  it.each<[string, string[], StubOptions['terminal']]>([
    ['no body and nothing piped', [], {}],
    ['no body at a keyboard', [], { input: 'keyboard' }],
    ['an empty body', ['--body', '  '], {}],
    ['empty input', [], { input: 'piped', readInput: async () => '\n' }],
  ])('refuses %s', async (_, more, terminal) => {
    const ran = await runLine([...saveLine, ...more], { terminal });
    expect(ran.exitCode).toBe(2);
    expect(ran.stderr).toContain('--body');
    expect(ran.calls).toEqual([]);
  });

  it('passes scope, source and reason on, as the user', async () => {
    const ran = await runLine([
      ...saveLine,
      '--body',
      'b',
      '--scope',
      'global',
      '--source',
      'seen',
      '--reason',
      'because',
    ]);
    expect(argumentsOf(ran, 'save')).toEqual([
      { type: 'feedback', name: 'N', description: 'D', body: 'b', scope: 'global', source: 'seen' },
      { who: 'user', reason: 'because' },
    ]);
    expect(ran.stdout.split('\n')[0]).toBe('Saved feedback_saved.md (global)');
  });

  it('shows warnings and how to undo, or the same as data', async () => {
    const saved = { file: 'feedback_n.md', scope: 'project', warnings: ['The index is long.'], change: 'c9' } as const;
    const memory = { save: async () => saved };
    const ran = await runLine([...saveLine, '--body', 'b'], { memory });
    expect(ran.stdout).toBe(
      'Saved feedback_n.md (project)\nwarning: The index is long.\nTo undo it: reverie memory undo c9\n',
    );
    expect(JSON.parse((await runLine([...saveLine, '--body', 'b', '--json'], { memory })).stdout)).toEqual(saved);
  });
});

describe('memory list', () => {
  const memories = [
    entryOf('feedback_a.md', { type: 'feedback', description: 'Short', pinned: true }),
    entryOf('odd.md', {
      source: 'seen',
      type: null,
      description: '',
      name: 'Odd one',
      warnings: ['odd.md:1: no front matter'],
      body: 'Postgres here',
    }),
    entryOf('user_long-name.md', { type: 'user', scope: 'global', description: 'word '.repeat(60).trim() }),
  ];

  it('is aligned, dated and uncut in a pipe', async () => {
    const ran = await runLine(['memory', 'list'], { memories });
    expect(ran.stdout).toBe(
      [
        'feedback_a.md      feedback  project  2025-11-12  (pinned) Short',
        'odd.md             untyped   project  2025-11-12  (seen) (1 warning) Odd one',
        `user_long-name.md  user      global   2025-11-12  ${'word '.repeat(60).trim()}`,
        '',
      ].join('\n'),
    );
  });

  it("has ages, a count and the terminal's width on a terminal", async () => {
    const ran = await runLine(['memory', 'list'], { memories, terminal: { isTerminal: true, width: 72 } });
    const lines = ran.stdout.trimEnd().split('\n');
    expect(lines[0]).toContain('3 days ago');
    expect(lines[2]).toMatch(/…$/);
    for (const line of lines.slice(0, 3)) expect(line.length).toBeLessThanOrEqual(72);
    expect(lines.at(-1)).toContain('3 memories, 1 with warnings');
  });

  it.each([[40], [80]])('no row wraps at %i columns, and names are cut only there', async (width) => {
    const long = `feedback_${'very-'.repeat(14)}long.md`;
    const listed = [...memories, entryOf(long, { description: 'word '.repeat(60).trim() })];
    const ran = await runLine(['memory', 'list'], { memories: listed, terminal: { isTerminal: true, width } });
    for (const line of ran.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(width);
    expect(ran.stdout).not.toContain(long);
    for (const { file } of memories) expect(ran.stdout).toContain(file);
    expect((await runLine(['memory', 'list'], { memories: listed })).stdout).toContain(long);
  });

  it('is coloured without losing its alignment', async () => {
    const plain = await runLine(['memory', 'list'], { memories });
    const coloured = await runLine(['memory', 'list'], { memories, terminal: { paint: MARKED_PAINT } });
    expect(coloured.stdout).toContain('\u001b[');
    expect(coloured.stdout.replaceAll(/\u001b\[\d+m/g, '').replaceAll(/ +$/gm, '')).toBe(plain.stdout);
  });

  it.each([
    [['--type', 'feedback'], ['feedback_a.md']],
    [['--scope', 'global'], ['user_long-name.md']],
    [['--query', 'SHORT'], ['feedback_a.md']],
    [['--query', 'postgres'], ['odd.md']],
    [['--type', 'user', '--query', 'zzz'], []],
    [['--unconfirmed'], ['odd.md']],
  ])('filters by %j', async (more, files) => {
    const ran = await runLine(['memory', 'list', '--json', ...more], { memories });
    expect(JSON.parse(ran.stdout).map(({ file }: { file: string }) => file)).toEqual(files);
  });

  it('gives the entries of the library as JSON, bodies included', async () => {
    const ran = await runLine(['memory', 'list', '--json'], { memories });
    expect(JSON.parse(ran.stdout)).toEqual(memories);
  });

  it('does not read bodies for the readable form', async () => {
    const entry = Object.defineProperty({ ...entryOf('a.md') }, 'body', {
      get: () => {
        throw new Error('was read');
      },
    });
    expect((await runLine(['memory', 'list'], { memories: [entry] })).exitCode).toBe(0);
  });

  it('says what to do when there is nothing, nothing that matches, or no memory at all', async () => {
    expect((await runLine(['memory', 'list'])).stdout).toContain('reverie remember');
    expect((await runLine(['memory', 'list', '--query', 'zzz'], { memories })).stdout).toBe('No memory matches.\n');
    const off = await runLine(['memory', 'list'], { memory: { enabled: false, offReason: 'Off, because.' } });
    expect(off.stdout).toBe('Off, because.\n');
  });
});

describe('FILE arguments', () => {
  const memories = [
    entryOf('feedback_mocks.md'),
    entryOf('user_me.md', { scope: 'global' }),
    entryOf('twin.md', { body: 'of the project' }),
    entryOf('twin.md', { scope: 'global', body: 'of everywhere' }),
  ];

  it.each([
    ['feedback_mocks', 'feedback_mocks.md', 'project'],
    ['feedback_mocks.md', 'feedback_mocks.md', 'project'],
    ['global:user_me', 'user_me.md', 'global'],
    ['project:twin.md', 'twin.md', 'project'],
    ['global:twin', 'twin.md', 'global'],
  ])('%s is %s of %s', async (argument, file, scope) => {
    const ran = await runLine(['memory', 'forget', argument, '--reason', 'old'], { memories });
    expect(argumentsOf(ran, 'forget')).toEqual([file, { scope, who: 'user', reason: 'old' }]);
  });

  it('an agent forgets as itself, and nothing that is pinned', async () => {
    const environment = { REVERIE_AGENT: '1' };
    const ran = await runLine(['memory', 'forget', 'user_me'], { memories, environment });
    expect(argumentsOf(ran, 'forget')).toEqual(['user_me.md', { scope: 'global', who: 'agent' }]);
    const pinned = [entryOf('user_me.md', { scope: 'global', pinned: true })];
    const refused = await runLine(['memory', 'forget', 'user_me'], { memories: pinned, environment });
    expect(refused.stderr).toContain('Leave it to them: reverie memory forget global:user_me.md');
    expect(refused.calls.map(([name]) => name)).not.toContain('forget');
  });

  it.each([
    ['feedback_moks', 'did you mean feedback_mocks?'],
    ['mocks', 'did you mean feedback_mocks?'],
    ['project:user_me', 'in the project scope'],
    ['twin', 'project:twin.md or global:twin.md'],
    ['zzzzzz', 'reverie memory list'],
  ])('%s fails with a hint: %s', async (argument, hint) => {
    const ran = await runLine(['memory', 'show', argument], { memories });
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toContain(hint);
  });

  it.each([['no-mocks'], ['no-mokcs']])('%s suggests the memory with this name first', async (argument) => {
    const named = ['nomock.md', 'no-mocka.md', 'feedback_no-mocks.md'].map((file) => entryOf(file));
    const { stderr } = await runLine(['memory', 'show', argument], { memories: named });
    expect(stderr).toContain('did you mean feedback_no-mocks');
  });
});

describe('memory show', () => {
  it('shows the facts and the body', async () => {
    const entry = entryOf('a.md', {
      name: 'A',
      body: 'the body\n',
      pinned: true,
      origin: { session: 's1' },
      refuted: 'it was not so',
    });
    const { stdout } = await runLine(['memory', 'show', 'a'], { memories: [entry] });
    for (const part of [
      'A\n',
      'about a.md',
      '/memory/a.md (project)',
      'pinned',
      'origin session',
      's1',
      'it was not so',
      '\n\nthe body\n',
    ]) {
      expect(stdout).toContain(part);
    }
    expect(JSON.parse((await runLine(['memory', 'show', 'a', '--json'], { memories: [entry] })).stdout)).toEqual(entry);
  });
});

describe('memory edit', () => {
  const memories = [entryOf('a.md'), entryOf('feedback_b.md', { scope: 'global' })];
  it.each([
    [['--name', 'N'], { name: 'N' }],
    [['--description', 'D', '--type', 'user'], { description: 'D', type: 'user' }],
    [['--alias', 'k8s, kube'], { aliases: ['k8s', 'kube'] }],
    [['--alias', ''], { aliases: [] }],
    [['--pinned'], { pinned: true }],
    [['--unpinned'], { pinned: false }],
    [['--source', 'seen', '--body', 'B'], { source: 'seen', body: 'B' }],
    [['--superseded-by', 'feedback_b'], { supersededBy: 'feedback_b.md' }],
    [['--superseded-by', 'global:feedback_b.md'], { supersededBy: 'global:feedback_b.md' }],
    [['--superseded-by', '', '--refuted='], { supersededBy: null, refuted: null }],
  ])('%j changes %j', async (more, changes) => {
    const ran = await runLine(['memory', 'edit', 'a', '--reason', 'r', ...more], { memories });
    expect(argumentsOf(ran, 'update')).toEqual(['a.md', changes, { scope: 'project', who: 'user', reason: 'r' }]);
    expect(ran.stdout).toContain('Changed a.md (project)');
  });

  it.each([
    ['feedback_c', 1, 'There is no memory feedback_c.md; did you mean feedback_b?'],
    ['project:feedback_b', 1, 'in the project scope'],
    ['a.md', 2, 'cannot supersede itself'],
  ])('is refused if %s is to supersede it, which would hide both', async (named, exitCode, hint) => {
    const ran = await runLine(['memory', 'edit', 'a', '--superseded-by', named], { memories });
    expect(ran).toMatchObject({ exitCode, stderr: expect.stringContaining(hint) });
    expect(argumentsOf(ran, 'update')).toBeUndefined();
  });

  it('refuses contradictory flags, and no flags without an editor', async () => {
    expect((await runLine(['memory', 'edit', 'a', '--pinned', '--unpinned'], { memories })).exitCode).toBe(2);
    const noEditor = await runLine(['memory', 'edit', 'a'], { memories });
    expect(noEditor.exitCode).toBe(2);
    expect(noEditor.stderr).toContain('EDITOR');
  });

  it.each([
    ['--name', '', '--name is empty'],
    ['--name', ' ', '--name is empty'],
    ['--body', '', 'reverie memory forget'],
  ])('refuses %s %j without opening a memory: %s', async (option, value, hint) => {
    const ran = await runLine(['memory', 'edit', 'a', option, value], { memories });
    expect(ran.exitCode).toBe(2);
    expect(ran.stderr).toContain(hint);
    expect(ran.stderr).not.toContain('memory save');
    expect(ran.calls).toEqual([]);
  });
});

describe('memory pin', () => {
  it.each([
    [[], true, 'Pinned'],
    [['--off'], false, 'Unpinned'],
  ])('%j', async (more, pinned, verb) => {
    const ran = await runLine(['memory', 'pin', 'a', ...more], { memories: [entryOf('a.md', { pinned: !pinned })] });
    expect(argumentsOf(ran, 'pin')).toEqual(['a.md', { scope: 'project', who: 'user', pinned }]);
    expect(ran.stdout).toContain(`${verb} a.md (project)`);
  });

  it.each([
    [[], true, 'a.md is pinned already.\n'],
    [['--off'], false, 'a.md is not pinned.\n'],
  ])('%j changes nothing if it is already so', async (more, pinned, said) => {
    const ran = await runLine(['memory', 'pin', 'a', ...more], { memories: [entryOf('a.md', { pinned })] });
    expect(ran).toMatchObject({ exitCode: 0, stdout: said });
    expect(argumentsOf(ran, 'pin')).toBeUndefined();
  });
});

describe('memory purge', () => {
  const memories = [entryOf('a.md')];
  const asked = (reply: string) => ({ canAsk: true, ask: async () => reply });

  it('needs --yes when nobody can be asked', async () => {
    const ran = await runLine(['memory', 'purge', 'a'], { memories });
    expect(ran.exitCode).toBe(2);
    expect(ran.stderr).toContain('--yes');
    expect(argumentsOf(ran, 'purge')).toBeUndefined();
  });

  it.each([
    ['y', true],
    ['Yes', true],
    ['n', false],
    ['', false],
    ['yep maybe', false],
  ])('the reply %j removes it: %s', async (reply, isRemoved) => {
    const ran = await runLine(['memory', 'purge', 'a'], { memories, terminal: asked(reply) });
    expect(argumentsOf(ran, 'purge') !== undefined).toBe(isRemoved);
    expect(ran.exitCode).toBe(isRemoved ? 0 : 1);
  });

  it('says what was removed and which transcripts still hold it', async () => {
    const purge = async () => ({ file: 'a.md', scope: 'project', records: 3, transcripts: ['/t/1.jsonl'] }) as const;
    const ran = await runLine(['memory', 'purge', 'a', '--yes'], { memories, memory: { purge } });
    expect(ran.stdout).toContain('Removed a.md (project) for good, with 3 records of its history.');
    expect(ran.stdout).toContain('/t/1.jsonl');
  });

  it('reaches a forgotten memory, and refuses one that never existed', async () => {
    const log: LogEntry[] = [
      {
        id: 'c1',
        at: '2025-11-15T11:00:00Z',
        scope: 'global',
        kind: 'forget',
        who: 'user',
        why: '',
        files: ['gone.md'],
      },
    ];
    const ran = await runLine(['memory', 'purge', 'gone', '--yes'], { memories, log });
    expect(argumentsOf(ran, 'purge')).toEqual(['gone.md', { who: 'user', scope: 'global' }]);
    const never = await runLine(['memory', 'purge', 'gnoe', '--yes'], { memories, log });
    expect(never.exitCode).toBe(1);
    expect(never.stderr).toContain('did you mean gone?');
  });
});

describe('memory log, diff, undo', () => {
  const log: LogEntry[] = [
    {
      id: 'c3',
      at: '2025-11-15T11:00:00Z',
      scope: 'project',
      kind: 'undo',
      who: 'user',
      why: '',
      files: ['a.md'],
      undoes: 'c2',
    },
    {
      id: 'c2',
      at: '2025-11-14T11:00:00Z',
      scope: 'project',
      kind: 'update',
      who: 'dream',
      why: 'merged',
      files: ['a.md', 'b.md'],
      undoneBy: 'c3',
    },
    {
      id: 'c1',
      at: '2025-11-13T11:00:00Z',
      scope: 'global',
      kind: 'save',
      who: 'agent',
      why: 'said so',
      files: ['a.md'],
    },
  ];

  it('lists changes in columns', async () => {
    const ran = await runLine(['memory', 'log'], { log });
    expect(ran.stdout).toBe(
      [
        'c3  2025-11-15T11:00:00Z  undo    user   a.md             (undoes c2)',
        'c2  2025-11-14T11:00:00Z  update  dream  a.md and 1 more  (undone) merged',
        'c1  2025-11-13T11:00:00Z  save    agent  a.md             said so',
        '',
      ].join('\n'),
    );
    expect(JSON.parse((await runLine(['memory', 'log', '--json'], { log })).stdout)).toEqual(log);
    expect((await runLine(['memory', 'log'])).stdout).toBe('Nothing has changed yet.\n');
    expect((await runLine(['memory', 'log', '--file', 'nope'])).stdout).toBe('No change of nope.md is recorded.\n');
    const off = await runLine(['memory', 'log'], { memory: { enabled: false, offReason: 'Off, because.' } });
    expect(off.stdout).toBe('Off, because.\n');
  });

  it.each([[40], [80]])('no change wraps at %i columns, and its id stays whole', async (width) => {
    const long = log.map((entry) => ({
      ...entry,
      id: `${entry.id}-0123456789abc`,
      files: ['feedback_a-name-that-goes-on-and-on-and-on-and-on.md'],
      why: 'a reason that takes more words than a line has room for',
    }));
    const ran = await runLine(['memory', 'log'], { log: long, terminal: { isTerminal: true, width } });
    for (const line of ran.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(width);
    for (const { id, kind } of long) expect(ran.stdout).toMatch(new RegExp(`^${id}.* ${kind}`, 'm'));
  });

  it('asks the library for the file and the limit', async () => {
    const ran = await runLine(['memory', 'log', '--file', 'a', '--limit', '2'], { log });
    expect(argumentsOf(ran, 'log')).toEqual([{ file: 'a.md', limit: 2 }]);
    const scoped = await runLine(['memory', 'log', '--file', 'global:a', '--limit', '1', '--json'], { log });
    expect(JSON.parse(scoped.stdout).map(({ id }: LogEntry) => id)).toEqual(['c1']);
  });

  it('shows a unified diff below the description of the change', async () => {
    const diffs = [
      { file: 'a.md', scope: 'project', before: 'one\ntwo\n', after: 'one\n2\n', withheld: false },
      { file: 'new.md', scope: 'project', before: null, after: 'x\n', withheld: false },
      { file: 'secret.md', scope: 'project', before: null, after: null, withheld: true },
    ] as const;
    const memory = { diff: async () => diffs };
    const ran = await runLine(['memory', 'diff', 'c2'], { log, memory, terminal: { paint: MARKED_PAINT } });
    expect(argumentsOf(ran, 'diff')).toEqual(['c2']);
    for (const part of [
      'c2  update of a.md and 1 more by dream',
      '\u001b[31m-two',
      '\u001b[32m+2',
      '--- /dev/null',
      '+++ b/new.md',
      'secret.md',
    ]) {
      expect(ran.stdout).toContain(part);
    }
    expect(ran.stdout).toContain('held a secret and was not kept');
    expect(JSON.parse((await runLine(['memory', 'diff', '--json'], { log, memory })).stdout)).toEqual(diffs);
  });

  it("says that a purge's text is gone, and that earlier changes may have lost theirs", async () => {
    const purge: LogEntry = {
      ...{ id: 'c4', at: '2025-11-15T11:30:00Z', scope: 'project', kind: 'purge', who: 'user', why: '', files: [] },
    };
    const newest = await runLine(['memory', 'diff'], { log: [purge, ...log] });
    expect(newest.stdout).toContain('c4  purge by user');
    expect(newest.stdout).toContain('removed for good');
    const withheld = { file: 'a.md', scope: 'project', before: null, after: null, withheld: true } as const;
    const memory = { diff: async () => [withheld] };
    const earlier = await runLine(['memory', 'diff', 'c1'], { log: [purge, ...log], memory });
    expect(earlier.stdout).toContain('held a secret or was purged since');
  });

  it.each<[string, readonly [string | null, string | null][], string]>([
    ['a save', [[null, 'x']], ': a.md is back\nTo take that'],
    ['a removal', [['x', null]], ': a.md is removed\nTo bring it'],
    ['an edit', [['x', 'y']], ': a.md is as before\nTo take that'],
    [
      'several',
      [
        ['x', null],
        ['y', null],
        [null, 'z'],
      ],
      ': a.md and 1 more are removed, c.md is back\nTo take that',
    ],
  ])('undoes and says what happened to the files and how to redo: %s', async (_, texts, said) => {
    const diffs = texts.map(([before, after], at) => {
      return { file: `${'abc'[at]}.md`, scope: 'project', before, after, withheld: false } as const;
    });
    const ran = await runLine(['memory', 'undo', 'c2'], { log, memory: { diff: async () => diffs } });
    expect(argumentsOf(ran, 'undo')).toEqual(['c2']);
    expect(argumentsOf(ran, 'diff')).toEqual(['c3']);
    expect(ran.stdout).toBe(`Undid the update of a.md (project)${said} back: reverie memory undo c3\n`);
  });
});
