/** Where each setting comes from, what is skipped and why, and what is said about mistakes. */

import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../test/support/property-runs.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { unicodeText } from '../../test/support/unicode-text.ts';
import { LIMITS, SETTABLE_LIMITS, SETTINGS_FILE_LIMITS } from '../limits.ts';
import { retiredLimits } from './retired-limits.ts';
import {
  allSettings,
  isTrusted,
  type ResolvedSettings,
  resolveSettings,
  SETTINGS,
  type SettingFacts,
  withTrust,
} from './settings.ts';

const base = temporaryFolder('settings');

/** What holds when nothing is set: what the table says, since each row stands for itself. */
const DEFAULTS = Object.fromEntries(
  Object.entries(SETTINGS).flatMap(([name, setting]) => ('default' in setting ? [[name, setting.default]] : [])),
);

type Files = Partial<Record<'managed' | 'local' | 'project' | 'user', unknown>>;

/** A world of its own with these files; a text is written as it is, anything else as JSON. */
function world(files: Files, facts: Partial<SettingFacts> = {}): SettingFacts {
  const place = mkdtempSync(join(base, 'world-'));
  const home = join(place, 'home');
  const projectRoot = join(place, 'project');
  const paths = {
    managed: join(place, 'etc', 'settings.json'),
    local: join(projectRoot, '.reverie', 'settings.local.json'),
    project: join(projectRoot, '.reverie', 'settings.json'),
    user: join(home, 'settings.json'),
  };
  for (const [name, content] of Object.entries(files)) {
    const path = paths[name as keyof Files];
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return { home, projectRoot, userHome: '/home/u', env: {}, managedFile: paths.managed, trusted: true, ...facts };
}

function originOf(settings: ResolvedSettings, key: string) {
  const origin = settings.origins.find((each) => each.key === key);
  if (origin === undefined) throw new Error(`no origin for ${key}`);
  return origin;
}

describe('the order', () => {
  const everywhere = { managed: text('managed'), local: text('local'), project: text('project'), user: text('user') };
  function text(value: string) {
    return { memoryGuidelines: value };
  }

  it.each<readonly [string, Files, Partial<SettingFacts>]>([
    ['managed', everywhere, { inline: text('option'), flagFile: '{"memoryGuidelines":"flag"}' }],
    ['option', { ...everywhere, managed: {} }, { inline: text('option'), flagFile: '{"memoryGuidelines":"flag"}' }],
    [
      'flag',
      { ...everywhere, managed: {} },
      { flagFile: '{"memoryGuidelines":"flag"}', env: { REVERIE_MEMORY_GUIDELINES: 'variable' } },
    ],
    ['variable', { ...everywhere, managed: {} }, { env: { REVERIE_MEMORY_GUIDELINES: 'variable' } }],
    ['local', { ...everywhere, managed: {} }, {}],
    ['project', { project: text('project'), user: text('user') }, {}],
    ['user', { user: text('user') }, {}],
  ])('puts %s first among the rest', (winner, files, facts) => {
    expect(resolveSettings(world(files, facts)).values.memoryGuidelines).toBe(winner);
  });

  it('says what was skipped, highest first, and why', () => {
    const facts = world(everywhere);
    const origin = originOf(resolveSettings(facts), 'memoryGuidelines');
    expect(origin).toMatchObject({ value: 'managed', origin: 'managed', file: facts.managedFile, variable: null });
    expect(origin.passedOver.map(({ origin: place, value, reason }) => [place, value, reason])).toEqual([
      ['local', 'local', 'managed comes first'],
      ['project', 'project', 'managed comes first'],
      ['user', 'user', 'managed comes first'],
    ]);
  });

  it('lists every setting and every limit, set or not', () => {
    const { origins, values, limits, problems } = resolveSettings(world({}));
    const numbers = Object.entries(SETTABLE_LIMITS).flatMap(([group, names]) =>
      Object.keys(names).map((name) => `limits.${group}.${name}`),
    );
    expect(origins.map(({ key }) => key)).toEqual([...Object.keys(SETTINGS), ...numbers]);
    expect(origins.every(({ origin }) => origin === 'default')).toBe(true);
    expect(values).toEqual({ ...DEFAULTS });
    expect(limits).toEqual(LIMITS);
    expect(problems).toEqual([]);
  });

  it('lets the environment name the folder and switch memory off before all others', () => {
    const files = { managed: { autoMemoryDirectory: '/managed/memory', autoMemoryEnabled: true } };
    const env = { REVERIE_MEMORY_DIR: '~/mine', REVERIE_DISABLE_MEMORY: '1' };
    const settings = resolveSettings(world(files, { env }));
    expect(settings.values).toMatchObject({ autoMemoryDirectory: '/home/u/mine', autoMemoryEnabled: false });
    expect(originOf(settings, 'autoMemoryDirectory')).toMatchObject({
      origin: 'environment',
      variable: 'REVERIE_MEMORY_DIR',
    });
  });

  it.each(['', '0', 'false'])('takes REVERIE_DISABLE_MEMORY=%j for no word at all', (value) => {
    const env = { REVERIE_DISABLE_MEMORY: value, REVERIE_MEMORY_DIR: '' };
    const settings = resolveSettings(world({ user: { autoMemoryDirectory: '/data/mine' } }, { env }));
    expect(settings.values).toMatchObject({ autoMemoryEnabled: true, autoMemoryDirectory: '/data/mine' });
  });

  it('reads the flag from a file as well', () => {
    const file = join(base, 'flag.json');
    writeFileSync(file, '\uFEFF{"autoMemoryEnabled": false}');
    const settings = resolveSettings(world({}, { flagFile: file }));
    expect(originOf(settings, 'autoMemoryEnabled')).toMatchObject({ value: false, origin: 'flag', file });
  });
});

describe('limits', () => {
  it('are set in a group or by a dotted name, and the others stay', () => {
    const settings = resolveSettings(
      world({ user: { limits: { index: { lines: 7 } } }, project: { 'limits.notes.toolCalls': 9 } }),
    );
    expect(settings.limits).toEqual({
      ...LIMITS,
      index: { ...LIMITS.index, lines: 7 },
      notes: { ...LIMITS.notes, toolCalls: 9 },
    });
  });

  it.each([[0], [-1], [1.5], ['7'], [null], [[]], [Number.POSITIVE_INFINITY]])('are not %j', (value) => {
    const settings = resolveSettings(world({}, { inline: { 'limits.index.lines': value } }));
    expect(settings.limits.index.lines).toBe(LIMITS.index.lines);
    expect(settings.problems).toHaveLength(1);
  });

  it('may be a share where they are one', () => {
    const settings = resolveSettings(world({ user: { limits: { dreaming: { removedShare: 0.5 } } } }));
    expect(settings.limits.dreaming.removedShare).toBe(0.5);
  });
});

describe('limits that are constants now', () => {
  it('are told once, all together and wherever they are, and change nothing', () => {
    const user = { 'limits.index.shrinkToShare': 0.5, limits: { permissions: { links: 9 }, index: { lines: 7 } } };
    const settings = resolveSettings(world({ user, project: { limits: { path: { depth: 1 } } } }));
    expect(settings.limits).toEqual({ ...LIMITS, index: { ...LIMITS.index, lines: 7 } });
    const [problem, ...others] = settings.problems.filter(({ severity }) => severity === 'warning');
    expect(others).toEqual([]);
    expect(problem!.problem).toBe(
      'These limits can no longer be set: limits.path.depth, limits.index.shrinkToShare, limits.permissions.links.',
    );
    expect(problem!.fix).toMatch(/^Delete them from .*project.*settings\.json and .*home.*settings\.json\.$/);
  });

  it('are none of those that can be set', () => {
    expect([...allSettings().keys()].filter((key) => retiredLimits().has(key))).toEqual([]);
  });
});

describe('the project’s own file', () => {
  const files = { project: { memoryGuidelines: 'ours', autoMemoryEnabled: false, autoMemoryDirectory: '~/.ssh' } };

  it('has no effect until the project is trusted, and says so once', () => {
    const facts = world(files, { trusted: false });
    const settings = resolveSettings(facts);
    expect(settings.values).toEqual({ ...DEFAULTS });
    expect(settings.problems).toMatchObject([
      { severity: 'note', origin: 'project', fix: expect.stringContaining('reverie trust') },
    ]);
    expect(originOf(settings, 'memoryGuidelines').passedOver).toMatchObject([
      { origin: 'project', reason: 'the project is not trusted' },
    ]);
  });

  it('counts after that, but never names the memory folder', () => {
    const settings = resolveSettings(world(files));
    expect(settings.values).toEqual({ ...DEFAULTS, autoMemoryEnabled: false, memoryGuidelines: 'ours' });
    expect(originOf(settings, 'autoMemoryDirectory').passedOver).toMatchObject([
      { origin: 'project', reason: expect.stringContaining('committed') },
    ]);
    expect(settings.problems).toMatchObject([{ line: 1, problem: expect.stringContaining('autoMemoryDirectory') }]);
  });

  it('is the user’s where the two are one file', () => {
    const facts = world({});
    mkdirSync(join(facts.projectRoot, '.reverie'), { recursive: true });
    writeFileSync(join(facts.projectRoot, '.reverie', 'settings.json'), '{"autoMemoryDirectory":"/data/mine"}');
    const settings = resolveSettings({ ...facts, home: join(facts.projectRoot, '.reverie'), trusted: false });
    expect(originOf(settings, 'autoMemoryDirectory')).toMatchObject({
      value: '/data/mine',
      origin: 'user',
      passedOver: [],
    });
    expect(settings.problems).toEqual([]);
  });
});

describe('the local file', () => {
  const local = { autoMemoryDirectory: '/data/mine' };
  const git = (folder: string, ...words: string[]) => execFileSync('git', words, { cwd: folder, stdio: 'pipe' });

  it('counts outside git, and in a repository that does not track it', () => {
    const facts = world({ local });
    expect(resolveSettings(facts).values.autoMemoryDirectory).toBe('/data/mine');
    git(facts.projectRoot, 'init', '-q');
    expect(resolveSettings(facts).values.autoMemoryDirectory).toBe('/data/mine');
  });

  it('is ignored with a word when git tracks it', () => {
    const facts = world({ local });
    git(facts.projectRoot, 'init', '-q');
    git(facts.projectRoot, 'add', '-f', '.reverie/settings.local.json');
    const settings = resolveSettings(facts);
    expect(settings.values.autoMemoryDirectory).toBeUndefined();
    expect(originOf(settings, 'autoMemoryDirectory').passedOver).toMatchObject([
      { origin: 'local', value: '/data/mine' },
    ]);
    expect(settings.problems).toMatchObject([
      {
        origin: 'local',
        problem: expect.stringContaining('git tracks'),
        fix: expect.stringContaining('git rm --cached'),
      },
    ]);
  });

  it('is ignored when git cannot tell', () => {
    const facts = world({ local });
    git(facts.projectRoot, 'init', '-q');
    writeFileSync(join(facts.projectRoot, '.git', 'index'), 'not an index');
    expect(resolveSettings(facts).values.autoMemoryDirectory).toBeUndefined();
  });

  it.runIf(process.getuid?.() === 0)('is ignored when someone else put it there', () => {
    const facts = world({ local });
    chownSync(join(facts.projectRoot, '.reverie', 'settings.local.json'), 12345, 12345);
    const settings = resolveSettings(facts);
    expect(settings.values.autoMemoryDirectory).toBeUndefined();
    expect(settings.problems).toMatchObject([{ problem: expect.stringContaining('another user') }]);
  });
});

describe('mistakes', () => {
  it('name file, line and fix, and leave the other files in force', () => {
    const facts = world({ local: '{\n  "autoMemoryEnabled": false,\n}', user: { memoryGuidelines: 'mine' } });
    const settings = resolveSettings(facts);
    const file = join(facts.projectRoot, '.reverie', 'settings.local.json');
    expect(settings.values).toEqual({ ...DEFAULTS, memoryGuidelines: 'mine' });
    expect(settings.problems).toEqual([
      {
        severity: 'warning',
        origin: 'local',
        file,
        line: 3,
        problem: expect.stringContaining('not valid JSON'),
        fix: `Fix line 3 of ${file}.`,
      },
    ]);
  });

  it('in one value leave the others of the file, and let a lower place speak', () => {
    const user =
      '{\n  "memoryGuidelines": "mine",\n  "autoMemoryEnabled": "no",\n  "limits": {\n    "index": { "lines": "many" } } }';
    const settings = resolveSettings(world({ local: '{"autoMemoryEnabled": 0}', user }));
    expect(settings.values).toEqual({ ...DEFAULTS, memoryGuidelines: 'mine' });
    expect(settings.problems.map(({ origin, line, problem }) => [origin, line, problem])).toEqual([
      ['local', 1, '`autoMemoryEnabled` must be true or false.'],
      ['user', 3, '`autoMemoryEnabled` must be true or false.'],
      ['user', 5, '`limits.index.lines` must be a whole number above zero.'],
    ]);
  });

  it('in a name are told with the name that was meant', () => {
    const settings = resolveSettings(
      world({
        user: '{\n"autoMemoryEnable": false,\n"limits": {"index": {"linse": 3}},\n"colour": 1, "__proto__": {"autoMemoryEnabled": false}}',
      }),
    );
    expect(settings.values.autoMemoryEnabled).toBe(true);
    expect(settings.problems.map(({ line, fix }) => [line, fix])).toEqual([
      [2, expect.stringContaining('`autoMemoryEnabled`')],
      [3, expect.stringContaining('`limits.index.lines`')],
      [4, expect.stringContaining('reverie settings')],
      [4, expect.stringContaining('reverie settings')],
    ]);
  });

  it('in very many names are summed up, at once', () => {
    const user = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`autoMemoryEnabled${index}`, 1]));
    const { problems } = resolveSettings(
      world({ user: { ...user, memoryGuidelines: 'mine' } }, { flagFile: '{"x":1}' }),
    );
    expect(problems).toHaveLength(1 + SETTINGS_FILE_LIMITS.unknownKeys + 1);
    expect(problems.at(-1)?.problem).toContain(String(20_000 - SETTINGS_FILE_LIMITS.unknownKeys));
  });

  it.each([
    ['a list', '[]', 1],
    ['a text', '"x"', 1],
    ['null', 'null', 1],
  ])('of form, as %s, are told', (_, content, line) => {
    expect(resolveSettings(world({ user: content })).problems).toMatchObject([
      { line, problem: expect.stringContaining('one JSON object') },
    ]);
  });

  it('in the flag name the flag', () => {
    expect(resolveSettings(world({}, { flagFile: join(base, 'no-such.json') })).problems).toMatchObject([
      { origin: 'flag', fix: expect.stringContaining('--settings') },
    ]);
    expect(resolveSettings(world({}, { flagFile: '{"a' })).problems).toMatchObject([
      { origin: 'flag', file: null, line: 1 },
    ]);
  });

  it('of the disk are told: a folder, a pipe, a giant', () => {
    const facts = world({});
    mkdirSync(join(facts.home, 'settings.json'), { recursive: true });
    mkdirSync(join(facts.projectRoot, '.reverie'), { recursive: true });
    execFileSync('mkfifo', [join(facts.projectRoot, '.reverie', 'settings.json')]);
    writeFileSync(
      join(facts.projectRoot, '.reverie', 'settings.local.json'),
      `{"memoryGuidelines":"${'x'.repeat(SETTINGS_FILE_LIMITS.fileBytes)}"}`,
    );
    expect(resolveSettings(facts).problems.map(({ origin }) => origin)).toEqual(['local', 'project', 'user']);
  });

  it('never throw, whatever the files and variables hold', () => {
    const content = fc.oneof(
      fc.json(),
      unicodeText(),
      fc.dictionary(
        fc.constantFrom(...Object.keys(SETTINGS), 'limits', 'limits.index.lines', '__proto__', 'x'),
        fc.jsonValue(),
      ),
    );
    const facts = world({ user: {} });
    const env = fc.record({ REVERIE_MEMORY_DIR: unicodeText(), REVERIE_DISABLE_MEMORY: fc.string() });
    fc.assert(
      fc.property(content, content, env, (user, flag, variables) => {
        writeFileSync(join(facts.home, 'settings.json'), typeof user === 'string' ? user : JSON.stringify(user));
        const inline = typeof flag === 'string' ? {} : { inline: flag };
        const settings = resolveSettings({ ...facts, ...inline, env: variables });
        expect(typeof settings.values.autoMemoryEnabled).toBe('boolean');
        for (const numbers of Object.values(settings.limits))
          expect(Object.values(numbers).every((number) => number > 0)).toBe(true);
      }),
      { numRuns: runs(200) },
    );
  });
});

