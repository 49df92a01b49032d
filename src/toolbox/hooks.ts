/** The user's hooks at their places in a session; where there are none, nothing is waited for. */

import { randomBytes } from 'node:crypto';
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
  sessionStarts(source: 'startup' | 'resume' | 'clear' | 'compact'): Promise<readonly Attachment[]>;
  /** A reason keeps the prompt from being sent. */
  promptComes(prompt: string, signal: AbortSignal): Promise<PromptVerdict>;
  /** Before a tool runs; part of the decision whether it may. */
  advise(call: ToolUseBlock, signal: AbortSignal): Promise<Advice | null>;
  toolsEnded(finished: readonly FinishedCall[]): Promise<readonly Attachment[]>;
  /** What sends the final answer back to the model. */
  answerGiven(): Promise<readonly Attachment[]>;
  /** May add wishes for the summary, or keep it from being made. */
  compactionComes(facts: CompactionFacts): Promise<{ readonly wishes?: string; readonly forbidden?: string }>;
  compactionDone(facts: CompactionFacts): Promise<void>;
  sessionEnds(): Promise<void>;
}

export interface CompactionFacts {
  readonly trigger: string;
  readonly wishes: string;
}

export interface PromptVerdict {
  readonly blocked: string | null;
  readonly attachments: readonly Attachment[];
}

/** By which what left a hook's process group is found. */
const MARK_NAME = 'REVERIE_HOOKS';

export function openAgentHooks(
  session: Pick<SessionContext, 'place' | 'cwd' | 'log' | 'environment' | 'tell'>,
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
    const all = { ...always, ...input } as HookInput;
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

  return {
    async sessionStarts(source) {
      return has('SessionStart') ? contextOf(await run('SessionStart', { source }), 'SessionStart') : [];
    },
    async promptComes(prompt, signal) {
      if (!has('UserPromptSubmit')) return { blocked: null, attachments: [] };
      const outcome = await run('UserPromptSubmit', { prompt }, signal);
      return { blocked: outcome.blocked ?? outcome.stop, attachments: contextOf(outcome, 'UserPromptSubmit') };
    },
    async advise({ name, input }, signal) {
      if (!has('PreToolUse')) return null;
      return adviceOf(await run('PreToolUse', { tool_name: name, tool_input: input }, signal));
    },
    async toolsEnded(finished) {
      if (!has('PostToolUse')) return [];
      const outcomes = await Promise.all(
        finished.map(({ call, result }) => {
          const response = { content: textOf(result.content), is_error: result.is_error ?? false };
          return run('PostToolUse', { tool_name: call.name, tool_input: call.input, tool_response: response });
        }),
      );
      return outcomes.flatMap((outcome) => [
        ...objectionOf(outcome, 'PostToolUse'),
        ...contextOf(outcome, 'PostToolUse'),
      ]);
    },
    async answerGiven() {
      return has('Stop') ? objectionOf(await run('Stop', {}), 'Stop') : [];
    },
    async compactionComes({ trigger, wishes }) {
      if (!has('PreCompact')) return {};
      const outcome = await run('PreCompact', { trigger, custom_instructions: wishes });
      const forbidden = outcome.blocked ?? outcome.stop;
      if (forbidden !== null) return { forbidden };
      return outcome.context.length === 0 ? {} : { wishes: outcome.context.join('\n') };
    },
    async compactionDone({ trigger }) {
      if (has('PostCompact')) await run('PostCompact', { trigger });
    },
    async sessionEnds() {
      if (has('SessionEnd')) await run('SessionEnd', { reason: 'exit' });
      process.removeListener('exit', deathWatch.killAll);
      deathWatch.close();
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
