/** Who may run a tool: a decision with its reason, made before the tool starts. */

import type { ToolUseBlock } from '../conversation/message.ts';
import type { Tool } from './tool.ts';

export const PERMISSION_MODES = ['ask', 'accept-edits', 'plan', 'bypass'] as const;
/** What the agent may do before any rule is looked at. */
export type PermissionMode = (typeof PERMISSION_MODES)[number];

/** What a command in the sandbox can do: read the project, or change it too. */
export type Confinement = 'reading' | 'editing';

export type PermissionDecision =
  /** `confined`: in the sandbox, and nowhere else. */
  | { readonly verdict: 'allow'; readonly confined?: Confinement | undefined }
  /** The reason goes to the model: it says what to do instead. `said`: what the user typed of it. */
  | { readonly verdict: 'deny'; readonly reason: string; readonly said?: readonly string[] }
  /** It would fail whatever anybody answers, so nobody was asked; the reason is the tool's own. */
  | { readonly verdict: 'fail'; readonly reason: string };

/** Asking a person happens behind this; the loop only waits for the answer. */
export type DecidePermission = (
  call: ToolUseBlock,
  facts: { readonly tool: Tool; readonly isReadOnly: boolean; readonly signal: AbortSignal },
) => Promise<PermissionDecision>;
