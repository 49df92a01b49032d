/** The user's hooks at their places in a session; where there are none, nothing is waited for. */

import { randomBytes } from 'node:crypto';
import type { PermissionMode } from '../agent/permission.ts';
import type { Advice } from '../agent/permissions/decide-permission.ts';
import type { Attachment } from '../agent/seams.ts';
import type { FinishedCall } from '../agent/tool-runs.ts';
import { createDeathWatch } from '../agent/tools/shell/death-watch.ts';
import type { HookInput, HookOutcome } from '../agent/user-hooks/event.ts';
import { adviceOf, runHooks } from '../agent/user-hooks/run-hooks.ts';
import { AGENT_MARK } from '../base/agent-mark.ts';
import { type ToolUseBlock, textOf } from '../conversation/message.ts';
import type { HookEventName } from '../settings/settings.ts';
import { escapeOwnTags, wrapReminder } from './context-text.ts';
import type { SessionContext } from './session-context.ts';

export interface AgentHooks {
  sessionStarts(source: SessionSource): Promise<readonly Attachment[]>;
  /** A reason keeps the prompt from being sent. */
  promptComes(prompt: string, signal: AbortSignal): Promise<PromptVerdict>;
  /** Before a tool runs; part of the decision whether it may. */
  advise(call: ToolUseBlock, signal: AbortSignal): Promise<Advice | null>;
  toolsEnded(finished: readonly FinishedCall[], signal: AbortSignal): Promise<readonly Attachment[]>;
  /** Why a hook of the last tools wants the turn to end; asked once, then forgotten. */
  takeStop(): string | null;
  /** What sends the final answer back to the model. `isGoingOn`: one was sent back before. */
  answerGiven(facts: { readonly signal: AbortSignal; readonly isGoingOn: boolean }): Promise<readonly Attachment[]>;
  /** May add wishes for the summary, or keep it from being made. */
  compactionComes(facts: CompactionFacts): Promise<{ readonly wishes?: string; readonly forbidden?: string }>;
  compactionDone(facts: CompactionFacts): Promise<void>;
  /** Once the signal is aborted, a hook has a moment left. */
  sessionEnds(facts: { readonly reason: SessionEndReason; readonly signal?: AbortSignal | undefined }): Promise<void>;
}

export type SessionSource = 'startup' | 'resume' | 'clear' | 'compact';

/** `clear` and `resume`: another session takes its place; `prompt_input_exit`: the user left the chat. */
export type SessionEndReason = 'clear' | 'resume' | 'prompt_input_exit' | 'other';

export interface CompactionFacts {
  readonly trigger: string;
  readonly wishes: string;
}

export interface PromptVerdict {
  readonly blocked: string | null;
  readonly attachments: readonly Attachment[];
}

/** What is left to a SessionEnd hook when nobody waits any more. */
const HURRIED_END_MS = 1_500;

/** As hooks that were written for other coding agents know them. */
const MODE_NAMES: Readonly<Record<PermissionMode, string>> = {
  ask: 'default',
  'accept-edits': 'acceptEdits',
  plan: 'plan',
  bypass: 'bypassPermissions',
};

/** By which what left a hook's process group is found. */
const MARK_NAME = 'REVERIE_HOOKS';

