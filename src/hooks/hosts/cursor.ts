/** Cursor: hooks in camel case; it takes text for the model at the start and after a tool, and none with a prompt. */

import { commandFailure } from './claude-code.ts';
import type { HookReading, HookResult, Host } from './host.ts';
import { event, type Fields, fieldsOf, idOf, ignored, textOf, unreadable } from './payload.ts';

const TAKES_CONTEXT = new Set(['sessionStart', 'postToolUse']);

export const cursor: Host = {
  name: 'cursor',
  title: 'Cursor',
  projectVariable: 'CURSOR_PROJECT_DIR',
  events: ['sessionStart', 'beforeSubmitPrompt', 'postToolUse', 'preCompact', 'stop', 'sessionEnd'],
  read,
  answer,
  takesContext: (eventName) => TAKES_CONTEXT.has(eventName),
  // The form of its transcripts is not public.
  userTexts: () => [],
  transcripts: () => null,
  tellsOnlyBeforeCompaction: true,
};

function answer({ context }: HookResult, eventName: string): Readonly<Record<string, unknown>> {
  if (eventName === 'beforeSubmitPrompt') return { continue: true };
  return context === null || !TAKES_CONTEXT.has(eventName) ? {} : { additional_context: context };
}

function read(payload: unknown, eventName: string): HookReading {
  const fields = fieldsOf(payload);
  const sessionId = idOf(fields?.conversation_id) ?? idOf(fields?.session_id);
  if (fields === null || sessionId === null) return unreadable('no conversation_id');
  const named = textOf(fields.hook_event_name);
  if (named !== null && named !== eventName)
    return unreadable(`called for ${eventName}, but given ${named.slice(0, 40)}`);
  const [firstRoot] = Array.isArray(fields.workspace_roots) ? (fields.workspace_roots as unknown[]) : [];
  const occasion = { sessionId, cwd: textOf(firstRoot) ?? textOf(fields.cwd), transcriptFile: null };
  switch (eventName) {
    case 'sessionStart':
      return event({ ...occasion, kind: 'session-start', reason: 'startup' });
    case 'beforeSubmitPrompt': {
      const text = textOf(fields.prompt);
      return text === null ? unreadable('no prompt') : event({ ...occasion, kind: 'prompt', text });
    }
    case 'postToolUse':
      return event({ ...occasion, kind: 'tool-result', ...toolFacts(fields) });
    case 'preCompact':
      return event({ ...occasion, kind: 'before-compaction' });
    case 'stop':
      return event({ ...occasion, kind: 'stop' });
    case 'sessionEnd':
      return event({ ...occasion, kind: 'session-end' });
    default:
      return ignored(`${eventName} is of no use to a memory`);
  }
}

function toolFacts(fields: Fields): { file: string | null; failure: string | null } {
  const input = fieldsOf(fields.tool_input) ?? {};
  switch (fields.tool_name) {
    case 'Read':
      return { file: textOf(input.file_path) ?? textOf(input.path) ?? textOf(input.target_file), failure: null };
    case 'Shell':
      return { file: null, failure: textOf(commandFailure(outputOf(fields.tool_output))?.slice(0, 20_000)) };
    default:
      return { file: null, failure: null };
  }
}

/** The output comes as JSON inside a string. */
function outputOf(output: unknown): unknown {
  if (typeof output !== 'string') return output;
  try {
    return JSON.parse(output) as unknown;
  } catch {
    return output;
  }
}
