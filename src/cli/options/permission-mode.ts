/** The names of permission modes on a command line, ours and those people know from elsewhere. */

import type { PermissionMode } from '../../agent/permission.ts';
import type { PRINT_OPTIONS } from './print-options.ts';

export type PermissionModeName = (typeof PRINT_OPTIONS)['permission-mode']['choices'][number];

export function permissionModeOf(name: PermissionModeName): PermissionMode {
  switch (name) {
    case 'default':
      return 'ask';
    case 'acceptEdits':
      return 'accept-edits';
    case 'bypassPermissions':
      return 'bypass';
    case 'ask':
    case 'accept-edits':
    case 'plan':
    case 'bypass':
      return name;
  }
}