export function openAgentHooks(
  session: Pick<SessionContext, 'place' | 'cwd' | 'log' | 'environment' | 'tell'> & {
    readonly permissionMode: () => PermissionMode;
  },
): AgentHooks {
  const { place, log, environment } = session;
  const hooks = place.isBare ? [] : place.settings.gathered('hooks').map(({ value }) => value);
  const never = new AbortController().signal;
  const mark = randomBytes(12).toString('hex');
  const deathWatch = createDeathWatch(`${MARK_NAME}=${mark}`);
  if (hooks.length > 0) process.once('exit', deathWatch.killAll);
  const always = { session_id: log.sessionId, transcript_path: log.file ?? '', cwd: session.cwd };

  function has(event: HookEventName): boolean {
    return hooks.some((settings) => (settings[event] ?? []).length > 0);
  }

  async function run(event: HookEventName, input: object, signal = never): Promise<HookOutcome> {
    const { projectRoot, limits } = place;
    const all = { ...always, permission_mode: MODE_NAMES[session.permissionMode()], ...input } as HookInput;
    const outcome = await runHooks({
      event,
      input: all,
      hooks,
      projectRoot,
      environment: { ...environment, ...AGENT_MARK, [MARK_NAME]: mark },
      signal,
      limits: limits.userHooks,
      deathWatch,
    });
    for (const warning of outcome.warnings) session.tell(warning);
    return outcome;
  }

  let stop: string | null = null;
  /** Noted here, since the tools it is about still have to end. */
  const noteStop = (outcome: HookOutcome): HookOutcome => {
    stop ??= outcome.stop;
    return outcome;
  };

  return {
    async sessionStarts(source) {
      return has('SessionStart') ? contextOf(await run('SessionStart', { source }), 'SessionStart') : [];
    },
    async promptComes(prompt, signal) {
      if (!has('UserPromptSubmit')) return { blocked: null, attachments: [] };
      const outcome = await run('UserPromptSubmit', { prompt }, signal);
      return { blocked: outcome.blocked ?? outcome.stop, attachments: contextOf(outcome, 'UserPromptSubmit') };
    },
    async advise({ id, name, input }, signal) {
      if (!has('PreToolUse')) return null;
      const facts = { tool_name: name, tool_use_id: id, tool_input: input };
      return adviceOf(noteStop(await run('PreToolUse', facts, signal)));
    },
    async toolsEnded(finished, signal) {
      if (!has('PostToolUse')) return [];
      const outcomes = await Promise.all(
        finished.map(async ({ call: { id, name, input }, result }) => {
          const response = { content: textOf(result.content), is_error: result.is_error ?? false };
          const facts = { tool_name: name, tool_use_id: id, tool_input: input, tool_response: response };
          return noteStop(await run('PostToolUse', facts, signal));
        }),
      );
      return outcomes.flatMap((outcome) => [
        ...objectionOf(outcome, 'PostToolUse'),
        ...contextOf(outcome, 'PostToolUse'),
      ]);
    },
    takeStop() {
      const taken = stop;
      stop = null;
      return taken;
    },
    async answerGiven({ signal, isGoingOn }) {
      if (!has('Stop')) return [];
      const outcome = await run('Stop', { stop_hook_active: isGoingOn }, signal);
      if (outcome.stop === null) return objectionOf(outcome, 'Stop');
      session.tell(`A Stop hook ended the turn: ${outcome.stop}`);
      return [];
    },
    async compactionComes({ trigger, wishes }) {
      if (!has('PreCompact')) return {};
      const outcome = await run('PreCompact', { trigger: knownTrigger(trigger), custom_instructions: wishes });
      const forbidden = outcome.blocked ?? outcome.stop;
      if (forbidden !== null) return { forbidden };
      return outcome.context.length === 0 ? {} : { wishes: outcome.context.join('\n') };
    },
    async compactionDone({ trigger }) {
      if (has('PostCompact')) await run('PostCompact', { trigger: knownTrigger(trigger) });
    },
    async sessionEnds({ reason, signal }) {
      if (has('SessionEnd')) {
        const ending = hurriedBy(signal);
        await run('SessionEnd', { reason }, ending.signal);
        ending.done();
      }
      process.removeListener('exit', deathWatch.killAll);
      deathWatch.close();
    },
  };
}

/** A compaction that the provider forced counts as automatic. */
function knownTrigger(trigger: string): 'manual' | 'auto' {
  return trigger === 'manual' ? 'manual' : 'auto';
}

/** Aborted a moment after the given one. */
function hurriedBy(signal: AbortSignal | undefined): { readonly signal: AbortSignal; done(): void } {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const hurry = () => {
    timer = setTimeout(() => late.abort(), HURRIED_END_MS);
  };
  if (signal?.aborted === true) hurry();
  else signal?.addEventListener('abort', hurry, { once: true });
  return {
    signal: late.signal,
    done() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', hurry);
    },
  };
}

function contextOf({ context }: HookOutcome, event: HookEventName): readonly Attachment[] {
  return context.map((text) => attachment([`A hook of the user's (${event}) adds:`, escapeOwnTags(text)]));
}

function objectionOf({ blocked }: HookOutcome, event: HookEventName): readonly Attachment[] {
  return blocked === null ? [] : [attachment([`A hook of the user's (${event}) objects:`, escapeOwnTags(blocked)])];
}

function attachment(lines: readonly string[]): Attachment {
  return { source: 'hook', block: { type: 'text', text: wrapReminder(lines) } };
}
