import { describe, expect, it } from 'vitest';
import { ReverieError } from '../../errors.ts';
import { COMMANDS } from '../catalog.ts';
import type { CommandRow } from '../command.ts';
import { parseOptions, routeCommand } from './arguments.ts';

const row = (name: string): CommandRow => ({ name, summary: '', load: () => Promise.reject(new Error('not loaded')) });
const rows = ['tour', 'memory save', 'memory list', 'settings', 'dream', 'dream inbox'].map(row);

describe('routeCommand', () => {
  it.each([
    [['memory', 'list'], 'memory list', []],
    [['memory', 'list', '--type', 'user'], 'memory list', ['--type', 'user']],
    [['--json', 'memory', 'list'], 'memory list', ['--json']],
    [['--directory', 'memory', 'memory', 'list'], 'memory list', ['--directory', 'memory']],
    [['memory', '--directory=x', 'save', 'list'], 'memory save', ['--directory=x', 'list']],
    [['settings', '--', '-x'], 'settings', ['--', '-x']],
    [['dream'], 'dream', []],
    [['dream', '--review', '--json'], 'dream', ['--review', '--json']],
    [['dream', '--scope', 'global'], 'dream', ['--scope', 'global']],
    [['dream', '--', 'inbox'], 'dream', ['--', 'inbox']],
    [['dream', 'inbox', '--json'], 'dream inbox', ['--json']],
    [['dream', '--home', '/x', '--json', 'inbox'], 'dream inbox', ['--home', '/x', '--json']],
  ])('%j means %s', (argv, name, rest) => {
    expect(routeCommand(argv, rows)).toMatchObject({ kind: 'command', row: { name }, rest });
  });

  it.each([
    [[], []],
    [['memory'], ['memory']],
    [['memory', '--help'], ['memory']],
    [['--', 'memory'], []],
  ])('%j names no command', (argv, words) => {
    expect(routeCommand(argv, rows)).toMatchObject({ kind: 'group', words });
  });

  it.each([
    [['memroy', 'list'], 'did you mean memory?'],
    [['memory', 'lst'], 'did you mean memory list?'],
    [['list'], 'did you mean memory list?'],
    [['dream', 'inbx'], 'did you mean dream inbox?'],
    [['qqqqqq'], 'There is no command qqqqqq.'],
  ])('%j is refused: %s', (argv, message) => {
    expect(() => routeCommand(argv, rows)).toThrow(message);
  });
});

