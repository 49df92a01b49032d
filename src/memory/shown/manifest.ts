/** The list of memories that a selector picks from: a line each, with a name by which it can answer. */

import { escapeMarkup, stripInvisible } from '../../base/text/visible-text.ts';

export interface ListedMemory {
  /** Tells it from every other, whatever both are called: `project:feedback_tabs.md`. */
  readonly key: string;
  readonly file: string;
  readonly type: string | null;
  /** ISO time. */
  readonly modified: string;
  readonly name: string;
  readonly description: string;
}

export interface Manifest {
  readonly text: string;
  /** By the name in the list. */
  readonly keys: ReadonlyMap<string, string>;
}

export function manifestOf(
  memories: readonly ListedMemory[],
  limits: { readonly descriptionCharacters: number },
): Manifest {
  const keys = new Map<string, string>();
  const lines = memories.map((memory) => {
    // Two folders may have a file of one name; the second one is told by its whole key.
    const name = plain(keys.has(plain(memory.file)) ? memory.key : memory.file);
    keys.set(name, memory.key);
    return manifestLine({ ...memory, file: name }, limits);
  });
  return { text: lines.join('\n'), keys };
}

export function manifestLine(
  memory: Omit<ListedMemory, 'key'>,
  limits: { readonly descriptionCharacters: number },
): string {
  const about = plain(memory.description) || plain(memory.name);
  return `- [${memory.type ?? 'untyped'}] ${plain(memory.file)} (${memory.modified}): ${cut(about, limits.descriptionCharacters)}`;
}

/** One line, without what could pass for a part of the prompt around it. */
function plain(text: string): string {
  return escapeMarkup(stripInvisible(text.replace(/[\s\u0085\u2028\u2029]+/g, ' ')).text).trim();
}

function cut(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most).join('')}…`;
}
