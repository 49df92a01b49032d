/** What a memory says of itself: its front matter, brought into one shape with the fallbacks that files without one need. */

import { basename } from 'node:path';
import { isMemorySource, type MemoryScope, type MemorySource, type MemoryType } from '../../base/taxonomy.ts';
import type { ParsedMemory } from './memory-file.ts';
import type { Quote } from './quote.ts';

/** Where a memory was learnt: session and message, or the place it was imported from. */
export type MemoryOrigin = Readonly<Record<string, string>>;

/** What the file itself holds, apart from where it lies. */
export interface MemoryFacts {
  /** From the front matter, else the file's name without `.md`. */
  readonly name: string;
  readonly description: string;
  /** One of four; null when absent or unknown. */
  readonly type: MemoryType | null;
  readonly source: MemorySource;
  /** The user's words that it rests on; empty when the file has none. */
  readonly quote: readonly Quote[];
  /** Null when unknown. */
  readonly origin: MemoryOrigin | null;
  /** ISO times; null when the file does not say. */
  readonly created: string | null;
  readonly pinned: boolean;
  readonly supersededBy: string | null;
  readonly refuted: string | null;
  /** Whoever wrote it thinks that the team can use it (`share: team`). It shares nothing: the user decides. */
  readonly forTeam?: boolean | undefined;
  /** What is odd about the file, each with its line, in words for people. */
  readonly warnings: readonly string[];
}

/** The front matter of a memory, with its place. */
export interface MemoryHeader extends MemoryFacts {
  /** Path below its memory folder, with forward slashes: `feedback_no-mocks.md`. */
  readonly file: string;
  readonly scope: MemoryScope;
  /** Absolute path. */
  readonly path: string;
  /** ISO time; the file's own when its front matter does not say. */
  readonly modified: string;
}

/** A memory in full: its header and its body. */
export interface MemoryEntry extends MemoryHeader {
  readonly body: string;
}

/** The facts, and the `modified` of the front matter if there is a readable one. `unmarked` is the source of a file that names none. */
export function factsOf(
  file: string,
  parsed: Omit<ParsedMemory, 'body'>,
  unmarked: MemorySource = 'said',
): MemoryFacts & { modified: string | null } {
  const { meta } = parsed;
  return {
    name: meta.name ?? basename(file, '.md'),
    description: meta.description ?? '',
    type: parsed.type,
    source: isMemorySource(meta.source) ? meta.source : unmarked,
    quote: parsed.quotes,
    origin: parsed.origin,
    created: isoOrNull(meta.created),
    modified: isoOrNull(meta.modified),
    pinned: meta.pinned === 'true',
    supersededBy: meta.superseded_by ?? null,
    refuted: meta.refuted ?? null,
    ...(meta.share === 'team' ? { forTeam: true } : {}),
    warnings: parsed.warnings.map((warning) => `${file}:${warning.line}: ${warning.message}`),
  };
}

function isoOrNull(text: string | undefined): string | null {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
