/** The addresses of resources: `reverie://memory/<scope>/<file>` and `reverie://index/<scope>`. */

import { MEMORY_SCOPES, type MemoryScope } from '../base/taxonomy.ts';

export const MEMORY_TEMPLATE = 'reverie://memory/{scope}/{+file}';
export const INDEX_TEMPLATE = 'reverie://index/{scope}';

export type ResourceName =
  | { readonly kind: 'memory'; readonly scope: MemoryScope; readonly file: string }
  | { readonly kind: 'index'; readonly scope: MemoryScope };

export function memoryUri(scope: MemoryScope, file: string): string {
  return `reverie://memory/${scope}/${file.split('/').map(encodeURIComponent).join('/')}`;
}

export function indexUri(scope: MemoryScope): string {
  return `reverie://index/${scope}`;
}

/** Null for whatever is not one of ours. Whether the file exists, and lies inside, is for the memory to say. */
export function parseResourceUri(uri: string): ResourceName | null {
  const [, kind, word, path] = /^reverie:\/\/(memory|index)\/([a-z]+)(?:\/([^?#]+))?$/s.exec(uri) ?? [];
  const scope = MEMORY_SCOPES.find((each) => each === word);
  if (scope === undefined) return null;
  if (kind === 'index') return path === undefined ? { kind, scope } : null;
  const file = path === undefined ? null : decodePath(path);
  return file === null ? null : { kind: 'memory', scope, file };
}

function decodePath(path: string): string | null {
  try {
    const parts = path.split('/').map(decodeURIComponent);
    // An encoded slash would name another file than the address shows.
    return parts.some((part) => /[/\\\0]/.test(part)) ? null : parts.join('/');
  } catch {
    return null;
  }
}
