/** Gemini CLI: the same moments under names of its own. It says before each request that it may compress, and only its transcript shows whether it did. */

import { join } from 'node:path';
import { commandFailure, parsed, startReason } from './claude-code.ts';
import type { HookReading, HookResult, Host, HostFacts, SaidText } from './host.ts';
import { contentText, event, type Fields, fieldsOf, idOf, ignored, textOf, unreadable, WORDLESS } from './payload.ts';

const TAKES_CONTEXT = new Set(['SessionStart', 'BeforeAgent', 'AfterTool']);

export const gemini: Host = {
  name: 'gemini',
  title: 'Gemini CLI',
  projectVariable: 'GEMINI_PROJECT_DIR',
  events: ['SessionStart', 'BeforeAgent', 'AfterTool', 'PreCompress', 'AfterAgent', 'SessionEnd'],
  read,
  answer,
  takesContext: (eventName) => TAKES_CONTEXT.has(eventName),
  userTexts: (lines) => textsOf(lines, 'user'),
  assistantTexts: (lines) => textsOf(lines, 'gemini'),
  compactedAt,
  tellsTooOften: true,
  // A resumed session has lost a message that began with such an answer, with the user's words in it.
  startsWithMessage: true,
  transcripts: (facts) => join(geminiHome(facts), '.gemini', 'tmp'),
};

/** The folder in which it has its own. */
export function geminiHome({ env, userHome }: HostFacts): string {
  return env.GEMINI_CLI_HOME?.trim() || userHome;
}

function answer({ context }: HookResult, eventName: string): Readonly<Record<string, unknown>> {
  if (context === null || !TAKES_CONTEXT.has(eventName)) return {};
  return { hookSpecificOutput: { hookEventName: eventName, additionalContext: context } };
}

function read(payload: unknown, eventName: string): HookReading {
  const fields = fieldsOf(payload);
  const sessionId = idOf(fields?.session_id);
  if (fields === null || sessionId === null) return unreadable('no session_id');
  const named = textOf(fields.hook_event_name);
  if (named !== null && named !== eventName)
    return unreadable(`called for ${eventName}, but given ${named.slice(0, 40)}`);
  const occasion = { sessionId, cwd: textOf(fields.cwd), transcriptFile: textOf(fields.transcript_path) };
  switch (eventName) {
    case 'SessionStart':
      return event({ ...occasion, kind: 'session-start', reason: startReason(fields.source) });
    case 'BeforeAgent': {
      const { prompt } = fields;
      if (typeof prompt !== 'string') return unreadable('no prompt');
      return prompt === '' ? WORDLESS : event({ ...occasion, kind: 'prompt', text: prompt });
    }
    case 'AfterTool':
      return event({ ...occasion, kind: 'tool-result', ...toolFacts(fields) });
    case 'PreCompress':
      return event({ ...occasion, kind: 'before-compaction' });
    case 'AfterAgent':
      return event({ ...occasion, kind: 'stop' });
    case 'SessionEnd':
      return event({ ...occasion, kind: 'session-end' });
    default:
      return ignored(`${eventName} is of no use to a memory`);
  }
}

function toolFacts(fields: Fields): { file: string | null; failure: string | null } {
  const input = fieldsOf(fields.tool_input) ?? {};
  const response = fieldsOf(fields.tool_response) ?? {};
  const isFailed = fieldsOf(response.error) !== null || textOf(response.error) !== null;
  switch (fields.tool_name) {
    case 'read_file':
      return { file: isFailed ? null : (textOf(input.file_path) ?? textOf(input.absolute_path)), failure: null };
    case 'run_shell_command': {
      const said = contentText(response.llmContent) ?? contentText([response.llmContent]) ?? '';
      const failure = isFailed ? said : commandFailure(said);
      return { file: null, failure: textOf(failure?.slice(0, 20_000)) };
    }
    default:
      return { file: null, failure: null };
  }
}

/** Newer versions write a line for each message; of an older one, a single JSON document, nothing is taken. */
function textsOf(lines: readonly string[], type: 'user' | 'gemini'): readonly SaidText[] {
  return lines.flatMap((line): SaidText[] => {
    const record = line.includes(`"${type}"`) ? parsed(line) : null;
    const text = record?.type === type ? contentText(record.content) : null;
    return text === null ? [] : [{ text, at: textOf(record?.timestamp) ?? '' }];
  });
}

/** A request that is so much shorter than the one before it has lost what stood in that. */
const COMPRESSED_SHARE = 0.7;
const INDEX_TAG = /(?:<|&lt;)reverie-memory(?:>|&gt;)/;

/**
 * Newer versions write down what is left of the conversation as they compress it, or take back a message that the user broke off, so that it is
 * seen whether the index is. Of the others only the tokens of each request tell, one answer later.
 */
function compactedAt(lines: readonly string[]): number | null {
  let [before, latest, found]: [number, string, string | null] = [0, '', null];
  for (const line of lines) {
    const time = newestTime(line) ?? '';
    if (time > latest) latest = time;
    if (line.startsWith('{"$set":{"messages":')) {
      // All that is left may be older than the index was; what stands before it in the file was there when this was written.
      if (!INDEX_TAG.test(line)) found = latest;
      before = 0;
      continue;
    }
    const record = line.includes('"tokens"') ? parsed(line) : null;
    const tokens = fieldsOf(record?.tokens)?.input;
    if (typeof tokens !== 'number' || tokens <= 0) continue;
    if (tokens < before * COMPRESSED_SHARE) found = textOf(record?.timestamp);
    before = tokens;
  }
  return found === null ? null : Date.parse(found) || null;
}

/** The last message of a compressed conversation has the time of the compression. The line may be megabytes long, so it is not parsed. */
function newestTime(line: string): string | null {
  const key = '"timestamp":"';
  const from = line.lastIndexOf(key);
  return from === -1 ? null : line.slice(from + key.length, line.indexOf('"', from + key.length));
}
