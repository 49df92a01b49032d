/** The closed set of memory types, where each is stored by default, and where a memory's word comes from. */

export const MEMORY_TYPES = ['user', 'feedback', 'project', 'reference'] as const;
/** What kind of thing a memory holds. */
export type MemoryType = (typeof MEMORY_TYPES)[number];

/** `said` by the user, `seen` in output, `inferred` by a model, `imported` from elsewhere. */
export const MEMORY_SOURCES = ['said', 'seen', 'inferred', 'imported'] as const;
/** Where the word of a memory comes from. */
export type MemorySource = (typeof MEMORY_SOURCES)[number];

/** Which of the user's own folders a memory is in. */
export const OWN_SCOPES = ['project', 'global'] as const;
export type OwnScope = (typeof OWN_SCOPES)[number];

export const MEMORY_SCOPES = [...OWN_SCOPES, 'team'] as const;
/** Which folder a memory is in: the project's, the user's everywhere, or the team's in the repository. */
export type MemoryScope = (typeof MEMORY_SCOPES)[number];

export function isOwnScope(scope: MemoryScope): scope is OwnScope {
  return scope !== 'team';
}

export function isMemoryType(word: unknown): word is MemoryType {
  return (MEMORY_TYPES as readonly unknown[]).includes(word);
}

export function isMemorySource(word: unknown): word is MemorySource {
  return (MEMORY_SOURCES as readonly unknown[]).includes(word);
}

/** Shown with its origin until the user confirms it. */
export function isUnconfirmed({ source }: { readonly source?: unknown }): boolean {
  return source === 'seen' || source === 'inferred';
}

/** What concerns the person follows them everywhere; the rest belongs to the project. */
export function defaultScope(type: MemoryType): OwnScope {
  return type === 'user' ? 'global' : 'project';
}
