/** Claude Code: hooks as in its public reference; Codex takes the same shapes. */

import { constants } from 'node:os';
import { join } from 'node:path';
import type { StartReason } from '../run/event.ts';
import type { HookReading, Host, SaidText, Subagent } from './host.ts';
import { contentText, event, type Fields, fieldsOf, idOf, ignored, textOf, unreadable, WORDLESS } from './payload.ts';

export const claudeCode: Host = {
  name: 'claude-code',
  title: 'Claude Code',
  projectVariable: 'CLAUDE_PROJECT_DIR',
  events: [
    'SessionStart',
    'UserPromptSubmit',
    'PostToolUse',
    'PostToolUseFailure',
    'SubagentStart',
    'PreCompact',
    'Stop',
    'SessionEnd',
  ],
  read: readClaudeStyle,
  answer: answerClaudeStyle,
  takesContext: takesClaudeContext,
  // Of more than 10,000 characters it shows the first 2,000.
  contextBytes: 9_800,
  userTexts,
  commandTexts,
  assistantTexts,
  subagentTask,
  transcripts: ({ env, userHome }) => join(env.CLAUDE_CONFIG_DIR || join(userHome, '.claude'), 'projects'),
};

/** Events whose answer may add to what the model reads. */
const TAKES_CONTEXT = new Set([
  'SessionStart',
  'UserPromptSubmit',
  'PostToolUse',
  'PostToolUseFailure',
  'SubagentStart',
]);

export function takesClaudeContext(eventName: string): boolean {
  return TAKES_CONTEXT.has(eventName);
}

export function answerClaudeStyle(
  { context }: { readonly context: string | null },
  eventName: string,
): Readonly<Record<string, unknown>> {
  if (context === null || !TAKES_CONTEXT.has(eventName)) return {};
  return { hookSpecificOutput: { hookEventName: eventName, additionalContext: context } };
}

export function readClaudeStyle(payload: unknown, eventName: string): HookReading {
  const fields = fieldsOf(payload);
  const sessionId = idOf(fields?.session_id);
  if (fields === null || sessionId === null) return unreadable('no session_id');
  const named = textOf(fields.hook_event_name);
  if (named !== null && named !== eventName)
    return unreadable(`called for ${eventName}, but given ${named.slice(0, 40)}`);
  const occasion = { sessionId, cwd: textOf(fields.cwd), transcriptFile: textOf(fields.transcript_path) };
  const agentId = idOf(fields.agent_id);
  if (agentId !== null && eventName === 'SubagentStart') {
    const agentType = textOf(fields.agent_type) ?? '';
    return event({ ...occasion, sessionId: `${sessionId}/${agentId}`, kind: 'subagent-start', agentId, agentType });
  }
  if (agentId !== null) return ignored('a sub-agent is told what it needs when it starts');
  switch (eventName) {
    case 'SessionStart':
      return event({ ...occasion, kind: 'session-start', reason: startReason(fields.source) });
    case 'UserPromptSubmit': {
      const { prompt } = fields;
      if (typeof prompt !== 'string') return unreadable('no prompt');
      return prompt === '' ? WORDLESS : event({ ...occasion, kind: 'prompt', text: wishBehind(prompt) ?? prompt });
    }
    case 'PostToolUse':
    case 'PostToolUseFailure':
      return event({ ...occasion, kind: 'tool-result', ...toolFacts(fields, eventName) });
    case 'PreCompact':
      return event({ ...occasion, kind: 'before-compaction' });
    case 'PostCompact':
      return event({ ...occasion, kind: 'after-compaction' });
    case 'Stop':
      return event({ ...occasion, kind: 'stop' });
    case 'SessionEnd':
      return event({ ...occasion, kind: 'session-end' });
    default:
      return ignored(`${eventName} is of no use to a memory`);
  }
}

const REASONS: readonly StartReason[] = ['resume', 'fork', 'clear', 'compact'];

export function startReason(source: unknown): StartReason {
  return REASONS.find((reason) => reason === source) ?? 'startup';
}

const READS_A_FILE = new Set(['Read', 'NotebookRead', 'read_file', 'view_image']);
const RUNS_A_COMMAND = new Set(['Bash', 'PowerShell', 'shell', 'local_shell', 'exec_command', 'unified_exec']);

/** More of an output is not worth looking through. */
const FAILURE_CHARACTERS = 20_000;

function toolFacts(fields: Fields, eventName: string): { file: string | null; failure: string | null } {
  const tool = textOf(fields.tool_name) ?? '';
  const input = fieldsOf(fields.tool_input) ?? {};
  if (RUNS_A_COMMAND.has(tool)) {
    const failure = eventName === 'PostToolUseFailure' ? textOf(fields.error) : commandFailure(fields.tool_response);
    return { file: null, failure: failure?.slice(0, FAILURE_CHARACTERS) ?? null };
  }
  const file = READS_A_FILE.has(tool) ? (textOf(input.file_path) ?? textOf(input.path)) : null;
  return { file: eventName === 'PostToolUseFailure' ? null : file, failure: null };
}

