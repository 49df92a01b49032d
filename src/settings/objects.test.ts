/** Settings that are objects or choices: their shapes, what a broken part costs, and what all places give together. */

import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { resolveSettings, type SettingFacts } from './settings.ts';

const base = temporaryFolder('setting-objects');

type Files = Partial<Record<'managed' | 'local' | 'project' | 'user', unknown>>;

function settingsOf(files: Files, facts: Partial<SettingFacts> = {}) {
  const place = mkdtempSync(join(base, 'world-'));
  const [home, projectRoot] = [join(place, 'home'), join(place, 'project')];
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
  const settings = resolveSettings({
    home,
    projectRoot,
    userHome: '/home/u',
    env: {},
    managedFile: paths.managed,
    trusted: true,
    ...facts,
  });
  return { settings, paths };
}

describe('a choice', () => {
  it('is one of its words, and nothing else', () => {
    const { settings } = settingsOf({ local: { cacheTtl: '2h' }, user: { cacheTtl: '1h', transcripts: true } });
    expect(settings.values).toMatchObject({ cacheTtl: '1h', transcripts: 'on' });
    expect(settings.problems.map(({ problem }) => problem)).toEqual([
      '`cacheTtl` must be one of "5m", "1h".',
      '`transcripts` must be one of "on", "off".',
    ]);
  });

  it('gives a mode that a project has to be trusted for', () => {
    const files = { project: { permissionMode: 'bypass' } };
    expect(settingsOf(files).settings.values.permissionMode).toBe('bypass');
    expect(settingsOf(files, { trusted: false }).settings.values.permissionMode).toBe('ask');
  });
});

it('a window is a whole number, also from the environment', () => {
  const window = (text: string) => settingsOf({}, { env: { REVERIE_CONTEXT_WINDOW: text } }).settings;
  expect(window('64000').values.contextWindow).toBe(64_000);
  expect(window('many').values.contextWindow).toBeUndefined();
  expect(window('0.5').problems).toMatchObject([{ problem: expect.stringContaining('`REVERIE_CONTEXT_WINDOW`') }]);
});

it('an endpoint is an address, which an untrusted project does not name', () => {
  const files = { project: { anthropicBaseUrl: 'https://elsewhere.example' }, user: { openaiBaseUrl: 'file:///x' } };
  const { settings } = settingsOf(files, { trusted: false });
  expect(settings.values).toMatchObject({ anthropicBaseUrl: undefined, openaiBaseUrl: undefined });
  expect(settingsOf(files).settings.values.anthropicBaseUrl).toBe('https://elsewhere.example');
});

describe('permissions', () => {
  it('are gathered from every place, highest first', () => {
    const { settings, paths } = settingsOf(
      {
        managed: { permissions: { deny: ['Bash(curl:*)'] } },
        user: { permissions: { allow: ['Bash(npm test)'], additionalDirectories: ['~/lib'] } },
      },
      { inline: { permissions: { ask: ['Edit(src/**)'] } } },
    );
    const none = { allow: [], ask: [], deny: [], additionalDirectories: [] };
    expect(settings.gathered('permissions')).toEqual([
      { origin: 'managed', file: paths.managed, value: { ...none, deny: ['Bash(curl:*)'] } },
      { origin: 'flag', file: null, value: { ...none, ask: ['Edit(src/**)'] } },
      {
        origin: 'user',
        file: paths.user,
        value: { ...none, allow: ['Bash(npm test)'], additionalDirectories: ['~/lib'] },
      },
    ]);
    expect(settings.values.permissions).toEqual({ ...none, deny: ['Bash(curl:*)'] });
    expect(settings.problems).toEqual([]);
  });

  it('of an untrusted project only restrict', () => {
    const permissions = { allow: ['Bash'], ask: ['Edit'], deny: ['Read(.env)'], additionalDirectories: ['//etc'] };
    const { settings } = settingsOf({ project: { permissions } }, { trusted: false });
    expect(settings.values.permissions).toBeUndefined();
    expect(settings.gathered('permissions').map(({ origin, value }) => [origin, value])).toEqual([
      ['project', { allow: [], ask: ['Edit'], deny: ['Read(.env)'], additionalDirectories: [] }],
    ]);
    const onlyAllows = settingsOf({ project: { permissions: { allow: ['Bash'] } } }, { trusted: false });
    expect(onlyAllows.settings.gathered('permissions')).toEqual([]);
  });

  it('lose only what is broken, with its line', () => {
    const { settings } = settingsOf({
      user: '{"permissions": {\n"deny": "Bash(rm:*)",\n"allow": ["Bash(ls)", 3, " "],\n"ask": {},\n"denny": []}}',
    });
    expect(settings.values.permissions).toMatchObject({ deny: ['Bash(rm:*)'], allow: ['Bash(ls)'], ask: [] });
    expect(settings.problems.map(({ line, problem }) => [line, problem.split(' must ')[0]])).toEqual([
      [1, '`permissions.allow.1`'],
      [1, '`permissions.allow.2`'],
      [4, '`permissions.ask`'],
      [5, '`permissions.denny`'],
    ]);
  });

  it.each([
    ['a list', []],
    ['text', 'Bash'],
    ['null', null],
  ])('are no %s', (_, permissions) => {
    const { settings } = settingsOf({ user: { permissions, memoryGuidelines: 'kept' } });
    expect(settings.values).toMatchObject({ permissions: undefined, memoryGuidelines: 'kept' });
    expect(settings.problems).toHaveLength(1);
  });
});

