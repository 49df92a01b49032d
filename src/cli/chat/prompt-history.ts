/** What the user typed in this project before: one line of JSON per prompt, for this user only. */

import { createFolder, openFolder } from '../../disk/folder.ts';
import { CHAT_LIMITS } from '../../limits.ts';

export interface PromptHistory {
  /** Oldest first. */
  entries(): readonly string[];
  /** Never throws: a prompt that cannot be stored is still sent. */
  add(prompt: string): Promise<void>;
}

const FILE = 'prompts.jsonl';

/** `folder` is the project's in Reverie's home; the first prompt creates it. */
export function openPromptHistory(folder: string): PromptHistory {
  const known = readPrompts(folder);
  let entries = known.slice(-CHAT_LIMITS.historyPrompts);
  let linesOnDisk = known.length;

  /** Rarely: once as much again has been added. */
  async function shorten(): Promise<void> {
    const held = createFolder(folder);
    try {
      const text = entries.map(lineOf).join('');
      const name = await held.stage(Buffer.from(text), { durable: false });
      held.moveIn({ from: held, name }, FILE, 'replace');
      linesOnDisk = entries.length;
    } finally {
      held.close();
    }
  }

  return {
    entries: () => entries,
    async add(prompt) {
      const text = prompt.slice(0, CHAT_LIMITS.historyCharacters);
      if (text.trim() === '' || text === entries.at(-1)) return;
      entries = [...entries, text].slice(-CHAT_LIMITS.historyPrompts);
      try {
        const held = createFolder(folder);
        try {
          await held.append(FILE, Buffer.from(lineOf(text)), { durable: false });
          linesOnDisk += 1;
        } finally {
          held.close();
        }
        if (linesOnDisk > 2 * CHAT_LIMITS.historyPrompts) await shorten();
      } catch {
        // The history of this run still has it.
      }
    },
  };
}

function lineOf(prompt: string): string {
  return `${JSON.stringify({ prompt })}\n`;
}

/** A damaged line costs only that line. */
function readPrompts(path: string): string[] {
  try {
    const folder = openFolder(path);
    try {
      return (folder?.read(FILE)?.toString('utf8') ?? '').split('\n').flatMap(promptOf);
    } finally {
      folder?.close();
    }
  } catch {
    return [];
  }
}

function promptOf(line: string): string[] {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null || !('prompt' in value)) return [];
    return typeof value.prompt === 'string' ? [value.prompt] : [];
  } catch {
    return [];
  }
}
