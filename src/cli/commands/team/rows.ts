/** The commands of team memory, in the order of their story. */

import type { CommandRow } from '../../command.ts';

export const TEAM_COMMANDS: readonly CommandRow[] = [
  { name: 'team init', summary: 'Start team memory in this repository', load: () => import('./init.ts') },
  {
    name: 'team check',
    summary: 'Find what may not be in team memory (for CI and the hook)',
    load: () => import('./check.ts'),
  },
];
