/** Runs the user's hooks for one event, all at once, and joins what they say; whatever a hook does, the session goes on. */

import type { Limits } from '../../limits.ts';
import type { HookCommand, HookEventName, HookSettings } from '../../settings/settings.ts';
import type { DeathWatch } from '../tools/shell/death-watch.ts';
import { type HookInput, type HookOutcome, NO_OUTCOME } from './event.ts';
import { readAnswer } from './read-answer.ts';
import { runCommand } from './run-command.ts';

/** The longest timeout that a hook may ask for: a timer takes no more than this. */
const LONGEST_TIMEOUT_MS = 2_147_483_647;

export interface HookRun {
  readonly event: HookEventName;
  readonly input: HookInput;
  /** Of every settings that count, highest first. */
  readonly hooks: readonly HookSettings[];
  readonly projectRoot: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly limits: Limits['userHooks'];
  readonly deathWatch?: DeathWatch;
}

export async function runHooks(run: HookRun): Promise<HookOutcome> {
  const { event, limits, projectRoot } = run;
  const { commands, warnings } = chooseHooks(event, run.input, run.hooks);
  if (commands.length === 0) return { ...NO_OUTCOME, warnings };
  const stdin = `${JSON.stringify({ ...run.input, hook_event_name: event })}\n`;
  const environment = { ...run.environment, REVERIE_PROJECT_DIR: projectRoot, CLAUDE_PROJECT_DIR: projectRoot };
  const outcomes = await Promise.all(
    commands.map(async ({ command, timeout }) => {
      const timeoutMs = timeout === undefined ? limits.timeoutMs : Math.min(timeout * 1_000, LONGEST_TIMEOUT_MS);
      const end = await runCommand({
        command,
        stdin,
        cwd: projectRoot,
        environment,
        timeoutMs,
        limits,
        signal: run.signal,
        ...(run.deathWatch === undefined ? {} : { deathWatch: run.deathWatch }),
      });
      return readAnswer(end, { event, command, timeoutMs, limits });
    }),
  );
  return joinOutcomes([{ ...NO_OUTCOME, warnings }, ...outcomes]);
}

const STRICTEST = ['deny', 'ask', 'allow'] as const;

export function joinOutcomes(outcomes: readonly HookOutcome[]): HookOutcome {
  const permissions = outcomes.flatMap(({ permission }) => permission ?? []);
  const permission = STRICTEST.flatMap((verdict) => permissions.find((each) => each.verdict === verdict) ?? [])[0];
  const reasons = outcomes.flatMap(({ blocked }) => blocked ?? []);
  return {
    blocked: reasons.length === 0 ? null : reasons.join('\n'),
    stop: outcomes.find(({ stop }) => stop !== null)?.stop ?? null,
    ...(permission === undefined ? {} : { permission }),
    context: outcomes.flatMap(({ context }) => context),
    warnings: outcomes.flatMap((outcome) => outcome.warnings),
  };
}

/** What PreToolUse hooks advise about a call; null when they say nothing of it. */
export function adviceOf(
  outcome: HookOutcome,
): { readonly verdict: 'allow' | 'deny' | 'ask'; readonly reason: string } | null {
  const refusal = outcome.blocked ?? outcome.stop;
  return refusal === null ? (outcome.permission ?? null) : { verdict: 'deny', reason: refusal };
}

// Which commands an event runs: those whose matcher fits, each once, highest settings first.

interface ChosenHooks {
  readonly commands: readonly HookCommand[];
  readonly warnings: readonly string[];
}

function chooseHooks(event: HookEventName, input: HookInput, hooks: readonly HookSettings[]): ChosenHooks {
  const chosen = new Map<string, HookCommand>();
  const warnings: string[] = [];
  const subject = subjectOf(event, input);
  for (const group of hooks.flatMap((settings) => settings[event] ?? [])) {
    const fits = matcherFits(group.matcher, subject);
    if (fits === 'unreadable')
      warnings.push(`The matcher ${JSON.stringify(group.matcher)} of a ${event} hook is no pattern.`);
    if (fits !== true) continue;
    for (const hook of group.hooks) if (!chosen.has(hook.command)) chosen.set(hook.command, hook);
  }
  return { commands: [...chosen.values()], warnings };
}

/** What a matcher is held against; null where there is nothing to choose by. */
function subjectOf(event: HookEventName, input: HookInput): string | null {
  switch (event) {
    case 'PreToolUse':
    case 'PostToolUse':
      return input.tool_name ?? '';
    case 'SessionStart':
      return input.source ?? null;
    case 'PreCompact':
    case 'PostCompact':
      return input.trigger ?? null;
    case 'SessionEnd':
      return input.reason ?? null;
    case 'UserPromptSubmit':
    case 'Stop':
      return null;
  }
}

/** `Edit|Write`, `mcp__.*`: an expression for the whole name. */
function matcherFits(matcher: string, subject: string | null): boolean | 'unreadable' {
  const pattern = matcher.trim();
  if (pattern === '' || pattern === '*' || subject === null || pattern === subject) return true;
  try {
    return new RegExp(`^(?:${pattern})$`).test(subject);
  } catch {
    return 'unreadable';
  }
}