/** What a command said, if it failed: an exit code, an interruption, or error output that speaks of an error. */
export function commandFailure(response: unknown): string | null {
  if (typeof response === 'string') return failureInText(response);
  const fields = fieldsOf(response);
  if (fields === null) return failureInText(contentText(response) ?? '');
  const code = [fields.exit_code, fields.exitCode, fields.code].find((value) => typeof value === 'number');
  const parts = [fields.stderr, fields.error, fields.stdout, fields.output, contentText(fields.content)];
  const text = parts.filter((part) => typeof part === 'string' && part !== '').join('\n');
  if (typeof code === 'number') return code === 0 ? null : textOf(text);
  const errors = typeof fields.stderr === 'string' && fields.stderr !== '' ? fields.stderr : text;
  return textOf(fields.error) !== null ? text : failureInText(errors);
}

const ENDED_BADLY = /\b(?:exit(?:ed)?(?: with)?(?: (?:code|status))?:?|returned) (?!0\b)\d{1,3}\b/i;
/** How compilers, shells and runtimes begin the line that says what went wrong; no word that a sentence may hold. */
const ERROR_LINES = [
  /^(?:[^\s:]+:(?:\d+:){0,2} ?)?(?:fatal |syntax |internal )?error(?:\[\w+\]| [A-Z]{1,6}\d+)?:/im,
  /^npm (?:error|ERR!)/m,
  /^(?:fatal|panic): \S/m,
  /^Traceback \(most recent call last\)/m,
  /^(?:Uncaught |Unhandled )?(?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception)\b(?:: | \[|$)/m,
  /: (?:command not found|No such file or directory|Permission denied)\b/,
];
const ERRNO = /\bE[A-Z0-9]{3,}\b/g;

function failureInText(text: string): string | null {
  const beginning = text.slice(0, FAILURE_CHARACTERS);
  const isFailure =
    ENDED_BADLY.test(beginning) ||
    ERROR_LINES.some((line) => line.test(beginning)) ||
    (beginning.match(ERRNO) ?? []).some((code) => code in constants.errno);
  return isFailure ? text : null;
}

/** Lines of type `user` that a person typed: no tool results, nothing a hook or a command put there, no sub-agents. */
function userTexts(lines: readonly string[]): readonly SaidText[] {
  return lines.flatMap((line): SaidText[] => {
    if (!line.includes('"user"')) return [];
    const record = parsed(line);
    if (record?.type !== 'user' || record.isMeta === true || record.isSidechain === true) return [];
    if (record.isCompactSummary === true || record.toolUseResult !== undefined) return [];
    // What a sub-agent or another session sends, newer versions say of it.
    if ((textOf(fieldsOf(record.origin)?.kind) ?? 'human') !== 'human') return [];
    const message = fieldsOf(record.message);
    const text = message?.role === 'user' ? contentText(message.content) : null;
    return text === null ? [] : [{ text, at: textOf(record.timestamp) ?? '' }];
  });
}

/** `/reverie:remember …` is a wish in so many words. */
function wishBehind(prompt: string): string | null {
  const wish = /^\/reverie:remember\s+(\S[\s\S]*)$/.exec(prompt.trim())?.[1];
  return wish === undefined ? null : `Remember: ${wish}`;
}

const COMMAND_LINE =
  /^\s*<command-message>[^<]*<\/command-message>\s*<command-name>(\/reverie:remember)<\/command-name>\s*<command-args>([\s\S]*)<\/command-args>\s*$/;

function commandTexts(lines: readonly string[]): readonly SaidText[] {
  const commands = userTexts(lines.filter((line) => line.includes('/reverie:remember')));
  return commands.flatMap(({ text, at }): SaidText[] => {
    const [, name, words] = COMMAND_LINE.exec(text) ?? [];
    const wish = wishBehind(`${name} ${words}`);
    return wish === null ? [] : [{ text: wish, at }];
  });
}

function assistantTexts(lines: readonly string[]): readonly SaidText[] {
  return lines.flatMap((line): SaidText[] => {
    const record = line.includes('"assistant"') ? parsed(line) : null;
    if (record?.type !== 'assistant' || record.isSidechain === true) return [];
    const text = contentText(fieldsOf(record.message)?.content);
    return text === null ? [] : [{ text, at: textOf(record.timestamp) ?? '' }];
  });
}

const STARTS_A_SUBAGENT = new Set(['Agent', 'Task']);

/**
 * A call that started it in the background has its result at once, with the agent's name in it; others have none yet. Several of
 * those that are of one type and start together cannot be told apart: each is given what bears on any.
 */
function subagentTask(lines: readonly string[], { agentId, agentType }: Subagent): string | null {
  const open = new Map<unknown, string>();
  for (const line of lines) {
    if (!line.includes('"tool_use"') && !line.includes('"tool_result"')) continue;
    const record = parsed(line);
    const started = fieldsOf(record?.toolUseResult);
    if (started?.agentId === agentId && textOf(started.prompt) !== null) return textOf(started.prompt);
    const content = fieldsOf(record?.message)?.content;
    for (const block of Array.isArray(content) ? content.map(fieldsOf) : []) {
      if (block?.type === 'tool_result') open.delete(block.tool_use_id);
      const input =
        block?.type === 'tool_use' && STARTS_A_SUBAGENT.has(String(block.name)) ? fieldsOf(block.input) : null;
      const prompt = textOf(input?.prompt);
      if (prompt !== null && (textOf(input?.subagent_type) ?? agentType) === agentType) open.set(block?.id, prompt);
    }
  }
  return textOf([...open.values()].join('\n'));
}

export function parsed(line: string): Fields | null {
  try {
    return fieldsOf(JSON.parse(line));
  } catch {
    return null;
  }
}