describe('trust', () => {
  const home = join(base, 'trusting');
  const keep = (text: string) => {
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'trusted.json'), text);
  };

  it('is given to one project, kept, and taken back', () => {
    const first = withTrust(null, '/a', true);
    const both = withTrust(first, '/b', true);
    keep(withTrust(both, '/b', true));
    expect([isTrusted(home, '/a'), isTrusted(home, '/b'), isTrusted(home, '/a/b')]).toEqual([true, true, false]);
    keep(withTrust(both, '/a', false));
    expect([isTrusted(home, '/a'), isTrusted(home, '/b')]).toEqual([false, true]);
  });

  it.each(['', '{', '[]', 'null', '{"projects":"/a"}', '{"projects":[["/a"]]}'])(
    'is nobody’s when the file holds %j, and can be given again',
    (text) => {
      keep(text);
      expect(isTrusted(home, '/a')).toBe(false);
      keep(withTrust(text, '/a', true));
      expect(isTrusted(home, '/a')).toBe(true);
    },
  );

  it('leaves what else the file holds', () => {
    expect(JSON.parse(withTrust('{"version":1,"projects":["/a"]}', '/b', true))).toEqual({
      version: 1,
      projects: ['/a', '/b'],
    });
  });
});

describe('the local file of a project that is not trusted', () => {
  const dangerous = {
    hooks: { Stop: [{ hooks: [{ type: 'command', command: 'true' }] }] },
    mcpServers: { a: { command: 'true' } },
    permissions: { allow: ['Bash'], deny: ['Read(x)'] },
    permissionMode: 'bypass',
    anthropicBaseUrl: 'http://127.0.0.1:1',
  };

  it('counts for nothing but its restrictions: an archive may have brought it along', () => {
    const more = {
      model: 'claude-haiku-5-5',
      memoryGuidelines: 'OBEY',
      autoMemoryDirectory: '/data/theirs',
      autoMemoryEnabled: false,
      'layers.extraction': false,
      limits: { index: { lines: 9 } },
    };
    const settings = resolveSettings(world({ local: { ...dangerous, ...more } }, { trusted: false }));
    expect(settings.values).toEqual(DEFAULTS);
    expect(settings.limits).toEqual(resolveSettings(world({}, { trusted: false })).limits);
    expect(settings.gathered('hooks')).toEqual([]);
    expect(settings.gathered('mcpServers')).toEqual([]);
    expect(settings.gathered('permissions')).toMatchObject([{ value: { allow: [], deny: ['Read(x)'] } }]);
    expect(settings.problems.map(({ fix }) => fix)).toEqual(['Read them, then run: reverie trust']);
  });

  it('counts whole once it is', () => {
    const settings = resolveSettings(world({ local: dangerous }, { trusted: true }));
    expect(settings.values).toMatchObject({ permissionMode: 'bypass', anthropicBaseUrl: 'http://127.0.0.1:1' });
    expect(settings.gathered('hooks')).toHaveLength(1);
  });
});
