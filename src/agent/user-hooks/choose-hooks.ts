/** Which commands an event runs: those whose matcher fits, each once, highest settings first. */

import type { HookCommand, HookEventName, HookSettings } from '../../settings/settings.ts';
import type { HookInput } from './event.ts';

export interface ChosenHooks {
  readonly commands: readonly HookCommand[];
  readonly warnings: readonly string[];
}

export function chooseHooks(event: HookEventName, input: HookInput, hooks: readonly HookSettings[]): ChosenHooks {
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
export function matcherFits(matcher: string, subject: string | null): boolean | 'unreadable' {
  const pattern = matcher.trim();
  if (pattern === '' || pattern === '*' || subject === null || pattern === subject) return true;
  try {
    return new RegExp(`^(?:${pattern})$`).test(subject);
  } catch {
    return 'unreadable';
  }
}
