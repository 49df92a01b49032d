/** The commands of team memory, in the order of their story, and of teams of processes. */

import type { CommandRow } from '../../command.ts';

export const TEAM_COMMANDS: readonly CommandRow[] = [
  { name: 'team init', summary: 'Start team memory in this repository', load: () => import('./init.ts') },
  {
    name: 'team status',
    summary: 'Show what team memory holds and what needs your attention',
    load: () => import('./status.ts'),
  },
  {
    name: 'team members',
    summary: 'Show the running agents of a team, and their tasks',
    load: () => import('./members.ts'),
  },
  {
    name: 'team start',
    summary: 'Start the team of agents that a file describes',
    async load() {
      const [{ startCommand }, { packagePath }] = await Promise.all([
        import('./start.ts'),
        import('../../../base/package-files.ts'),
      ]);
      return { command: startCommand({ program: () => [process.execPath, packagePath('dist/main.js')] }) };
    },
  },
  { name: 'team stop', summary: 'Stop a running team of agents', load: () => import('./stop.ts') },
  { name: 'team log', summary: 'List who added what to team memory', load: () => import('./log.ts') },
  { name: 'team diff', summary: 'Show what is new to you in team memory', load: () => import('./diff.ts') },
  {
    name: 'team review',
    summary: 'Review what is new, and what may contradict yours',
    load: () => import('./review.ts'),
  },
  {
    name: 'team propose',
    summary: 'Make a branch with shared memories for a pull request',
    load: () => import('./propose.ts'),
  },
  {
    name: 'team check',
    summary: 'Find what must not be in team memory (for CI and the git hook)',
    load: () => import('./check.ts'),
  },
  { name: 'team repair', summary: 'Fix what a merge left in team memory', load: () => import('./repair.ts') },
  { name: 'team merge', summary: 'Merge two edits of a memory (called by git)', load: () => import('./merge.ts') },
];
