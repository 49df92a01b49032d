/** What an agent does now, in three to five words: told by its last tool call, unless a model has written it. */

import { basename } from 'node:path';
import type { ToolUseBlock } from '../../conversation/message.ts';

export const FIRST_PROGRESS = 'Thinking about the task';

const LONGEST_WORD = 40;

export function progressOf({ name, input }: ToolUseBlock): string {
  const file = nameIn(input.file_path);
  switch (name) {
    case 'Read':
      return `Reading the file ${file}`;
    case 'Edit':
      return `Editing the file ${file}`;
    case 'Write':
      return `Writing the file ${file}`;
    case 'Grep':
      return `Searching files for ${wordIn(input.pattern)}`;
    case 'Glob':
      return `Looking for files ${wordIn(input.pattern)}`;
    case 'Bash':
      return `Running the command ${wordIn(input.command)}`;
    case 'WebFetch':
      return `Reading a page of ${hostIn(input.url)}`;
    case 'WebSearch':
      return `Searching the web for ${wordIn(input.query)}`;
    case 'Agent':
      return `Waiting for another agent`;
    default:
      return `Using the tool ${wordIn(name)}`;
  }
}

/** The newest line, but never two within a pause. */
export function createProgress(facts: { readonly everyMs: number; readonly nowMs: () => number }) {
  let shown = FIRST_PROGRESS;
  let shownAtMs = Number.NEGATIVE_INFINITY;
  return {
    called(call: ToolUseBlock): void {
      if (facts.nowMs() - shownAtMs < facts.everyMs) return;
      shownAtMs = facts.nowMs();
      shown = progressOf(call);
    },
    /** In a model's words. */
    written(line: string): void {
      shownAtMs = facts.nowMs();
      shown = line;
    },
    text: () => shown,
  };
}

function nameIn(path: unknown): string {
  return typeof path === 'string' ? wordIn(basename(path)) : 'it was given';
}

/** The first word, so that the line stays a line. */
function wordIn(text: unknown): string {
  const word = typeof text === 'string' ? (text.trim().split(/\s+/)[0] ?? '') : '';
  if (word === '') return 'something';
  return word.length <= LONGEST_WORD ? word : `${word.slice(0, LONGEST_WORD - 1)}…`;
}

function hostIn(url: unknown): string {
  try {
    return new URL(String(url)).host;
  } catch {
    return 'the web';
  }
}