describe('parseOptions', () => {
  const command = {
    arguments: [{ name: 'FILE', required: true, help: '' }],
    options: {
      type: { kind: 'text', value: 'TYPE', choices: ['user', 'feedback'], help: '' },
      limit: { kind: 'number', value: 'N', help: '' },
      yes: { kind: 'flag', help: '' },
      name: { kind: 'text', value: 'NAME', required: true, help: '' },
    },
  } as const;

  it('reads options in any order, with their kinds', () => {
    const line = parseOptions(['--limit', '3', 'a.md', '--name=x=y', '--yes', '--type', 'user', '--json'], command, '');
    expect(line.arguments).toEqual(['a.md']);
    expect(line.options).toMatchObject({ limit: 3, name: 'x=y', yes: true, type: 'user', json: true, bare: false });
  });

  it.each([
    ['a lone dash is a value', ['a', '--name', '-'], '-'],
    ['a dash after = is a value', ['a', '--name=-x'], '-x'],
    ['a list is a value', ['a', '--name', '- one\n- two'], '- one\n- two'],
    ['a name with a dash is a value', ['a', '--name', '-home-me'], '-home-me'],
    ['an option of another command is a value', ['a', '--name', '--dry'], '--dry'],
    ['an empty value is a value', ['a', '--name', ''], ''],
  ])('%s', (_, rest, name) => {
    expect(parseOptions(rest, command, '').options.name).toBe(name);
  });

  it('treats a repeated flag as one', () => {
    expect(parseOptions(['a', '--name', 'x', '--yes', '--yes'], command, '').options.yes).toBe(true);
  });

  it('takes what follows -- as it is', () => {
    expect(parseOptions(['--name', 'x', '--', '--yes'], command, '').arguments).toEqual(['--yes']);
  });

  it.each([
    [['a', '--name', 'x', '--nmae', 'y'], 'There is no option --nmae; did you mean --name?'],
    [['a', '--name', 'x', '-z'], 'There is no option -z.'],
    [['a', '--name', 'x', '--__proto__=1'], 'There is no option --__proto__'],
    [['a', '--name', 'x', '--constructor'], 'There is no option --constructor'],
    [['a', '--name'], '--name needs a value: --name NAME.'],
    [['a', '--name', '--yes'], '--yes is an option'],
    [['a', '--name', '--type=user'], '--type=user is an option'],
    [['a', '--name', '-h'], '-h is an option'],
    [['a', '--name', 'x', '--yes=1'], '--yes takes no value.'],
    [['a', '--name', 'x', '--name', 'y'], '--name is given more than once'],
    [['a', '--name', 'x', '--limit=1', '--limit', '1'], '--limit is given more than once'],
    [['a', '--name', 'x', '--home', '/x', '--home=/y'], '--home is given more than once'],
    [['', '--name', 'x'], 'FILE is empty.'],
    [[' ', '--name', 'x'], 'FILE is empty.'],
    [['a', '--name', 'x', '--limit', '0'], 'whole number from 1'],
    [['a', '--name', 'x', '--limit', '1e3'], 'whole number from 1'],
    [['a', '--name', 'x', '--type', 'usr'], '--type must be user or feedback, not usr; did you mean user?'],
    [['a'], '--name is missing.'],
    [['--name', 'x'], 'FILE is missing.'],
    [['a', 'b', '--name', 'x'], 'b is one argument too many.'],
  ])('%j is refused: %s', (rest, message) => {
    const refused = (() => {
      try {
        return parseOptions(rest, command, 'memory save');
      } catch (error) {
        return error;
      }
    })();
    expect(refused).toBeInstanceOf(ReverieError);
    expect(refused).toMatchObject({ code: 'usage', fix: expect.stringContaining('reverie memory save --help') });
    expect((refused as Error).message).toContain(message);
  });

  it.each([
    [[], 'For example: reverie memory show feedback_no-mocks\n'],
    [['two', 'words'], "To give several words as FILE: reverie memory show 'two words'\n"],
  ])('%j: the error names a command that works', (rest, hint) => {
    const show = {
      ...{ arguments: [{ name: 'FILE', required: true, help: '' }], options: {} },
      examples: ['reverie memory show feedback_no-mocks'],
    };
    const fix = `${hint}See: reverie memory show --help`;
    expect(() => parseOptions(rest, show, 'memory show')).toThrow(expect.objectContaining({ fix }));
  });

  it('requires nothing when help is requested', () => {
    expect(parseOptions(['-h'], command, '').options.help).toBe(true);
  });
});

/** Another word for a command has the examples of that one. */
const OWN = COMMANDS.filter(({ sameAs }) => sameAs === undefined);

describe('the table', () => {
  it.each(OWN.map((command) => [command.name, command] as const))(
    '%s says what it does and how',
    async (_, { summary, load }) => {
      const { command } = await load();
      expect(summary).toMatch(/^[A-Z].*[^.]$/);
      expect(command.examples.length).toBeGreaterThan(0);
      for (const part of [...Object.values(command.options), ...command.arguments])
        expect(part.help).toMatch(/^[A-Z$`-].*[^.]$/);
    },
  );

  it.each(OWN.map((command) => [command.name, command] as const))(
    '%s has examples that parse',
    async (name, { load }) => {
      const { command } = await load();
      for (const example of command.examples) {
        const words =
          (example.split(/ [|<>] /).find((part) => part.startsWith('reverie')) ?? '').match(/"[^"]*"|\S+/g) ?? [];
        const route = routeCommand(
          words.slice(1).map((word) => word.replaceAll('"', '')),
          COMMANDS,
        );
        if (route.kind === 'group') expect(name).toBe('chat');
        else expect(() => parseOptions(route.rest, command, name)).not.toThrow();
        expect(route.kind === 'group' || route.row.name === name).toBe(true);
      }
    },
  );

  it('has no name twice, and no command that takes words is also a group', async () => {
    const names = COMMANDS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const groups = COMMANDS.filter((row) => names.some((other) => other.startsWith(`${row.name} `)));
    for (const group of groups) expect((await group.load()).command.arguments).toEqual([]);
  });
});
