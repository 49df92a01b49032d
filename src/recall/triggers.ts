/** What happens during the agent's work that may call for a memory: a failed command, a file that was read. One memory each, by its words. */

import { basename } from 'node:path';
import type { ToolResultBlock, ToolUseBlock } from '../conversation/message.ts';
import { textOf } from '../conversation/message.ts';

export type Trigger =
  | { readonly kind: 'failure'; readonly output: string }
  /** `path` from the project's root, with forward slashes. */
  | { readonly kind: 'file'; readonly path: string };

export function triggersOf(
  finished: readonly { readonly call: ToolUseBlock; readonly result: ToolResultBlock }[],
  /** Null for anything outside the project. */
  pathInProject: (path: string) => string | null,
): readonly Trigger[] {
  return finished.flatMap(({ call, result }): Trigger[] => {
    if (call.name === 'Bash' && result.is_error === true) {
      const output = textOf(result.content);
      return HAS_RUN.test(output) ? [{ kind: 'failure', output }] : [];
    }
    const path = call.input.file_path;
    if (call.name !== 'Read' || result.is_error === true || typeof path !== 'string') return [];
    const inside = pathInProject(path);
    return inside === null ? [] : [{ kind: 'file', path: inside }];
  });
}

/** How Bash ends the output of a command that ran; a denied one has none. */
const HAS_RUN = /\[(?:exit code|ended by|timed out)[^\]]*\]\s*(?:\[[^\]]*\]\s*)?$/;

export function queryOf(trigger: Trigger, characters: number): string {
  switch (trigger.kind) {
    case 'failure':
      return tellingLines(trigger.output).slice(0, characters);
    case 'file':
      return `${trigger.path} ${basename(trigger.path)}`.slice(0, characters);
  }
}

/** Similarity is not enough here: the memory has to mention this exact error, or name this exact file. */
export function isFitFor(
  trigger: Trigger,
  memory: { readonly text: string; readonly certain: boolean; readonly isWorded: boolean },
): boolean {
  switch (trigger.kind) {
    case 'failure':
      return (
        memory.isWorded &&
        (memory.certain || distinctiveWords(tellingLines(trigger.output)).some((word) => memory.text.includes(word)))
      );
    case 'file': {
      const name = basename(trigger.path);
      // A name without an extension is a word like any other.
      const isTelling = name.includes('.') || trigger.path.includes('/');
      return isTelling && (isNamed(memory.text, trigger.path) || (name.includes('.') && isNamed(memory.text, name)));
    }
  }
}

const SPEAKS_OF_FAILURE = /error|fail|exception|cannot|can't|could not|not found|denied|refused|undefined|fatal|panic/i;
const TELLING_LINES = 10;
const LAST_LINES = 5;
const LINE_CHARACTERS = 500;

/** The lines that say what went wrong, or else the last lines of the output. */
function tellingLines(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '' && !/^\[exit code \d+\]$/.test(line));
  const about = lines.filter((line) => SPEAKS_OF_FAILURE.test(line));
  const chosen = about.length > 0 ? about.slice(0, TELLING_LINES) : lines.slice(-LAST_LINES);
  return chosen.map((line) => line.slice(0, LINE_CHARACTERS)).join('\n');
}

const MOST_WORDS = 50;

/** Codes and names that hardly appear in two texts by chance: `ECONNREFUSED`, `TS2345`, `user_id_fkey`, `db.migrate`. */
function distinctiveWords(text: string): readonly string[] {
  const words = text.match(/[A-Za-z_][\w.-]{4,}\w/g) ?? [];
  const isDistinctive = (word: string) => /^[A-Z][A-Z0-9_]{5,}$|\d\d|[a-z]_[a-z]|[a-z][A-Z]|\w\.\w/.test(word);
  return [...new Set(words)].filter(isDistinctive).slice(0, MOST_WORDS);
}

/** Whether the whole name is in the text, not as the end of a longer one. */
function isNamed(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text.slice(at + name.length, at + name.length + 2);
    if (!/[\w.-]/.test(before) && !/^(?:[\w-]|\.\w)/.test(after)) return true;
  }
  return false;
}
