/** What a coding agent tells its memory through a hook, and what it is answered, in one shape for all of them. */

interface Occasion {
  /** The host's id of the conversation. */
  readonly sessionId: string;
  readonly cwd: string | null;
  /** The host's own record of the conversation, where it keeps one. */
  readonly transcriptFile: string | null;
}

/** `startup` also when a host does not say; `fork` is a new conversation that begins with what was said in another. */
export type StartReason = 'startup' | 'resume' | 'fork' | 'clear' | 'compact';

export type HookEvent =
  | (Occasion & { readonly kind: 'session-start'; readonly reason: StartReason })
  | (Occasion & { readonly kind: 'prompt'; readonly text: string })
  | (Occasion & {
      readonly kind: 'tool-result';
      /** The file that was read, if one was. */
      readonly file: string | null;
      /** What a failed command said, if one failed. */
      readonly failure: string | null;
    })
  /** With a session id of its own: it shares no context with the conversation that started it. */
  | (Occasion & { readonly kind: 'subagent-start'; readonly agentId: string; readonly agentType: string })
  | (Occasion & { readonly kind: 'before-compaction' })
  /** The turn goes on, and what is answered lasts for that turn only. */
  | (Occasion & { readonly kind: 'after-compaction' })
  | (Occasion & { readonly kind: 'stop' })
  | (Occasion & { readonly kind: 'session-end' });

/** A tool that read no file and did not fail: nothing is looked up for it. */
export function callsForNothing(event: HookEvent): boolean {
  return event.kind === 'tool-result' && event.file === null && event.failure === null;
}

export type HookReading =
  | { readonly kind: 'event'; readonly event: HookEvent }
  /** A payload we understand and have no use for. */
  | { readonly kind: 'ignored'; readonly reason: string }
  /** Not what this host sends: nothing is done and nothing is written. */
  | { readonly kind: 'unreadable'; readonly reason: string };

export interface HookResult {
  /** For the model, marked as ours; null when there is nothing to say. */
  readonly context: string | null;
}

/** How far a hook went: the event called for nothing, it was carried through, or something was answered. */
export const HOOK_REACHES = ['nothing', 'silence', 'answer'] as const;
export type HookReach = (typeof HOOK_REACHES)[number];

/** One message that the user typed. */
export interface SaidText {
  readonly text: string;
  /** ISO time. */
  readonly at: string;
}

/** Tells a process that it is the child of a hook, which leaves the heavy work to it. */
export const CHILD_MARK = 'REVERIE_HOOK_CHILD';
