/** What a user's hook is told, and what all hooks of one event together said. */

import type { HookEventName } from '../../settings/settings.ts';

/** Goes to the command as JSON, under the names that coding-agent users know. */
export interface HookInput {
  readonly session_id: string;
  readonly transcript_path: string | null;
  readonly cwd: string;
  readonly permission_mode?: string;
  /** PreToolUse, PostToolUse. */
  readonly tool_name?: string;
  readonly tool_use_id?: string;
  readonly tool_input?: unknown;
  readonly tool_response?: unknown;
  /** UserPromptSubmit. */
  readonly prompt?: string;
  /** SessionStart: `startup`, `resume`, `clear`, `compact`. */
  readonly source?: string;
  /** PreCompact, PostCompact: `manual`, `auto`. */
  readonly trigger?: string;
  /** Stop: whether the turn goes on because a hook blocked its end before. */
  readonly stop_hook_active?: boolean;
  /** SessionEnd. */
  readonly reason?: string;
}

export interface HookOutcome {
  /** Why what was about to happen must not; for PostToolUse, what the model has to hear. */
  readonly blocked: string | null;
  /** Why the whole turn must end. */
  readonly stop: string | null;
  readonly permission?: { readonly verdict: 'allow' | 'deny' | 'ask'; readonly reason: string };
  /** Texts for the conversation, in the order of the settings. */
  readonly context: readonly string[];
  /** One line each, for the user. */
  readonly warnings: readonly string[];
}

export const NO_OUTCOME: HookOutcome = { blocked: null, stop: null, context: [], warnings: [] };

/** What happens at these cannot be kept from happening. */
export function canBlock(event: HookEventName): boolean {
  switch (event) {
    case 'UserPromptSubmit':
    case 'PreToolUse':
    case 'PostToolUse':
    case 'PreCompact':
    case 'Stop':
      return true;
    case 'SessionStart':
    case 'PostCompact':
    case 'SessionEnd':
      return false;
  }
}

/** Where plain text on standard output is meant for the model. */
export function takesPlainText(event: HookEventName): boolean {
  return event === 'SessionStart' || event === 'UserPromptSubmit';
}
