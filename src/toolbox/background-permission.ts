/** What background work (extraction, dreams) may do, decided as it runs: a fork has its parent's tools, because they are part of the prefix. */

import type { DecidePermission, PermissionDecision } from '../agent/permission.ts';
import { toolPaths } from '../agent/permissions/call-paths.ts';
import { realPathOf } from '../agent/permissions/real-path.ts';
import { isWithinAny } from '../base/paths.ts';
import type { ToolUseBlock } from '../conversation/message.ts';

export interface BackgroundPlace {
  readonly cwd: string;
  readonly userHome: string;
  /** Project, memory and transcripts, by real path. */
  readonly readable: readonly string[];
  readonly memoryFolders: readonly string[];
}

export function backgroundPermission(
  place: BackgroundPlace,
  ports: {
    /** The user's own rules; nobody is asked behind it. */
    readonly rules: DecidePermission;
    readonly onDenied: () => void;
  },
): DecidePermission {
  return async (call, facts) => {
    const own = decideCall(call, { place, isReadOnly: facts.isReadOnly });
    const decision = own.verdict === 'deny' ? own : await ports.rules(call, facts);
    if (decision.verdict === 'deny') ports.onDenied();
    return decision;
  };
}

const ALLOWED = 'In this side task only Read, Grep, Glob, shell commands that read, and Edit and Write in memory run';

function decideCall(
  call: ToolUseBlock,
  { place, isReadOnly }: { readonly place: BackgroundPlace; readonly isReadOnly: boolean },
): PermissionDecision {
  const paths = toolPaths(call, { ...place, realPath: realPathOf });
  const areWithin = (folders: readonly string[]) => paths.every(({ real }) => isWithinAny(real, folders));
  switch (call.name) {
    case 'Read':
    case 'Grep':
    case 'Glob':
      return areWithin(place.readable)
        ? ALLOW
        : deny(`${call.name} reaches only the project, the memory folders and the transcripts here.`);
    case 'Edit':
    case 'Write':
      return areWithin(place.memoryFolders)
        ? ALLOW
        : deny(
            `${call.name} writes only inside ${place.memoryFolders.join(' and ')} here. Leave other files as they are.`,
          );
    case 'Bash':
      return isReadOnly ? ALLOW : deny(`${ALLOWED}; this command may change something.`);
    default:
      return deny(`${ALLOWED}. Leave ${call.name} to the conversation.`);
  }
}

const ALLOW: PermissionDecision = { verdict: 'allow' };

function deny(reason: string): PermissionDecision {
  return { verdict: 'deny', reason };
}
