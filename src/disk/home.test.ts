/** Where home is, and what is where below it. */

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { homeLayout, projectLayout, reverieHome } from './home.ts';

describe('reverieHome', () => {
  it.each([
    ['below the user’s home', {}, '/home/u/.reverie'],
    ['where the variable says', { REVERIE_HOME: '/data/reverie/' }, '/data/reverie'],
    ['with the tilde expanded', { REVERIE_HOME: '~/memories' }, '/home/u/memories'],
    ['below the user’s home when the variable is empty', { REVERIE_HOME: ' ' }, '/home/u/.reverie'],
  ])('is %s', (_, env, home) => {
    expect(reverieHome({ env, userHome: '/home/u' })).toBe(home);
  });

  it('refuses a relative path, since each directory would have another memory', () => {
    expect(() => reverieHome({ env: { REVERIE_HOME: 'here' }, userHome: '/home/u' })).toThrow('relative path');
  });
});

describe('the layout', () => {
  it('has a place for everything', () => {
    expect(homeLayout('/h')).toEqual({
      globalMemory: join('/h', 'memory'),
      agentMemory: join('/h', 'agent-memory'),
      journals: join('/h', 'journals'),
      projects: join('/h', 'projects'),
      worktrees: join('/h', 'worktrees'),
      mail: join('/h', 'mail'),
      sockets: join('/h', 'sockets'),
      teams: join('/h', 'teams'),
      cacheIndex: join('/h', 'cache', 'index'),
      cacheTeam: join('/h', 'cache', 'team'),
      ledger: join('/h', 'ledger'),
      credentialsFile: join('/h', 'credentials.json'),
      settingsFile: join('/h', 'settings.json'),
      trustFile: join('/h', 'trusted.json'),
    });
    expect(projectLayout('/h', 'slug')).toEqual({
      folder: join('/h', 'projects', 'slug'),
      memory: join('/h', 'projects', 'slug', 'memory'),
      recordFile: join('/h', 'projects', 'slug', 'project.json'),
    });
  });
});
