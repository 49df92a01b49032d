/** What a coding agent is to us: how its payloads read, what it takes for an answer, and where it is told to call us. */

import type { HookEvent, HookReading, HookResult, SaidText } from '../run/event.ts';

export const HOST_NAMES = ['claude-code', 'codex', 'gemini', 'opencode', 'cursor'] as const;
export type HostName = (typeof HOST_NAMES)[number];

export interface Host {
  readonly name: HostName;
  /** As its makers write it. */
  readonly title: string;
  /** The variable in which the host names the folder it works in, if it does. */
  readonly projectVariable: string | null;
  /** The host's names of the events it is asked to call us for. */
  readonly events: readonly string[];
  read(payload: unknown, eventName: string): HookReading;
  answer(result: HookResult, eventName: string): Readonly<Record<string, unknown>>;
  /** Whether the host shows the model what is answered to this event. */
  takesContext(eventName: string): boolean;
  /** Bytes of one answer that it shows the model whole; missing where it cuts none. */
  readonly contextBytes?: number;
  /** What the user typed, by the lines of the host's own transcript; none where its form is not public. */
  userTexts(lines: readonly string[]): readonly SaidText[];
  /** What the user typed behind our `remember` command, as the hook reports it. It confirms that report and is no evidence alone: an agent may run a command too. */
  commandTexts?(lines: readonly string[]): readonly SaidText[];
  /** What the assistant said, by the same lines. */
  assistantTexts?(lines: readonly string[]): readonly SaidText[];
  /** The folder in which it keeps its transcripts; null where their form is not public, so that they can confirm nothing. */
  transcripts(facts: HostFacts): string | null;
  /** Its program writes a session out, as one text that `userTexts` and `assistantTexts` read. */
  readonly exportsSessions?: true;
  /** What a sub-agent was asked to do, by the lines of the transcript. */
  subagentTask?(lines: readonly string[], agent: Subagent): string | null;
  /** When the newest compaction in these lines of its transcript was, in milliseconds; null where none is. */
  compactedAt?(lines: readonly string[]): number | null;
  /** What is answered to the start of a session does not last: the index comes with the first message. */
  readonly startsWithMessage?: true;
  /** It tells before a compaction, only if one follows, and nothing afterwards. */
  readonly tellsOnlyBeforeCompaction?: true;
  /** It tells before each request that it may compact, whether it does or not. */
  readonly tellsTooOften?: true;
}

export interface Subagent {
  readonly agentId: string;
  readonly agentType: string;
}

export interface HostFacts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
}

export type { HookEvent, HookReading, HookResult, SaidText };
