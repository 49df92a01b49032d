/** Which folders hold the memory, when there is none, and which folders are refused. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { projectLayout } from '../disk/home.ts';
import { ReverieError } from '../errors.ts';
import { projectSlug, renderProjectRecord } from './project.ts';
import { resolveMemoryFolders, resolveSettings, type SettingFacts } from './settings.ts';

const base = temporaryFolder('folders');

const userHome = join(base, 'user');
const home = join(userHome, '.reverie');
const projectRoot = join(base, 'project');
const slug = projectSlug(projectRoot);
mkdirSync(userHome);

function folders(facts: Partial<SettingFacts> & { readonly bare?: boolean } = {}) {
  const all = { home, userHome, projectRoot, env: {}, managedFile: join(base, 'none'), trusted: true, ...facts };
  return resolveMemoryFolders({ ...all, settings: resolveSettings(all) });
}

describe('the folders', () => {
  it('are below home by default', () => {
    expect(folders()).toEqual({
      enabled: true,
      project: join(home, 'projects', slug, 'memory'),
      global: join(home, 'memory'),
      origin: expect.stringContaining('REVERIE_HOME'),
      isAttached: false,
    });
  });

  it('follow the length of slugs that is set', () => {
    const project = join(home, 'projects', projectSlug(projectRoot, 5), 'memory');
    expect(folders({ inline: { 'limits.project.slugCharacters': 5 } })).toMatchObject({ project });
  });

  it('are, for the project, the one that the environment names', () => {
    const env = { REVERIE_MEMORY_DIR: '~/notes//memory/' };
    expect(folders({ env, inline: { autoMemoryDirectory: '/data/other/memory' } })).toEqual({
      enabled: true,
      project: join(userHome, 'notes', 'memory'),
      global: join(home, 'memory'),
      origin: 'REVERIE_MEMORY_DIR',
      isAttached: false,
    });
  });

  it('are, for the project, the one that a setting names, before the remote one', () => {
    const env = { REVERIE_REMOTE: '1', REVERIE_REMOTE_MEMORY_DIR: join(base, 'remote') };
    expect(folders({ env, inline: { autoMemoryDirectory: join(base, 'chosen') } })).toMatchObject({
      project: join(base, 'chosen'),
      global: join(base, 'remote', 'memory'),
      origin: 'autoMemoryDirectory of the flag settings',
    });
  });

  it('are below the remote folder in remote mode', () => {
    const env = { REVERIE_REMOTE: '1', REVERIE_REMOTE_MEMORY_DIR: join(base, 'remote') };
    expect(folders({ env })).toEqual({
      enabled: true,
      project: join(base, 'remote', 'projects', slug, 'memory'),
      global: join(base, 'remote', 'memory'),
      origin: 'REVERIE_REMOTE_MEMORY_DIR',
      isAttached: false,
    });
    expect(folders({ env: { ...env, REVERIE_REMOTE: '0' } })).toMatchObject({ global: join(home, 'memory') });
  });

  it('are one when the project’s is the global one', () => {
    expect(folders({ inline: { autoMemoryDirectory: join(home, 'memory') } })).toMatchObject({
      project: join(home, 'memory'),
      global: null,
    });
  });

  it('are, for the project, the one attached to it, unless one is named', () => {
    const attachedHome = join(userHome, 'attached-home');
    const { recordFile } = projectLayout(attachedHome, slug);
    mkdirSync(dirname(recordFile), { recursive: true });
    const attached = join(userHome, '.claude', 'projects', 'x', 'memory');
    writeFileSync(recordFile, renderProjectRecord({ root: projectRoot, rootCommit: null, attached }));
    expect(folders({ home: attachedHome })).toMatchObject({ project: attached, origin: recordFile, isAttached: true });
    const named = join(base, 'named');
    expect(folders({ home: attachedHome, inline: { autoMemoryDirectory: named } })).toMatchObject({
      project: named,
      isAttached: false,
    });
  });
});

describe('there is none', () => {
  it.each<readonly [string, Parameters<typeof folders>[0], RegExp]>([
    ['for --bare', { bare: true }, /--bare/],
    ['by the environment', { env: { REVERIE_DISABLE_MEMORY: '1' } }, /REVERIE_DISABLE_MEMORY/],
    ['by a setting', { inline: { autoMemoryEnabled: false } }, /autoMemoryEnabled is false/],
    ['in remote mode without a folder', { env: { REVERIE_REMOTE: '1' } }, /REVERIE_REMOTE_MEMORY_DIR/],
    [
      'in remote mode with an empty one',
      { env: { REVERIE_REMOTE: 'true', REVERIE_REMOTE_MEMORY_DIR: ' ' } },
      /REVERIE_REMOTE_MEMORY_DIR/,
    ],
  ])('%s', (_, facts, reason) => {
    expect(folders(facts)).toEqual({ enabled: false, reason: expect.stringMatching(reason) });
  });

  it('by a file, which is named', () => {
    const otherHome = join(base, 'off-home');
    mkdirSync(otherHome);
    writeFileSync(join(otherHome, 'settings.json'), '{"autoMemoryEnabled": false}');
    expect(folders({ home: otherHome })).toEqual({
      enabled: false,
      reason: expect.stringContaining(join(otherHome, 'settings.json')),
    });
  });
});

describe('refused', () => {
  it.each<readonly [string, Parameters<typeof folders>[0], string, RegExp]>([
    ['keys, by the environment', { env: { REVERIE_MEMORY_DIR: '~/.ssh' } }, 'REVERIE_MEMORY_DIR', /keys/],
    ['home, by a setting', { inline: { autoMemoryDirectory: '~' } }, 'autoMemoryDirectory', /home/],
    ['a relative path', { inline: { autoMemoryDirectory: 'memory' } }, 'autoMemoryDirectory', /absolute/],
    [
      'a remote folder of the system',
      { env: { REVERIE_REMOTE: '1', REVERIE_REMOTE_MEMORY_DIR: '/etc/x' } },
      'REVERIE_REMOTE_MEMORY_DIR',
      /system/,
    ],
    ['a home at the root', { home: '/' }, 'REVERIE_HOME', /root/],
  ])('%s, with the place that named it and the fix', (_, facts, origin, reason) => {
    const attempt = () => folders(facts);
    expect(attempt).toThrow(ReverieError);
    expect(attempt).toThrow(
      expect.objectContaining({
        code: 'refused',
        message: expect.stringMatching(reason),
        fix: expect.stringContaining(origin),
      }),
    );
  });

  it('by a file, which is named', () => {
    const otherHome = join(base, 'bad-home');
    mkdirSync(otherHome);
    writeFileSync(join(otherHome, 'settings.json'), '{"autoMemoryDirectory": "/proc/self/cwd"}');
    expect(() => folders({ home: otherHome })).toThrow(
      expect.objectContaining({ message: expect.stringContaining(join(otherHome, 'settings.json')) }),
    );
  });
});
