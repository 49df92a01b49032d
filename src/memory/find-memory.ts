/** Finds the memory a FILE argument means: with or without `.md`, with or without its scope, or by its title; near names when there is none. */

import { MEMORY_SCOPES, MEMORY_TYPES, type MemoryScope } from '../base/taxonomy.ts';
import { fold } from '../base/text/fold.ts';
import { didYouMean } from '../base/text/nearest.ts';
import { ReverieError } from '../errors.ts';
import type { Memory, MemoryEntry } from './memory.ts';

export const FILE_HELP =
  'The memory: its file name (`.md` is optional) or its title; add `project:` or `global:` in front to choose the scope';

export interface FileReference {
  readonly file: string;
  readonly scope?: MemoryScope;
}

export function parseReference(argument: string): FileReference {
  const scope = MEMORY_SCOPES.find((name) => argument.startsWith(`${name}:`));
  const file = scope ? argument.slice(scope.length + 1) : argument;
  return { file: /\.md$/i.test(file) ? file : `${file}.md`, ...(scope ? { scope } : {}) };
}

export async function findMemory(memory: Memory, argument: string): Promise<MemoryEntry> {
  const wanted = parseReference(argument);
  const entries = await memory.list();
  const inScope = entries.filter(({ scope }) => scope === (wanted.scope ?? scope));
  const byFile = inScope.filter(({ file }) => file === wanted.file);
  const found = byFile.length > 0 ? byFile : inScope.filter(({ name }) => isTitle(name, wanted));
  if (found.length === 1) return found[0]!;
  if (found.length > 1) {
    throw new ReverieError({
      code: 'ambiguous',
      message: `Several memories are called ${argument}.`,
      fix: `Say which: ${found.map(({ scope, file }) => `${scope}:${file}`).join(' or ')}`,
    });
  }
  throw notFound({ memory, wanted, known: entries });
}

function isTitle(name: string, { file }: FileReference): boolean {
  return fold(name) === fold(file.replace(/\.md$/i, ''));
}

/** `no-mocks` of `feedback_no-mocks`: the type is ours, the rest is what the user called it. */
function withoutType(name: string): string {
  const type = MEMORY_TYPES.find((each) => name.startsWith(`${each}_`));
  return type === undefined ? name : name.slice(type.length + 1);
}

export function notFound(search: {
  memory: Memory;
  wanted: FileReference;
  known: readonly FileReference[];
}): ReverieError {
  const { memory, wanted } = search;
  if (!memory.enabled) {
    return new ReverieError({ code: 'memory-off', message: memory.offReason ?? 'Memory is off.' });
  }
  const near = didYouMean(
    wanted.file.replace(/\.md$/, ''),
    search.known.map(({ file }) => file.replace(/\.md$/, '')),
    withoutType,
  );
  const where = wanted.scope ? ` in the ${wanted.scope} scope` : '';
  const hint = near === '' ? '.' : `; ${near}`;
  return new ReverieError({
    code: 'not-found',
    message: `There is no memory ${wanted.file}${where}${hint}`,
    fix: 'See what there is: reverie memory list',
  });
}
