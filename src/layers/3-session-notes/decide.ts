/** Whether to update the notes after a response, and why; or why not. */

import type { Window } from '../../conversation/window.ts';
import type { Limits } from '../../limits.ts';
import type { NotesState } from './state.ts';

export type NotesDecision =
  /** `pause`: the last response called no tool, so a thought is complete. */
  | { readonly kind: 'update'; readonly reason: 'first' | 'tool-calls' | 'pause' }
  | {
      readonly kind: 'wait';
      readonly reason:
        | 'off'
        | 'no-auto-compaction' // nothing would ever use them
        | 'no-edit-tool'
        | 'running'
        | 'failed-too-often'
        | 'too-short'
        | 'too-little-new'
        | 'in-the-middle'
        | 'no-room'
        | 'too-dear';
    };

export interface NotesFacts {
  readonly isOn: boolean;
  readonly isAutoCompactionOn: boolean;
  /** Whether the conversation's tools can change a file at all. */
  readonly canEdit: boolean;
  readonly isRunning: boolean;
  /** As `stateAtResponse` left it. */
  readonly state: NotesState;
  /** Tokens of messages, without system prompt and tools. */
  readonly tokens: number;
  /** Tool calls of the last response. */
  readonly lastToolCalls: number;
  /** Tokens of the whole request, and their limit. */
  readonly windowTokens: number;
  readonly window: Pick<Window, 'warnAt' | 'hardStopAt'>;
  /** Tokens without notes that leave a compaction no room for more of them. */
  readonly urgentTokens: number;
  /** Tokens that the update's own request adds at most. */
  readonly addedTokens: number;
  /** What the session has cost so far, in one unit. */
  readonly spent: { readonly main: number; readonly notes: number };
  readonly limits: Limits['notes'];
}

export function decideNotes(facts: NotesFacts): NotesDecision {
  const { state, limits } = facts;
  if (!facts.isOn) return wait('off');
  if (!facts.isAutoCompactionOn) return wait('no-auto-compaction');
  if (!facts.canEdit) return wait('no-edit-tool');
  if (facts.isRunning) return wait('running');
  if (state.failures >= limits.failures) return wait('failed-too-often');
  const due = dueOf(facts);
  if (due.kind === 'wait') return due;
  if (facts.windowTokens + facts.addedTokens > facts.window.hardStopAt) return wait('no-room');
  return isTooDear(facts) ? wait('too-dear') : due;
}

function dueOf({ state, tokens, lastToolCalls, limits }: NotesFacts): NotesDecision {
  if (state.tokens === null) {
    return tokens >= limits.firstTokens ? { kind: 'update', reason: 'first' } : wait('too-short');
  }
  if (tokens - state.tokens < limits.growthTokens) return wait('too-little-new');
  if (state.toolCalls >= limits.toolCalls) return { kind: 'update', reason: 'tool-calls' };
  return lastToolCalls === 0 ? { kind: 'update', reason: 'pause' } : wait('in-the-middle');
}

/**
 * An update reads the whole conversation, even if from the cache: in a conversation of many small rounds, one for every
 * few thousand tokens would cost a fifth of it. Shortly before a compaction that the notes do not yet cover, it saves a
 * summary, which costs as much.
 */
function isTooDear(facts: NotesFacts): boolean {
  const { spent, state, limits } = facts;
  const isUrgent = facts.tokens - (state.tokens ?? 0) >= facts.urgentTokens;
  if (isUrgent && facts.windowTokens >= facts.window.warnAt) return false;
  return spent.main > 0 && spent.notes >= spent.main * limits.mainShare;
}

function wait(reason: Extract<NotesDecision, { kind: 'wait' }>['reason']): NotesDecision {
  return { kind: 'wait', reason };
}