describe('hooks', () => {
  const command = { type: 'command', command: 'echo x', timeout: 5 };

  it('have the form that users of coding agents know', () => {
    const { settings } = settingsOf({ user: { hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [command] }] } } });
    expect(settings.values.hooks).toEqual({
      PreToolUse: [{ matcher: 'Bash', hooks: [{ command: 'echo x', timeout: 5 }] }],
    });
    expect(settings.problems).toEqual([]);
  });

  it('lose only what is broken', () => {
    const hooks = {
      Stop: [
        {
          hooks: [
            { type: 'prompt', prompt: 'x' },
            { command: 'ok', timeout: -1 },
          ],
        },
        'x',
        { matcher: 3, hooks: [] },
      ],
      SessionEnd: {},
      Notification: [],
    };
    const { settings } = settingsOf({ user: { hooks } });
    expect(settings.values.hooks).toEqual({ Stop: [{ matcher: '', hooks: [{ command: 'ok' }] }] });
    expect(settings.problems.map(({ problem }) => problem.split(' must ')[0])).toEqual([
      '`hooks.Stop.0.hooks.0`',
      '`hooks.Stop.0.hooks.1.timeout`',
      '`hooks.Stop.1`',
      '`hooks.Stop.2`',
      '`hooks.SessionEnd`',
      '`hooks.Notification`',
    ]);
  });

  it('of an untrusted project do not exist', () => {
    const files = { project: { hooks: { Stop: [{ hooks: [command] }] } }, user: { hooks: {} } };
    expect(
      settingsOf(files, { trusted: false })
        .settings.gathered('hooks')
        .map(({ origin }) => origin),
    ).toEqual(['user']);
    expect(
      settingsOf(files)
        .settings.gathered('hooks')
        .map(({ origin }) => origin),
    ).toEqual(['project', 'user']);
  });
});

it('servers are programs or addresses; another is left out by name', () => {
  const { settings } = settingsOf({
    user: {
      mcpServers: {
        files: { command: 'npx', args: ['-y', 'x'], env: { A: 'b' } },
        web: { type: 'http', url: 'https://a.example/mcp', headers: { Authorization: 'Bearer x' } },
        short: { command: 'x' },
        odd: { url: 'https://a.example' },
        wrong: { type: 'http', url: 'ftp://a.example' },
      },
    },
  });
  expect(settings.values.mcpServers).toEqual({
    files: { type: 'stdio', command: 'npx', args: ['-y', 'x'], env: { A: 'b' } },
    web: { type: 'http', url: 'https://a.example/mcp', headers: { Authorization: 'Bearer x' } },
    short: { type: 'stdio', command: 'x', args: [], env: {} },
  });
  expect(settings.problems.map(({ problem }) => problem.split(' must ')[0])).toEqual([
    '`mcpServers.odd`',
    '`mcpServers.wrong`',
  ]);
});

it('prices are objects by model', () => {
  const { settings } = settingsOf({ user: { prices: { mine: { input: 1, output: 2 }, other: 3 } } });
  expect(settings.values.prices).toEqual({ mine: { input: 1, output: 2 } });
  expect(settings.problems).toMatchObject([{ problem: expect.stringContaining('`prices.other`') }]);
});
