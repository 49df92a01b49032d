/** What one hook said: its exit code, and JSON or text on its standard output, in the form coding-agent users know. */

import type { Limits } from '../../limits.ts';
import type { HookEventName } from '../../settings/settings.ts';
import { canBlock, type HookOutcome, NO_OUTCOME, takesPlainText } from './event.ts';
import type { CommandEnd } from './run-command.ts';

/** Characters of a command, and of what went wrong, in a line of warning. */
const LINE_CHARACTERS = 160;

export interface AnswerFacts {
  readonly event: HookEventName;
  readonly command: string;
  readonly timeoutMs: number;
  readonly limits: Limits['userHooks'];
}

/** The exit code that means no, whatever else was said. */
const BLOCKS = 2;

export function readAnswer(end: CommandEnd, facts: AnswerFacts): HookOutcome {
  switch (end.kind) {
    case 'aborted':
      return NO_OUTCOME;
    case 'timed-out':
      return warning(`did not end within ${facts.timeoutMs / 1_000} s and was stopped`, facts);
    case 'flooded':
      return warning('wrote without end and was stopped', facts);
    case 'not-started':
      return warning(`could not be started: ${end.reason}`, facts);
    case 'exited':
      return readExit(end, facts);
  }
}

function readExit(end: Extract<CommandEnd, { readonly kind: 'exited' }>, facts: AnswerFacts): HookOutcome {
  const said = oneLine(end.stderr);
  if (end.code === BLOCKS) {
    if (!canBlock(facts.event)) return warning(`failed: ${said || 'exit code 2'}`, facts);
    const reason = bounded(end.stderr.trim(), facts) || `The ${facts.event} hook says no and gives no reason.`;
    return { ...NO_OUTCOME, blocked: reason };
  }
  if (end.code !== 0) {
    return warning(
      `ended ${end.code === null ? 'by a signal' : `with exit code ${end.code}`}${said === '' ? '' : `: ${said}`}`,
      facts,
    );
  }
  const text = end.stdout.trim();
  if (text.startsWith('{')) return end.isCut ? warning('answered too much to be read', facts) : readJson(text, facts);
  return text !== '' && takesPlainText(facts.event) ? { ...NO_OUTCOME, context: [bounded(text, facts)] } : NO_OUTCOME;
}

function readJson(text: string, facts: AnswerFacts): HookOutcome {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return warning('answered what is no JSON', facts);
  }
  const fields = asObject(answer);
  const specific = asObject(fields.hookSpecificOutput);
  const wrong = wrongField(fields, specific);
  if (wrong !== null) return warning(`answered with a \`${wrong}\` that cannot be read`, facts);

  const reason = bounded(textOf(fields.reason) ?? '', facts);
  const isBlocked = fields.decision === 'block' && canBlock(facts.event);
  const context = textOf(specific.additionalContext)?.trim() ?? '';
  const message = textOf(fields.systemMessage)?.trim() ?? '';
  return {
    blocked: isBlocked ? reason || `The ${facts.event} hook says no and gives no reason.` : null,
    stop: fields.continue === false ? bounded(textOf(fields.stopReason) ?? 'A hook ended the turn.', facts) : null,
    ...permissionOf(fields, specific, facts),
    context: context === '' ? [] : [bounded(context, facts)],
    warnings: message === '' ? [] : [oneLine(message)],
  };
}

function permissionOf(
  fields: Readonly<Record<string, unknown>>,
  specific: Readonly<Record<string, unknown>>,
  facts: AnswerFacts,
): Pick<HookOutcome, 'permission'> {
  if (facts.event !== 'PreToolUse') return {};
  const reason = bounded(
    textOf(specific.permissionDecisionReason) ?? textOf(fields.reason) ?? 'No reason was given.',
    facts,
  );
  const verdict = specific.permissionDecision ?? (fields.decision === 'approve' ? 'allow' : undefined);
  return verdict === 'allow' || verdict === 'deny' || verdict === 'ask' ? { permission: { verdict, reason } } : {};
}

/** The first field that holds what it cannot hold; a hook that speaks nonsense is not half obeyed. */
function wrongField(
  fields: Readonly<Record<string, unknown>>,
  specific: Readonly<Record<string, unknown>>,
): string | null {
  const isText = (value: unknown) => value === undefined || value === null || typeof value === 'string';
  const isOneOf = (value: unknown, words: readonly string[]) =>
    value === undefined || value === null || words.includes(String(value));
  const checks: Readonly<Record<string, boolean>> = {
    decision: isOneOf(fields.decision, ['block', 'approve']),
    reason: isText(fields.reason),
    continue: fields.continue === undefined || typeof fields.continue === 'boolean',
    stopReason: isText(fields.stopReason),
    systemMessage: isText(fields.systemMessage),
    hookSpecificOutput: fields.hookSpecificOutput == null || typeof fields.hookSpecificOutput === 'object',
    permissionDecision: isOneOf(specific.permissionDecision, ['allow', 'deny', 'ask']),
    permissionDecisionReason: isText(specific.permissionDecisionReason),
    additionalContext: isText(specific.additionalContext),
  };
  return Object.entries(checks).find(([, isFine]) => !isFine)?.[0] ?? null;
}

function warning(problem: string, facts: AnswerFacts): HookOutcome {
  return {
    ...NO_OUTCOME,
    warnings: [`The ${facts.event} hook ${JSON.stringify(oneLine(facts.command))} ${problem}.`],
  };
}

function bounded(text: string, { limits }: AnswerFacts): string {
  if (text.length <= limits.textCharacters) return text;
  return `${shortened(text, limits.textCharacters)}\n[cut: the hook said ${text.length} characters]`;
}

function oneLine(text: string): string {
  return shortened(text.trim().replace(/\s+/g, ' '), LINE_CHARACTERS);
}

function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
